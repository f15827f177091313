// Shape files: fields, regions, colors, and every way to write them wrong.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/shape/assets.hpp"
#include "dashpot/shape/mesh_shape.hpp"
#include "dashpot/shape/primitives.hpp"
#include "dashpot/shape/shape.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_shape_file {
namespace {

Shape shape_of(const std::string& text) {
  ParsedShape parsed = parse_shape(text, "test.json");
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << problem.text();
  return std::move(parsed.shape);
}

std::string all_problems(const std::string& text) {
  std::string result;
  for (const Problem& problem : parse_shape(text, "bad.json").problems) result += problem.text() + "\n";
  return result;
}

Vec3 random_point(int& k, double reach) {
  const double x = rnd(++k), y = rnd(++k), z = rnd(++k);
  return reach * Vec3(x, y, z);
}

TEST(Ellipsoid, TheDistanceIsThatOfTheNearestOfManySurfacePoints) {
  const Vec3 r(0.5, 0.2, 0.05);
  int k = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Vec3 x = random_point(k, 0.7);
    double nearest = 1e300;
    for (int i = 0; i < 400; ++i)
      for (int j = 0; j < 200; ++j) {
        const double phi = 2 * M_PI * i / 400, theta = M_PI * (j + 0.5) / 200;
        const Vec3 p(r[0] * std::sin(theta) * std::cos(phi), r[1] * std::sin(theta) * std::sin(phi),
                     r[2] * std::cos(theta));
        nearest = std::min(nearest, (p - x).norm());
      }
    const double f = shape_formula::ellipsoid(x, r);
    EXPECT_EQ(f < 0, x.cwiseQuotient(r).norm() < 1);
    EXPECT_NEAR(std::abs(f), nearest, 4e-4 + 0.01 * nearest);
    EXPECT_LE(std::abs(f), nearest + 1e-12);  // the samples can only be farther
  }
  EXPECT_NEAR(shape_formula::ellipsoid(Vec3::Zero(), r), -0.05, 1e-7);
  EXPECT_NEAR(shape_formula::ellipsoid(Vec3(0, 0, 0.3), r), 0.25, 1e-7);
}

TEST(Field, EveryAssetIsOneLipschitzSoEmptySpaceCanBeSkipped) {
  int k = 0;
  for (const std::string& name : asset_names()) {
    const Shape shape = load_shape(name);
    double steepest = 0;
    for (int trial = 0; trial < 400; ++trial) {
      const Vec3 x = random_point(k, 1), step = random_point(k, trial % 2 == 0 ? 1e-4 : 0.3);
      const Vec3 flat(1, 1, shape.sheet ? 0 : 1);
      const Vec3 a = x.cwiseProduct(flat), b = (x + step).cwiseProduct(flat);
      steepest = std::max(steepest, std::abs(shape.value(a) - shape.value(b)) / (a - b).norm());
    }
    EXPECT_LE(steepest, 1 + 1e-6) << name;
    EXPECT_GT(steepest, 0.3) << name;
  }
}

TEST(Field, TheBoxAroundABlendedTurnedScaledBodyHoldsAllItsPoints) {
  const Shape shape = shape_of(R"({"dashpot_shape": 1, "shape": {"union": [
      {"intersection": [{"plane": {"normal": [1, 1, 0], "offset": 0.1}}, {"torus": {"radius": 0.4, "tube": 0.1, "axis": "z"}}], "grow": 0.03},
      {"repeat": {"ellipsoid": {"radii": [0.1, 0.3, 0.2]}}, "count": 3, "step": [0.2, 0, 0.1], "turn": [0, 30, 0], "smooth": 0.1},
      {"mirror": {"capsule": {"from": [0.2, 0, 0], "to": [0.4, 0.5, 0], "radius": 0.1, "radius_end": 0.05}}, "axis": "y"}],
      "smooth": 0.2, "scale": [1, 0.5, 0.8], "rotate": [20, 30, 40], "translate": [0.1, 0.2, 0.3]}})");
  const FieldBounds bounds = shape.field.bounds(shape.root);
  int k = 0, inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 x = random_point(k, 1);
    if (shape.value(x) >= 0) continue;
    ++inside;
    ASSERT_TRUE((x.array() >= bounds.low.array()).all() && (x.array() <= bounds.high.array()).all());
  }
  EXPECT_GT(inside, 50);
  EXPECT_LT((bounds.high - bounds.low).maxCoeff(), 4);
}

TEST(Field, MirrorUseRepeatAndPlacementPutCopiesWhereTheyShouldBe) {
  const Shape shape =
      shape_of(R"({"dashpot_shape": 1, "define": {"leg": {"sphere": {"center": ["20 cm", 0, 0], "radius": "5 cm"}}},
      "shape": {"union": [{"mirror": {"use": "leg"}}, {"use": "leg", "rotate": [0, 0, 90], "scale": 2},
      {"repeat": {"sphere": {"radius": 0.05}}, "count": 3, "step": [0, 0, 0.4], "translate": [0, -1, 0]}]}})");
  for (const Vec3& center : {Vec3(0.2, 0, 0), Vec3(-0.2, 0, 0), Vec3(0, -1, 0), Vec3(0, -1, 0.4), Vec3(0, -1, 0.8)})
    EXPECT_NEAR(shape.value(center), -0.05, 1e-12) << center.transpose();
  EXPECT_NEAR(shape.value({0, 0.4, 0}), -0.1, 1e-12);  // turned onto y and doubled
  EXPECT_GT(shape.value({0, -1, 1.2}), 0.3);
}

TEST(Regions, TheInnermostTagOfTheNearestPartNamesAPoint) {
  const Shape shape = shape_of(R"({"dashpot_shape": 1, "shape": {"union": [
      {"sphere": {"radius": 0.1}},
      {"union": [{"sphere": {"radius": 0.1}}, {"sphere": {"radius": 0.05, "center": [0, 0.12, 0]}, "region": "ear", "color": "#ff0000"}],
       "translate": [1, 0, 0], "region": "head", "color": "#0000ff"}], "smooth": 0.02}})");
  const auto name = [&](const Vec3& x) {
    const int region = shape.region(x);
    return region < 0 ? std::string("none") : shape.regions[static_cast<std::size_t>(region)];
  };
  EXPECT_EQ(name({0, 0, 0}), "none");
  EXPECT_EQ(name({1, 0, 0}), "head");
  EXPECT_EQ(name({1, 0.15, 0}), "ear");
  EXPECT_EQ(shape.color({1, 0, 0}), Vec3(0, 0, 1));
  EXPECT_EQ(shape.color({1, 0.16, 0}), Vec3(1, 0, 0));
}

TEST(Colors, PaintCoversAndACutterShowsItsOwnColorWhereItCuts) {
  const Shape shape =
      shape_of(R"({"dashpot_shape": 1, "shape": {"difference": [{"sphere": {"radius": 0.1}, "color": "#00ff00"},
      {"sphere": {"radius": 0.05, "center": [0.1, 0, 0]}, "color": "#ff0000"}]},
      "paint": {"sphere": {"radius": 0.03, "center": [0, 0.1, 0]}, "color": "#0000ff"}})");
  EXPECT_EQ(shape.color({-0.1, 0, 0}), Vec3(0, 1, 0));
  EXPECT_EQ(shape.color({0.05, 0, 0}), Vec3(1, 0, 0));
  EXPECT_EQ(shape.color({0, 0.1, 0}), Vec3(0, 0, 1));
}

TEST(ShapeFile, AllSlipsAreToldAtOnceEachWithItsPlaceAndARemedy) {
  const std::string text = R"({
  "title": 3,
  "shape": {"union": [
    {"sphere": {"radius": "3 kg"}},
    {"spher": {"radius": 1}},
    {"capsule": {"from": [0, 0], "to": [0, 1, 0], "radius": -1}},
    {"box": {"size": [1, 1, 1], "rond": 0.1}, "color": "red"},
    {"use": "leg"}
  ], "smoth": 0.1}
})";
  const std::string problems = all_problems(text);
  for (const char* part : {"bad.json:2:12", "3 kg", "bad.json:5:5", "Did you mean \"sphere\"", "from", "radius = -1",
                           "Did you mean \"round\"", "#rrggbb", "bad.json:8:13", "Did you mean \"smooth\""})
    EXPECT_NE(problems.find(part), std::string::npos) << part << "\n" << problems;
}

TEST(ShapeFile, HostileFilesAreRefusedQuickly) {
  std::string doubling = R"({"dashpot_shape": 1, "define": {"a0": {"sphere": {"radius": 1}})";
  for (int i = 1; i < 60; ++i)
    doubling += fmt::format(R"(, "a{}": {{"union": [{{"use": "a{}"}}, {{"use": "a{}"}}]}})", i, i - 1, i - 1);
  const std::string cases[] = {
      doubling + R"(}, "shape": {"use": "a59"}})",
      R"({"dashpot_shape": 1, "define": {"a": {"union": [{"use": "b"}]}, "b": {"use": "a"}}, "shape": {"use": "a"}})",
      R"({"dashpot_shape": 1, "shape": {"plane": {"normal": [0, 1, 0]}}})",
      R"({"dashpot_shape": 1, "shape": {"intersection": [{"sphere": {"radius": 1}}, {"sphere": {"radius": 1, "center": [9, 0, 0]}}]}})",
      R"({"dashpot_shape": 1, "shape": {"repeat": {"repeat": {"repeat": {"sphere": {"radius": 1}}, "count": 1000}, "count": 1000}, "count": 1000}})",
      R"({"dashpot_shape": 1, "shape": {"union": []}})",
      R"({"dashpot_shape": 1, "shape": {"sphere": {"radius": 1e300}}})",
      R"({"dashpot_shape": 1, "shape": {"sphere": {"radius": 1}, "scale": [1, -1, 1]}})",
      R"({"dashpot_shape": 1, "sheet": {"outline": [[0, 0], [1, 1], [1, 0], [0, 1]]}})",
      R"({"dashpot_shape": 1, "sheet": {"outline": [[0, 0], [1, 1]]}})",
      R"({"dashpot_shape": 1, "shape": {"sphere": {"radius": 1}}, "sheet": {"outline": [[0, 0], [1, 0], [0, 1]]}})",
      "{}",
      "[]",
      "",
      std::string(100000, '['),
      std::string(2 << 20, ' '),
  };
  for (const std::string& text : cases) EXPECT_FALSE(all_problems(text).empty()) << text.substr(0, 100);
}

TEST(ShapeFile, AnUnknownAssetIsAnsweredWithTheNearestName) {
  try {
    load_shape("blop");
    FAIL() << "no such asset";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("blob"), std::string::npos) << error.what();
  }
}

TEST(ShapeFile, AnEmptyBodyIsToldWithTheOperationThatEmptiedIt) {
  const auto meshed = [](const std::string& node) {
    const ParsedShape parsed = parse_shape("{\"dashpot_shape\": 1,\n\"shape\": " + node + "}", "bad.json");
    if (!parsed.problems.empty()) return parsed.problems.front().text();
    try {
      mesh_shape(parsed.shape, {1000, 0, 0});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("a mesh");
  };
  const std::string ball = R"({"sphere": {"radius": 0.1}})", large = R"({"sphere": {"radius": 0.2}})",
                    far = R"({"sphere": {"radius": 0.1, "center": [0.16, 0.16, 0]}})";
  const auto expect = [&](const std::string& node, const std::string& part) {
    const std::string text = meshed(node);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("bad.json:2:"), std::string::npos) << text;
  };
  EXPECT_EQ(meshed(ball), "a mesh");
  expect(R"({"union": [{"difference": [)" + ball + "," + large + "]}]}", "this difference takes away");
  expect(R"({"difference": [)" + ball + "," + ball + "]}", "this difference takes away");
  expect(R"({"intersection": [)" + ball + "," + far + "]}", "no point in common");
  expect(R"({"sphere": {"radius": 0.1}, "grow": -0.2})", "\"grow\": -0.2");
  expect(R"({"capsule": {"from": [0, 1, 0], "to": [0, 1, 0], "radius": 0.1}})", "coincide");
}

TEST(ShapeFile, ItsVersionIsRequired) {
  EXPECT_NE(all_problems(R"({"shape": {"sphere": {"radius": 1}}})").find("without \"dashpot_shape\""),
            std::string::npos);
  EXPECT_NE(all_problems("  \n").find("the file is empty"), std::string::npos);
  EXPECT_THROW(load_shape("/nowhere/cube.obj"), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_shape_file
