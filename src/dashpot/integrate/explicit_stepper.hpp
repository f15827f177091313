#pragma once
// Explicit integrators. They cost one force evaluation a step and are stable only while omega_max h < 2 (less with
// damping); velocity filters act on the predicted velocity, before positions advance.
//
// KickDrift (integrator.hpp) tells how much of the kick h a comes before the drift:
//   all, symplectic Euler:  a = M^-1 f(q_n, v_n),  v_{n+1} = v_n + h a,  q_{n+1} = q_n + h v_{n+1}           (order 1)
//   half, leapfrog:         v_{n+1/2} = v_n + h/2 a_n,  q_{n+1} = q_n + h v_{n+1/2},
//                           a_{n+1} = M^-1 f(q_{n+1}, v_{n+1/2} + h/2 a_n),  v_{n+1} = v_{n+1/2} + h/2 a_{n+1}   (order
//                           2)
//
// Friction and impact damping are not among these forces: they act as impulses (impulses.hpp) before the filters, and
// again after them where there are any; in leapfrog over h/2 there and over h/2, by the law at v_{n+1/2}, at the end.
// Leapfrog's State::a is therefore that of all other forces.

#include "dashpot/integrate/impulses.hpp"
#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/integrate/previous_step_scratch.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/integrate/work_account.hpp"

namespace dashpot {

class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(std::string name, const KickDrift& scheme) : name_(std::move(name)), scheme_(scheme) {}
  std::string name() const override { return name_; }
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override;

 private:
  /// The whole kick at the start.
  bool kick_drift(const System& system, const State& state, State& next, Workspace& workspace, double dt,
                  StepReport& report);
  /// Kicks before and after the drift.
  bool kick_drift_kick(const System& system, const State& state, State& next, Workspace& workspace, double dt,
                       StepReport& report);
  /// Takes v from what forces made of it to what positions advance with; filters act over dt, at `time`.
  bool impulses_and_filters(const System& system, const State& state, const Workspace& workspace,
                            const ImpulseInterval& interval, double dt, double time, Vector& v, Vector& reactions,
                            StepReport& report);
  /// Forces and accelerations at the start of a step, without impulsive losses.
  bool begin_first_kick(const System& system, const State& state, const Workspace& workspace);
  void book_work(const System& system, const Vector& displacement, double dt, StepWork& work) const;
  /// History and memory of the new state.
  void finish(const System& system, const State& state, State& next, const Workspace& workspace, double dt,
              StepWork& work);

  bool has_second_kick() const { return scheme_.first_kick < 1; }

  std::string name_;
  KickDrift scheme_;
  MassSolver mass_;
  PreviousStepScratch previous_;
  StepSamples samples_;
  StageState motion_;
  StepImpulses impulses_;
};

}  // namespace dashpot
