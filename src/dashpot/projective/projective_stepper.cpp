#include "dashpot/projective/projective_stepper.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "dashpot/integrate/implicit_stepper.hpp"
#include "dashpot/integrate/table_analysis.hpp"
#include "dashpot/projective/momentum_restoration.hpp"
#include "dashpot/projective/projective_solver.hpp"
#include "dashpot/projective/timed_stepper.hpp"

namespace dashpot {
namespace {

constexpr double max_ending_share = 0.5;   // of the time left: one slow ending must not leave no iterations
constexpr double single_tolerance = 1e-4;  // projections of stiff bodies in single precision leave some 2e-5

class ProjectiveStepper final : public TimedStepper {
 public:
  ProjectiveStepper(const Integrator& integrator, const ProjectiveOptions& options)
      : options_(options), name_("projective_" + integrator.name()) {
    auto solver = std::make_unique<ProjectiveSolver>(options);
    solver_ = solver.get();
    num_stages_ = num_stages(integrator);
    inner_ = std::make_unique<ImplicitStepper>(name_, integrator, std::move(solver));
  }

  std::string name() const override { return name_; }

  double budget() const override { return options_.budget; }
  double seconds() const override { return solver_->seconds(); }
  void set_deadline(double deadline) override { deadline_ = deadline; }

  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override {
    if (deadline_ == 0 && options_.budget == 0) {
      solver_->begin_step(std::numeric_limits<double>::infinity(), num_stages_);
      return step_and_restore(system, state, workspace, dt);
    }
    const double begin = seconds(), end = deadline_ > 0 ? deadline_ : begin + options_.budget;
    solver_->begin_step(end - std::clamp(ending_, 0.0, std::max(0.0, max_ending_share * (end - begin))), num_stages_);
    StepReport report = step_and_restore(system, state, workspace, dt);
    if (report.status != StepStatus::failed) ending_ = seconds() - solver_->iterations_ended();
    return report;
  }

 private:
  StepReport step_and_restore(const System& system, State& state, Workspace& workspace, double dt) {
    if (!options_.restore_momentum) return inner_->step(system, state, workspace, dt);
    if (!restoration_ || system_id_ != system.id()) {
      system_id_ = system.id();
      restoration_ = std::make_unique<MomentumRestoration>(system);
    }
    const State before = state;
    StepReport report = inner_->step(system, state, workspace, dt);
    if (report.status == StepStatus::failed) return report;
    const double gained = restoration_->apply(before, solver_->stage_position(), solver_->stage_force(), dt, state);
    report.work.solver -= gained;  // the error of an unfinished iteration, taken back
    report.end.kinetic += gained;
    return report;
  }

  ProjectiveOptions options_;
  std::string name_;
  std::unique_ptr<ImplicitStepper> inner_;
  ProjectiveSolver* solver_ = nullptr;  ///< inner_ owns it
  int num_stages_ = 1;
  double deadline_ = 0;  ///< [s]; 0: the budget of the options counts for each step
  double ending_ = 0;    ///< what the last step took after its iterations: forces, energies, ledger [s]
  std::uint64_t system_id_ = 0;
  std::unique_ptr<MomentumRestoration> restoration_;
};

}  // namespace

std::unique_ptr<Stepper> make_projective_stepper(const Integrator& integrator, const ProjectiveOptions& options) {
  std::vector<Problem> problems;
  const std::string& name = integrator.name();
  if (integrator.is_explicit())
    problems.push_back({"projective dynamics", fmt::format("the explicit integrator {}", name),
                        "an implicit one, such as midpoint, backward_euler or bdf2", ""});
  if (options.restore_momentum && !has_one_impulse(integrator))
    problems.push_back({"projective dynamics", fmt::format("restore_momentum with {}", name),
                        "midpoint or backward_euler", "or more iterations: what has converged needs no restoration"});
  if (options.precision == ProjectionPrecision::single_precision && options.iterations == 0 &&
      options.tolerance < single_tolerance)
    problems.push_back({"projective dynamics",
                        fmt::format("single precision with a tolerance of {:.2g}", options.tolerance),
                        fmt::format("a tolerance of {:.0e} or more", single_tolerance),
                        "or double precision, or a fixed number of iterations"});
  if (!problems.empty()) throw Error(std::move(problems));
  return std::make_unique<ProjectiveStepper>(integrator, options);
}

}  // namespace dashpot
