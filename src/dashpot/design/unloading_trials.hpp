#pragma once
// What searches for gains by unloading tests share: targets that make sense, in order, and releases under trial gains.

#include <vector>

#include "dashpot/design/gain_search.hpp"
#include "dashpot/design/unloading.hpp"

namespace dashpot::design {

class UnloadingTrials {
 protected:
  /// dashpot::Error naming every target that makes no sense for this body, and gains that are not one for each example.
  UnloadingTrials(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                  const UnloadingOptions& options);

  /// Targets are sorted by example, then amplitude: those of target j's example begin and end here.
  std::size_t begin_of_example(std::size_t j) const;
  std::size_t end_of_example(std::size_t j) const;

  /// What is left after one cycle; NaN when stopped.
  double left_after_swing(const Gains& gains, const UnloadingReached& entry, double gain);
  GainSearchOptions search_options(const UnloadingReached& entry) const;
  /// All targets with the gains as they are.
  void measure();

  const Designable& body_;
  const UnloadingOptions& options_;
  UnloadingDesign design_;
};

}  // namespace dashpot::design
