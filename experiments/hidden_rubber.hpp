#pragma once
// A dragon of a foreign rubber: its mouth is filmed, not its law. The law is a Prony series of two terms (a Maxwell
// element and a viscosity), which no gain that depends on the opening contains; gains are fitted to one release and
// have to predict releases that they have not seen.

#include "dragon_mouth.hpp"

namespace dashpot::cli::dragon {

/// A release of the rubber dragon from a share of the pull, filmed, and what fitted dampings make of it.
struct HiddenRelease {
  double pull = 1;  ///< share of the whole pull
  Recovery truth, designed, linear;

  double designed_error() const { return designed.error_against(truth.share); }
  double linear_error() const { return linear.error_against(truth.share); }
};

struct HiddenRubber {
  Designed gain;                        ///< fitted to the first release
  Lowest linear;                        ///< the best constant gain for it
  std::vector<HiddenRelease> releases;  ///< the first is fitted, the others are held out
  double worst_held_out(bool designed) const;
};
/// Fewer releases where interrupted.
HiddenRubber fit_hidden_rubber(const ReproductionRequest& request, const Setup& setup);

std::vector<Claim> judge(const HiddenRubber& rubber);
render::Section section_of(const ReproductionRequest& request, const HiddenRubber& rubber);

}  // namespace dashpot::cli::dragon
