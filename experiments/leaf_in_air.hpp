#pragma once
// A leaf on its stalk, damped by the speed of its two lowest modes: the scene, what the air does to a mode, the gains,
// releases and blows.
//
// Up and down, the air adds to Rayleigh's damping. A plate that moves across itself with speed w feels
// 1/2 rho c_d w |w| per area; along a mode x (displacement of one example) with share chi that is
//   -D |chi'| chi',   D = 1/2 rho c_d int |x . n|^3 dA / (x . M x),
// and the gain that takes as much is gamma(chi') = 1 + D |chi'| / (4 pi zeta f), over a default ratio zeta at f.
#include <string>
#include <vector>

#include "dashpot/math/gain_curve.hpp"
#include "experiment.hpp"
#include "measures.hpp"

namespace dashpot::cli::leaf {

constexpr double zeta_default = 0.02;                 ///< of Rayleigh's damping at the first mode
constexpr double air = 1.2;                           ///< density [kg/m^3]
constexpr double drag_coefficient = 2.0;              ///< of a plate across the stream
constexpr double fast_speed = 0.6, slow_speed = 0.2;  ///< of the tip, at which dampings are compared [m/s]
enum Direction { up_down = 0, sideways = 1 };

struct Setup {
  int tets = 2000;
  double dt = 0.005;                 ///< [s]
  double ring_end = 2, hit_end = 3;  ///< of runs after a release and after a blow [s]
};

/// What a mode of the leaf is, for the air and for the tip.
struct ModeFacts {
  double tip = 0;   ///< how far the tip moves in one example [m]
  double drag = 0;  ///< D above
};

/// A gain over the speed of the tip [m/s].
struct SpeedGain {
  math::GainCurve curve;
  double tip = 1;  ///< [m] in one example

  std::string text() const;  ///< for an example of a scene, over the speed of its share [1/s]
  /// Of a whole swing at this largest speed: the gain weighted with the power that it takes.
  double of_swing(double speed) const;
};

/// A leaf pulled and let go: damping ratio of each swing over the largest speed of the tip in it, both along the axis
/// in which the tip moves most.
struct Ring {
  std::vector<double> speed, zeta;  ///< [m/s], falling within a release
  double frequency = not_measured;  ///< undamped [Hz]
  double fitted = not_measured;     ///< damping ratio over the whole record
  double released = 0;              ///< 2 pi f times the amplitude at the release [m/s]

  /// Between the two swings around that speed; NaN where no swing was as fast or as slow.
  double zeta_at(double wanted) const;
};

/// A leaf that was hit.
struct Impact {
  std::string name;
  Vec3 direction;
  RecordedRun motion, plain;  ///< designed, and Rayleigh's; the quick variant has no `plain`

  /// Root mean square of a coordinate of the tip from `from` to `until` [m]; not a number of a run that ended early.
  double rms(int axis, double from, double until) const;
};

struct Findings {
  ModeFacts facts[2];
  SpeedGain gains[2];
  Ring plain[2];                ///< Rayleigh's damping
  Ring ours[2];                 ///< designed: a large release, then a small one
  std::vector<Impact> impacts;  ///< from above, from the side, between (not in the quick variant)

  /// Rayleigh's ratio, alpha / (2 omega).
  double zeta(int i) const { return zeta_default * plain[up_down].frequency / plain[i].frequency; }
  /// Largest relative error of a swing against its curve, from 0.1 to 0.7 m/s.
  double worst_error() const;
};
/// All runs; incomplete after Ctrl-C.
Findings find(const ReproductionRequest& request, const Setup& setup);

}  // namespace dashpot::cli::leaf
