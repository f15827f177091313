#include "dashpot/learn/definiteness.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/units.hpp"

namespace dashpot::learn {
namespace {

double least_eigenvalue(const Mat3& H) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(0.5 * (H + H.transpose()), Eigen::EigenvaluesOnly).eigenvalues()[0];
}

double least_flip(const StretchResponse& at, const Vec3& s) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const double gap = s[i] - s[j];
      const double flip =
          std::abs(gap) < 1e-5 ? 0.5 * (at.H(i, i) + at.H(j, j) - at.H(i, j) - at.H(j, i)) : (at.p[i] - at.p[j]) / gap;
      least = std::min(least, flip);
    }
  return least;
}

/// Goes along the axes to smaller values, with steps that get shorter. What is no number counts as worst of all.
template <class Value>
void go_down(const StretchBox& box, double step, const Value& value, Least& least) {
  for (int halvings = 0; halvings < 12; step *= 0.5, ++halvings)
    for (bool moved = true; moved;) {
      moved = false;
      for (int k = 0; k < 6; ++k) {
        Vec3 s = least.stretches;
        s[k / 2] += k % 2 == 0 ? step : -step;
        if (!box.holds(s)) continue;
        const double there = value(s);
        if (there < least.value - 1e-12 * std::abs(least.value)) least = {there, s}, moved = true;
      }
    }
}

void take_smaller(const Least& other, Least& least) {
  if (other.value < least.value) least = other;
}

}  // namespace

bool StretchBox::holds(const Vec3& s) const {
  const double J = s.prod(), least = s.minCoeff(), largest = s.maxCoeff(), middle = s.sum() - least - largest;
  return least >= low && largest <= high && J >= low_volume && J <= high_volume && middle >= low_middle &&
         middle <= high_middle;
}

StretchBox StretchBox::padded(double part) const {
  StretchBox box = *this;
  const double more = part * (high - low);
  box.low -= more, box.high += more;
  if (high_middle < 1e300) box.low_middle -= more, box.high_middle += more;
  if (high_volume < 1e300) {
    const double by_volume = part * (high_volume - low_volume);
    box.low_volume -= by_volume, box.high_volume += by_volume;
  }
  return box;
}

std::string Definiteness::text() const {
  const Least& least = hessian.value < flip.value ? hessian : flip;
  const std::string where =
      fmt::format("stretches ({:.3f}, {:.3f}, {:.3f})", least.stretches[0], least.stretches[1], least.stretches[2]);
  if (is_definite())
    return fmt::format("stiff everywhere: at least {}, at {}", describe_quantity(least.value, Quantity::pressure),
                       where);
  return fmt::format("gives way at {}: {} {}", where,
                     least.value == hessian.value ? "least stiffness" : "shear stiffness",
                     describe_quantity(least.value, Quantity::pressure));
}

Definiteness check_definiteness(const std::function<StretchResponse(const Vec3&)>& law, const StretchBox& box,
                                int points_a_side) {
  Definiteness result;
  const auto finite = [](double x) { return std::isfinite(x) ? x : -std::numeric_limits<double>::infinity(); };
  const auto hessian = [&](const Vec3& s) {
    const StretchResponse at = law(s);
    return at.H.allFinite() ? finite(least_eigenvalue(at.H)) : finite(NAN);
  };
  const auto flip = [&](const Vec3& s) { return finite(least_flip(law(s), s)); };
  result.hessian = {hessian(Vec3::Ones()), Vec3::Ones()};
  result.flip = {flip(Vec3::Ones()), Vec3::Ones()};
  result.num_points = 1;
  const int n = std::max(points_a_side, 2);
  const double step = (box.high - box.low) / (n - 1);
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b)
      for (int c = 0; c <= b; ++c) {
        const Vec3 s = (Vec3::Constant(box.low) + step * Vec3(a, b, c)).cwiseMin(box.high);
        if (!box.holds(s)) continue;
        ++result.num_points;
        take_smaller({hessian(s), s}, result.hessian);
        take_smaller({flip(s), s}, result.flip);
      }
  go_down(box, 0.5 * step, hessian, result.hessian);
  go_down(box, 0.5 * step, flip, result.flip);
  return result;
}

Definiteness check_definiteness(const LearnedParts& parts, const StretchBox& box, int points_a_side) {
  // Laws differ between parts of the body by their moduli only: look at one element of each combination.
  const std::vector<int>&young = parts.moduli.young.of_element, &poisson = parts.moduli.poisson.of_element;
  std::vector<std::pair<int, int>> seen;
  Definiteness result;
  const std::size_t num_elements = std::max<std::size_t>(1, std::max(young.size(), poisson.size()));
  for (std::size_t e = 0; e < num_elements; ++e) {
    const std::pair<int, int> combination(young.empty() ? 0 : young[e], poisson.empty() ? 0 : poisson[e]);
    if (std::find(seen.begin(), seen.end(), combination) != seen.end()) continue;
    seen.push_back(combination);
    const Definiteness one = check_definiteness(stretch_response(parts, static_cast<int>(e)), box, points_a_side);
    if (seen.size() == 1) result = one;
    take_smaller(one.hessian, result.hessian);
    take_smaller(one.flip, result.flip);
    if (seen.size() > 1) result.num_points += one.num_points;
  }
  return result;
}

}  // namespace dashpot::learn
