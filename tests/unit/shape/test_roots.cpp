#include "dashpot/shape/roots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/shape/spacing_search.hpp"

namespace dashpot::test_roots {
namespace {

TEST(Roots, OnASegmentAreFoundToTenDigitsWhateverTheShapeOfTheFunction) {
  const Vec3 p(1, 2, 3), q(3, 2, 1);
  for (const double root : {1e-6, 0.2, 0.5, 0.999}) {
    const auto t_of = [&](const Vec3& x) { return (x - p).dot(q - p) / (q - p).squaredNorm(); };
    // Straight, steep on one side only, and flat at the root: what stops plain regula falsi.
    const auto straight = [&](const Vec3& x) { return t_of(x) - root; };
    const auto steep = [&](const Vec3& x) { return std::exp(8 * t_of(x)) - std::exp(8 * root); };
    const auto bent = [&](const Vec3& x) { return std::cbrt(t_of(x) - root); };
    EXPECT_NEAR(root_on_segment(straight, p, q, straight(p), straight(q)), root, 1e-9);
    EXPECT_NEAR(root_on_segment(steep, p, q, steep(p), steep(q)), root, 1e-9);
    EXPECT_NEAR(root_on_segment(bent, p, q, bent(p), bent(q)), root, 1e-6);
  }
}

TEST(Roots, APointNearASphereIsMovedOntoIt) {
  const auto sphere = [](const Vec3& x) { return x.squaredNorm() - 4; };
  for (const Vec3& start : {Vec3(2.3, 0.1, -0.2), Vec3(0, 1.7, 0), Vec3(1, 1, 1)}) {
    const Vec3 x = onto_surface(sphere, start, 1e-5);
    EXPECT_NEAR(x.norm(), 2, 1e-6);
    EXPECT_GT(x.normalized().dot(start.normalized()), 0.999) << "the nearest point, not another one";
  }
}

TEST(SpacingSearch, MeetsACountThatFallsInJumps) {
  for (const int dimension : {2, 3})
    for (const double wanted : {100.0, 11000.0, 250000.0}) {
      int trials = 0, most = 0;
      const auto count = [&](double h) {
        ++trials;
        const double n = std::floor(std::pow(1 / h, dimension) / 7) * 7;
        most = std::max(most, static_cast<int>(n));
        return n;
      };
      const double h = find_spacing(count, 1, wanted, dimension);
      EXPECT_NEAR(std::floor(std::pow(1 / h, dimension) / 7) * 7, wanted, 0.03 * wanted) << dimension;
      EXPECT_LE(trials, wanted > 1000 ? 15 : 30) << "a hundred come in jumps of seven";
      EXPECT_LT(most, 4 * wanted) << "no huge mesh on the way";
    }
}

}  // namespace
}  // namespace dashpot::test_roots
