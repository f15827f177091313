#include "realtime_trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace dashpot::cli {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A frame on a copy of the start, so that the played ones find factors and memory made.
double prepare(Stepper& stepper, const CompiledScene& scene, const RealtimeOptions& options) {
  const double begin = seconds_now();
  State copy = scene.start;
  RealtimeLoop(stepper, *scene.system, copy, options).frame();
  return seconds_now() - begin;
}

/// Parameters of the first damping that has some, as amounts: gains and coefficients, not places of knots.
std::vector<std::string> damping_to_turn(const System& system) {
  std::vector<std::string> places;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j)
    if (!system.dissipations()[j]->is_contact()) places.push_back(system.dissipation_place(j));
  for (std::size_t j = 0; j < system.filters().size(); ++j) places.push_back(system.filter_place(j));
  for (const std::string& place : places) {
    std::vector<std::string> names;
    for (const ParameterLayout::Entry& entry : system.parameters().entries()) {
      const std::string& name = entry.info.name;
      if (name.starts_with(place + "/") && !name.ends_with("/at")) names.push_back(name);
    }
    if (!names.empty()) return names;
  }
  return {};
}

/// Multiplies parameters, within their ranges.
void turn(const System& system, const std::vector<std::string>& names, double factor, State& state) {
  if (state.parameters.empty()) state.parameters = system.parameter_values();
  for (const std::string& name : names) {
    const ParameterLayout::Entry& entry = system.parameters().at(name);
    for (int k = entry.first; k < entry.first + entry.size(); ++k) {
      double& value = state.parameters[static_cast<std::size_t>(k)];
      value = std::clamp(value * factor, entry.info.low, entry.info.high);
    }
  }
}

}  // namespace

int steps_per_frame(double dt, double rate) {
  constexpr double tolerance = 1e-6;  // 1/60 s written as 16.6667 ms is one step
  return std::max(1, static_cast<int>(std::ceil(1 / (rate * dt) * (1 - tolerance) - tolerance)));
}

TrialResult play(const CompiledScene& scene, const TrialOptions& options, const std::function<bool()>& should_stop,
                 const std::function<void(int frames)>& on_frame) {
  TrialResult result;
  result.frames_wanted = std::max(1, static_cast<int>(std::lround(options.seconds * options.rate)));
  result.steps_per_frame = steps_per_frame(scene.run.dt, options.rate);
  RealtimeOptions loop_options;
  loop_options.frame = 1 / options.rate;
  loop_options.steps_per_frame = result.steps_per_frame;
  loop_options.budget = options.budget;
  loop_options.max_halvings = scene.run.max_halvings;
  result.step = loop_options.frame / result.steps_per_frame;
  result.budget = options.budget > 0 ? options.budget : scene.spec.projective ? scene.spec.projective->budget : 0;

  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  result.preparation = prepare(*stepper, scene, loop_options);
  State state = scene.start;
  RealtimeLoop loop(*stepper, *scene.system, state, loop_options);
  const std::vector<std::string> turned = damping_to_turn(*scene.system);
  const double begin = seconds_now();
  for (int frame = 0; frame < result.frames_wanted && !should_stop(); ++frame) {
    const bool changes = frame == result.frames_wanted / 2 && !turned.empty();
    if (changes) loop.post([&](State& now) { turn(*scene.system, turned, options.factor, now); });
    const FrameReport report = loop.frame();
    if (changes) {
      result.change =
          LiveChange{turned, frame, loop.timings().work.back(), loop.timings().latency.back(), report.factorizations};
    }
    if (report.is_cut_short || loop.timings().delay.back() > loop_options.frame) ++result.missed;
    result.iterations.push_back(report.newton_iterations);
    result.residuals.push_back(report.residual);
    on_frame(frame + 1);
    if (report.status == StepStatus::failed) {
      result.failure = report.explanation;
      break;
    }
    loop.wait();
  }
  result.wall = seconds_now() - begin;
  result.simulated = state.time - scene.start.time;
  result.timings = loop.timings();
  return result;
}

}  // namespace dashpot::cli
