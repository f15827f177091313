#include "support/observation_laws.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace dashpot::testing {

double slope_error(const learn::Observation& observation, int instant, const std::vector<Vec3>& points, double scale,
                   double step, int* num_checked) {
  learn::ResidualRows rows;
  observation.add_residuals(instant, points, scale, rows);
  std::vector<std::map<int, Vec3>> slopes(rows.values.size());
  std::map<int, bool> touched;
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < rows.values.size(); ++i)
    for (int e = rows.first_entry[i]; e < rows.first_entry[i + 1]; ++e) {
      const learn::ResidualRows::Entry& entry = rows.entries[at(e)];
      auto [it, is_new] = slopes[i].try_emplace(entry.point, Vec3::Zero());
      it->second += entry.slope;
      touched[entry.point] = true;
      largest = std::max(largest, it->second.cwiseAbs().maxCoeff());
    }
  int count = 0;
  for (const auto& [point, unused] : touched)
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3> moved = points;
      learn::ResidualRows up, down;
      moved[at(point)][axis] += step;
      observation.add_residuals(instant, moved, scale, up);
      moved[at(point)][axis] -= 2 * step;
      observation.add_residuals(instant, moved, scale, down);
      EXPECT_EQ(up.size(), rows.size());
      EXPECT_EQ(down.size(), rows.size());
      if (up.size() != rows.size() || down.size() != rows.size()) return 1;
      for (std::size_t i = 0; i < rows.values.size(); ++i) {
        const double difference = (up.values[i] - down.values[i]) / (2 * step);
        const auto it = slopes[i].find(point);
        const double slope = it == slopes[i].end() ? 0 : it->second[axis];
        worst = std::max(worst, std::abs(slope - difference));
        ++count;
      }
    }
  if (num_checked != nullptr) *num_checked = count;
  return largest > 0 ? worst / largest : worst;
}

double mean_square(const learn::Observation& observation, const std::vector<std::vector<Vec3>>& points, double scale) {
  learn::ResidualRows rows;
  for (std::size_t i = 0; i < points.size(); ++i)
    observation.add_residuals(static_cast<int>(i), points[i], scale, rows);
  double sum = 0;
  for (const double r : rows.values) sum += r * r;
  return sum / std::max(1, rows.size());
}

double Noise::uniform() {
  state_ += 0x9e3779b97f4a7c15ULL;  // splitmix64 [SteeleLeaFlood2014]
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
}

double Noise::operator()() {
  const double u = 1 - uniform(), angle = two_pi * uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(angle);
}

}  // namespace dashpot::testing
