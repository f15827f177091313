#include "least_damping.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "interrupt.hpp"

namespace dashpot::cli {

std::string DampingFamily::entry(double amount) const {
  std::string text = format;
  return text.replace(text.find("{}"), 2, fmt::format("{:.6g}", amount));
}

std::string DampingFamily::text(double amount) const { return fmt::format("{} {:.3g}{}", name, shown * amount, unit); }

LeastDamping find_least(const DampingFamily& family, int refinements, const Attempting& attempt) {
  LeastDamping found;
  found.family = family;
  const auto is_stable = [&](double amount) {
    Attempt tried = attempt(family.text(amount), family.entry(amount));
    if (tried.is_stable) found.amount = amount;
    if (tried.is_stable || found.trials.empty()) found.motion = std::move(tried.motion);
    found.trials.push_back({amount, tried.is_stable, std::move(tried.outcome)});
    return tried.is_stable;
  };
  double stable = family.much, unstable = 0;
  for (double amount = family.much; amount > 1e-4 * family.much && unstable == 0; amount /= 2) {
    if (interrupted()) return found;
    (is_stable(amount) ? stable : unstable) = amount;
  }
  for (int i = 0; i < refinements && found.amount > 0 && unstable > 0; ++i) {
    if (interrupted()) return found;
    const double amount = std::sqrt(stable * unstable);
    (is_stable(amount) ? stable : unstable) = amount;
  }
  std::sort(found.trials.begin(), found.trials.end(),
            [](const Trial& a, const Trial& b) { return a.amount < b.amount; });
  return found;
}

render::Table trial_table(const std::vector<LeastDamping>& found, const std::string& outcome) {
  render::Table table{"All that was tried", {"damping", "amount", outcome, "verdict"}, {}, {}};
  for (const LeastDamping& least : found)
    for (const Trial& trial : least.trials)
      table.rows.push_back({least.family.name,
                            fmt::format("{:.3g}{}", least.family.shown * trial.amount, least.family.unit),
                            trial.outcome, trial.is_stable ? "stable" : "unstable"});
  return table;
}

}  // namespace dashpot::cli
