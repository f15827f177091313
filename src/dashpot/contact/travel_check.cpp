#include "dashpot/contact/travel_check.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/contact/feature_gap.hpp"
#include "dashpot/mesh/nearest_on_triangle.hpp"

namespace dashpot::contact {
namespace {

constexpr double nearest_share = 0.1;  // of the distance at the start
constexpr int max_advances = 2000;     // a pair that takes longer is taken to meet

/// `distance` of four points of which the first `num_first` are one thing.
template <class Distance>
bool stay_apart(const FourPoints& from, const FourPoints& to, std::size_t num_first, Distance distance) {
  FourPoints travel;
  Vec3 together = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    travel[k] = to[k] - from[k];
    together += 0.25 * travel[k];
  }
  double fastest[2] = {0, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    travel[k] -= together;
    double& most = fastest[k < num_first ? 0 : 1];
    most = std::max(most, travel[k].norm());
  }
  const double rate = fastest[0] + fastest[1];
  double d = distance(from);
  const double nearest = nearest_share * d;
  double time = 0;
  for (int advance = 0; advance < max_advances; ++advance) {
    if (!(d > nearest) && advance > 0) return false;
    if (!(d > 0)) return false;
    time += (1 - nearest_share) * d / rate;
    if (!(time < 1)) return true;
    FourPoints x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = from[k] + time * travel[k];
    d = distance(x);
  }
  return false;
}

}  // namespace

bool node_misses_triangle(const FourPoints& from, const FourPoints& to) {
  return stay_apart(from, to, 1, [](const FourPoints& x) {
    return (x[0] - nearest_on_triangle(x[0], x[1], x[2], x[3]).point).norm();
  });
}

bool edges_miss_each_other(const FourPoints& from, const FourPoints& to) {
  return stay_apart(from, to, 2,
                    [](const FourPoints& x) { return std::sqrt(closest_of_segments(&x[0], &x[2]).distance2); });
}

}  // namespace dashpot::contact
