#pragma once
// One-dimensional curves y(x) made of cubic pieces, with derivative and integral; straight (or constant) outside their
// knots.
//
//   monotone       through given points, without overshoot [FritschButland1984]: where the points rise, so does the
//   curve. The
//                  slope is continuous, the curvature jumps at knots. Interior slopes are the weighted harmonic means
//                  of the neighboring secants, end slopes the limited three-point formula (the rule of SciPy's PCHIP).
//   uniform_bspline  cubic B-spline on equal intervals; linear in its coefficients; curvature is continuous.

#include <optional>
#include <utility>
#include <vector>

namespace dashpot::math {

enum class Extrapolation { linear, constant };

class Curve {
 public:
  struct Sample {
    double value, derivative, integral;  ///< integral from the first knot
  };

  /// The curve that is zero everywhere.
  Curve() : Curve({0}, {0}, {0}, Extrapolation::linear) {}
  /// y = slope (x - x0).
  static Curve line(double slope, double x0) { return Curve({x0}, {0}, {slope}, Extrapolation::linear); }
  /// Through points (x, y) of increasing x. `fixed` prescribes the slope at one knot (index, slope); it is lowered to
  /// three times the flatter neighboring secant if that is needed to avoid overshoot. Throws Error for unordered
  /// points.
  static Curve monotone(const std::vector<std::pair<double, double>>& points,
                        Extrapolation outside = Extrapolation::linear,
                        std::optional<std::pair<int, double>> fixed = std::nullopt);
  /// y = sum_k coefficient_k B_k(x) on [low, high], at least four coefficients (intervals + 3). Throws Error.
  static Curve uniform_bspline(double low, double high, const std::vector<double>& coefficients,
                               Extrapolation outside = Extrapolation::linear);

  Sample sample(double x) const;
  double value(double x) const { return sample(x).value; }
  double derivative(double x) const { return sample(x).derivative; }
  double integral(double from, double to) const { return sample(to).integral - sample(from).integral; }
  const std::vector<double>& knots() const { return x_; }

 private:
  Curve(std::vector<double> x, std::vector<double> y, std::vector<double> slope, Extrapolation outside);

  std::vector<double> x_, y_, slope_, integral_;  ///< at knots
  Extrapolation outside_ = Extrapolation::linear;
};

}  // namespace dashpot::math
