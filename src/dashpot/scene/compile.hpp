#pragma once
// SceneSpec -> System + State + run settings. Everything a run needs, built from the other rooms.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/record/recording.hpp"
#include "dashpot/record/run.hpp"
#include "dashpot/reduce/hooks.hpp"
#include "dashpot/scene/read_scene.hpp"

namespace dashpot {

struct ReducedModel;

struct CompiledBody {
  std::string name;
  Mesh mesh;            ///< rest shape, placed in the world
  int first_block = 0;  ///< its node i is point first_block + i of the System; unless it is reduced, that block too
  double mass = 0;      ///< [kg]
};

struct CompiledScene {
  SceneSpec spec;
  std::shared_ptr<const System> system;
  State start;      ///< consistent: accelerations balance the forces
  RunSettings run;  ///< folder, resume and progress are the caller's to fill in
  std::vector<CompiledBody> bodies;
  Recording recording;  ///< what pictures and exports need beside the frames; its frames are empty
  /// All damping that acts, in words: "beam: rayleigh, alpha 0.2 /s, beta 0.3 ms"; empty: none was asked for.
  std::vector<std::string> dampings;
  /// All contact, in words: "floor: touches ball with 2 MPa/m, friction 0.5"; empty: nothing can touch.
  std::vector<std::string> contacts;
  /// Where the scene is one reduced body: `system` and `start` are in its coordinates. Null: there are nodes, or
  /// several bodies.
  std::shared_ptr<const ReducedModel> reduced;
  std::vector<std::string> reductions;  ///< size, basis and what became of each term, in words
  std::vector<Problem> warnings;        ///< that only building could show; the spec's warnings hold them too
};

/// dashpot::Error with all problems when something does not fit (a start that has no equilibrium, a missing mode, ...).
CompiledScene compile(SceneSpec spec);
/// The same, telling of the precomputation of a reduced body. Nothing when the hooks said stop.
std::optional<CompiledScene> compile(SceneSpec spec, const PrecomputeHooks& hooks);

/// The stepper the scene asks for.
std::unique_ptr<Stepper> make_stepper(const SceneSpec& spec);

/// What a run will cost, from counts alone (a model, not a measurement; good to a factor of about three).
struct Prediction {
  std::int64_t nodes = 0, tets = 0, dofs = 0, steps = 0;
  double bytes = 0;    ///< peak memory
  double seconds = 0;  ///< on two cores
  double seconds_per_step = 0;
  int reduced = 0;                ///< coordinates of a reduced body; 0: none
  double precompute_seconds = 0;  ///< of its basis and polynomials, unless the cache has them
};
Prediction predict(const SceneSpec& spec);

}  // namespace dashpot
