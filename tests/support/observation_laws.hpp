#pragma once
// What holds for every Observation, whatever was measured.
#include <cstdint>
#include <limits>
#include <vector>

#include "dashpot/learn/observation.hpp"

namespace dashpot::testing {

/// Slopes of all rows of an instant against central differences of the residuals, moving every point that has an entry
/// by `step` [m]: the largest difference over the largest slope. `num_checked`: how many slopes were compared.
double slope_error(const learn::Observation& observation, int instant, const std::vector<Vec3>& points, double scale,
                   double step, int* num_checked = nullptr);

/// Sum of the squared residuals of all instants over their number, at positions given for each instant.
double mean_square(const learn::Observation& observation, const std::vector<std::vector<Vec3>>& points,
                   double scale = std::numeric_limits<double>::infinity());

/// Normally distributed numbers of mean 0 and deviation 1: the same on every machine.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  double operator()();
  Vec3 vector() { return Vec3((*this)(), (*this)(), (*this)()); }
  double uniform();

 private:
  std::uint64_t state_;
};

}  // namespace dashpot::testing
