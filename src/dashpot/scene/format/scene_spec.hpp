#pragma once
// A scene that has been checked: what to simulate, for how long, what to record. Numbers are SI, defaults filled in.
// The format is docs/theory/scene.md; compile.hpp turns a SceneSpec into a System.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/projective/projective_options.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class Collider;
struct Mesh;

struct TimeSpec {
  double dt = 0;   ///< [s]
  double end = 0;  ///< [s]
  ModelSpec stepper_model;
  Integrator stepper;
  int max_halvings = 6;
};

struct PinSpec {
  ModelSpec where;
  std::array<bool, 3> axes{true, true, true};
  std::optional<ModelSpec> motion;
};

struct SpringSpec {
  Settings settings;
  double stiffness = 0;                     ///< [N/m]
  std::vector<std::array<int, 2>> between;  ///< empty: every edge of the mesh
  std::optional<double> rest_length;        ///< [m]; absent: as in the mesh
};

struct PointMassSpec {
  ModelSpec where;
  double mass = 0;  ///< [kg]
};

enum class ElementOrder { as_mesh, tet4, tet10 };

/// A body simulated in a subspace (reduced_body.hpp).
struct ReducedSpec {
  Settings settings;
  int num_modes = 0, size = 0;
  bool is_pod = false, cache = true;
  bool examples = true;  ///< shapes of damping examples are in the basis
  std::string run;       ///< folder of the run a pod basis is made from; empty: modes
};

struct BodySpec {
  Settings settings;  ///< all of it, for messages
  std::string name;
  ModelSpec mesh;
  std::shared_ptr<const Mesh> built;  ///< made while checking, so that compile() need not read files again
  ElementOrder elements = ElementOrder::as_mesh;
  double scale = 1;
  Vec3 rotate = Vec3::Zero(), translate = Vec3::Zero();
  std::optional<ModelSpec> material;
  std::vector<ModelSpec> damping, loads;
  std::vector<PinSpec> pins;
  std::vector<SpringSpec> springs;
  std::vector<PointMassSpec> point_masses;
  ModelSpec start;
  std::optional<ReducedSpec> reduced;
};

/// Nodes of one body that follow another.
struct AttachmentSpec {
  Settings settings;
  std::size_t body = 0, to = 0;  ///< indices into SceneSpec::bodies
  ModelSpec where;
  double within = 0;       ///< [m]
  bool to_nodes = false;   ///< follow the nearest node, not the nearest point
  bool close_gap = false;  ///< drop the offset that the meshes have at rest
};

struct ColliderSpec {
  ModelSpec model;
  std::string name;
  std::vector<std::string> bodies;        ///< which bodies it touches; empty: all
  std::shared_ptr<const Collider> built;  ///< made while checking
};

/// Bodies that touch each other.
struct ContactSpec {
  Settings settings;
  std::vector<std::string> between;                   ///< two names; empty: all pairs
  double friction = 0, slip_speed = 0;                ///< [-], [m/s]
  std::optional<double> stiffness, onset, thickness;  ///< [Pa/m], [m], [m]; absent: from the bodies
};

struct ProbeSpec {
  std::string name;
  std::size_t body = 0;
  ModelSpec where;
};

struct RecordSpec {
  double every = 0;       ///< [s]; 0: every step
  double checkpoint = 0;  ///< [s]; 0: only at the end
  std::vector<ProbeSpec> probes;
};

struct SceneSpec {
  std::string title;
  Vec3 gravity = Vec3::Zero();
  TimeSpec time;
  std::optional<ProjectiveOptions> projective;  ///< absent: Newton
  NewtonOptions newton;
  LinearSolverOptions linear;
  std::vector<BodySpec> bodies;
  std::vector<AttachmentSpec> attachments;
  std::vector<ColliderSpec> colliders;
  std::vector<ContactSpec> contacts;
  RecordSpec record;
  int seed = 0;
  std::shared_ptr<const SceneDocument> document;
  std::vector<Problem> warnings;
};

/// The scene with every default filled in, as JSON with units. Reading it back gives the same scene, from any folder:
/// names of files are absolute, and those read so far are listed with their hashes under "inputs".
std::string filled_in(const SceneSpec& spec);
/// Reads the files that the scene names and that checking it did not need, so that filled_in() can list them.
void read_named_files(const SceneSpec& spec);
/// The normal form without the places and the hashes of its files: what is simulated, given the bytes of the files.
JsonValue without_places(const SceneSpec& spec);

}  // namespace dashpot
