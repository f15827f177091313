// Distances to triangle surfaces against exact shapes; what open, crossing and broken surfaces do.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "dashpot/contact/collider_mesh.hpp"
#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/topology.hpp"
#include "point_world.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::test_mesh_collider {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();

SignedSurface surface_of(const Mesh& mesh) {
  std::vector<std::string> warnings;
  return collider_surface(mesh, warnings);
}

std::vector<Vec3> random_points(int count, double size, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.emplace_back(uniform(engine), uniform(engine), uniform(engine));
  return points;
}

/// A bar whose points move: sheared sideways in time.
class Shear final : public PointMotion {
 public:
  explicit Shear(std::vector<Vec3> rest) : rest_(std::move(rest)) {}
  int num_points() const override { return static_cast<int>(rest_.size()); }
  void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const override {
    for (std::vector<Vec3>* out : {x, v, a})
      if (out != nullptr) out->assign(rest_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (x != nullptr) (*x)[i] = rest_[i] + Vec3(time * rest_[i].y(), 0.5 * time, 0);
      if (v != nullptr) (*v)[i] = Vec3(rest_[i].y(), 0.5, 0);
    }
  }

 private:
  std::vector<Vec3> rest_;
};

TEST(TriangleBvh, NearestTriangleIsThatOfExhaustiveSearchAlsoAfterMoving) {
  SignedSurface surface = surface_of(make_sphere(0.8, 4));
  for (int round = 0; round < 2; ++round) {
    const TriangleBvh& tree = surface.tree();
    for (const Vec3& p : random_points(300, 1.5)) {
      double best = anywhere;
      for (const std::array<int, 3>& t : tree.triangles()) {
        const auto x = [&](std::size_t k) { return tree.positions()[static_cast<std::size_t>(t[k])]; };
        best = std::min(best, (nearest_on_triangle(p, x(0), x(1), x(2)).point - p).norm());
      }
      NearestTriangle found;
      ASSERT_TRUE(tree.nearest(p, anywhere, found));
      EXPECT_NEAR(found.distance, best, 1e-14);
      EXPECT_FALSE(tree.nearest(p, 0.999 * best, found));
    }
    std::vector<Vec3> moved = tree.positions();
    for (Vec3& x : moved) x = Vec3(2 * x.x(), x.y() + 0.3 * x.z() * x.z(), x.z() - 0.2);
    surface.move(moved);
  }
}

TEST(TriangleBvh, OverlapQueryMissesNoTriangle) {
  const SignedSurface surface = surface_of(make_sphere(0.8, 4));
  const TriangleBvh& tree = surface.tree();
  int found_some = 0;
  for (const Vec3& p : random_points(100, 1)) {
    Box3 box;
    box.cover(p);
    box.grow(0.15);
    std::vector<int> found;
    tree.overlapping(box, [&](int t) { found.push_back(t); });
    std::sort(found.begin(), found.end());
    std::vector<int> expected;
    for (int t = 0; t < static_cast<int>(tree.triangles().size()); ++t) {
      Box3 own;
      for (const int v : tree.triangles()[static_cast<std::size_t>(t)])
        own.cover(tree.positions()[static_cast<std::size_t>(v)]);
      if (own.overlaps(box)) expected.push_back(t);
    }
    EXPECT_EQ(found, expected);
    found_some += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(found_some, 10);
}

TEST(MeshCollider, ABoxOfTrianglesHasTheDistanceNormalAndCurvatureOfTheBox) {
  BoxOptions centerd;
  centerd.origin = Vec3(-0.4, -0.3, -0.5);
  const MeshShape mesh(surface_of(make_bar(Vec3(0.8, 0.6, 1.0), {3, 2, 4}, centerd)));
  const BoxShape box(Vec3::Zero(), Vec3(0.4, 0.3, 0.5));
  int inside = 0, bent = 0;
  for (const Vec3& p : random_points(2000, 0.9)) {
    SurfaceSample a, b;
    ASSERT_TRUE(mesh.sample(p, anywhere, true, a));
    ASSERT_TRUE(box.sample(p, anywhere, true, b));
    EXPECT_NEAR(a.distance, b.distance, 1e-14);
    EXPECT_LT((a.normal - b.normal).norm(), 1e-12);
    EXPECT_LT((a.curvature - b.curvature).norm(), 1e-9 * (1 + b.curvature.norm()));
    inside += b.distance < 0 ? 1 : 0;
    bent += b.curvature.norm() > 0.1 ? 1 : 0;
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(bent, 100);
}

TEST(MeshCollider, BeyondASharpTipPointsAreOutsideHoweverFinelyOneOfItsFacesIsDivided) {
  constexpr int pieces = 20;
  Mesh spike;  // tip at the origin, base at z = -1; the face opposite to A is a fan of slivers
  spike.nodes = {Vec3(0, 0, 0), Vec3(-0.2, 0, -1)};
  const Vec3 b(0.1, -0.2, -1), c(0.1, 0.2, -1);
  for (int i = 0; i <= pieces; ++i) spike.nodes.push_back(b + static_cast<double>(i) / pieces * (c - b));
  std::vector<int>& t = spike.group_or_new(ElementKind::triangle).nodes;
  t = {0, 1, 2, 0, 2 + pieces, 1};
  for (int i = 0; i < pieces; ++i) t.insert(t.end(), {0, 2 + i, 3 + i, 1, 3 + i, 2 + i});
  const SignedSurface surface = surface_of(spike);
  ASSERT_TRUE(surface.is_closed());
  int tested = 0;
  for (const Vec3& p : random_points(2000, 0.05)) {
    bool beyond = true;  // of all edges that meet at the tip
    for (std::size_t i = 1; i < spike.nodes.size(); ++i) beyond &= p.dot(spike.nodes[i]) < 0;
    if (!beyond) continue;
    SurfaceSample s;
    ASSERT_TRUE(surface.sample(p, anywhere, false, s));
    EXPECT_NEAR(s.distance, p.norm(), 1e-15);
    ++tested;
  }
  EXPECT_GT(tested, 300);
}

TEST(MeshCollider, PointsRightOnFlatEdgesAndCornersGetFiniteAnswers) {
  BoxOptions centerd;
  centerd.origin = Vec3(-0.4, -0.3, -0.5);
  const Mesh bar = make_bar(Vec3(0.8, 0.6, 1.0), {4, 4, 4}, centerd);
  const MeshShape mesh(surface_of(bar));
  for (const Vec3& x : bar.nodes) {
    SurfaceSample s;
    ASSERT_TRUE(mesh.sample(x, anywhere, true, s));
    EXPECT_NEAR(s.normal.norm(), 1, 1e-12);
    EXPECT_TRUE(s.curvature.allFinite());
  }
  SurfaceSample s;
  ASSERT_TRUE(mesh.sample(Vec3(0, 0.3 + 1e-6, 0.25), anywhere, true, s)) << "above a flat vertex of the top";
  EXPECT_NEAR(s.distance, 1e-6, 1e-15);
  EXPECT_EQ(s.curvature.norm(), 0);
}

TEST(MeshCollider, ADeformingMeshMovesItsDistanceAtItsOwnVelocity) {
  BoxOptions centerd;
  centerd.origin = Vec3(-0.4, -0.3, -0.5);
  SignedSurface surface = surface_of(make_bar(Vec3(0.8, 0.6, 1.0), {2, 2, 2}, centerd));
  const auto motion = std::make_shared<Shear>(surface.positions());
  const DeformingCollider collider(surface, motion);
  const double t = 0.3, eps = 1e-6;
  double largest = 0;
  for (const Vec3& p : random_points(200, 0.7)) {
    SurfaceSample here, before, after;
    ASSERT_TRUE(collider.at(t)->sample(p, anywhere, false, here));
    ASSERT_TRUE(collider.at(t - eps)->sample(p, anywhere, false, before));
    ASSERT_TRUE(collider.at(t + eps)->sample(p, anywhere, false, after));
    if ((after.normal - before.normal).norm() > 1e-3) continue;  // the nearest face changed
    const double rate = (after.distance - before.distance) / (2 * eps);
    EXPECT_NEAR(rate, -here.normal.dot(collider.at(t)->surface_velocity(p, here)), 1e-6);
    largest = std::max(largest, std::abs(rate));
  }
  EXPECT_GT(largest, 0.3);
  EXPECT_THROW(DeformingCollider(surface, std::make_shared<Shear>(std::vector<Vec3>(3))), Error);
}

TEST(MeshCollider, PenaltyOfAMeshHasExactDerivatives) {
  testing::PointWorld world;
  world.gravity.setZero();
  world.onset = 0.02;
  world.thickness = 0.05;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<MeshShape>(surface_of(make_sphere(0.5, 3))));
  std::vector<Vec3> points;
  for (const Vec3& p : random_points(40, 1)) points.push_back(0.53 * p.normalized());
  world.points = points;
  const auto system = world.build();
  const Vector& q = system->rest();
  const auto gradient = [&](const Vector& x) {
    Vector g = Vector::Zero(x.size());
    EnergyRequest request{x};
    request.gradient = &g;
    system->energies()[0]->evaluate(request);
    return g;
  };
  BlockMatrix H(system->pattern());
  EnergyRequest request{q};
  request.hessian = &H;
  system->energies()[0]->evaluate(request);
  ASSERT_GT(gradient(q).norm(), 0);
  int smooth = 0;
  for (int i = 0; i < 40; ++i) {  // one point at a time: some sit where two pieces meet
    Vector d = Vector::Zero(q.size());
    d.segment<3>(3 * i) = 1e-4 * Vec3(1, -0.5, 0.7);
    const Vector along = H.dense() * d;
    if (along.norm() == 0) continue;
    smooth += testing::derivative_slope(gradient, q, d, along).ok() ? 1 : 0;
  }
  EXPECT_GT(smooth, 35);
}

TEST(MeshCollider, AnOpenSheetPushesOnlyWithinReachAndSaysSo) {
  Mesh sheet = make_cloth(1, 1, {4, 4});
  std::vector<std::string> warnings;
  const MeshShape shape(collider_surface(sheet, warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("open"), std::string::npos);
  SurfaceSample s;
  ASSERT_TRUE(shape.sample(Vec3(0.4, 0.05, 0.3), 0.1, false, s));
  EXPECT_NEAR(s.distance, 0.05, 1e-15);
  ASSERT_TRUE(shape.sample(Vec3(0.4, -0.05, 0.3), 0.1, false, s));
  EXPECT_NEAR(s.distance, -0.05, 1e-15) << "just behind";
  EXPECT_NEAR(s.normal.y(), 1, 1e-15);
  EXPECT_FALSE(shape.sample(Vec3(0.4, -0.5, 0.3), 0.1, false, s)) << "far behind is elsewhere";
}

TEST(MeshCollider, SurfacesThatCrossThemselvesOrFaceInwardsAreMentioned) {
  BoxOptions shifted;
  shifted.origin = Vec3(0.35, 0.27, 0.31);
  const Mesh crossed = join(make_bar(Vec3(1, 1, 1), {2, 2, 2}), make_bar(Vec3(1, 1, 1), {2, 2, 2}, shifted));
  std::vector<std::string> warnings;
  collider_surface(crossed, warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("cross"), std::string::npos);

  // Cubes shifted by half a cell or by a whole one: edges meet edges and faces lie in faces, nothing passes through.
  for (const Vec3& shift : {Vec3(0.5, 0.5, 0.5), Vec3(0.5, 0, 0), Vec3(0.25, 0.25, 0.25)}) {
    shifted.origin = shift;
    const Mesh touching = join(make_bar(Vec3(1, 1, 1), {1, 1, 1}), make_bar(Vec3(1, 1, 1), {1, 1, 1}, shifted));
    warnings.clear();
    collider_surface(touching, warnings);
    EXPECT_EQ(warnings.size(), 1U) << shift.transpose();
  }
  for (const Mesh& sound :
       {make_bar(Vec3(1, 1, 1), {3, 3, 3}), make_sphere(1, 4), make_bar(Vec3(1, 1e-3, 1), {9, 1, 9})}) {
    warnings.clear();
    collider_surface(sound, warnings);
    EXPECT_TRUE(warnings.empty()) << warnings.front();
  }

  Mesh inward;
  inward.nodes = make_sphere(1, 2).nodes;
  ElementGroup& group = inward.group_or_new(ElementKind::triangle);
  for (const std::array<int, 3>& t : boundary_surface(make_sphere(1, 2)).triangles)
    group.nodes.insert(group.nodes.end(), {t[0], t[2], t[1]});
  warnings.clear();
  const MeshShape turned(collider_surface(inward, warnings));
  ASSERT_EQ(warnings.size(), 1U);
  SurfaceSample s;
  ASSERT_TRUE(turned.sample(Vec3(0, 0, 0.1), anywhere, false, s));
  EXPECT_LT(s.distance, 0);
}

TEST(MeshCollider, BrokenSurfacesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vec3> x = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  EXPECT_THROW(SignedSurface({}, x), Error);
  EXPECT_THROW(SignedSurface({{0, 1, 7}}, x), Error);
  EXPECT_THROW(SignedSurface({{0, 1, 1}}, x), Error);
  EXPECT_THROW(SignedSurface({{0, 1, 2}, {0, 1, 3}}, x), Error) << "both triangles run along 0-1 the same way";
  std::vector<Vec3> broken = x;
  broken[2].x() = nan;
  EXPECT_THROW(SignedSurface({{0, 1, 2}}, broken), Error);
}

TEST(MeshCollider, NothingBehindAnOpenSheetFeelsItsImpactDamping) {
  Mesh sheet;
  sheet.nodes = {Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(1, 0, 1), Vec3(-1, 0, 1)};
  sheet.group_or_new(ElementKind::triangle).nodes = {0, 2, 1, 0, 3, 2};
  testing::PointWorld world;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<MeshShape>(surface_of(sheet)));
  world.points = {Vec3(0, -0.5, 0), Vec3(3, -0.5, 0)};
  world.damping = 1;
  testing::Play play(world.build(), "backward_euler");
  for (int i = 0; i < 100; ++i) ASSERT_EQ(play.step(1e-3).status, StepStatus::ok);
  for (const Eigen::Index y : {1, 4}) EXPECT_NEAR(play.state.v[y], -0.981, 1e-9) << "free fall";
  EXPECT_EQ(play.column("contact"), 0);
}

}  // namespace
}  // namespace dashpot::test_mesh_collider
