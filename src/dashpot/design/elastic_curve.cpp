#include "dashpot/design/elastic_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::design {
namespace {

constexpr double steepest = 8;  ///< r

void check_side(const std::vector<double>& outwards, double low, double high, const char* side,
                std::vector<Problem>& problems) {
  if (outwards.size() == 1) problems.push_back({side, "one knot", "none or at least two", "add a knot farther from 1"});
  double previous = 1;
  for (const double s : outwards) {
    if (!(s > low && s < high) || !(std::abs(s - 1) > std::abs(previous - 1) + 1e-9))
      problems.push_back({side, fmt::format("a knot at stretch {:.6g}", s),
                          fmt::format("different stretches between {:g} and {:g}", low, high)});
    previous = s;
  }
}

/// Points of one side, outwards.
SplineMaterial::Points side_points(const std::vector<double>& knots, const double* log_ratio, double slope) {
  SplineMaterial::Points points;
  double s = 1, stress = 0;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    slope *= std::exp(log_ratio[i]);
    stress += slope * (knots[i] - s);
    s = knots[i];
    points.emplace_back(s, stress);
  }
  return points;
}

/// The three-point slope at the end of a monotone curve is positive while k_{i-1} < (2 + h_{i-1} / h_i) k_i, and rest
/// keeps its slope while that is below three times k_1 (math/curve.hpp): nine tenths of either.
double lowest_log_ratio(const std::vector<double>& knots, std::size_t i) {
  if (i == 0) return -std::log(0.9 * 3);
  const double inner = std::abs(knots[i - 1] - (i > 1 ? knots[i - 2] : 1)), outer = std::abs(knots[i] - knots[i - 1]);
  return -std::log(0.9 * (2 + std::min(inner / outer, 1.0)));
}

}  // namespace

ElasticCurve::ElasticCurve(double poisson, std::vector<double> tension, std::vector<double> compression)
    : poisson_(poisson), tension_(std::move(tension)), compression_(std::move(compression)) {
  std::sort(tension_.begin(), tension_.end());
  std::sort(compression_.rbegin(), compression_.rend());
  std::vector<Problem> problems;
  check_side(tension_, 1, 100, "tension", problems);
  check_side(compression_, 0, 1, "compression", problems);
  if (!(poisson > -1 && poisson < 0.5))
    problems.push_back({"poisson", fmt::format("{:.6g}", poisson), "-1 < poisson < 0.5"});
  if (!problems.empty()) throw Error(std::move(problems));
}

Vector ElasticCurve::straight(double young) const {
  Vector theta = Vector::Zero(num_parameters());
  theta[0] = std::log(young);
  return theta;
}

ElasticPoints ElasticCurve::points(const Vector& theta) const {
  ElasticPoints result;
  result.rest = {std::exp(theta[0]), poisson_};
  const double slope = 2 * result.rest.mu();
  result.tension = side_points(tension_, theta.data() + 1, slope);
  result.compression = side_points(compression_, theta.data() + 1 + tension_.size(), slope);
  std::reverse(result.compression.begin(), result.compression.end());
  return result;
}

void ElasticCurve::clamp(Vector& theta) const {
  theta[0] = std::clamp(theta[0], std::log(1e-3), std::log(1e13));
  Eigen::Index at = 1;
  for (const auto* knots : {&tension_, &compression_})
    for (std::size_t i = 0; i < knots->size(); ++i, ++at)
      theta[at] = std::clamp(theta[at], lowest_log_ratio(*knots, i), std::log(steepest));
}

std::pair<double, double> ElasticCurve::ends(int parameter) const {
  std::size_t i = static_cast<std::size_t>(parameter - 1);
  const bool is_tension = i < tension_.size();
  if (!is_tension) i -= tension_.size();
  const std::vector<double>& knots = is_tension ? tension_ : compression_;
  return {i > 0 ? knots[i - 1] : 1.0, knots[i]};
}

double ElasticCurve::interval(int parameter) const {
  const auto [inner, outer] = ends(parameter);
  return std::abs(outer - inner);
}

std::string ElasticCurve::name(int parameter) const {
  if (parameter == 0) return "stiffness at rest";
  const auto [inner, outer] = ends(parameter);
  return fmt::format("stretch {:.4g} to {:.4g}", inner, outer);
}

}  // namespace dashpot::design
