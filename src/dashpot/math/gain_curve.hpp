#pragma once
// Gain of a damping as a function of an amplitude: gamma(x) = 10^s(x), x >= 0, gamma dimensionless (1: unchanged, 2:
// twice the damping). Interpolation is in log10 gamma, so that 0.1 and 10 are equally far from 1 [XuBarbic2017, sec.
// 4.2].
//
//   linear    straight between the points
//   monotone  cubic without overshoot (the rule of math::Curve::monotone)
//   bezier    3 n + 1 points: knot, handle, handle, knot, ... of cubic Bezier arcs in the plane (x, log10 gamma); x
//             increases through knots and handles, so that each x is met once
//
// Constant before the first and after the last point (a straight line in log space would explode). Where we differ from
// the paper: log10 gamma must lie in [-3, 3], checked and never clipped silently.

#include <string>
#include <vector>

#include "dashpot/math/curve.hpp"

namespace dashpot::math {

class GainCurve {
 public:
  enum class Kind { linear, monotone, bezier };
  static constexpr double smallest = 1e-3, largest = 1e3;  ///< range of gamma at points
  struct Point {
    double x, gamma;
  };
  struct Sample {
    double value, derivative;  ///< gamma and d gamma / dx
  };
  /// A ready-made curve: knots as factors of an amplitude, and exponents of a strength.
  struct Preset {
    std::string name, help;
    struct Knot {
      double amplitudes, exponent;  ///< x = amplitudes * amplitude, gamma = strength^exponent
    };
    std::vector<Knot> knots;
  };

  /// gamma = 1.
  GainCurve() : GainCurve(constant(1)) {}
  /// The same gamma for every x: 0, or within [smallest, largest]. Throws Error.
  static GainCurve constant(double gamma);
  /// Throws Error naming everything wrong with the points: order, x < 0, gamma out of range, not finite, too few.
  static GainCurve through(const std::vector<Point>& points, Kind kind);
  /// The preset `name` for an amplitude [unit of x] > 0 and a strength within [smallest, largest] (monotone curve).
  static GainCurve preset(const std::string& name, double amplitude, double strength);
  static const std::vector<Preset>& presets();

  Sample sample(double x) const;
  double value(double x) const { return sample(x).value; }
  double derivative(double x) const { return sample(x).derivative; }
  /// Of each knot: d gamma(x) / d(its gamma), and d gamma(x) / d(its x). By central differences of the curve, good to
  /// about 1e-9 of the largest; at a kink of the curve, which is where x is a knot, the mean of both sides.
  std::vector<Point> knot_derivatives(double x) const;
  bool is_constant() const { return points_.size() == 1; }
  Kind kind() const { return kind_; }
  /// As given; one point at x = 0 for a constant.
  const std::vector<Point>& knots() const { return points_; }

 private:
  struct Plain {};
  explicit GainCurve(Plain) {}
  Sample log_sample(double x) const;  ///< s and ds/dx

  Kind kind_ = Kind::linear;
  std::vector<Point> points_;
  std::vector<double> s_;  ///< log10 gamma at points
  Curve curve_;            ///< s(x) where monotone
};

/// The names users write: "linear", "monotone", "bezier".
std::string to_string(GainCurve::Kind kind);

}  // namespace dashpot::math
