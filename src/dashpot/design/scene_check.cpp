#include "dashpot/design/scene_check.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/core/types.hpp"
#include "dashpot/dissipation/example_based.hpp"

namespace dashpot::design {
namespace {

bool is_like_the_bench(const SceneSpec& spec) {
  return spec.bodies.size() == 1 && spec.gravity.norm() == 0 && spec.bodies.front().loads.empty() &&
         spec.colliders.empty() &&
         std::none_of(spec.bodies.front().pins.begin(), spec.bodies.front().pins.end(),
                      [](const PinSpec& pin) { return pin.motion.has_value(); });
}

/// Where the scene's bodies stand at the start, the designed one in the place its amplitudes are counted from.
Vector origin_of(const CompiledScene& world, const std::string& body) {
  const Vector counted = world.system->rest() + examples_of(world, body).origin_displacement();
  if (world.bodies.size() == 1) return counted;
  Vector origin = world.start.q;
  for (const CompiledBody& part : world.bodies) {
    if (part.name != body) continue;
    const Eigen::Index first = 3 * Eigen::Index{part.first_block}, count = 3 * Eigen::Index{part.mesh.num_nodes()};
    origin.segment(first, count) = counted.segment(first, count);
  }
  return origin;
}

/// Why a release cannot be repeated in this scene; empty: it can.
std::string obstacle_in(const SceneSpec& spec, const std::string& body) {
  bool is_reduced = false;
  for (const BodySpec& part : spec.bodies) {
    is_reduced = is_reduced || part.reduced;
    if (part.name != body) continue;
    for (const PinSpec& pin : part.pins)
      if (pin.motion) return "its pins are moved";
    if (part.pins.empty()) return "nothing holds the body";
  }
  return is_reduced && spec.bodies.size() > 1 ? "a reduced body among others" : "";
}

/// When |chi| comes into the band for good [s]; NaN: it does not.
double settled_after(const Swing& swing, double band) {
  double time = 0;
  for (std::size_t i = 0; i < swing.time.size(); ++i)
    if (std::abs(swing.chi[i]) > band) time = i + 1 < swing.time.size() ? swing.time[i + 1] : nan;
  return time;
}

double rms(const std::vector<double>& simulated, const EnvelopeTarget& target) {
  double sum = 0;
  for (std::size_t i = 0; i < target.points.size(); ++i) {
    const double error = (simulated[i] - target.points[i].amplitude) / target.amplitude;
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(target.points.size()));
}

class Trial {
 public:
  Trial(const SceneSpec& spec, const DesignTask& task, const DesignOutcome& outcome)
      : task_(task), outcome_(outcome), obstacle_(obstacle_in(spec, task.body)) {
    if (!obstacle_.empty()) return;
    try {
      world_ = compile(
          parse_scene(with_gains(filled_in(spec), task, outcome.gains), spec.document->file, spec.document->folder));
      body_ = make_designable(world_, task.body);
      body_.origin = origin_of(world_, task.body);
    } catch (const Error& error) {
      obstacle_ = error.problems().front().text();
    }
  }

  SceneCheck unloading(const UnloadingReached& reached) const {
    const UnloadingTarget& target = reached.target;
    return check(target.example, target.amplitude, 0, "left after one cycle", reached.left, 0.05 * target.amplitude,
                 [](const Swing& swing) { return swing.end == Swing::End::overdamped ? 0 : swing.residual; });
  }
  SceneCheck settle(const SettleTarget& target, const SettleDesign& found) const {
    return check(target.example, target.amplitude, 2 * target.time, "settled after [s]", found.settled_after, 0,
                 [&](const Swing& swing) { return settled_after(swing, target.band * target.amplitude); });
  }
  SceneCheck envelope(const EnvelopeTarget& target, const EnvelopeFit& fit) const {
    return check(target.example, target.amplitude, target.points.back().time, "rms error of the envelope",
                 fit.rms_error, 0.2,
                 [&](const Swing& swing) { return rms(envelope_of(swing, target.amplitude, target.points), target); });
  }

 private:
  template <class Reader>
  SceneCheck check(int example, double amplitude, double duration, std::string quantity, double bench, double least,
                   const Reader& read) const {
    SceneCheck result{task_.designable.names[static_cast<std::size_t>(example)],
                      std::move(quantity),
                      amplitude,
                      bench,
                      nan,
                      least,
                      obstacle_};
    if (!obstacle_.empty()) return result;
    const Swing swing = release(body_, outcome_.gains, {example, amplitude, duration, task_.options.should_stop});
    if (swing.end == Swing::End::failed)
      result.obstacle = swing.explanation;
    else if (swing.end == Swing::End::stopped)
      result.obstacle = "interrupted";
    else
      result.scene = read(swing);
    return result;
  }

  const DesignTask& task_;
  const DesignOutcome& outcome_;
  std::string obstacle_;
  CompiledScene world_;
  Designable body_;
};

}  // namespace

std::vector<SceneCheck> check_in_scene(const SceneSpec& spec, const DesignTask& task, const DesignOutcome& outcome) {
  std::vector<SceneCheck> checks;
  if (is_like_the_bench(spec)) return checks;
  const Trial trial(spec, task, outcome);
  for (const UnloadingReached& reached : outcome.unloading.targets) checks.push_back(trial.unloading(reached));
  for (std::size_t i = 0; i < outcome.settle.size(); ++i)
    checks.push_back(trial.settle(task.settle[i], outcome.settle[i]));
  for (std::size_t i = 0; i < outcome.envelopes.size(); ++i)
    checks.push_back(trial.envelope(task.envelopes[i], outcome.envelopes[i]));
  return checks;
}

}  // namespace dashpot::design
