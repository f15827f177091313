// Point clouds against a surface: slopes, statistics at the truth, bias, outliers.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/cloud_observation.hpp"
#include "dashpot/learn/scan.hpp"
#include "dashpot/mesh/generate.hpp"
#include "support/observation_laws.hpp"

namespace dashpot::test_cloud_observation {
namespace {

using learn::CloudObservation;
using learn::CloudOptions;
using learn::CloudResidual;
using learn::CloudSequence;
using learn::DepthCamera;
using learn::ResidualRows;
using learn::ScanSettings;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

/// The bar of the reference, 6 x 2 x 2 cells of 15 mm, bent and twisted: what is scanned is known.
struct BentBar {
  static constexpr double size = 0.0995;  ///< diagonal at rest [m]
  Mesh rest = make_bar(Vec3(0.09, 0.03, 0.03), {6, 2, 2});
  Recording run;

  BentBar() {
    run.bodies.push_back({"bar", rest, 0});
    for (int i = 0; i < 3; ++i) {
      std::vector<Vec3> x;
      for (const Vec3& X : rest.nodes) {
        const double angle = (0.5 + 0.5 * i) * X.x() / 0.09, twist = 0.3 * i * X.x() / 0.09;
        const double y = X.y() - 0.015, z = X.z() - 0.015;
        const double turned = y * std::cos(twist) - z * std::sin(twist);
        const double r = 0.09 / (0.5 + 0.5 * i) - turned;
        x.emplace_back(r * std::sin(angle), 0.03 - r * std::cos(angle) + 0.09 / (0.5 + 0.5 * i),
                       y * std::sin(twist) + z * std::cos(twist));
      }
      run.frames.push_back({0.1 * i, x, {}, {}});
    }
  }
  std::vector<std::vector<Vec3>> truth() const {
    std::vector<std::vector<Vec3>> x;
    for (const Frame& frame : run.frames) x.push_back(frame.points);
    return x;
  }
};

std::vector<DepthCamera> cameras(int count) {
  const std::vector<DepthCamera> both = {{"left", {}, Vec3(0.2, -1, 0.5).normalized()},
                                         {"right", {}, Vec3(0.5, 1, 0.4).normalized()}};
  return {both.begin(), both.begin() + count};
}

CloudObservation observe(const BentBar& bar, const ScanSettings& settings, CloudOptions options = {}) {
  const learn::Scanner scanner(bar.run, settings);
  return CloudObservation(learn::scan_run(bar.run, settings), scanner.surface(), bar.rest.nodes, options);
}

/// Ways to move a bar: fields of displacements, by the arm from its center in its sizes.
using Fields = std::vector<std::function<Vec3(const Vec3& arm)>>;

Fields rigid() {
  Fields fields;
  for (int axis = 0; axis < 3; ++axis) {
    fields.push_back([=](const Vec3&) -> Vec3 { return Vec3::Unit(axis); });
    fields.push_back([=](const Vec3& arm) -> Vec3 { return Vec3::Unit(axis).cross(arm); });
  }
  return fields;
}
Fields affine() {
  Fields fields;
  for (int axis = 0; axis < 3; ++axis) {
    fields.push_back([=](const Vec3&) -> Vec3 { return Vec3::Unit(axis); });
    for (int other = 0; other < 3; ++other)
      fields.push_back([=](const Vec3& arm) -> Vec3 { return arm[other] * Vec3::Unit(axis); });
  }
  return fields;
}

struct FieldFit {
  double error = 0;      ///< largest displacement of a node over the size of the bar
  double objective = 0;  ///< half the sum of squares at the end
};

/// The displacement of frame i that fits best, by Gauss-Newton from `start`.
FieldFit best_fit(const CloudObservation& seen, const BentBar& bar, int i, const Fields& fields, Vector theta,
                  const std::vector<double>& scales) {
  const std::vector<Vec3>& truth = bar.run.frames[at(i)].points;
  Vec3 center = Vec3::Zero();
  for (const Vec3& x : truth) center += x / static_cast<double>(truth.size());
  const auto arm = [&](std::size_t k) -> Vec3 { return (truth[k] - center) / BentBar::size; };
  const auto moved = [&] {
    std::vector<Vec3> x = truth;
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t f = 0; f < fields.size(); ++f) x[k] += theta[static_cast<int>(f)] * fields[f](arm(k));
    return x;
  };
  for (const double scale : scales)
    for (int iteration = 0; iteration < 8; ++iteration) {
      ResidualRows rows;
      seen.add_residuals(i, moved(), scale, rows);
      Matrix J = Matrix::Zero(rows.size(), theta.size());
      for (int r = 0; r < rows.size(); ++r)
        for (int e = rows.first_entry[at(r)]; e < rows.first_entry[at(r) + 1]; ++e)
          for (std::size_t f = 0; f < fields.size(); ++f)
            J(r, static_cast<int>(f)) += rows.entries[at(e)].slope.dot(fields[f](arm(at(rows.entries[at(e)].point))));
      const Vector values = Vector::Map(rows.values.data(), rows.size());
      theta -= (J.transpose() * J).ldlt().solve(J.transpose() * values);
    }
  FieldFit fit;
  ResidualRows rows;
  const std::vector<Vec3> x = moved();
  seen.add_residuals(i, x, scales.back(), rows);
  for (const double r : rows.values) fit.objective += 0.5 * r * r;
  for (std::size_t k = 0; k < x.size(); ++k) fit.error = std::max(fit.error, (x[k] - truth[k]).norm() / BentBar::size);
  return fit;
}

TEST(CloudObservation, SlopesOfPointToPlaneAreExactWithCorrespondencesHeld) {
  const BentBar bar;
  const CloudObservation seen =
      observe(bar, {.cameras = cameras(2), .points = 60, .noise = 1e-3, .outliers = 0.2, .seed = 2});
  std::vector<Vec3> x = bar.run.frames[2].points;
  testing::Noise noise(1);
  for (Vec3& y : x) y += 2e-3 * noise.vector();
  for (const double scale : {infinity, 30.0, 5.0}) {
    int checked = 0;
    EXPECT_LT(testing::slope_error(seen, 2, x, scale, 1e-9, &checked), 1e-5) << scale;
    EXPECT_GT(checked, 10000);
  }
}

TEST(CloudObservation, PointToPlaneHasItsExpectationAtTheTruth) {
  const BentBar bar;
  for (const int num_cameras : {1, 2}) {
    const CloudObservation seen =
        observe(bar, {.cameras = cameras(num_cameras), .points = 3000, .noise = 0.01 * BentBar::size});
    // Points near an edge take the nearer of two planes, which makes their residuals a little smaller.
    EXPECT_NEAR(testing::mean_square(seen, bar.truth()), 1, 0.06) << num_cameras;
    // Geman-McClure of a normal deviate at c = 5, by quadrature.
    double expected = 0;
    for (double d = -8; d < 8; d += 1e-3)
      expected += 1e-3 * std::exp(-d * d / 2) / std::sqrt(two_pi) * d * d / (1 + d * d / 25);
    EXPECT_NEAR(testing::mean_square(seen, bar.truth(), 5), expected, 0.06) << num_cameras;
  }
}

TEST(CloudObservation, PointToPlaneAndDifferentialPatchesAreUnbiasedAndPlainPatchesAreNot) {
  const BentBar bar;
  const ScanSettings settings{.cameras = cameras(1), .points = 4000, .noise = 1e-3 * BentBar::size};
  const auto fit = [&](CloudResidual residual, double& at_truth) {
    const CloudObservation seen = observe(bar, settings, {.residual = residual});
    ResidualRows rows;
    seen.add_residuals(0, bar.run.frames[0].points, infinity, rows);
    at_truth = 0;
    for (const double r : rows.values) at_truth += 0.5 * r * r;
    return best_fit(seen, bar, 0, affine(), Vector::Zero(12), {infinity});
  };
  double at_truth = 0;
  const FieldFit plane = fit(CloudResidual::point_to_plane, at_truth);
  EXPECT_LT(plane.error, 0.01);
  EXPECT_LT(at_truth, 1.05 * plane.objective);  // nothing fits better than the truth
  const FieldFit differential = fit(CloudResidual::differential_patch, at_truth);
  EXPECT_LT(differential.error, 0.01);
  const FieldFit plain = fit(CloudResidual::patch, at_truth);
  EXPECT_GT(plain.error, 0.04);  // percents of the size, from data that are nearly perfect
  EXPECT_GT(at_truth, 1.3 * plain.objective);
  RecordProperty("plane", std::to_string(plane.error));
  RecordProperty("differential", std::to_string(differential.error));
  RecordProperty("plain", std::to_string(plain.error));
}

TEST(CloudObservation, OutliersAndAFarStartAreOvercomeByTighteningTheScale) {
  const BentBar bar;
  const CloudObservation seen =
      observe(bar, {.cameras = cameras(2), .points = 2000, .noise = 0.01 * BentBar::size, .outliers = 0.1, .seed = 4});
  EXPECT_TRUE(seen.is_robust());
  Vector far(6);
  far << 0.15, 0.1, -0.1, 0.2, 0.1, -0.2;
  far *= BentBar::size;
  const std::vector<double> graduated(learn::graduated_scales.begin(), learn::graduated_scales.end());
  const double error = best_fit(seen, bar, 1, rigid(), far, graduated).error;
  EXPECT_LT(error, 5e-3);
  // Without a scale the outliers pull; with a small one at once the far start is taken for outliers.
  EXPECT_GT(best_fit(seen, bar, 1, rigid(), far, {infinity}).error, 3 * error);
  EXPECT_GT(best_fit(seen, bar, 1, rigid(), far, {1}).error, 3 * error);
}

TEST(CloudObservation, AMissingSideLeavesTheOthersInPlace) {
  const BentBar bar;
  CloudSequence clouds =
      learn::scan_run(bar.run, {.cameras = cameras(2), .points = 2000, .noise = 1e-3 * BentBar::size});
  for (auto& frame : clouds.frames) frame.points[1].clear();
  const learn::Scanner scanner(bar.run, {.cameras = cameras(2)});
  const CloudObservation seen(clouds, scanner.surface(), bar.rest.nodes);
  ResidualRows rows;
  seen.add_residuals(0, bar.run.frames[0].points, infinity, rows);
  EXPECT_EQ(rows.size(), 2000);
  EXPECT_LT(best_fit(seen, bar, 0, rigid(), Vector::Zero(6), {infinity}).error, 5e-3);
}

TEST(CloudObservation, ABodySeenFromBehindIsAsWrongAsItCanBe) {
  const BentBar bar;
  const learn::Scanner scanner(bar.run, {.cameras = cameras(1)});
  // An open sheet: the top of the bar alone, seen from below.
  std::vector<learn::Triangle> top;
  for (const learn::Triangle& t : scanner.surface())
    if (std::abs(bar.rest.nodes[at(t[0])].z() - 0.03) + std::abs(bar.rest.nodes[at(t[1])].z() - 0.03) +
            std::abs(bar.rest.nodes[at(t[2])].z() - 0.03) <
        1e-9)
      top.push_back(t);
  CloudSequence clouds;
  clouds.cameras = {{"below", {}, -Vec3::UnitZ()}};
  clouds.noise = 1e-3;
  clouds.frames = {{0, {{Vec3(0, 0, 0.03), Vec3(0.09, 0.03, 0.03)}}}};
  const CloudObservation seen(clouds, top, bar.rest.nodes);
  ResidualRows rows;
  seen.add_residuals(0, bar.rest.nodes, 10, rows);
  EXPECT_EQ(rows.values, (std::vector<double>{10, 10}));
  EXPECT_TRUE(rows.entries.empty());
}

TEST(CloudObservation, AroundAConvexEdgeTheResidualIsContinuous) {
  // Both faces of a cube at its edge x = y = 1 are equally near; the one with the larger height counts.
  const Mesh cube = make_bar(Vec3(1, 1, 1), {2, 2, 2});
  Recording run;
  run.bodies.push_back({"cube", cube, 0});
  run.frames.push_back({0, cube.nodes, {}, {}});
  const learn::Scanner scanner(run, {.cameras = {{"a", {}, Vec3(1, 1, 0.2).normalized()}}});
  CloudSequence clouds = learn::scan_run(run, {.cameras = {{"a", {}, Vec3(1, 1, 0.2).normalized()}}, .points = 100});
  for (int i = 0; i < 90; ++i) {
    const double angle = (i + 0.5) * two_pi / 360;
    clouds.frames[0].points[0].push_back(Vec3(1 + 0.02 * std::cos(angle), 1 + 0.02 * std::sin(angle), 0.4));
  }
  const CloudObservation seen(clouds, scanner.surface(), cube.nodes, {.sigma = 0.01});
  ResidualRows rows;
  seen.add_residuals(0, cube.nodes, infinity, rows);
  ASSERT_EQ(rows.size(), 190);
  for (int i = 0; i < 90; ++i) {
    const double angle = (i + 0.5) * two_pi / 360;
    EXPECT_NEAR(rows.values[at(100 + i)], 2 * std::max(std::cos(angle), std::sin(angle)), 1e-9);
  }
}

TEST(CloudObservation, APointFarOutInThePlaneOfAFaceIsAnOutlier) {
  const Mesh cube = make_bar(Vec3(1, 1, 1), {2, 2, 2});
  Recording run;
  run.bodies.push_back({"cube", cube, 0});
  run.frames.push_back({0, cube.nodes, {}, {}});
  const ScanSettings settings{.cameras = {{"a", {}, Vec3(1, 1, 0.2).normalized()}}, .points = 100};
  CloudSequence clouds = learn::scan_run(run, settings);
  // In the plane of the top: beside its edge by 2 and by 100 sigma.
  clouds.frames[0].points[0] = {Vec3(0.5, -0.02, 1), Vec3(0.5, -1, 1), Vec3(0, 0, 0.5), Vec3(1, 1, 0.5)};
  const CloudObservation seen(clouds, learn::Scanner(run, settings).surface(), cube.nodes, {.sigma = 0.01});
  ResidualRows rows;
  seen.add_residuals(0, cube.nodes, infinity, rows);
  EXPECT_NEAR(rows.values[0], 0, 1e-9);
  EXPECT_NEAR(rows.values[1], 97, 1e-9);
}

TEST(CloudObservation, WrongUnitsAndMissingNoiseAreExplained) {
  const BentBar bar;
  CloudSequence clouds = learn::scan_run(bar.run, {.cameras = cameras(1), .points = 500});
  const learn::Scanner scanner(bar.run, {.cameras = cameras(1)});
  const std::string noise = problem_of([&] { CloudObservation(clouds, scanner.surface(), bar.rest.nodes); });
  EXPECT_NE(noise.find("noise"), std::string::npos) << noise;
  for (auto& frame : clouds.frames)
    for (Vec3& x : frame.points[0]) x *= 1000;
  clouds.noise = 1;
  const std::string unit = problem_of([&] { CloudObservation(clouds, scanner.surface(), bar.rest.nodes); });
  EXPECT_NE(unit.find("\"unit\": \"mm\""), std::string::npos) << unit;
  EXPECT_NE(problem_of([&] { CloudObservation(clouds, {}, bar.rest.nodes); }).find("without a surface"),
            std::string::npos);
  clouds.frames[1].points.clear();
  EXPECT_NE(problem_of([&] { CloudObservation(clouds, scanner.surface(), bar.rest.nodes); }).find("0 clouds at 0.1 s"),
            std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_cloud_observation
