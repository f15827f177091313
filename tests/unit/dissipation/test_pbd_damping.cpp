#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/pbd_damping.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"

namespace dashpot::testing::test_pbd_damping {
namespace {

Bar16 bar_with(double rate, double gamma, bool consistent = false) {
  Bar16::Options options;
  options.consistent = consistent;
  options.filter = [=](const Bar16::Parts& parts) {
    const PbdDamping::Masses masses{parts.mass};
    return std::make_unique<PbdDamping>("bar", masses, 0, 16,
                                        gamma >= 0 ? FilterGain::per_step(gamma) : FilterGain::rate(rate));
  };
  return Bar16(options);
}

TEST(PbdDampingLaws, KeepsMomentaAtARateThatDoesNotDependOnTheStep) {
  for (const bool consistent : {false, true}) expect_filter_laws(*bar_with(30, -1, consistent).system, 0, true);
  expect_filter_laws(*bar_with(0, 0.3).system, 0, false);
}

TEST(PbdDamping, KineticEnergyOfTheReferenceBar) {
  const Bar16 bar = bar_with(0, 0.3);
  const Vector q = bar.noisy_q();
  Vector v = bar.noisy_v();
  EXPECT_NEAR(bar.system->inertia().kinetic_energy(q, v), 1.967752054850, 1e-10);
  bar.system->filters()[0]->apply(q, 0.01, v);
  EXPECT_NEAR(bar.system->inertia().kinetic_energy(q, v), 1.121848236456, 1e-10);
}

TEST(PbdDamping, GammaPerStepIsTheRateThatGivesItAtThisStep) {
  const Bar16 by_gamma = bar_with(0, 0.3), by_rate = bar_with(-std::log(0.7) / 0.01, -1);
  Vector v = by_gamma.noisy_v(), w = v;
  by_gamma.system->filters()[0]->apply(by_gamma.noisy_q(), 0.01, v);
  by_rate.system->filters()[0]->apply(by_gamma.noisy_q(), 0.01, w);
  EXPECT_LT((v - w).norm(), 1e-14 * v.norm());
}

/// Points of the given masses, wholly damped.
Vector damped(const std::vector<double>& masses, const Vector& q, Vector v) {
  std::vector<int> blocks;
  for (int i = 0; i < static_cast<int>(masses.size()); ++i) blocks.push_back(i);
  const auto mass = std::make_shared<ElementMass>(1, blocks, masses, true);
  PbdDamping("points", {mass}, 0, static_cast<int>(masses.size()), FilterGain::per_step(1)).apply(q, 0.01, v);
  return v;
}

Vector numbers(std::initializer_list<double> values) {
  Vector result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

TEST(PbdDamping, OnePointKeepsItsVelocity) {
  const Vector v = numbers({1, -2, 3});
  EXPECT_LT((damped({2}, numbers({5, 6, 7}), v) - v).norm(), 1e-15);
}

TEST(PbdDamping, OfTwoPointsOnlyTheAxialRelativeVelocityIsDamped) {
  const Vector q = numbers({1, 0, 0, 3, 0, 0}), v = numbers({1, 2, 0, 4, -1, 5});
  // Center of mass of 1 kg and 3 kg: 3.25 m/s along x; across the line two points always move rigidly.
  EXPECT_LT((damped({1, 3}, q, v) - numbers({3.25, 2, 0, 3.25, -1, 5})).norm(), 1e-14);
}

TEST(PbdDamping, PointsOnALineKeepTheirSpinAcrossItAndLoseTheRest) {
  const Vector q = numbers({0, 0, 0, 1, 0, 0, 2, 0, 0}), v = numbers({0, 1, 0, 0, 4, 0, 0, 1, 0});
  const Vector after = damped({1, 1, 1}, q, v);
  EXPECT_LT((after - numbers({0, 2, 0, 0, 2, 0, 0, 2, 0})).norm(), 1e-14);
  const Vector spin = numbers({0, -1, 0, 0, 0, 0, 0, 1, 0});
  EXPECT_LT((damped({1, 1, 1}, q, spin) - spin).norm(), 1e-14);
  EXPECT_TRUE(damped({1, 1, 1}, Vector::Zero(9), v).allFinite());  // all in one place
}

TEST(PbdDamping, NodesWithoutMassFollowTheOthersAndABodyWithoutMassIsLeftAlone) {
  const Vector q = numbers({0, 0, 0, 1, 0, 0, 0, 1, 0}), v = numbers({1, 0, 0, 1, 0, 0, 9, 9, 9});
  EXPECT_LT((damped({1, 1, 0}, q, v) - numbers({1, 0, 0, 1, 0, 0, 1, 0, 0})).norm(), 1e-14);
  EXPECT_EQ((damped({0, 0, 0}, q, v) - v).norm(), 0);
}

}  // namespace
}  // namespace dashpot::testing::test_pbd_damping
