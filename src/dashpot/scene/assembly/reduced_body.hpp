#pragma once
// A scene's "reduced" body: the full System is put together as for any other, then seen from a subspace
// (reduce/reduced_system.hpp). Poses and velocities at the start, and the shapes of damping examples, become the
// nearest points of the subspace; how far that is from what was asked is said, and warned of above 5 %.
//
// Pins that move rigidly (one joint of a skeleton, keyframes) carry the subspace along (reduce/moving_frame.hpp); a
// start velocity then is one against them.
//
// It may touch colliders and other bodies, and bodies of nodes may be attached to it: contact acts on its nodes, as far
// as the subspace can follow (a dent of one node is not in it).
//
// Limits: held by pins; it cannot be attached to another body, only others to it, and not while its pins move; on
// moving pins no loads besides gravity.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/model/motion.hpp"
#include "dashpot/reduce/hooks.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// Everything in the scene that a reduced body cannot do, by name.
void check_reduced(const SceneSpec& spec, std::vector<Problem>& problems);

struct ReducedBody {
  std::shared_ptr<const ReducedModel> model;
  State start;                     ///< projected; accelerations are the caller's to make consistent
  std::vector<std::string> notes;  ///< for people: size, basis, what became of each term
  std::vector<Problem> warnings;
};

/// Nothing when the hooks said stop. `start` belongs to `full`. dashpot::Error with the place in the scene.
std::optional<ReducedBody> reduce_body(const BodySpec& body, std::shared_ptr<const System> full, const State& start,
                                       const PrecomputeHooks& hooks);

/// What carries a reduced body of a scene; null: its pins stay where they are.
std::shared_ptr<const RigidMotion> carrier_of(const SceneSpec& spec, const BodySpec& body);
/// The scene with pins of that body that do not move: what its subspace is made from.
SceneSpec held_still(SceneSpec spec, std::size_t body);

}  // namespace dashpot
