#pragma once
// The least damping of a family with which a scene stays stable: what reproductions compare dampings at.

#include <functional>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace dashpot::cli {

/// A family of dampings, from none to much.
struct DampingFamily {
  std::string name;    ///< in tables and legends
  std::string unit;    ///< of an amount as shown
  double shown = 1;    ///< amount in that unit over amount in SI
  double much = 0;     ///< where the search begins; stable
  std::string format;  ///< of the scene's entry, with {} for the amount
  std::string entry(double amount) const;
  std::string text(double amount) const;  ///< "ether drag 2 % a step"
};

/// One run of a search: with what came of it, in words.
struct Attempt {
  RecordedRun motion;
  bool is_stable = false;
  std::string outcome;
};
struct Trial {
  double amount = 0;
  bool is_stable = false;
  std::string outcome;
};

struct LeastDamping {
  DampingFamily family;
  std::vector<Trial> trials;  ///< by amount
  double amount = 0;          ///< the least that is stable, and so is all tried above it; 0: even `much` was not
  RecordedRun motion;         ///< with it; where even `much` was not stable, with that
  std::string text() const { return family.text(amount); }
};

/// From `much` down by halves to the first that is not stable, then `refinements` bisections (of the logarithm).
using Attempting = std::function<Attempt(const std::string& name, const std::string& entry)>;
LeastDamping find_least(const DampingFamily& family, int refinements, const Attempting& attempt);

/// All that was tried.
render::Table trial_table(const std::vector<LeastDamping>& found, const std::string& outcome);

}  // namespace dashpot::cli
