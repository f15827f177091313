// Compressible Mooney-Rivlin rubber: numbers from theory. Derivatives and laws: test_materials.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/formula/mooney_rivlin.hpp"
#include "dashpot/energy/mooney_rivlin.hpp"
#include "material_cases.hpp"

namespace dashpot::testing::test_mooney_rivlin {
namespace {

struct Response {
  double psi, p[3];
  math::Symmetric3<double> H;
};
Response respond(const formula::MooneyRivlinModuli<double>& m, double s0, double s1, double s2) {
  const double s[3] = {s0, s1, s2};
  Response r;
  formula::MooneyRivlin::respond(m, s, r.psi, r.p, r.H);
  return r;
}

TEST(MooneyRivlin, EnergyIsThatOfItsInvariants) {
  // s = (2, 1, 1): I1 = 6, I2 = 9, J = 2.
  const double c1 = 3, c2 = 5, c = 7, d = 2 * c1 + 4 * c2;
  EXPECT_NEAR(respond({c1, c2, c}, 2, 1, 1).psi, 3 * c1 + 6 * c2 + c - d * std::log(2), 1e-12);
  EXPECT_EQ(respond({c1, c2, c}, 1, 1, 1).psi, 0);
  EXPECT_TRUE(std::isinf(respond({c1, c2, c}, 1, 1, -0.1).psi));
}

TEST(MooneyRivlin, NearlyIncompressibleRubberHasAStraightMooneyPlot) {
  // Pulled along one axis, its sides free: stress / (2 (s - 1/s^2)) = c1 + c2/s [Mooney1940].
  const double c1 = 3, c2 = 2, c = 1e7;
  for (const double s : {0.6, 1.3, 2.0, 3.0}) {
    double side = 1 / std::sqrt(s);
    for (int k = 0; k < 50; ++k) {  // Newton's method for p = 0 on both sides at once
      const Response r = respond({c1, c2, c}, s, side, side);
      side -= r.p[1] / (r.H(1, 1) + r.H(1, 2));
    }
    EXPECT_NEAR(respond({c1, c2, c}, s, side, side).p[0] / (2 * (s - 1 / (s * s))), c1 + c2 / s, 1e-4) << s;
  }
}

TEST(MooneyRivlin, WhatWouldNotBeStableIsRefused) {
  const auto with = [](double poisson, double share) {
    const ElasticBody body(unit_tet(), {.name = "", .make = [=](std::shared_ptr<TetBatch> batch) {
                                          return make_mooney_rivlin(
                                              "body", std::move(batch),
                                              {PartwiseValue(1000), PartwiseValue(poisson), PartwiseValue(share)});
                                        }});
  };
  EXPECT_NO_THROW(with(0.3, 0.74));
  EXPECT_THROW(with(0.3, 0.76), Error);  // nu/(1 - 2 nu) = 0.75
  EXPECT_THROW(with(0.45, 1.1), Error);
  EXPECT_THROW(with(0.45, -0.1), Error);
  EXPECT_THROW(with(0.5, 0.1), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_mooney_rivlin
