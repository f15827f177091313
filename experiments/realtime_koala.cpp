#include "realtime_koala.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "dashpot/core/file.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/record/ledger.hpp"
#include "dashpot/reduce/reduced_stvk.hpp"
#include "interrupt.hpp"
#include "koala_examples.hpp"
#include "measures.hpp"
#include "scene_files.hpp"
#include "step_timing.hpp"

namespace dashpot::cli::realtime {
namespace {

constexpr int num_examples = 4;

NewtonOptions newton(int fixed_iterations) {
  NewtonOptions options;
  options.fixed_iterations = fixed_iterations;
  return options;
}

Frame frame_of(const ReducedModel& model, const State& state) {
  Frame frame;
  frame.time = state.time;
  const Vector q = model.subspace->lift(state.q), v = model.subspace->lift_rate(state.v);
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    frame.points.push_back(q.segment<3>(i));
    frame.velocities.push_back(v.segment<3>(i));
  }
  frame.power.assign(frame.points.size(), 0.0);
  return frame;
}

Course follow(const ReducedModel& model, const State& start, const CompiledScene& scene, int fixed_iterations) {
  const System& system = *model.system;
  const auto stepper = dashpot::make_stepper(Integrator("bathe"), newton(fixed_iterations), LinearSolverOptions{});
  State state = start;
  Workspace workspace = system.make_workspace();
  EnergyLedger ledger(system, state);
  Course course;
  course.label = fixed_iterations == 1 ? "one Newton iteration a sub-step" : "converged";
  course.initial = ledger.initial_energy();
  const std::vector<int>& belly = scene.run.probes.at(0).points;
  const std::uint64_t passes = ReducedStvk::num_passes(*workspace.energy[0]);
  constexpr int steps = 200;
  for (int i = 0; i <= steps && !interrupted(); ++i) {
    const Vector u = model.subspace->basis().shapes * state.q;
    double mean = 0;
    for (const int node : belly) mean += u[3 * node] / static_cast<double>(belly.size());
    course.time.push_back(state.time);
    course.belly.push_back(mean);
    if (i % 2 == 0) course.frames.push_back(frame_of(model, state));
    if (i == steps) break;
    const StepReport report = stepper->step(system, state, workspace, dt);
    course.failed = report.status == StepStatus::failed;
    if (course.failed) break;
    ledger.book(system, state, report);
  }
  course.passes = static_cast<double>(ReducedStvk::num_passes(*workspace.energy[0]) - passes) / steps;
  for (const double loss : ledger.damping()) course.damping += loss;
  course.solver = ledger.solver();
  course.numerical = ledger.numerical();
  return course;
}

std::vector<double> captured_examples(const Measured& measured) {
  const auto& term = dynamic_cast<const ExampleBased&>(*measured.scene.system->dissipations()[0]);
  const ReducedBasis& basis = measured.model->subspace->basis();
  std::vector<double> shares;
  for (std::size_t i = 0; i < term.examples().size(); ++i) {
    const Vector shape = term.shape(i);
    const double size = std::sqrt(2 * measured.scene.system->inertia().kinetic_energy(basis.rest, shape));
    shares.push_back((basis.weighted.transpose() * shape).norm() / size);
  }
  return shares;
}

TimedBody timed(const Measured& measured, const State& start, int fixed_iterations, const Sizes& sizes) {
  std::vector<TimedBody> body;
  body.emplace_back(measured.model->system, start, newton(fixed_iterations));
  time_in_turn(body, dt, sizes.steps, sizes.repeats);
  return std::move(body[0]);
}

}  // namespace

std::optional<Measured> measure(const ReproductionRequest& request, const Sizes& sizes) {
  const std::string text = koala_scene(sizes.tets, num_examples);
  write_file_atomically(request.folder + "/scene.json", text);
  Measured measured{};
  measured.scene = compile(parse_scene(text, "A-realtime"));
  {
    Progress progress(request.console, "basis and polynomials", 100, "%");
    PrecomputeHooks hooks;
    hooks.should_stop = [] { return interrupted(); };
    hooks.on_progress = [&](const std::string&, double done) { progress.update(100 * done); };
    const auto begin = std::chrono::steady_clock::now();
    std::optional<ReducedBasis> basis = modal_basis(*measured.scene.system, {sizes.modes, sizes.coordinates}, hooks);
    if (basis) measured.model = reduce_system(measured.scene.system, std::move(*basis), hooks);
    measured.precompute_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (!measured.model) return std::nullopt;
  measured.captured = captured_examples(measured);
  ReducedModel::Projected start = measured.model->project(measured.scene.start);
  measured.start_error = start.position_error;
  Workspace workspace = measured.model->system->make_workspace();
  make_consistent(*measured.model->system, start.state, workspace);
  const auto& elastic = dynamic_cast<const ReducedStvk&>(*measured.model->system->energies()[0]);
  measured.evaluation = evaluation_cost(elastic.forms().energy, 40 * sizes.repeats);
  const TimedBody once = timed(measured, start.state, 1, sizes), converged = timed(measured, start.state, 0, sizes);
  measured.once_ms = once.milliseconds(), measured.once_median_ms = once.median_milliseconds();
  measured.converged_ms = converged.milliseconds(), measured.converged_median_ms = converged.median_milliseconds();
  measured.iterations = converged.newton_iterations();
  measured.once = follow(*measured.model, start.state, measured.scene, 1);
  measured.converged = follow(*measured.model, start.state, measured.scene, 0);
  if (interrupted()) return std::nullopt;
  return measured;
}

double Measured::largest_displacement() const {
  double most = converged.belly.empty() ? not_measured : 0;
  for (const double x : converged.belly) most = larger(most, std::abs(x));
  return most;
}

double Measured::deviation() const {
  if (once.failed || converged.failed || converged.belly.size() != once.belly.size()) return not_measured;
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < converged.belly.size(); ++i) {
    most = larger(most, std::abs(converged.belly[i]));
    difference = larger(difference, std::abs(converged.belly[i] - once.belly[i]));
  }
  return most > 0 ? difference / most : not_measured;
}

}  // namespace dashpot::cli::realtime
