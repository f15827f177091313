#pragma once
// Measurements for tests: where the points of a simulated scene are at some instants, with noise or without.

#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "dashpot/learn/observed_run.hpp"

namespace dashpot::test_support {

/// Positions of points at some instants.
class Paths final : public learn::Observation {
 public:
  Paths(std::vector<double> times, std::vector<std::vector<Vec3>> positions, double sigma, std::vector<int> points = {})
      : times_(std::move(times)), positions_(std::move(positions)), sigma_(sigma), points_(std::move(points)) {}
  std::string description() const override { return "paths"; }
  const std::vector<double>& times() const override { return times_; }
  void add_residuals(int instant, const std::vector<Vec3>& points, double, learn::ResidualRows& rows) const override {
    const std::vector<Vec3>& measured = positions_[static_cast<std::size_t>(instant)];
    const auto add = [&](int p) {
      for (int axis = 0; axis < 3; ++axis) {
        const learn::ResidualRows::Entry entry{p, Vec3::Unit(axis) / sigma_};
        const auto i = static_cast<std::size_t>(p);
        rows.add((points[i][axis] - measured[i][axis]) / sigma_, {&entry, 1});
      }
    };
    if (points_.empty())
      for (int p = 0; p < static_cast<int>(points.size()); ++p) add(p);
    for (const int p : points_) add(p);
  }
  const std::vector<std::vector<Vec3>>& positions() const { return positions_; }

 private:
  std::vector<double> times_;
  std::vector<std::vector<Vec3>> positions_;
  double sigma_;
  std::vector<int> points_;  ///< those that are seen; empty: all
};

/// All points of a scene at these instants.
inline std::vector<std::vector<Vec3>> positions_at(const std::shared_ptr<const CompiledScene>& scene,
                                                   const std::vector<double>& times,
                                                   const std::vector<double>& values = {}) {
  std::vector<std::vector<Vec3>> positions(times.size());
  const std::vector<Vec3> anywhere(static_cast<std::size_t>(scene->system->kinematics().num_points()), Vec3::Zero());
  // An observation is shown what is wanted, whatever it compares with.
  learn::ObservedRun run{"truth", scene, {}};
  run.observations.push_back(
      std::make_shared<Paths>(times, std::vector<std::vector<Vec3>>(times.size(), anywhere), 1.0));
  learn::CompareOptions options;
  options.values = values;
  options.on_instant = [&](std::size_t, int instant, const std::vector<Vec3>& x, const learn::ResidualRows&) {
    positions[static_cast<std::size_t>(instant)] = x;
  };
  const learn::Comparison found = learn::compare(run, options);
  EXPECT_TRUE(found.reached()) << found.explanation;
  return positions;
}

/// The same as a measurement with noise of standard deviation sigma; seed 0: without.
inline std::shared_ptr<const Paths> measured(const std::shared_ptr<const CompiledScene>& scene,
                                             const std::vector<double>& times, double sigma, unsigned seed = 0,
                                             const std::vector<int>& points = {}) {
  std::vector<std::vector<Vec3>> positions = positions_at(scene, times);
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, sigma);
  if (seed != 0)
    for (auto& frame : positions)
      for (Vec3& x : frame)
        for (int axis = 0; axis < 3; ++axis) x[axis] += noise(random);
  return std::make_shared<Paths>(times, std::move(positions), sigma, points);
}

inline std::vector<double> instants(double from, double step, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(from + i * step);
  return times;
}

}  // namespace dashpot::test_support
