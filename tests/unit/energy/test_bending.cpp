#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/mesh/generate.hpp"

namespace dashpot::testing::test_bending {
namespace {

constexpr double pi = 3.14159265358979323846;

Vector flat(const std::vector<Vec3>& X) {
  Vector q(3 * static_cast<int>(X.size()));
  for (std::size_t i = 0; i < X.size(); ++i) q.segment<3>(3 * static_cast<int>(i)) = X[i];
  return q;
}

/// Rolls the x-z plane onto a cylinder of this radius whose axis makes an angle with z.
std::vector<Vec3> rolled(const std::vector<Vec3>& X, double radius, double angle) {
  const Vec3 along(std::cos(angle), 0, std::sin(angle)), axis(-std::sin(angle), 0, std::cos(angle));
  std::vector<Vec3> result;
  for (const Vec3& x : X) {
    const double s = along.dot(x) / radius;
    result.emplace_back(radius * std::sin(s) * along + radius * (1 - std::cos(s)) * Vec3::UnitY() + axis.dot(x) * axis);
  }
  return result;
}

/// Energy of a sheet rolled to radius 1, relative to k A / (2 R^2).
double relative_energy(const std::vector<Vec3>& X, const std::vector<int>& triangles, double area, double angle) {
  const double k = 0.3;
  const std::vector<double> stiffness(triangles.size() / 3, k);
  const Bending bending("sheet", 4, hinges(triangles, X, stiffness), X, 0);
  EXPECT_TRUE(bending.is_quadratic());
  EXPECT_NEAR(bending.evaluate({flat(X)}), 0, 1e-20) << "flat";
  return bending.evaluate({flat(rolled(X, 1, angle))}) / (k * area / 2);
}

struct Sheet {
  std::vector<Vec3> X;
  std::vector<int> triangles;
  double area = 0;
};
/// Rows of n + 1 points a = 1/n apart, each row shifted by lean * a and h above the last; all cells cut alike.
Sheet rows(int n, double lean, double height) {
  Sheet sheet;
  const double a = 1.0 / n, h = a * height;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) sheet.X.emplace_back(a * (i + lean * j), 0, h * j);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int p = j * (n + 1) + i, r = p + n + 1;
      sheet.triangles.insert(sheet.triangles.end(), {p, p + 1, r, p + 1, r + 1, r});
    }
  sheet.area = n * n * a * h;
  return sheet;
}

Sheet equilateral(int n) { return rows(n, 0.5, std::sqrt(0.75)); }

TEST(Bending, ACylinderOfAnyAxisCostsStiffnessTimesAreaOverTwiceTheRadiusSquared) {
  // Edges of the sheet carry no hinge: their share falls with the mesh size.
  for (const double angle : {0.0, 0.4, pi / 6, 1.3}) {
    const Sheet coarse = equilateral(20), fine = equilateral(40);
    const double rough = relative_energy(coarse.X, coarse.triangles, coarse.area, angle);
    const double better = relative_energy(fine.X, fine.triangles, fine.area, angle);
    EXPECT_NEAR(better, 1, 0.04) << angle;
    EXPECT_LT(std::abs(1 - better), 0.55 * std::abs(1 - rough)) << "at least first order, angle " << angle;
    EXPECT_NEAR(2 * better - rough, 1, 1e-3) << "extrapolated, angle " << angle;
  }
}

TEST(Bending, SquaresBendRightAlongTheirSidesButTooStifflyAlongTheirCuts) {
  const auto cloth = [](int n) {
    const Mesh mesh = make_cloth(1, 1, {n, n});  // cuts alternate
    return Sheet{mesh.nodes, mesh.group(ElementKind::triangle)->nodes, 1};
  };
  const auto limit = [](const Sheet& coarse, const Sheet& fine, double angle) {
    return 2 * relative_energy(fine.X, fine.triangles, fine.area, angle) -
           relative_energy(coarse.X, coarse.triangles, coarse.area, angle);
  };
  EXPECT_NEAR(limit(cloth(30), cloth(60), 0), 1, 1e-3);
  EXPECT_NEAR(limit(cloth(30), cloth(60), pi / 2), 1, 1e-3);
  EXPECT_NEAR(limit(cloth(30), cloth(60), pi / 4), 1.5, 1e-3);
  EXPECT_NEAR(limit(rows(30, 0, 1), rows(60, 0, 1), pi / 4), 1, 2e-3) << "bent across the cuts";
  EXPECT_NEAR(limit(rows(30, 0, 1), rows(60, 0, 1), -pi / 4), 3, 1e-2) << "bent along the cuts";
}

TEST(Bending, AStripBentUpAtItsEndPullsBackAsAPlateOfItsStiffness) {
  // Small deflection w = x^2/2 c: moment k c per width; the energy is k/2 c^2 per area.
  Mesh strip = make_cloth(1, 0.1, {200, 4});
  const double k = 2;
  const std::vector<int>& triangles = strip.group(ElementKind::triangle)->nodes;
  const Bending bending("strip", 4, hinges(triangles, strip.nodes, std::vector<double>(triangles.size() / 3, k)),
                        strip.nodes, 0);
  const double curvature = 1e-3;
  for (Vec3& x : strip.nodes) x.y() = 0.5 * curvature * x.x() * x.x();
  EXPECT_NEAR(bending.evaluate({flat(strip.nodes)}) / (0.5 * k * curvature * curvature * 0.1), 1 - 1.0 / 200, 1e-6);
}

TEST(Bending, ACurvedRestShapeIsFreeOfEnergyAndResistsFlattening) {
  const Sheet sheet = equilateral(10);
  const std::vector<Vec3> curved = rolled(sheet.X, 0.5, 0.2);
  const std::vector<double> stiffness(sheet.triangles.size() / 3, 0.3);
  const Bending bending("shell", 4, hinges(sheet.triangles, curved, stiffness, RestBend::as_mesh), curved, 0);
  EXPECT_FALSE(bending.is_quadratic());
  EXPECT_LT(bending.evaluate({flat(curved)}), 1e-20);
  const double to_flat = bending.evaluate({flat(sheet.X)});
  EXPECT_NEAR(to_flat / (0.3 * sheet.area / (2 * 0.25)), 1, 0.15) << "as much as to bend the flat sheet so far";
}

TEST(Bending, AStrandBentToACircleCostsHalfItsStiffnessTimesCurvatureSquaredTimesLength) {
  const int n = 200;
  const double radius = 0.5, EI = 3e-4;
  std::vector<Vec3> X, circle;
  std::vector<int> edges;
  for (int i = 0; i <= n; ++i) {
    // Edges of two lengths: the formula must know both.
    const double s = (i + (i % 2 == 0 ? 0.0 : 0.25)) * 0.8 / n;
    X.emplace_back(s, 0, 0);
    circle.emplace_back(radius * std::sin(s / radius), radius * (1 - std::cos(s / radius)), 0);
    if (i > 0) edges.insert(edges.end(), {i - 1, i});
  }
  const std::vector<Bend> bends = strand_bends(edges, X, EI);
  ASSERT_EQ(bends.size(), static_cast<std::size_t>(n - 1)) << "one at each inner node";
  const Bending bending("hair", 3, bends, X, 0);
  EXPECT_NEAR(bending.evaluate({flat(X)}), 0, 1e-20);
  EXPECT_NEAR(bending.evaluate({flat(circle)}) / (EI / 2 / (radius * radius) * 0.8), 1, 0.01);
}

TEST(Bending, NothingBendsAtFreeEdgesAndForksOfStrands) {
  const std::vector<Vec3> X{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1.1}};
  EXPECT_TRUE(hinges({0, 1, 2}, X, {1}).empty());
  EXPECT_EQ(hinges({0, 1, 2, 1, 3, 2}, X, {1, 1}).size(), 1u);
  EXPECT_TRUE(strand_bends({0, 1, 0, 2, 0, 3}, X, 1).empty());
}

TEST(Bending, BadBendsAreRefusedAllAtOnce) {
  Bend outside, negative;
  outside.nodes = {0, 1, 2, 9};
  negative.nodes = {0, 1, 2, 3};
  negative.weight = -1;
  try {
    Bending("s", 4, {outside, negative}, std::vector<Vec3>(4, Vec3::Zero()), 0);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2u);
  }
  EXPECT_THROW(hinges({0, 1, 7}, std::vector<Vec3>(3, Vec3::Zero()), {1}), Error);
}

/// One right triangle of area 1/2 m^2.
TriangleMembrane triangle(const MembraneMaterial& material) {
  return {"t", {0, 1, 2}, {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 0, {material}, {0}};
}

TEST(TriangleMembrane, StretchCostsShearModulusTimesVolumeTimesStretchSquared) {
  Vector q(9);
  q << 0, 0, 0, 1.3, 0, 0, 0, 0, 0.8;
  EXPECT_NEAR(triangle({100, 0.02}).evaluate({q}), 100 * 0.01 * (0.3 * 0.3 + 0.2 * 0.2), 1e-14);
}

TEST(TriangleMembrane, StrainLimitsActOnlyBeyondThem) {
  const MembraneMaterial plain{100, 0.02}, limited{100, 0.02, 1e4, 0.9, 1.2};
  Vector inside(9), outside(9);
  inside << 0, 0, 0, 1.15, 0, 0, 0, 0, 0.95;
  outside << 0, 0, 0, 1.3, 0, 0, 0, 0, 0.8;
  ASSERT_GT(triangle(plain).evaluate({inside}), 0);
  EXPECT_EQ(triangle(limited).evaluate({inside}), triangle(plain).evaluate({inside}));
  EXPECT_NEAR(triangle(limited).evaluate({outside}) - triangle(plain).evaluate({outside}), 1e4 * 0.01 * 2 * 0.01,
              1e-10);
}

TEST(TriangleMembrane, AStripPulledAtItsEndsStretchesAsItsLawSays) {
  // Force over width and thickness is 2 mu (s - 1), without lateral contraction.
  const Mesh mesh = make_cloth(1, 0.5, {6, 3});
  const std::vector<int>& triangles = mesh.group(ElementKind::triangle)->nodes;
  const double mu = 300, h = 0.01, stretch = 1.4;
  const TriangleMembrane membrane("strip", triangles, mesh.nodes, 0, {{mu, h}},
                                  std::vector<int>(triangles.size() / 3, 0));
  Vector q = flat(mesh.nodes), g = Vector::Zero(q.size());
  for (int i = 0; i < q.size(); i += 3) q[i] *= stretch;
  EnergyRequest request{q};
  request.gradient = &g;
  membrane.evaluate(request);
  double pull = 0;
  for (int i = 0; i < mesh.num_nodes(); ++i) {
    const double x = mesh.nodes[static_cast<std::size_t>(i)].x();
    if (x > 0.999)
      pull += g[3 * i];
    else if (x > 0.001)
      EXPECT_NEAR(g.segment<3>(3 * i).norm(), 0, 1e-13);
  }
  EXPECT_NEAR(pull, 2 * mu * (stretch - 1) * 0.5 * h, 1e-12);
}

TEST(TriangleMembrane, OnlyStressOverStretchIsMissingFromTheGaussNewtonPart) {
  // d2Psi - Gauss-Newton = (g_a . S g_b) I for every pair of nodes, in tension where nothing is clamped.
  TriangleMembrane membrane = triangle({100, 0.02});
  PatternBuilder builder;
  membrane.couple(builder);
  const std::shared_ptr<const BlockPattern> pattern = builder.build(3, 3);
  membrane.bind(*pattern);
  Vector q(9);
  q << 0, 0, 0, 1.3, 0.2, 0.1, 0.3, 0.5, 1.2;
  BlockMatrix exact(pattern), part(pattern);
  EnergyRequest request{q};
  request.hessian = &exact;
  membrane.evaluate(request);
  membrane.add_stiffness(q, StiffnessPart::gauss_newton, {1}, part);
  const Matrix rest = exact.dense() - part.dense();
  ASSERT_GT(rest.norm(), 0.01 * exact.dense().norm());
  for (int a = 0; a < 9; a += 3)
    for (int b = 0; b < 9; b += 3)
      EXPECT_LT((rest.block<3, 3>(a, b) - rest(a, b) * Mat3::Identity()).norm(), 1e-13 * exact.dense().norm());
}

TEST(TriangleMembrane, BadSheetsAreRefusedAllAtOnce) {
  const std::vector<Vec3> X{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  try {
    TriangleMembrane("t", {0, 1, 2, 0, 1, 9}, X, 0, {{-1, 0, 1, 2, 0.5}}, {0, 0});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 6u) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::testing::test_bending
