#pragma once
// The "fit" section of a scene: load tests and a sagged pose, from which the curve of the body's spline material and
// its rest shape are found, and the scene written back with them.
//
// Where both are asked for they depend on each other (a softer material needs a rest shape that sags more), and the two
// searches take turns until the rest shape stands still, as in [XuBarbic2017, sec. 7].

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/design/identify.hpp"
#include "dashpot/design/rest_shape.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot::design {

struct FitTask {
  SceneSpec spec;  ///< where a rest shape is sought, with selections by node number: they must not change with it
  std::size_t body = 0;
  ElasticPoints start;  ///< material as the scene has it; only for cases
  std::vector<LoadCase> cases;
  bool wants_rest_shape = false;
  std::vector<Vec3> pose;      ///< nodes of the scene's mesh
  IdentifyOptions identify;    ///< callbacks are the caller's to fill in
  RestShapeOptions sag;        ///< the same
  int max_sweeps = 8;          ///< where both are sought
  double sweep_change = 1e-3;  ///< the rest shape stands still: of its sag

  const BodySpec& body_spec() const { return spec.bodies[body]; }
};

/// dashpot::Error with all problems of the section.
FitTask make_fit_task(const SceneSpec& spec);

struct FitOutcome {
  std::optional<Identified> elasticity;
  std::optional<RestShape> rest;
  int sweeps = 0;
  bool reached = false, stopped = false;
};
FitOutcome run_fit(const FitTask& task);

/// The System of the task's body alone, for statics: with this material (unless null) and rest shape (unless empty).
struct FitBody {
  std::shared_ptr<const System> system;
  std::shared_ptr<TetBatch> batch;
};
FitBody fit_body(const FitTask& task, const ElasticPoints* material, const std::vector<Vec3>& rest);
PosedBody posed_body(const FitTask& task, const ElasticPoints* material);
/// With a rest shape, the task's pose is the unloaded body.
TestedBody tested_body(const FitTask& task, const std::vector<Vec3>& rest);

/// The scene with what was found, to be written into `folder`; without its "fit" section. A rest shape is expected in
/// `folder`/rest.msh; the body then starts in equilibrium unless it starts otherwise on purpose.
std::string fitted_scene(const FitTask& task, const FitOutcome& outcome, const std::string& folder);
/// The body's mesh with its rest shape.
Mesh rest_mesh(const FitTask& task, const std::vector<Vec3>& rest);

}  // namespace dashpot::design
