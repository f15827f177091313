#include "dashpot/projective/projective_stepper.hpp"

#include <fmt/format.h>

#include "dashpot/integrate/implicit_stepper.hpp"
#include "dashpot/projective/momentum_restoration.hpp"
#include "dashpot/projective/projective_solver.hpp"

namespace dashpot {
namespace {

constexpr double single_tolerance = 1e-4;  // projections of stiff bodies in single precision leave some 2e-5

class ProjectiveStepper final : public Stepper {
 public:
  ProjectiveStepper(const StepperOptions& integrator, const ProjectiveOptions& options)
      : options_(options), name_("projective_" + to_string(integrator.kind)) {
    auto solver = std::make_unique<ProjectiveSolver>(options);
    solver_ = solver.get();
    inner_ = std::make_unique<ImplicitStepper>(name_, table_maker(integrator), std::move(solver));
  }

  std::string name() const override { return name_; }

  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override {
    if (!options_.restore_momentum) return inner_->step(system, state, workspace, dt);
    if (!restoration_ || system_ != &system) {
      system_ = &system;
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

 private:
  ProjectiveOptions options_;
  std::string name_;
  std::unique_ptr<ImplicitStepper> inner_;
  ProjectiveSolver* solver_ = nullptr;  ///< inner_ owns it
  const System* system_ = nullptr;
  std::unique_ptr<MomentumRestoration> restoration_;
};

}  // namespace

std::unique_ptr<Stepper> make_projective_stepper(const StepperOptions& integrator, const ProjectiveOptions& options) {
  std::vector<Problem> problems;
  const std::string name = to_string(integrator.kind);
  if (!table_maker(integrator))
    problems.push_back({"projective dynamics", fmt::format("the explicit integrator {}", name),
                        "an implicit one, such as midpoint, backward_euler or bdf2", ""});
  const bool one_velocity_step =
      integrator.kind == StepperKind::midpoint || integrator.kind == StepperKind::backward_euler;
  if (options.restore_momentum && !one_velocity_step)
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
