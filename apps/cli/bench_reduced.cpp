// What a reduced St. Venant-Kirchhoff body costs: the koala, 20 modes and their derivatives, 74 coordinates. Floor: the
// unique coefficients of its quartic energy are read once an evaluation; the same array is summed in the same run.
#include <chrono>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/reduce/reduced_stvk.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "dashpot/scene/compile.hpp"
#include "interrupt.hpp"
#include "reduced_cost.hpp"
#include "step_timing.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

CompiledScene koala(int tets) {
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "10 ms", "end": "1 s", "stepper": "bathe"}},
    "bodies": [{{"name": "koala", "mesh": {{"shape": "koala", "tets": {}}},
      "material": {{"model": "stvk", "young": "50 kPa", "poisson": 0.4, "density": 1000}},
      "damping": [{{"model": "rayleigh", "alpha": "0.1 /s", "beta": "2 ms", "stiffness": "projected_tangent"}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1, 0.03, 1]]}}}}]}}]}})",
                                         tets)));
}

/// The koala let go from a bent pose, steps of 10 ms.
TimedBody timed_koala(const ReducedModel& model, int fixed_iterations, int repeats) {
  const System& system = *model.system;
  State state = system.initial_state();
  Workspace workspace = system.make_workspace();
  state.q[0] = 0.15 / model.subspace->basis().shapes.col(0).cwiseAbs().maxCoeff();
  make_consistent(system, state, workspace);
  NewtonOptions newton;
  newton.fixed_iterations = fixed_iterations;
  std::vector<TimedBody> bodies;  // one alone: bodies that step in turn would share the memory of one polynomial
  bodies.emplace_back(model.system, state, newton);
  time_in_turn(bodies, 0.01, 60, repeats);
  return std::move(bodies.front());
}

void measure(int tets, const BenchRequest& request, std::vector<Measurement>& out) {
  // The polynomials are summed over all tets once; beyond this they take minutes and tell nothing new.
  if (tets > 20000) return;
  const CompiledScene scene = koala(tets);
  const int count = scene.bodies[0].mesh.tets()->size();
  PrecomputeHooks hooks;
  hooks.should_stop = [] { return interrupted(); };
  std::optional<ReducedModel> model;
  const double precompute_ms = milliseconds([&] {
    std::optional<ReducedBasis> basis = modal_basis(*scene.system, {20, 74}, hooks);
    if (basis) model = reduce_system(scene.system, std::move(*basis), hooks);
  });
  if (!model) return;
  const bool judged = count > 8000 && count < 16000;  // the bars are stated for 11k tets
  const auto at_most = [&](double bar) { return judged ? std::optional<double>(bar) : std::nullopt; };
  const auto at_least = at_most;
  out.push_back({"basis and polynomials of 74 coordinates", count, precompute_ms * 1e-3, "s", at_most(60), {}});

  const auto& energy = dynamic_cast<const ReducedStvk&>(*model->system->energies()[0]);
  const QuarticForm& form = energy.forms().energy;
  const EvaluationCost cost = evaluation_cost(form, 40 * request.repeats);
  if (interrupted()) return;
  out.push_back({"force and stiffness", count, cost.evaluate_ms, "ms", {}, {}});
  out.push_back({"  over reading the coefficients once", count, cost.ratio(), "1", {}, {}});
  const TimedBody once = timed_koala(*model, 1, request.repeats), converged = timed_koala(*model, 0, request.repeats);
  out.push_back(
      {"Bathe, one Newton iteration a sub-step", count, 1e3 / once.milliseconds(), "steps/s", {}, at_least(500)});
  out.push_back({"Bathe, converged", count, 1e3 / converged.milliseconds(), "steps/s", {}, at_least(200)});
  out.push_back({"  Newton iterations a step", count, converged.newton_iterations(), "1", {}, {}});
}

}  // namespace

std::vector<Measurement> bench_reduced(const BenchRequest& request) {
  return measure_sizes(request, "reduced", measure);
}

}  // namespace dashpot::cli
