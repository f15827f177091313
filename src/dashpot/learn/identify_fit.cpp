#include "dashpot/learn/identify_fit.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/learn/identify_search.hpp"
#include "dashpot/learn/identify_start.hpp"

namespace dashpot::learn {
namespace {

/// Changes of a scene for what is looked for: numbers of all runs, and those of its own run.
std::vector<SceneOverride> law_overrides(const FitStart& begin, const DampingLaw& law, const IdentifyOptions& options,
                                         const std::vector<double>& common, const std::vector<double>& own) {
  std::size_t next = 0, next_own = 0;
  const double young = options.keeps_young ? begin.young : common[next++];
  const double density = options.density ? common[next++] : 0;
  std::vector<double> values;
  for (const LawUnknown& unknown : law.unknowns) values.push_back(unknown.is_own ? own[next_own++] : common[next++]);
  std::vector<SceneOverride> changes = body_overrides(begin.body, options, young, density, law.json(values));
  if (law.more)
    for (auto& [place, json] : law.more(values)) changes.push_back({place, json});
  return changes;
}

/// Starts the modulus where the law, as it begins, rings as fast as was measured: a period that is off would lock the
/// search into the wrong cycle. Returns the number of simulations.
int in_tune(SearchProblem& problem, const IdentifyOptions& options) {
  const std::vector<PreparedRun>& runs = *problem.runs;
  int num_simulations = 0;
  for (int pass = 0; pass < 2; ++pass) {
    double log_factor = 0;
    for (const PreparedRun& run : runs) {
      const auto changes = problem.overrides(problem.start.common,
                                             problem.start.own.empty() ? std::vector<double>() : problem.start.own[0]);
      const SimulatedRing ring = simulate_ring(run, changes, 0, 0, options.should_stop);
      ++num_simulations;
      if (!ring.failure.empty()) return num_simulations;
      const analysis::RingDown simulated = ring_of(run, mean_signal(ring));
      if (!(simulated.frequency > 0)) return num_simulations;
      log_factor += 2 * std::log(run.measured.ring.frequency / simulated.frequency) / static_cast<double>(runs.size());
    }
    if (!(std::abs(log_factor) < 1)) return num_simulations;
    problem.start.common[0] *= std::exp(log_factor);
    if (std::abs(log_factor) < 0.01) return num_simulations;
  }
  return num_simulations;
}

void add_values(const SearchProblem& problem, const SearchResult& found, const IdentifyOptions& options,
                IdentifiedLaw& out) {
  const auto add = [&](const std::string& name, Quantity quantity, double value, std::size_t k) {
    const auto i = static_cast<Eigen::Index>(k);
    const double variance = found.covariance.size() > 0 ? found.covariance(i, i) : nan;
    out.values.push_back({name, quantity, value, value * std::sqrt(std::max(0.0, variance))});
  };
  std::size_t next = 0;
  if (!options.keeps_young) add("young", Quantity::pressure, out.common[next], next), ++next;
  if (options.density) add("density", Quantity::density, out.common[next], next), ++next;
  std::vector<LawUnknown> own;
  for (const LawUnknown& unknown : out.law.unknowns)
    if (unknown.is_own)
      own.push_back(unknown);
    else
      add(unknown.name, unknown.quantity, out.common[next], next), ++next;
  for (std::size_t r = 0; r < out.own.size(); ++r)
    for (std::size_t k = 0; k < own.size(); ++k)
      add(own[k].name + " of " + (*problem.runs)[r].run->name, own[k].quantity, out.own[r][k],
          next + r * (2 + own.size()) + 2 + k);
}

RingFit ring_fit(const PreparedRun& run, const std::vector<SceneOverride>& changes, double displacement,
                 double velocity, const IdentifyOptions& options) {
  RingFit fit;
  fit.displacement = displacement;
  fit.velocity = velocity;
  const SimulatedRing ring = simulate_ring(run, changes, displacement, velocity, options.should_stop);
  fit.fitted_error = fit.held_error = fit.frequency_error = nan;
  if (!ring.failure.empty()) return fit;
  fit.time = run.window.times;
  fit.signal = mean_signal(ring);
  fit.ring = ring_of(run, fit.signal);
  const analysis::RingDown measured = ring_of(run, mean_signal(measured_ring(run)));
  const double smallest = run.measured.smallest;
  fit.frequency_error = fit.ring.frequency / measured.frequency - 1;
  fit.fitted_error = envelope_error(measured, fit.ring, run.measured.from, run.measured.middle, smallest);
  // The last cycle is read again from another window: round-off must not leave it out.
  const double end = run.measured.to + 0.02 * 2 * M_PI / run.omega;
  fit.held_error = envelope_error(measured, fit.ring, run.measured.middle, end, smallest);
  return fit;
}

}  // namespace

IdentifiedLaw fit_law(const FitStart& begin, const DampingLaw& law, std::vector<PreparedRun>& runs, bool whole,
                      const IdentifiedLaw* from, const IdentifyOptions& options,
                      const std::function<void(double)>& on_progress) {
  IdentifiedLaw out;
  out.law = law;
  SearchProblem problem;
  problem.runs = &runs;
  problem.whole = whole || options.fitted_share >= 1;
  if (!options.keeps_young) problem.start.common.push_back(begin.young);
  if (options.density) problem.start.common.push_back(begin.density);
  std::vector<double> own;
  for (const LawUnknown& unknown : law.unknowns) (unknown.is_own ? own : problem.start.common).push_back(unknown.start);
  if (!own.empty()) problem.start.own.assign(runs.size(), own);
  problem.overrides = [&](const std::vector<double>& common, const std::vector<double>& numbers_of_run) {
    return law_overrides(begin, law, options, common, numbers_of_run);
  };
  SearchResult start;
  if (from == nullptr && !options.keeps_young) out.num_simulations += in_tune(problem, options);
  if (from != nullptr) {
    start.numbers = {from->common, from->own};
    if (from->runs.size() == runs.size())
      for (const RingFit& fit : from->runs)
        start.displacement.push_back(fit.displacement), start.velocity.push_back(fit.velocity);
  }
  if (from == nullptr) {  // the first cycles put period and start right
    problem.horizon = 0.5;
    problem.max_iterations = std::min(4, options.max_iterations);
    start = search(problem, nullptr, options, {});
    out.num_simulations += start.num_simulations;
    problem.horizon = 1;
  }
  problem.max_iterations = options.max_iterations;
  const bool has_start = start.failure.empty() && !(start.numbers.common.empty() && start.numbers.own.empty());
  const SearchResult found = search(problem, has_start ? &start : nullptr, options, on_progress);
  out.num_simulations += found.num_simulations;
  out.failure = found.failure;
  out.converged = found.converged;
  if (!out.usable()) return out;
  out.chi2 = found.chi2;
  out.num_residuals = found.num_residuals;
  out.num_unknowns = static_cast<int>(problem.start.common.size() + (2 + own.size()) * runs.size());
  out.independent = found.num_residuals / found.correlation;
  out.bic = out.independent * std::log(found.chi2 / std::max(1, found.num_residuals)) +
            out.num_unknowns * std::log(std::max(2.0, out.independent));
  out.common = found.numbers.common;
  out.own = found.numbers.own;
  add_values(problem, found, options, out);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    out.overrides.push_back(problem.overrides(out.common, out.own.empty() ? std::vector<double>() : out.own[r]));
    ++out.num_simulations;
    out.runs.push_back(ring_fit(runs[r], out.overrides[r], found.displacement[r], found.velocity[r], options));
  }
  for (const RingFit& fit : out.runs)
    out.held_error = std::isnan(out.held_error) || out.held_error > fit.held_error ? out.held_error : fit.held_error;
  return out;
}

}  // namespace dashpot::learn
