#include "dashpot/scene/stability_trial.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/mesh/geometry.hpp"

namespace dashpot {
namespace {

/// Steps between two looks at the tets.
constexpr std::int64_t inversion_period = 8;

void shake(const System& system, const TrialOptions& options, State& state) {
  if (options.jitter == 0) return;
  std::mt19937_64 random(options.seed);
  for (double& v : state.v)  // not std::uniform_real_distribution: its numbers depend on the library
    v += options.jitter * (2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1);
  system.prescribe(state.time, nullptr, &state.v, nullptr);
}

std::string judge(const TrialOptions& options, const TrialResult& result) {
  if (!(result.gain <= options.allowed_gain))
    return fmt::format("gained {:.3g} J, more than {:.3g} J, by t = {:.4g} s", result.gain, options.allowed_gain,
                       result.time);
  if (result.inverted > options.allowed_inverted)
    return fmt::format("{:.3g} % of the tets are inside out at t = {:.4g} s", 100 * result.inverted, result.time);
  return {};
}

}  // namespace

double inverted_share(const CompiledScene& scene, const Vector& q) {
  std::vector<Vec3> x;
  scene.system->kinematics().positions(q, x);
  std::int64_t tets = 0, inverted = 0;
  for (const CompiledBody& body : scene.bodies) {
    const ElementGroup* group = body.mesh.tets();
    if (group == nullptr) continue;
    tets += group->size();
    for (int e = 0; e < group->size(); ++e) {
      const auto corner = [&](int i) { return x[static_cast<std::size_t>(body.first_block + group->element(e)[i])]; };
      inverted += tet_volume(corner(0), corner(1), corner(2), corner(3)) > 0 ? 0 : 1;
    }
  }
  return tets == 0 ? 0 : static_cast<double>(inverted) / static_cast<double>(tets);
}

TrialResult try_step(const CompiledScene& scene, double dt, const TrialOptions& options,
                     const std::function<bool()>& should_stop) {
  const System& system = *scene.system;
  TrialResult result;
  State& state = result.end;
  state = scene.start;
  shake(system, options, state);
  const double energy = energies(system, state).total();
  const auto stepper = make_stepper(scene.spec);
  Workspace workspace = system.make_workspace();
  if (!make_consistent(system, state, workspace)) result.reason = "no finite accelerations belong to the start";
  const auto steps = std::max<std::int64_t>(options.least_steps, std::llround(options.end / dt));
  double external = 0;
  for (std::int64_t n = 0; n < steps && result.reason.empty(); ++n) {
    if (should_stop && should_stop()) {
      result.reason = "stopped on request";
      break;
    }
    const StepReport report = stepper->step(system, state, workspace, dt);
    if (report.status != StepStatus::ok) {
      result.reason = report.explanation;
      break;
    }
    external += report.work.external;
    result.time = state.time;
    const double gain = report.end.total() - energy - external;
    result.gain = std::isfinite(gain) ? std::max(result.gain, gain) : gain;
    if (options.allowed_inverted < 1 && (n % inversion_period == 0 || n + 1 == steps))
      result.inverted = std::max(result.inverted, inverted_share(scene, state.q));
    result.reason = judge(options, result);
  }
  result.is_stable = result.reason.empty();
  return result;
}

}  // namespace dashpot
