// Isosurface stuffing: angles, conformity, convergence, determinism.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/hash.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/mesh/hinges.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/shape/local_field.hpp"
#include "dashpot/shape/mesh_shape.hpp"
#include "support/asset_quality.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_stuffing {
namespace {

constexpr double pi = std::numbers::pi;
// [LabelleShewchuk2007]: what the method promises for every surface, with our margin for round-off.
constexpr double promised_min = 10.7, promised_max = 164.8;
// What uncut tets reach when no point is pulled towards one that is pulled away (docs/theory/shape.md).
constexpr double waiting_min = 12.5;

Shape shape_of(const std::string& text) {
  ParsedShape parsed = parse_shape(text, "test.json");
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << problem.text();
  return std::move(parsed.shape);
}

TetQuality quality_at(const Shape& shape, double spacing) {
  const Mesh mesh = mesh_shape(shape, {0, spacing, 0}).mesh;
  EXPECT_LT(largest_surface_value(shape, mesh), 1e-6 * spacing);
  return tet_quality(mesh);
}

void expect_good(const TetQuality& q, double min_angle = promised_min) {
  EXPECT_GE(q.min_dihedral, min_angle);
  EXPECT_LE(q.max_dihedral, promised_max);
  EXPECT_GT(q.smallest_volume, 0);
  EXPECT_EQ(q.num_bad_faces, 0);
  EXPECT_NEAR(q.volume, q.enclosed, 1e-10 * q.volume);
}

/// Halving the spacing must quarter the errors of volume and area.
void expect_second_order(const Shape& shape, double spacing, double volume, double area, int euler) {
  const TetQuality coarse = quality_at(shape, spacing), fine = quality_at(shape, spacing / 2);
  expect_good(coarse);
  expect_good(fine);
  EXPECT_EQ(coarse.euler, euler);
  EXPECT_EQ(fine.euler, euler);
  const double volume_error = volume - fine.volume, area_error = area - fine.surface_area;
  EXPECT_GT(std::abs(volume_error), 1e-7 * volume);  // not zero: the ratio means something
  EXPECT_LT(std::abs(volume_error), 0.02 * volume);
  EXPECT_NEAR((volume - coarse.volume) / volume_error, 4, 1.2);
  EXPECT_NEAR((area - coarse.surface_area) / area_error, 4, 1.2);
}

TEST(Stuffing, VolumeAndAreaOfABallConvergeAtSecondOrderAndItsSurfaceIsASphere) {
  const double r = 0.3;
  expect_second_order(
      shape_of(R"({"dashpot_shape": 1, "shape": {"sphere": {"radius": 0.3, "center": [0.013, -0.021, 0.04]}}})"), 0.1,
      4.0 / 3 * pi * r * r * r, 4 * pi * r * r, 2);
}

TEST(Stuffing, VolumeAndAreaOfATiltedRingConvergeAtSecondOrderAndItsSurfaceHasOneHole) {
  const double R = 0.5, r = 0.2;
  expect_second_order(
      shape_of(R"({"dashpot_shape": 1, "shape": {"torus": {"radius": 0.5, "tube": 0.2, "axis": [1, 2, 0.5]}}})"), 0.09,
      2 * pi * pi * R * r * r, 4 * pi * pi * R * r, 0);
}

TEST(Stuffing, VolumeAndAreaOfATaperedCapsuleConvergeAtSecondOrder) {
  // Two spherical caps and the frustum of the cone that touches both balls; s is the sine of its half angle.
  const double L = 0.6, a = 0.3, b = 0.15, s = (a - b) / L, c = std::sqrt(1 - s * s);
  const auto cap = [](double radius, double h) { return pi * h * h * (radius - h / 3); };
  const double H = L - a * s + b * s, ra = a * c, rb = b * c;
  const double volume = cap(a, a * (1 + s)) + cap(b, b * (1 - s)) + pi * H / 3 * (ra * ra + ra * rb + rb * rb);
  const double area = 2 * pi * a * a * (1 + s) + 2 * pi * b * b * (1 - s) + pi * (ra + rb) * std::hypot(H, ra - rb);
  expect_second_order(
      shape_of(
          R"({"dashpot_shape": 1, "shape": {"capsule": {"from": [0, 0, 0], "to": [0.36, 0.48, 0], "radius": 0.3, "radius_end": 0.15}}})"),
      0.1, volume, area, 2);
}

TEST(Stuffing, TheWantedNumberOfTetsIsMetToThreePercent) {
  const Shape shape = load_shape("blob");
  for (const double wanted : {500.0, 2000.0, 11000.0}) {
    const ShapeMesh result = mesh_shape(shape, {wanted, 0, 0});
    EXPECT_NEAR(result.mesh.tets()->size(), wanted, 0.03 * wanted);
    EXPECT_LT(bandwidth(result.mesh), result.mesh.num_nodes() / 2);
  }
}

TEST(Stuffing, TheMeshDoesNotDependOnTheNumberOfThreadsToTheLastBit) {
  const Shape shape = load_shape("blob");
  const auto fingerprint = [&] {
    const ShapeMesh result = mesh_shape(shape, {3000, 0, 0});
    Hash hash;
    for (const Vec3& x : result.mesh.nodes)
      for (int i = 0; i < 3; ++i) hash.number(x[i]);
    for (const int n : result.mesh.groups.front().nodes) hash.number(n);
    return hash.hex();
  };
  const int threads = num_threads();
  set_num_threads(1);
  const std::string one = fingerprint();
  set_num_threads(threads);
  EXPECT_EQ(fingerprint(), one);
}

/// A random tree of bodies in [-1, 1]^3.
std::string random_node(int& k, int depth) {
  const auto u = [&] { return rnd(++k); };
  const auto size = [&] { return 0.12 + 0.2 * std::abs(u()); };
  const std::string at = fmt::format("[{}, {}, {}]", 0.5 * u(), 0.5 * u(), 0.5 * u());
  const int kind = static_cast<int>(std::abs(u()) * 7.999);
  if (depth > 0 && kind >= 4) {
    const char* names[] = {"union", "union", "difference", "intersection"};
    std::string children = random_node(k, depth - 1);
    for (int i = 0; i < 2; ++i) children += ", " + random_node(k, depth - 1);
    return fmt::format(R"({{"{}": [{}], "smooth": {}, "rotate": [{}, {}, 0]}})", names[kind - 4], children,
                       0.1 * std::abs(u()), 90 * u(), 90 * u());
  }
  switch (kind % 4) {
    case 0:
      return fmt::format(R"({{"ellipsoid": {{"center": {}, "radii": [{}, {}, {}]}}}})", at, size(), size(), size());
    case 1:
      return fmt::format(R"({{"capsule": {{"from": {}, "to": [0, {}, 0], "radius": {}, "radius_end": {}}}}})", at,
                         0.4 * u(), size(), size());
    case 2:
      return fmt::format(R"({{"box": {{"center": {}, "size": [{}, {}, {}]}}, "rotate": [{}, 0, {}]}})", at, 2 * size(),
                         2 * size(), 2 * size(), 90 * u(), 90 * u());
    default:
      return fmt::format(R"({{"torus": {{"center": {}, "radius": {}, "tube": {}, "axis": [{}, 1, {}]}}}})", at,
                         2 * size(), 0.5 * size(), u(), u());
  }
}

TEST(Stuffing, RandomBodiesWithEdgesAndThinPlacesNeverYieldAnInvertedTetOrABadAngle) {
  int k = 0, meshed = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::string text =
        fmt::format(R"({{"dashpot_shape": 1, "shape": {{"union": [{}, {}]}}}})", random_node(k, 2), random_node(k, 2));
    const double spacing = 0.06 + 0.05 * std::abs(rnd(++k));
    const ParsedShape parsed = parse_shape(text, "random.json");
    if (!parsed.problems.empty()) continue;  // an intersection of parts that do not meet
    TetQuality q;
    try {
      q = quality_at(parsed.shape, spacing);
    } catch (const Error&) {
      continue;  // thinner than the lattice
    }
    ++meshed;
    EXPECT_GE(q.min_dihedral, waiting_min) << text;
    EXPECT_LE(q.max_dihedral, promised_max) << text;
    EXPECT_GT(q.smallest_volume, 0) << text;
    EXPECT_EQ(q.num_bad_faces, 0) << text;
  }
  EXPECT_GE(meshed, 30);
}

TEST(Stuffing, NoPointIsPulledTowardsOneThatIsPulledAway) {
  // Without the wait the blob has tets of 10.0 degrees at this spacing.
  EXPECT_GE(quality_at(load_shape("blob"), 0.0195937).min_dihedral, waiting_min);
}

TEST(Stuffing, ABodyThinnerThanTheLatticeIsRefusedWithARemedy) {
  const Shape shape =
      shape_of(R"({"dashpot_shape": 1, "shape": {"box": {"size": [1, 0.001, 1], "center": [0, 0.0613, 0]}}})");
  try {
    mesh_shape(shape, {0, 0.25, 0});
    FAIL() << "a plate of 1 mm on a lattice of 25 cm";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("smaller spacing"), std::string::npos) << error.what();
  }
}

TEST(Stuffing, ImpossibleRequestsAreRefusedBeforeMemoryIsTaken) {
  const Shape shape = load_shape("blob");
  EXPECT_THROW(mesh_shape(shape, {0, 1e-6, 0}), Error);
  EXPECT_THROW(mesh_shape(shape, {1e12, 0, 0}), Error);
  EXPECT_THROW(mesh_shape(shape, {0, 0, 0}), Error);
  EXPECT_THROW(mesh_shape(shape, {1000, 0.1, 0}), Error);
  const Shape far = shape_of(R"({"dashpot_shape": 1, "shape": {"union": [{"sphere": {"radius": 0.01}},
      {"sphere": {"radius": 0.01, "center": [50000, 50000, 50000]}}]}})");
  EXPECT_THROW(mesh_shape(far, {1000, 0, 0}), Error);
}

TEST(Stuffing, ABodyTooThinForItsTetsIsRefusedAndOneThatLosesALittleIsTold) {
  const Shape thin = shape_of(R"({"dashpot_shape": 1, "shape": {"ellipsoid": {"radii": [0.1, 0.002, 0.1]}}})");
  try {
    mesh_shape(thin, {11000, 0, 0});
    ADD_FAILURE() << "78 % of its width";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const char* part : {"of the body's volume", "of its extent along", "4 mm at line 1", "Use about 6", "sheet"})
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const ShapeMesh fine = mesh_shape(thin, {62000, 0, 0});  // what the remedy says
  EXPECT_NEAR(tet_quality(fine.mesh).volume / (4.0 / 3 * pi * 0.1 * 0.002 * 0.1), 0.95, 0.02);
  const Shape ball = shape_of(R"({"dashpot_shape": 1, "shape": {"sphere": {"radius": 0.1}}})");
  EXPECT_TRUE(mesh_shape(ball, {2000, 0, 0}).warnings.empty());
  const std::vector<Problem> warnings = mesh_shape(load_shape("bridge_rope"), {2000, 0, 0}).warnings;
  ASSERT_EQ(warnings.size(), 1) << "81 % of its volume";
  for (const char* part : {"cut its corners", "Use about 5"})
    EXPECT_NE(warnings[0].text().find(part), std::string::npos) << part << "\n" << warnings[0].text();
  EXPECT_TRUE(mesh_shape(load_shape("bridge_rope"), {5200, 0, 0}).warnings.empty()) << "what the remedy says";
}

TEST(Stuffing, EarsThatHangOnAnEdgeAreToldAndTheNumberOfTetsInTheRemedyHoldsThem) {
  const Shape bunny = load_shape("bunny");
  const ShapeMesh coarse = mesh_shape(bunny, {1000, 0, 0});
  ASSERT_EQ(hinged_groups(coarse.mesh).size(), 2U) << "both tips, 24 tets each";
  std::string text;
  for (const Problem& warning : coarse.warnings) text += warning.text() + "\n";
  EXPECT_NE(text.find("2 groups of tets hang on the rest by a vertex or an edge"), std::string::npos) << text;
  const std::string lead = "use about ";
  const Problem& told = coarse.warnings.back();
  ASSERT_EQ(told.remedy.find(lead), 0U) << text;
  const double enough = std::stod(told.remedy.substr(lead.size()));
  EXPECT_GT(enough, 1000);
  const ShapeMesh fine = mesh_shape(bunny, {enough, 0, 0});
  EXPECT_TRUE(hinged_groups(fine.mesh).empty());
}

TEST(Stuffing, CrumbsThatHangOnAnEdgeAreLeftOutWithAWord) {
  const ShapeMesh head = mesh_shape(load_shape("dragon_head"), {5000, 0, 0});
  EXPECT_TRUE(hinged_groups(head.mesh).empty());
  EXPECT_EQ(num_connected_parts(head.mesh), 1);
  EXPECT_EQ(unused_nodes(head.mesh).size(), 0U);
  ASSERT_EQ(head.warnings.size(), 1U);
  EXPECT_NE(head.warnings[0].text().find("48 of 4992 tets"), std::string::npos) << head.warnings[0].text();
}

TEST(Stuffing, MoreCopiesThanCanBeMeshedInSecondsAreRefusedWhenRead) {
  const auto grid = [](int count) {
    return fmt::format(R"({{"dashpot_shape": 1, "shape": {{"repeat": {{"repeat": {{"sphere": {{"radius": 0.06}}}},
        "count": {0}, "step": [0.1, 0, 0]}}, "count": {0}, "step": [0, 0.1, 0]}}}})",
                       count);
  };
  EXPECT_GT(tet_quality(mesh_shape(shape_of(grid(12)), {3000, 0, 0}).mesh).volume, 144 * 0.0005);
  const ParsedShape many = parse_shape(grid(120), "test.json");  // minutes, if it were meshed
  ASSERT_EQ(many.problems.size(), 1u);
  for (const char* part : {"14400 primitives", "at most 1000", "Repeat less"})
    EXPECT_NE(many.problems[0].text().find(part), std::string::npos) << part << "\n" << many.problems[0].text();
}

TEST(Stuffing, ThePartOfAFieldInABallHasItsValuesToTheLastBitAndVisitsLess) {
  int k = 900;
  double whole = 0, local = 0;
  for (int tree = 0; tree < 20; ++tree) {
    std::string nodes = random_node(k, 2);
    for (int i = 0; i < 6; ++i) nodes += ", " + random_node(k, 2);
    const std::string smooth = tree % 2 == 0 ? "" : R"(, "smooth": 0.05)";
    const Shape shape =
        shape_of(fmt::format(R"({{"dashpot_shape": 1, "shape": {{"mirror": {{"repeat": {{"union": [{}]{}}}, "count": 4,
                        "step": [0.7, 0.1, 0], "turn": [0, 30, 0]}}, "axis": "z"{}}}}})",
                             nodes, smooth, smooth));
    const LocalField all(shape.field, shape.root);
    for (int ball = 0; ball < 10; ++ball) {
      const auto u = [&] { return rnd(++k); };
      const Vec3 center(2 * u(), u(), u());
      const double radius = 0.3 * std::abs(u());
      const LocalField near = all.within(center, radius).within(center, 0.5 * radius);
      whole += all.cost();
      local += near.cost();
      for (int i = 0; i < 20; ++i) {
        const Vec3 x = center + 0.5 * radius / std::sqrt(3.0) * Vec3(u(), u(), u());
        EXPECT_EQ(near.value(x), shape.value(x));
      }
    }
  }
  EXPECT_LT(local, 0.3 * whole);
}

}  // namespace
}  // namespace dashpot::testing::test_stuffing
