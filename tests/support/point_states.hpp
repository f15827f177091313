#pragma once
// Points with mass in motion: momenta, kinetic energy, random states.

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::testing {

struct PointState {
  std::vector<double> mass;
  std::vector<Vec3> x, v;

  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) sum += 0.5 * mass[i] * v[i].squaredNorm();
    return sum;
  }
  Vec3 linear() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * v[i];
    return sum;
  }
  Vec3 angular() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * x[i].cross(v[i]);
    return sum;
  }
  /// sum m |x| |v|: what round-off of an angular momentum is measured by.
  double angular_scale() const {
    double sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * x[i].norm() * v[i].norm();
    return sum;
  }
};

/// Noise, a flight and a spin of changing sizes; masses over `decades` powers of ten.
inline PointState random_state(const std::vector<Vec3>& rest, double decades, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const double noise = std::pow(10, -3 * uniform(random));
  const Vec3 flight = vec(), spin = std::array{0.0, 1.0, 10.0}[random() % 3] * vec();
  PointState state;
  for (const Vec3& point : rest) {
    state.mass.push_back(std::pow(10, -decades * uniform(random)));
    state.x.push_back(point + 0.15 * vec());
    state.v.push_back(flight + spin.cross(state.x.back()) + noise * vec());
  }
  return state;
}

}  // namespace dashpot::testing
