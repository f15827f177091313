// Virtual depth cameras: what they see, how it is spread, and that a seed says all.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/scan.hpp"
#include "dashpot/mesh/generate.hpp"

namespace dashpot::test_scan {
namespace {

using learn::DepthCamera;
using learn::ScannedPoint;
using learn::Scanner;
using learn::ScanSettings;
using learn::Triangle;

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

Mesh box(const Vec3& size, const Vec3& at) {
  Mesh mesh = make_bar(size, {3, 3, 3});
  for (Vec3& x : mesh.nodes) x += at;
  return mesh;
}

/// Bodies at rest, one after the other in a single frame.
Recording still(const std::vector<Mesh>& meshes) {
  Recording run;
  Frame& frame = run.frames.emplace_back();
  for (const Mesh& mesh : meshes) {
    run.bodies.push_back({"body" + std::to_string(run.bodies.size()), mesh, static_cast<int>(frame.points.size())});
    frame.points.insert(frame.points.end(), mesh.nodes.begin(), mesh.nodes.end());
  }
  return run;
}

DepthCamera far(const Vec3& direction) { return {"far", {}, direction.normalized()}; }
DepthCamera near(const Vec3& position) { return {"near", position}; }

/// A unit cube and, over part of it in +z, a smaller one.
Recording stacked() { return still({box(Vec3(1, 1, 1), Vec3(0, 0, 0)), box(Vec3(0.5, 1, 0.2), Vec3(0, 0, 2))}); }

/// Whether the segment from x to the camera meets a box: by itself, not as the scanner does it.
bool is_behind(const Vec3& x, const DepthCamera& camera, const Vec3& low, const Vec3& high) {
  const Vec3 towards = camera.towards(x);
  for (double s = 1e-4; s < 4; s += 1e-3) {
    const Vec3 y = x + s * towards;
    if ((y.array() > low.array()).all() && (y.array() < high.array()).all()) return true;
    if (camera.position && s > (*camera.position - x).norm()) break;
  }
  return false;
}

TEST(Scan, NoPointLiesOnABackFaceOrBehindSomething) {
  const Recording run = stacked();
  for (const DepthCamera& camera : {far(Vec3(0.3, 0.4, 1)), near(Vec3(0.8, 0.5, 3)), far(Vec3(1, 0, 0.2))}) {
    const Scanner scanner(run, {.cameras = {camera}, .points = 300});
    const std::vector<ScannedPoint> points = scanner.seen(0, 0);
    ASSERT_EQ(points.size(), 300U);
    for (const ScannedPoint& p : points) {
      const Triangle& t = scanner.surface()[at(p.triangle)];
      const std::vector<Vec3>& x = run.frames[0].points;
      EXPECT_GT(learn::area_vector(t, x).dot(camera.towards(p.position)), 0);
      Vec3 again = Vec3::Zero();
      for (int k = 0; k < 3; ++k) again += p.barycentric[k] * x[at(t[at(k)])];
      EXPECT_LT((again - p.position).norm(), 1e-14);
      EXPECT_FALSE(is_behind(p.position, camera, Vec3(0, 0, 0), Vec3(1, 1, 1))) << p.position.transpose();
      EXPECT_FALSE(is_behind(p.position, camera, Vec3(0, 0, 2), Vec3(0.5, 1, 2.2))) << p.position.transpose();
    }
  }
  // Straight from above half of the lower face is hidden: a third of the points would lie there otherwise.
  const Scanner scanner(run, {.cameras = {far(Vec3(0, 0, 1))}, .points = 2000});
  int upper = 0, lower = 0;
  for (const ScannedPoint& p : scanner.seen(0, 0)) {
    if (p.position.z() > 2) ++upper;
    if (p.position.z() > 1.5) continue;
    ++lower;
    EXPECT_GE(p.position.x(), 0.5);
  }
  EXPECT_NEAR(upper, 1000, 100);
  EXPECT_EQ(upper + lower, 2000);
}

TEST(Scan, AsManyPointsLieInEveryPixel) {
  const Recording run = still({box(Vec3(1, 1, 1), Vec3(0, 0, 0))});
  // Parallel rays along (1, 0, 2): the side takes 1, the top 2 of 3 parts.
  const Scanner scanner(run, {.cameras = {far(Vec3(1, 0, 2))}, .points = 9000});
  int side = 0;
  for (const ScannedPoint& p : scanner.seen(0, 0)) side += p.position.x() == 1 ? 1 : 0;
  EXPECT_NEAR(side, 3000, 5 * std::sqrt(2000));
  // A near camera over a corner of a long bar: points per solid angle, so more on what is near.
  const Recording bar = still({make_bar(Vec3(4, 1, 1), {40, 4, 4})});
  const DepthCamera camera = near(Vec3(0.5, 0.5, 2));
  const Scanner close(bar, {.cameras = {camera}, .points = 9000});
  int first = 0, last = 0;
  for (const ScannedPoint& p : close.seen(0, 0)) {
    first += p.position.x() < 1 ? 1 : 0;
    last += p.position.x() > 3 ? 1 : 0;
  }
  const auto solid_angle = [&](double from, double to) {
    double sum = 0;
    for (double x = from + 5e-3; x < to; x += 1e-2)
      for (double y = 5e-3; y < 1; y += 1e-2) {
        const Vec3 ray = *camera.position - Vec3(x, y, 1);
        sum += 1e-4 * ray.z() / std::pow(ray.norm(), 3);
      }
    return sum;
  };
  const double share = solid_angle(0, 1) / solid_angle(3, 4);
  EXPECT_GT(share, 5);
  EXPECT_NEAR(first / static_cast<double>(last) / share, 1, 0.15);
}

TEST(Scan, ASeedSaysAll) {
  const Recording run = stacked();
  const ScanSettings settings{
      .cameras = {far(Vec3(1, 2, 3)), far(Vec3(-1, 2, 3))}, .points = 100, .noise = 1e-3, .outliers = 0.1, .seed = 5};
  const auto first = Scanner(run, settings).scan(0), again = Scanner(run, settings).scan(0);
  EXPECT_EQ(first.points, again.points);
  ScanSettings other = settings;
  other.seed = 6;
  EXPECT_NE(Scanner(run, other).scan(0).points, first.points);
  EXPECT_NE(first.points[0], first.points[1]);
  // The noise moves points, it does not draw others.
  ScanSettings clean = settings;
  clean.noise = clean.outliers = 0;
  const auto exact = Scanner(run, clean).scan(0);
  ScanSettings elsewhere = clean;
  elsewhere.seed = 6;
  EXPECT_NE(Scanner(run, elsewhere).scan(0).points, exact.points);  // places too are drawn with the seed
  double square = 0;
  for (std::size_t i = 10; i < 100; ++i) square += (exact.points[0][i] - first.points[0][i]).squaredNorm();
  EXPECT_NEAR(std::sqrt(square / 270), 1e-3, 1.5e-4);
  int far_off = 0;
  for (std::size_t i = 0; i < 10; ++i) far_off += (exact.points[0][i] - first.points[0][i]).norm() > 0.02 ? 1 : 0;
  EXPECT_GE(far_off, 9);
}

TEST(Scan, OneBodyIsScannedAndTheOthersHideIt) {
  const Recording run = stacked();
  const Scanner scanner(run, {.cameras = {far(Vec3(0, 0, 1))}, .bodies = {"body0"}, .points = 500});
  for (const ScannedPoint& p : scanner.seen(0, 0)) {
    EXPECT_LE(p.position.z(), 1);
    EXPECT_GE(p.position.x(), 0.5);
  }
  // From above through the upper cube alone nothing of it can be seen.
  const Scanner blind(run, {.cameras = {near(Vec3(0.25, 0.5, 2.5))}, .bodies = {"body0"}, .points = 10});
  for (const ScannedPoint& p : blind.seen(0, 0)) EXPECT_GT(p.position.x(), 0.5);
}

TEST(Scan, RefusesWhatCannotBe) {
  const Recording run = stacked();
  const std::string text = problem_of([&] {
    const Scanner scanner(run,
                          {.cameras = {}, .bodies = {"body7"}, .points = 0, .every = 0, .noise = -1, .outliers = 1});
  });
  for (const char* part : {"no cameras", "'body7'", "0 points", "every 0th", "-1 m", "outliers of 1"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  Recording empty = run;
  empty.frames.clear();
  EXPECT_NE(problem_of([&] { const Scanner scanner(empty, {.cameras = {far(Vec3(0, 0, 1))}}); }).find("without frames"),
            std::string::npos);
}

TEST(Scan, AnIndexThatWasWrittenIsReadBack) {
  learn::CloudSequence clouds;
  clouds.cameras = {far(Vec3(0, 0.6, 0.8)), near(Vec3(1, 2, 3))};
  clouds.noise = 0.25;
  clouds.frames = {{0.5, {{Vec3(1, 2, 3)}, {}}}};
  const std::string text = learn::cloud_index(clouds, {{"a.ply", ""}}, {{"made_by", "me"}});
  const learn::CloudSequence back = learn::read_clouds("scan.json", [&](const std::string& path) {
    return path == "scan.json" ? text : learn::ply_bytes(clouds.frames[0].points[0]);
  });
  EXPECT_EQ(back.frames[0].points, clouds.frames[0].points);
  EXPECT_EQ(back.frames[0].time, 0.5);
  EXPECT_EQ(back.noise, 0.25);
  EXPECT_EQ(*back.cameras[1].position, Vec3(1, 2, 3));
  EXPECT_EQ(back.cameras[0].direction, Vec3(0, 0.6, 0.8));
}

}  // namespace
}  // namespace dashpot::test_scan
