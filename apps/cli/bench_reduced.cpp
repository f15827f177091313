// What a reduced St. Venant-Kirchhoff body costs: the koala, 20 modes and their derivatives, 74 coordinates. Floor: the
// unique coefficients of its quartic energy are read once an evaluation; the same array is summed in the same run.
#include <algorithm>
#include <array>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/core/spin_team.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/reduce/reduced_stvk.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "dashpot/scene/compile.hpp"
#include "interrupt.hpp"

namespace dashpot::cli {
namespace {

using Clock = std::chrono::steady_clock;

template <class F>
double milliseconds(F&& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

CompiledScene koala(int tets) {
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "10 ms", "end": "1 s", "stepper": "bathe"}},
    "bodies": [{{"name": "koala", "mesh": {{"shape": "koala", "tets": {}}},
      "material": {{"model": "stvk", "young": "50 kPa", "poisson": 0.4, "density": 1000}},
      "damping": [{{"model": "rayleigh", "alpha": "0.1 /s", "beta": "2 ms", "stiffness": "lagged"}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1, 0.03, 1]]}}}}]}}]}})",
                                         tets)));
}

/// Sums an array with eight accumulators, in as many ranges as the kernel: the time of reading it once.
double read_once(const Vector& all) {
  constexpr std::size_t ranges = 8;
  std::array<double, ranges> sums{};
  const std::span<const double> values(all.data(), static_cast<std::size_t>(all.size()));
  spin_parallel_for(ranges, [&](int range) {
    const std::size_t begin = values.size() * static_cast<std::size_t>(range) / ranges,
                      end = values.size() * (static_cast<std::size_t>(range) + 1) / ranges;
    std::array<double, 32> part{};
    std::size_t i = begin;
    for (; i + 32 <= end; i += 32)
      for (std::size_t k = 0; k < 32; ++k) part[k] += values[i + k];
    for (; i < end; ++i) part[0] += values[i];
    for (const double p : part) sums[static_cast<std::size_t>(range)] += p;
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

struct StepTimes {
  double per_second = 0, iterations = 0;
};

/// Bathe steps of 10 ms after the koala is let go from a bent pose.
StepTimes step_rate(const ReducedModel& model, int fixed_iterations, int steps) {
  const System& system = *model.system;
  NewtonOptions newton;
  newton.fixed_iterations = fixed_iterations;
  const auto stepper = dashpot::make_stepper(StepperOptions{StepperKind::bathe}, newton, {});
  State state = system.initial_state();
  Workspace workspace = system.make_workspace();
  state.q[0] = 0.15 / model.subspace->basis().shapes.col(0).cwiseAbs().maxCoeff();
  make_consistent(system, state, workspace);
  for (int i = 0; i < 10; ++i) stepper->step(system, state, workspace, 0.01);
  int iterations = 0;
  const double ms = milliseconds([&] {
    for (int i = 0; i < steps && !interrupted(); ++i)
      iterations += stepper->step(system, state, workspace, 0.01).newton_iterations;
  });
  return {1e3 * steps / ms, static_cast<double>(iterations) / steps};
}

void measure(int tets, const BenchRequest& request, std::vector<Measurement>& out) {
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
  Vector z = Vector::Random(form.num_variables()), gradient;
  z[0] = 1;
  Matrix hessian;
  QuarticForm::Scratch scratch;
  std::vector<double> evaluate_ms, read_ms;
  double sink = 0;
  for (int i = 0; i < 40 * request.repeats && !interrupted(); ++i) {  // interleaved: a busy moment hits both
    evaluate_ms.push_back(milliseconds([&] { sink += form.evaluate(z, gradient, hessian, scratch); }));
    read_ms.push_back(milliseconds([&] { sink += read_once(form.values()); }));
  }
  if (interrupted() || sink == 0.5) return;
  out.push_back({"force and stiffness", count, median(evaluate_ms), "ms", {}, {}});
  out.push_back({"  over reading the coefficients once", count, median(evaluate_ms) / median(read_ms), "1", {}, {}});
  const int steps = 60 * request.repeats;
  out.push_back({"Bathe, one Newton iteration a sub-step",
                 count,
                 step_rate(*model, 1, steps).per_second,
                 "steps/s",
                 {},
                 at_least(500)});
  const StepTimes converged = step_rate(*model, 0, steps);
  out.push_back({"Bathe, converged", count, converged.per_second, "steps/s", {}, at_least(200)});
  out.push_back({"  Newton iterations a step", count, converged.iterations, "1", {}, {}});
}

}  // namespace

std::vector<Measurement> bench_reduced(const BenchRequest& request) {
  std::vector<Measurement> out;
  Progress progress(request.console, "reduced", static_cast<double>(request.sizes.size()), "sizes");
  for (std::size_t i = 0; i < request.sizes.size() && !interrupted(); ++i) {
    // The polynomials are summed over all tets once; beyond this they take minutes and tell nothing new.
    if (request.sizes[i] <= 20000) measure(request.sizes[i], request, out);
    progress.update(static_cast<double>(i + 1));
  }
  return out;
}

}  // namespace dashpot::cli
