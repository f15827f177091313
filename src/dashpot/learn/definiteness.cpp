#include "dashpot/learn/definiteness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "dashpot/core/units.hpp"

namespace dashpot::learn {
namespace {

constexpr double equal_stretches = 1e-5;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Directions of waves: evenly spread squares, of which a sixth is the smallest. Signs change nothing.
constexpr int sixths = 6, num_directions = (sixths + 1) * (sixths + 2) / 2;
const std::array<Vec3, num_directions>& directions() {
  static const std::array<Vec3, num_directions> all = [] {
    std::array<Vec3, num_directions> made;
    std::size_t at = 0;
    for (int i = 0; i <= sixths; ++i)
      for (int j = 0; i + j <= sixths; ++j) made[at++] = (Vec3(i, j, sixths - i - j) / sixths).cwiseSqrt();
    return made;
  }();
  return all;
}

/// What a law's dP/dF is made of in the axes of the stretches.
struct Stiffnesses {
  Mat3 H, same, other;  ///< of dP_ij by dF_ij and by dF_ji; i and j differ

  Stiffnesses(const StretchResponse& at, const Vec3& s) : H(0.5 * (at.H + at.H.transpose())) {
    same.setZero(), other.setZero();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) {
        const double gap = s[i] - s[j], sum = s[i] + s[j];
        const double flip =
            std::abs(gap) < equal_stretches ? 0.5 * (H(i, i) + H(j, j)) - H(i, j) : (at.p[i] - at.p[j]) / gap;
        const double twist = (at.p[i] + at.p[j]) / std::max(sum, 1e-6);
        same(i, j) = same(j, i) = 0.5 * (flip + twist);
        other(i, j) = other(j, i) = 0.5 * (flip - twist);
      }
  }

  /// Against waves of direction n, by amplitude.
  Mat3 acoustic(const Vec3& n) const {
    Mat3 Q = (H + other).cwiseProduct(n * n.transpose());
    Q.diagonal() += same * n.cwiseAbs2();
    return Q;
  }
};

WaveStiffness softest_of(const Stiffnesses& stiffnesses, const Vec3& stretches, double& least) {
  WaveStiffness softest{stretches, Vec3::UnitX(), Vec3::UnitX()};
  least = infinity;
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  for (const Vec3& n : directions()) {
    const Mat3 Q = stiffnesses.acoustic(n);
    if (!Q.allFinite()) {
      least = -infinity;
      return softest;
    }
    solver.computeDirect(Q, Eigen::EigenvaluesOnly);
    if (solver.eigenvalues()[0] < least) least = solver.eigenvalues()[0], softest.direction = n;
  }
  softest.amplitude =
      Eigen::SelfAdjointEigenSolver<Mat3>(stiffnesses.acoustic(softest.direction)).eigenvectors().col(0);
  return softest;
}

double least_at(const std::function<StretchResponse(const Vec3&)>& law, const Vec3& s) {
  double least = 0;
  softest_of(Stiffnesses(law(s), s), s, least);
  return least;
}

}  // namespace

double WaveStiffness::of(const StretchResponse& response) const {
  const double value = amplitude.dot(Stiffnesses(response, stretches).acoustic(direction) * amplitude);
  return std::isfinite(value) ? value : -infinity;
}

WaveStiffness softest_wave(const StretchResponse& response, const Vec3& stretches) {
  double least = 0;
  return softest_of(Stiffnesses(response, stretches), stretches, least);
}

bool is_stiffer(const StretchResponse& response, const Vec3& stretches, double stiffness) {
  const Stiffnesses stiffnesses(response, stretches);
  return std::all_of(directions().begin(), directions().end(), [&](const Vec3& n) {
    Mat3 Q = stiffnesses.acoustic(n);
    Q.diagonal().array() -= stiffness;
    return Q(0, 0) > 0 && Q(0, 0) * Q(1, 1) > Q(0, 1) * Q(1, 0) && Q.determinant() > 0;
  });
}

std::string Definiteness::text() const {
  const std::string where = fmt::format("stretches ({:.3f}, {:.3f}, {:.3f})", stretches[0], stretches[1], stretches[2]);
  const std::string stiffness = describe_quantity(least, Quantity::pressure);
  if (is_definite()) return fmt::format("stiff everywhere: at least {}, at {}", stiffness, where);
  return fmt::format("gives way at {}: least stiffness {}", where, stiffness);
}

Definiteness check_definiteness(const std::function<StretchResponse(const Vec3&)>& law, const StrainRegion& region) {
  const Vec3& first = region.points.front();
  Definiteness result{least_at(law, first), first, static_cast<int>(region.points.size())};
  const auto take = [&](const Vec3& s) {
    const double there = least_at(law, s);
    if (!(there < result.least - 1e-12 * std::abs(result.least))) return false;
    result.least = there;
    result.stretches = s;
    return true;
  };
  for (const Vec3& s : region.points) take(s);
  // From the worst of them along the axes, with steps that get shorter.
  double step = 0.5 * region.spacing;
  for (int halvings = 0; halvings < 12; step *= 0.5, ++halvings)
    for (bool moved = true; moved;) {
      moved = false;
      for (int k = 0; k < 6; ++k) {
        Vec3 s = result.stretches;
        s[k / 2] += k % 2 == 0 ? step : -step;
        if (region.holds(s) && take(s)) moved = true;
      }
    }
  return result;
}

Definiteness check_definiteness(const LearnedParts& parts, const StrainRegion& region) {
  // Laws differ between parts of the body by their moduli only: look at one element of each combination.
  const std::vector<int>&young = parts.moduli.young.of_element, &poisson = parts.moduli.poisson.of_element;
  std::vector<std::pair<int, int>> seen;
  Definiteness result;
  int num_points = 0;
  const std::size_t num_elements = std::max<std::size_t>(1, std::max(young.size(), poisson.size()));
  for (std::size_t e = 0; e < num_elements; ++e) {
    const std::pair<int, int> combination(young.empty() ? 0 : young[e], poisson.empty() ? 0 : poisson[e]);
    if (std::find(seen.begin(), seen.end(), combination) != seen.end()) continue;
    seen.push_back(combination);
    const Definiteness one = check_definiteness(stretch_response(parts, static_cast<int>(e)), region);
    num_points += one.num_points;
    if (seen.size() == 1 || one.least < result.least) result = one;
  }
  result.num_points = num_points;
  return result;
}

}  // namespace dashpot::learn
