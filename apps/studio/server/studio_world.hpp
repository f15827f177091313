#pragma once
// A compiled scene that is stepped live: the System with the values turned so far, its State, its ledger. It steps as
// `dashpot run` does: the same stepper, the same sub-steps, times as multiples of dt. What the mouse does comes as
// impulses between steps and is booked as external work.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/integrate/live_system.hpp"
#include "dashpot/record/ledger.hpp"
#include "decay_tracker.hpp"
#include "mouse_spring.hpp"

namespace dashpot::studio {

/// All that changes of a world; a copy is an instant to come back to.
struct WorldInstant {
  State state;
  std::vector<double> accumulators;  ///< of the ledger
  /// Of the scene before an edit that left the nodes as they are: positions and velocities hold, history and losses do
  /// not.
  bool is_from_before_an_edit = false;
  std::size_t bytes() const;
};

class StudioWorld {
 public:
  /// `system`: that of the scene, or one that comes from it (the same coordinates). Starts where the scene starts.
  StudioWorld(std::string kind, std::shared_ptr<const CompiledScene> scene, std::shared_ptr<const System> system);

  const std::string& kind() const { return kind_; }
  const CompiledScene& scene() const { return *scene_; }
  const std::shared_ptr<const CompiledScene>& shared_scene() const { return scene_; }
  /// As it was built; system() has the values turned.
  const std::shared_ptr<const System>& base() const { return base_; }
  const System& system() const { return *live_; }
  const State& state() const { return state_; }
  const EnergyLedger& ledger() const { return ledger_; }
  const StepReport& last_step() const { return report_; }

  void reset();
  /// One step; empty: it went well, else why not (the state is that before the step).
  std::string step();
  /// Sets parameters by name; names this world does not have are left out, and told.
  std::vector<std::string> set(const std::map<std::string, std::vector<double>>& values);

  /// Takes over the values that were turned in another world of the same scene; not those of example gains.
  void take_values(const StudioWorld& other);

  void grab(const Patch& patch);
  void let_go() {
    grip_.reset();
    pull_force_ = 0;
  }
  /// Pulls at the grabbed patch in the steps to come; none: it is held loosely.
  void pull(const std::optional<Pull>& pull) { pull_ = pull; }
  /// Force of the last pull [N].
  double pull_force() const { return pull_force_; }
  Vec3 grip_position() const;
  /// Mass that the patch shows [kg]; 0: it cannot move.
  double grip_mass() const { return grip_ && grip_->response ? grip_->response->mass() : 0; }
  void poke(const Patch& patch, const Vec3& impulse);

  /// Time stands: the body gives way to the pull without swinging, toward the balance of the two. Returns how far the
  /// patch has come by this, as a share of the size of the body; 0: no further.
  double give_way();
  /// At rest in the shape it has, at this time; the ledger begins anew.
  void stand_still();

  /// Follows the ring-down of the patch grabbed last, from now on.
  void track(const Patch& patch, const Vec3& direction);
  DecayTracker& decay() { return decay_; }

  std::vector<Vec3> positions() const;
  /// Takes over the motion of another world: all coordinates where both have the same, else the nearest ones of a
  /// reduced body. False: they do not fit, and nothing was changed.
  bool take_motion(const StudioWorld& other);
  /// Goes on where another world of the same scene is, with its history and its ledger.
  void continue_from(const StudioWorld& other);
  /// The scratch of a damping in the present step; null: none.
  const TermScratch* scratch_of(std::size_t dissipation);

  WorldInstant instant() const { return {state_, ledger_.accumulators()}; }
  void restore(const WorldInstant& instant);
  /// Whether positions and velocities of a world of `other` are those of the same nodes, in the same coordinates.
  bool has_nodes_of(const CompiledScene& other) const;

 private:
  struct Grip {
    Patch patch;
    std::optional<PatchResponse> response;
  };
  const CompiledBody& body_of_patch(const Patch& patch) const;
  void pull_patch();
  bool push(const Matrix& columns, const Vec3& impulse);
  bool make_consistent_again();
  bool begin_at(Vector q, Vector v, double time);
  double reach() const;

  std::string kind_;
  std::shared_ptr<const CompiledScene> scene_;
  std::shared_ptr<const System> base_;
  State start_, state_;
  std::unique_ptr<Stepper> stepper_;
  LiveSystem live_;
  EnergyLedger ledger_;
  MassSolver mass_;
  Balance balance_;
  StepReport report_;
  std::optional<Grip> grip_;
  std::optional<Pull> pull_;
  double pull_force_ = 0;
  double reach_ = 0;  ///< size of the largest body [m]
  Patch tracked_;
  DecayTracker decay_;
};

}  // namespace dashpot::studio
