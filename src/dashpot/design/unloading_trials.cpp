#include "dashpot/design/unloading_trials.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::design {
namespace {

void check_targets(const Designable& body, std::size_t num_gains, const std::vector<UnloadingTarget>& targets) {
  std::vector<Problem> problems;
  const auto add = [&](const UnloadingTarget& t, std::string found, std::string expected) {
    const std::string name = t.example >= 0 && t.example < body.num_examples()
                                 ? body.names[static_cast<std::size_t>(t.example)]
                                 : fmt::format("example {}", t.example);
    problems.push_back({name, std::move(found), std::move(expected)});
  };
  if (static_cast<int>(num_gains) != body.num_examples())
    problems.push_back({"", fmt::format("{} gains", num_gains), fmt::format("{}", body.num_examples())});
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const UnloadingTarget& t = targets[i];
    if (t.example < 0 || t.example >= body.num_examples()) add(t, "no such example", "an example of the damping");
    if (!(t.amplitude > 0) || !std::isfinite(t.amplitude))
      add(t, fmt::format("a release from {}", t.amplitude), "an amplitude above 0, in units of the example");
    if (!(t.residual >= 0))
      add(t, fmt::format("{} left after one cycle", t.residual), "0 or more");
    else if (t.amplitude > 0 && !(t.residual < t.amplitude))
      add(t, fmt::format("{} left of {} after one cycle", t.residual, t.amplitude),
          "less than was there: damping cannot feed the motion");
    for (std::size_t j = 0; j < i; ++j)
      if (targets[j].example == t.example && targets[j].amplitude == t.amplitude)
        add(t, fmt::format("two targets for a release from {}", t.amplitude), "one for each amplitude");
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

void sort_targets(std::vector<UnloadingTarget>& targets) {
  std::sort(targets.begin(), targets.end(), [](const UnloadingTarget& a, const UnloadingTarget& b) {
    return a.example != b.example ? a.example < b.example : a.amplitude < b.amplitude;
  });
}

}  // namespace

UnloadingTrials::UnloadingTrials(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                 const UnloadingOptions& options)
    : body_(body), options_(options) {
  check_targets(body, start.size(), targets);
  sort_targets(targets);
  design_.gains = start;
  for (const UnloadingTarget& target : targets) {
    UnloadingReached entry;
    entry.target = target;
    entry.gain = start[static_cast<std::size_t>(target.example)].value(target.amplitude);
    entry.gain = std::clamp(entry.gain, options.low, options.high);
    design_.targets.push_back(std::move(entry));
  }
}

std::size_t UnloadingTrials::begin_of_example(std::size_t j) const {
  while (j > 0 && design_.targets[j - 1].target.example == design_.targets[j].target.example) --j;
  return j;
}

std::size_t UnloadingTrials::end_of_example(std::size_t j) const {
  std::size_t end = j;
  while (end < design_.targets.size() && design_.targets[end].target.example == design_.targets[j].target.example)
    ++end;
  return end;
}

double UnloadingTrials::left_after_swing(const Gains& gains, const UnloadingReached& entry, double gain) {
  ++design_.simulations;
  const Swing swing = release(body_, gains, {entry.target.example, entry.target.amplitude, 0, options_.should_stop});
  if (swing.end == Swing::End::failed)
    throw Error(Problem{
        body_.names[static_cast<std::size_t>(entry.target.example)],
        fmt::format("the release from {} times the example failed: {}", entry.target.amplitude, swing.explanation),
        "a release that can be simulated", "lower the amplitude or the time step"});
  design_.stopped = swing.end == Swing::End::stopped;
  if (design_.stopped) return std::nan("");
  if (options_.on_simulation) options_.on_simulation(entry.target, design_.simulations, gain, swing.residual);
  return swing.residual;
}

GainSearchOptions UnloadingTrials::search_options(const UnloadingReached& entry) const {
  // The later knots move what was found by a little: search closer than is asked for.
  return {options_.low, options_.high, 0.5 * options_.tolerance, entry.target.amplitude, options_.max_simulations};
}

void UnloadingTrials::measure() {
  design_.reached = !design_.stopped;
  for (UnloadingReached& entry : design_.targets) {
    const double left = design_.stopped ? std::nan("") : left_after_swing(design_.gains, entry, entry.gain);
    entry.left = left;
    if (std::isnan(left)) {
      entry.error = left;
      entry.reached = false;
      entry.explanation = "the search was stopped";
      continue;
    }
    entry.error = target_error(entry.left, entry.target.residual, entry.target.amplitude);
    entry.reached = entry.error <= options_.tolerance;
    if (entry.reached)
      entry.explanation.clear();
    else if (entry.explanation.empty())
      entry.explanation = fmt::format("{:.3g} is left; the gains of other targets moved it", entry.left);
    design_.reached &= entry.reached;
  }
  if (design_.stopped) design_.reached = false;
}

}  // namespace dashpot::design
