// What a step of woven cloth costs at the level of yarns: a square meter of 150 g/m2 that hangs from one edge, damped
// as paper B damps its shirts (medium: beta_s = 30 ms, beta_b = 160 ms), backward Euler, 1 ms steps, Newton to 1e-4 of
// the forces. The paper: 9.85 s a step of 136,741 crossings and 86 s of 1,053,175, on a graphics card.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/scene/assembly/woven_cloth.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

constexpr double yarn_dt = 1e-3;  // [s]

WovenClothSpec hanging_cloth(int crossings) {
  const int n = std::max(3, static_cast<int>(std::lround(std::sqrt(crossings))));
  const double p = 1.0 / n;  // [m]
  WeaveSheet sheet;
  sheet.warp_yarns = sheet.weft_yarns = n;
  sheet.spacing = {p, p};
  WovenClothSpec spec;
  spec.cloth = weave_sheet(sheet);
  const double rho = 0.075 * p, k = 1000 * p, B = 5e-6 * p;  // of a cloth: 150 g/m2, 1 kN/m, 5 uN m
  spec.density = {rho, rho};
  spec.stretch = {k, k};
  spec.bending = {B, B};
  spec.shear = 30 * p * p / 4;  // 30 N/m
  spec.jamming = 1e4 * p;
  spec.width = {0.3 * p, 0.3 * p};
  spec.friction = {0.3, 1000, 1e-3, 1e-3};
  spec.gravity = {0, 0, -9.81};
  spec.stretch_damping = {0.03, 0.03};
  spec.bending_damping = {0.16, 0.16};
  for (int i = 0; i < n; ++i) spec.held_crossings.push_back(i * n);
  return spec;
}

void measure_yarns(int wanted, const BenchRequest& request, std::vector<Measurement>& out) {
  const WovenClothSpec spec = hanging_cloth(wanted);
  const std::shared_ptr<const System> system = make_woven_cloth(spec);
  NewtonOptions newton;
  newton.tolerance = 1e-4;
  newton.tangent = NewtonOptions::Tangent::projected;
  LinearSolverOptions linear;
  linear.kind = LinearSolverKind::conjugate_gradient;
  linear.cg_tolerance = 1e-4;
  linear.chains = spec.cloth.chains();
  const auto stepper = make_stepper("backward_euler", newton, linear);
  State state = system->initial_state();
  Workspace workspace = system->make_workspace();
  std::vector<double> step_ms, iterations;
  for (int i = 0; i < request.repeats + 1 && !interrupted(); ++i) {
    StepReport report;
    const double ms = milliseconds([&] { report = advance(*stepper, *system, state, workspace, yarn_dt); });
    if (report.status != StepStatus::ok) {
      out.push_back({"step that failed: " + report.explanation, wanted, 1, "1", 0.0, {}});
      return;
    }
    if (i == 0) continue;  // analyses
    step_ms.push_back(ms);
    iterations.push_back(static_cast<double>(report.linear_iterations) / std::max(1, report.newton_iterations));
  }
  if (interrupted()) return;
  const int crossings = spec.cloth.num_crossings();
  std::optional<double> bar;
  if (crossings > 130000 && crossings < 140000) bar = 9.85;
  if (crossings > 1000000 && crossings < 1100000) bar = 86;
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  out.push_back({"step of woven cloth (size: crossings)", crossings, median(step_ms) / 1000, "s", bar, {}});
  out.push_back({"CG iterations a solve", crossings, median(iterations), "1", {}, {}});
  out.push_back(
      {"largest memory so far", crossings, static_cast<double>(usage.ru_maxrss) / (1 << 20), "GiB", 12.0, {}});
}

}  // namespace

std::vector<Measurement> bench_yarns(const BenchRequest& request) {
  return measure_sizes(request, "yarns", measure_yarns);
}

}  // namespace dashpot::cli
