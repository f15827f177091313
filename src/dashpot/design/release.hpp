#pragma once
// An unloading test: the body is let go at rest from `amplitude` times an example, and the share chi(t) of that example
// is followed for one swing (to the other side and back) or for a given time.
//
// The swing is over at the first turning point after the second passage through zero; the turning point is read from
// the cubic through chi and its rate at the two neighboring steps, so that what is left depends smoothly on the gains
// (reference ABCE, 1.9). A body that does not pass zero within three periods is overdamped: nothing is left.
// The period is that of the example's own acceleration at the release: T = 2 pi sqrt(-chi / chi'').

#include <functional>
#include <string>
#include <vector>

#include "dashpot/design/designable.hpp"

namespace dashpot::design {

struct ReleaseOptions {
  int example = 0;
  double amplitude = 1;               ///< in units of the example
  double duration = 0;                ///< [s]; 0: one swing
  std::function<bool()> should_stop;  ///< polled at each step; may be empty
};

struct Swing {
  enum class End { turned, overdamped, out_of_time, failed, stopped };
  End end = End::failed;
  double residual = 0;                  ///< |chi| at the end of the swing, in units of the example
  double period = 0;                    ///< estimate at the release [s]
  double swing_time = 0;                ///< from the release to the end of the swing [s]
  std::vector<double> time, chi;        ///< [s], share of the released example, at every step
  std::vector<double> peak_time, peak;  ///< turning points of chi after the release [s], |chi|
  std::string explanation;              ///< of a failure
};

Swing release(const Designable& body, const Gains& gains, const ReleaseOptions& options);

}  // namespace dashpot::design
