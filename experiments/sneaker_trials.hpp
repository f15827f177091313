#pragma once
// All runs of the sneaker (paper C, fig. 1): without damping, with the least of each family of dampings that is stable,
// and with strong dampings at ever longer steps.

#include <string>
#include <vector>

#include "measures.hpp"
#include "pulled_sneaker.hpp"

namespace dashpot::cli::sneaker {

/// In the order in which they are tried; the quick variant has the first three.
enum Families : std::size_t { point, spring, global, ether, local };

/// The longest step of a ladder that a damping bears.
struct LongerSteps {
  std::string name;
  double times = 0;  ///< over the longest step without damping; 0: none of the ladder
};

struct Experiment {
  PulledSneaker setup;
  RecordedRun undamped;
  Attempt undamped_outcome;
  std::vector<LeastDamping> found;  ///< as Families
  std::vector<LongerSteps> longer;  ///< empty in the quick variant

  bool is_stable(std::size_t i) const { return found[i].amount > 0 && reaches(found[i].motion, setup.end); }
  /// Over free fall [1]; not a number where no amount was stable.
  double fall(std::size_t i) const { return is_stable(i) ? fall_over_free(setup, found[i].motion) : not_measured; }
  /// Distance from the rest shape at the end over that just before release [%].
  double shape(std::size_t i) const;
};

/// Ends early when interrupted.
Experiment run_all(const ReproductionRequest& request, const PulledSneaker& setup, bool quick);

}  // namespace dashpot::cli::sneaker
