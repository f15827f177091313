#pragma once
// The curve of a spline material as a few free numbers, for fitting. The stress curve p(s) of a stretch runs through
// knots on both sides of rest, s = 1. Between neighboring knots it rises with a mean slope k_i [Pa]; outwards from
// rest
//
//     k_0 = 2 mu = E / (1 + nu),     k_i = r_i k_{i-1},     p(s_i) = p(s_{i-1}) + k_i (s_i - s_{i-1}),
//
// and the parameters are theta = (ln E, ln r of tension outwards, ln r of compression outwards). Whatever theta is, the
// curve rises everywhere and rest is stiff; theta = (ln E, 0, ..) is the straight line of a linear material, which
// makes "no change of stiffness" the natural guess where data are silent. Ratios are bounded: 8 above; below so that
// the curve's last slope, with which it goes on, stays positive. Poisson's ratio (the volume curve) is given, not
// fitted.  [XuSinZhuBarbic2015]

#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/energy/materials.hpp"

namespace dashpot::design {

/// What a scene's "spline" material says: modulus, ratio and the points (stretch, stress [Pa]) of both sides.
struct ElasticPoints {
  Isotropic rest;
  SplineMaterial::Points tension, compression;  ///< both of ascending stretch
  SplineMaterial material() const { return SplineMaterial::edited(rest, tension, compression); }
};

class ElasticCurve {
 public:
  /// Knots: stretches > 1 ascending, and stretches < 1 in any order; on each side none or at least two (one alone has
  /// no slope to go on with). Throws dashpot::Error.
  ElasticCurve(double poisson, std::vector<double> tension, std::vector<double> compression);

  int num_parameters() const { return 1 + static_cast<int>(tension_.size() + compression_.size()); }
  /// The straight line with this modulus [Pa].
  Vector straight(double young) const;
  ElasticPoints points(const Vector& theta) const;
  /// Moves theta into its bounds.
  void clamp(Vector& theta) const;
  /// Stretch between the knots that parameter >= 1 belongs to.
  double interval(int parameter) const;
  /// "stiffness at rest", "stretch 1.1 to 1.2".
  std::string name(int parameter) const;
  const std::vector<double>& tension() const { return tension_; }
  const std::vector<double>& compression() const { return compression_; }

 private:
  /// The stretches between which parameter >= 1 acts, the one nearer to rest first.
  std::pair<double, double> ends(int parameter) const;
  double poisson_;
  std::vector<double> tension_, compression_;  ///< outwards from rest
};

}  // namespace dashpot::design
