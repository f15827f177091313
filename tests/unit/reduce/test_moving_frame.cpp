// A reduced body carried by a rigid motion: every force of inertia against that of the full body at the same points.
#include "dashpot/reduce/moving_frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "reduced_bar.hpp"

namespace dashpot::test_moving_frame {
namespace {

using testing::bar_mesh;
using testing::elastic_body;
using testing::ElasticBodyOptions;
using testing::held_bar;

/// Turns ever faster about a fixed axis while it accelerates.
class Tumble final : public RigidMotion {
 public:
  RigidPose pose(double t) const override {
    const Vec3 axis = Vec3(1, 2, -2) / 3;
    RigidPose pose;
    pose.R = Eigen::AngleAxisd(0.3 + 2 * t + 1.5 * t * t, axis).toRotationMatrix();
    pose.angular_velocity = (2 + 3 * t) * axis;
    pose.angular_acceleration = 3 * axis;
    pose.p = Vec3(0.1, 0.2 * t, -0.7 * t * t);
    pose.velocity = Vec3(0, 0.2, -1.4 * t);
    pose.acceleration = Vec3(0, 0, -1.4);
    return pose;
  }
};

struct Carried {
  ReducedModel model;
  std::shared_ptr<const System> moving;
};

Carried carried_bar(const Vec3& gravity) {
  ElasticBodyOptions options = held_bar();
  options.beta = 0.01;
  const auto full = elastic_body(bar_mesh({4, 1, 1}), options);
  Carried result{*reduce_system(full, *modal_basis(*full, {4, 9})), nullptr};
  result.moving = in_moving_frame(result.model, std::make_shared<Tumble>(), gravity);
  return result;
}

/// A state of the carried bar and where that puts all nodes.
struct Moment {
  Vector q, v, a, x, xdot, xddot, y;
  RigidPose pose = Tumble().pose(0.4);

  explicit Moment(const Carried& bar) {
    const int r = bar.model.system->num_dofs();
    q = v = a = Vector::Zero(r + 12);
    bar.moving->prescribe(0.4, &q, &v, &a);
    const double size = 0.1 / bar.model.subspace->basis().shapes.cwiseAbs().maxCoeff();
    q.head(r) = size * Vector::LinSpaced(r, 1, -0.5);
    v.head(r) = size * Vector::LinSpaced(r, -2, 3);
    a.head(r) = size * Vector::LinSpaced(r, 5, 1);
    y = bar.model.subspace->lift(q.head(r));
    const Vector dy = bar.model.subspace->lift_rate(v.head(r)), ddy = bar.model.subspace->lift_rate(a.head(r));
    x = xdot = xddot = y;
    for (Eigen::Index i = 0; i < y.size(); i += 3) {
      const Vec3 w = pose.angular_velocity, at = pose.R * y.segment<3>(i), rate = pose.R * dy.segment<3>(i);
      x.segment<3>(i) = at + pose.p;
      xdot.segment<3>(i) = w.cross(at) + rate + pose.velocity;
      xddot.segment<3>(i) = pose.angular_acceleration.cross(at) + w.cross(w.cross(at)) + 2 * w.cross(rate) +
                            pose.R * ddy.segment<3>(i) + pose.acceleration;
    }
  }
  /// (Phi^T R^T F, sum F, sum F y^T) of nodal forces.
  Vector generalized(const Carried& bar, const Vector& F) const {
    Vector turned = F;
    Vec3 sum = Vec3::Zero();
    Mat3 moment = Mat3::Zero();
    for (Eigen::Index i = 0; i < F.size(); i += 3) {
      turned.segment<3>(i) = pose.R.transpose() * F.segment<3>(i);
      sum += F.segment<3>(i);
      moment += F.segment<3>(i) * y.segment<3>(i).transpose();
    }
    Vector f(q.size());
    f << bar.model.subspace->project_force(turned), sum, Eigen::Map<const Vector>(moment.data(), 9);
    return f;
  }
};

TEST(MovingFrame, HasTheInertiaOfTheFullBodyAtTheSamePoints) {
  const Carried bar = carried_bar(Vec3::Zero());
  const Moment at(bar);
  const Inertia &full = bar.model.subspace->full().inertia(), &small = bar.moving->inertia();
  Vector F = Vector::Zero(at.x.size()), f = Vector::Zero(at.q.size());
  full.add_force(at.x, at.xdot, at.xddot, F);
  small.add_force(at.q, at.v, at.a, f);
  const Vector expected = at.generalized(bar, F);
  ASSERT_GT(expected.head(9).norm(), 0);
  ASSERT_GT(expected.tail(9).norm(), 0);
  EXPECT_LT((f - expected).head(9).norm(), 1e-12 * expected.head(9).norm());
  EXPECT_LT((f - expected).tail(12).norm(), 1e-12 * expected.tail(12).norm());
  const double energy = full.kinetic_energy(at.x, at.xdot);
  EXPECT_NEAR(small.kinetic_energy(at.q, at.v), energy, 1e-12 * energy);
  const LinearAngular wanted = full.momentum(at.x, at.xdot), found = small.momentum(at.q, at.v);
  EXPECT_LT((found.linear - wanted.linear).norm(), 1e-12 * wanted.linear.norm());
  EXPECT_LT((found.angular - wanted.angular).norm(), 1e-12 * wanted.angular.norm());
}

TEST(MovingFrame, InertiaHasItsTangent) {
  const Carried bar = carried_bar(Vec3::Zero());
  const Moment at(bar);
  const Inertia& inertia = bar.moving->inertia();
  BlockMatrix tangent(bar.moving->pattern());
  inertia.add_tangent(at.q, at.v, at.a, 0.5, 0.7, 1.1, tangent);
  const Matrix A = tangent.dense();
  const double eps = 1e-6;
  for (int i = 0; i < 9; ++i) {
    const Vector d = Vector::Unit(at.q.size(), i) * eps;
    Vector ahead = Vector::Zero(at.q.size()), behind = ahead;
    inertia.add_force(at.q + 1.1 * d, at.v + 0.7 * d, at.a + 0.5 * d, ahead);
    inertia.add_force(at.q - 1.1 * d, at.v - 0.7 * d, at.a - 0.5 * d, behind);
    const Vector slope = (ahead - behind).head(9) / (2 * eps);
    EXPECT_LT((A.col(i).head(9) - slope).norm(), 1e-7 * A.topLeftCorner(9, 9).norm());
  }
}

TEST(MovingFrame, PointsMoveAsTheyAreCarried) {
  const Carried bar = carried_bar(Vec3::Zero());
  const Moment at(bar);
  std::vector<Vec3> x, xdot;
  bar.moving->kinematics().positions(at.q, x);
  bar.moving->kinematics().velocities(at.q, at.v, xdot);
  ASSERT_EQ(3 * static_cast<Eigen::Index>(x.size()), at.x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LT((x[i] - at.x.segment<3>(3 * static_cast<Eigen::Index>(i))).norm(), 1e-12);
    EXPECT_LT((xdot[i] - at.xdot.segment<3>(3 * static_cast<Eigen::Index>(i))).norm(), 1e-12);
  }
  const Kinematics& kinematics = bar.moving->kinematics();
  for (int i = 0; i < kinematics.num_points(); ++i) {
    EXPECT_LT((kinematics.position(at.q, i) - x[static_cast<std::size_t>(i)]).norm(), 1e-14);
    EXPECT_LT((kinematics.velocity(at.q, at.v, i) - xdot[static_cast<std::size_t>(i)]).norm(), 1e-13);
  }
}

TEST(MovingFrame, AForceAtAPointIsFeltByTheSubspaceAndItsCarrier) {
  const Carried bar = carried_bar(Vec3::Zero());
  const Moment at(bar);
  Vector F = Vector::Zero(at.x.size());
  F.segment<3>(3 * 7) = Vec3(0.4, -1.2, 0.3);
  F.segment<3>(3 * 12) = Vec3(-2, 0.1, 0.5);
  Vector f = Vector::Zero(at.q.size());
  for (const int point : {7, 12}) bar.moving->kinematics().add_force(at.q, point, F.segment<3>(3 * point), f);
  const Vector expected = at.generalized(bar, F);
  ASSERT_GT(expected.head(9).norm(), 0.01);
  EXPECT_LT((f - expected).norm(), 1e-13 * expected.norm());
}

TEST(MovingFrame, FeelsGravityAlongTheWorldsDown) {
  const Vec3 g(0.3, -9.81, 0.5);
  const Carried bar = carried_bar(g);
  const Moment at(bar);
  const EnergyTerm& gravity = *bar.moving->energies().back();
  ASSERT_EQ(gravity.kind(), EnergyKind::gravity);
  Vector weight = Vector::Zero(at.x.size()), gradient = Vector::Zero(at.q.size()), pull = weight;
  for (Eigen::Index i = 0; i < pull.size(); i += 3) pull.segment<3>(i) = -g;
  bar.model.subspace->full().inertia().add_force(at.x, weight, pull, weight);
  const double energy = gravity.evaluate({.q = at.q, .gradient = &gradient});
  EXPECT_NEAR(energy, weight.dot(at.x - bar.model.subspace->basis().rest), 1e-12 * weight.norm() * at.x.norm());
  const Vector expected = at.generalized(bar, weight);
  ASSERT_GT(expected.norm(), 0);
  EXPECT_LT((gradient - expected).norm(), 1e-12 * expected.norm());
}

/// Everything the carrier puts in is either kept or damped: what the integrator keeps for itself vanishes with the
/// step.
TEST(MovingFrame, StepsConvergeAtSecondOrder) {
  const Carried bar = carried_bar({0, -9.81, 0});
  const auto end = [&](double dt) {
    const auto stepper = make_stepper("bathe", {.tolerance = 1e-12}, {});
    State state = in_moving_frame(*bar.moving, bar.model.system->initial_state());
    Workspace workspace = bar.moving->make_workspace();
    make_consistent(*bar.moving, state, workspace);
    for (int i = 0; i < static_cast<int>(0.4 / dt + 0.5); ++i) stepper->step(*bar.moving, state, workspace, dt);
    return Vector(state.q.head(9));
  };
  const Vector a = end(0.01), b = end(0.005), c = end(0.0025);
  ASSERT_GT(c.norm(), 0);
  EXPECT_LT((b - c).norm(), 0.01 * c.norm());
  const double order = std::log2((a - b).norm() / (b - c).norm());
  EXPECT_NEAR(order, 2, 0.4);
}

}  // namespace
}  // namespace dashpot::test_moving_frame
