#pragma once
// The ring-down of a patch since it was let go, read from its turning points. s(t) is the displacement of the patch
// along the direction in which it had been pulled. Half the distance of two successive turning points is the amplitude,
// which needs no knowledge of where the patch comes to rest; amplitudes a, b one cycle apart give
//
//     zeta = L / sqrt(4 pi^2 + L^2),   L = ln(a / b).
//
// Half a cycle would give a zigzag where another, slower motion is under it. Turning points are those of the cubic
// through s and its rate at two steps.
// Limits: one coordinate of a motion that may hold many modes; see analysis/ring_down.hpp for a full measurement.

#include <optional>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::studio {

class DecayTracker {
 public:
  /// Time since the release [s], amplitude [m].
  struct Peak {
    double time = 0, amplitude = 0;
  };
  struct Ratio {
    double amplitude = 0;  ///< geometric mean of both [m]
    double zeta = 0;
  };

  DecayTracker() = default;
  DecayTracker(double released, const Vec3& origin, const Vec3& direction);

  /// The patch at the end of a step.
  void add(double time, const Vec3& position, const Vec3& velocity);
  /// What was found since the last call.
  std::vector<Peak> take_peaks();
  std::vector<Ratio> take_ratios();

 private:
  void turn(double time, double s);

  bool is_active_ = false;
  double released_ = 0;
  Vec3 origin_ = Vec3::Zero(), direction_ = Vec3::UnitX();
  struct Sample {
    double time, s, rate;
  };
  std::optional<Sample> last_;
  std::optional<double> turning_, amplitude_, amplitude_before_;
  double largest_ = 0;
  std::vector<Peak> peaks_;
  std::vector<Ratio> ratios_;
};

}  // namespace dashpot::studio
