// Centers of radial functions: clusters of the stretches that a motion visits.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "dashpot/learn/kernel_centers.hpp"
#include "dashpot/learn/law_unknowns.hpp"
#include "unit/learn/rubber_bar.hpp"

namespace dashpot::test_kernel_centers {
namespace {

using Stretches = std::array<double, 3>;

TEST(KernelCenters, LieInTheMiddleOfSeparateClusters) {
  const std::vector<Stretches> middles = {{1.4, 1, 0.8}, {1, 1, 1}, {1.1, 1.05, 0.7}};
  std::mt19937 random(1);
  std::normal_distribution<double> scatter(0, 0.01);
  std::vector<Stretches> all;
  for (int i = 0; i < 900; ++i) {
    Stretches s = middles[static_cast<std::size_t>(i % 3)];
    for (double& x : s) x += scatter(random);
    all.push_back(s);
  }
  const std::vector<Stretches> centers = learn::cluster_centers(all, 3);
  ASSERT_EQ(centers.size(), 3u);
  for (const Stretches& middle : middles) {
    double nearest = HUGE_VAL;
    for (const Stretches& c : centers)
      nearest = std::min(nearest, std::hypot(c[0] - middle[0], c[1] - middle[1], c[2] - middle[2]));
    EXPECT_LT(nearest, 0.005);
  }
  EXPECT_EQ(centers, learn::cluster_centers(all, 3));
  EXPECT_EQ(learn::cluster_centers({{1, 1, 1}, {1, 1, 1}, {1.2, 1, 1}}, 5).size(), 2u);  // no more are different
  EXPECT_TRUE(learn::cluster_centers({}, 3).empty());
}

TEST(KernelCenters, StretchesAreThoseOfTheMotionWhateverItsRotation) {
  const auto scene = test_support::RubberBar{}.truth();
  std::vector<Vec3> x;
  scene->system->kinematics().positions(scene->system->rest(), x);
  for (Vec3& p : x) p = Vec3(-1.1 * p.y(), 1.3 * p.x(), 0.9 * p.z());  // stretched, then turned by a right angle
  const std::vector<Stretches> found = learn::stretches_of(scene->bodies[0], {x});
  ASSERT_EQ(found.size(), static_cast<std::size_t>(scene->bodies[0].mesh.tets()->size()));
  for (const Stretches& s : found) {
    EXPECT_NEAR(s[0], 1.3, 1e-12);
    EXPECT_NEAR(s[1], 1.1, 1e-12);
    EXPECT_NEAR(s[2], 0.9, 1e-12);
  }
}

TEST(KernelCenters, BecomeWeightsThatCanBeLearned) {
  const auto plain = test_support::RubberBar{}.believed();
  const std::vector<SceneOverride> changes = learn::kernel_overrides(0, {{1.2, 1, 0.9}, {1.1, 1.1, 0.8}}, 0.2);
  const auto scene = std::make_shared<CompiledScene>(compile(parse_scene(filled_in(plain->spec), "bar", "", changes)));
  learn::FitProblem problem;
  problem.runs.push_back({"bar", scene, {}});
  learn::add_law_unknowns(problem, {});
  EXPECT_EQ(problem.unknowns.size(), 18u);  // 16 of tail and curves
  EXPECT_EQ(problem.unknowns.back().parameter, "/bodies/0/material/kernels");
  // Kernels have a ridge, and no order in which they could be smooth.
  EXPECT_GT(problem.precision(17, 17), 0);
  EXPECT_EQ(problem.precision(16, 17), 0);
}

}  // namespace
}  // namespace dashpot::test_kernel_centers
