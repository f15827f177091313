// Forces of woven cloth: slopes of all tangents, momentum, power, what a cloth at rest feels.
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/yarn/yarn_bending.hpp"
#include "dashpot/yarn/yarn_stretch.hpp"
#include "support/derivative_slope.hpp"
#include "support/noise_vector.hpp"
#include "woven_patch.hpp"

namespace dashpot::test_yarn_terms {
namespace {

using testing::woven_patch;
using testing::WovenPatch;
using testing::WovenPatchOptions;

WovenPatchOptions all_forces() {
  WovenPatchOptions options;
  options.stretch_damping = {0.03, 0.02};
  options.bending_damping = {0.1, 0.16};
  options.gravity = {1, -9, 3};
  options.jamming = 1e4;
  options.width = {2.1e-3, 1.6e-3};  // some segments jam
  options.friction = {0.3, 50, 1e-3, 0.02};
  return options;
}

/// Velocities of the size of a shaken cloth.
Vector some_velocity(const System& system, int seed) {
  Vector v = testing::noise(system.num_dofs(), seed);
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] *= i % crossing_size < 3 ? 0.3 : 0.05;
  return v;
}

void expect_slope(const char* what, const std::function<Vector(const Vector&)>& f, const Vector& x, const Matrix& J) {
  Vector direction = testing::noise(x.size(), 900);
  for (Eigen::Index i = 0; i < x.size(); ++i) direction[i] *= 1e-4;
  const testing::SlopeResult slope = testing::derivative_slope(f, x, direction, J * direction, 1e-1);
  EXPECT_TRUE(slope.ok()) << what << ": slope " << slope.slope << ", remainder " << slope.relative_remainder
                          << ", derivative " << slope.derivative_norm;
}

TEST(YarnTerms, HessiansAndGradientsAreDerivatives) {
  const WovenPatch patch = woven_patch(all_forces());
  const System& system = *patch.system;
  const Vector q = testing::shaken(patch.cloth.rest, 3e-4, 1e-4, 40);
  for (const auto& energy : system.energies()) {
    SCOPED_TRACE(typeid(*energy).name());
    Vector gradient = Vector::Zero(q.size());
    BlockMatrix hessian(system.pattern());
    energy->evaluate({.q = q, .gradient = &gradient, .hessian = &hessian});
    expect_slope(
        "gradient", [&](const Vector& x) { return Vector(Vector::Constant(1, energy->evaluate({.q = x}))); }, q,
        gradient.transpose());
    const auto force = [&](const Vector& x) {
      Vector g = Vector::Zero(x.size());
      energy->evaluate({.q = x, .gradient = &g});
      return g;
    };
    expect_slope("Hessian", force, q, hessian.dense());
    EXPECT_LT(hessian.asymmetry(), 1e-12);
  }
}

TEST(YarnTerms, ProjectedHessiansAreSemidefiniteAndExactAtRest) {
  WovenPatchOptions options = all_forces();
  options.jamming = 0;
  options.gravity = Vec3::Zero();
  const WovenPatch patch = woven_patch(options);
  const auto hessian = [&](const EnergyTerm& energy, const Vector& q, Projection projection) {
    BlockMatrix H(patch.system->pattern());
    energy.evaluate({.q = q, .hessian = &H, .projection = projection});
    return H.dense();
  };
  for (const auto& energy : patch.system->energies()) {
    SCOPED_TRACE(typeid(*energy).name());
    const Vector& rest = patch.cloth.rest;
    const Matrix at_rest = hessian(*energy, rest, Projection::none);
    EXPECT_GT(at_rest.norm(), 0);
    EXPECT_LT((at_rest - hessian(*energy, rest, Projection::positive_semidefinite)).norm(), 1e-9 * at_rest.norm());
    for (const int seed : {3, 77, 500}) {
      const Matrix H = hessian(*energy, testing::shaken(rest, 8e-4, 3e-4, seed), Projection::positive_semidefinite);
      const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(H).eigenvalues();
      EXPECT_GT(eigenvalues.minCoeff(), -1e-10 * eigenvalues.maxCoeff());
    }
  }
}

TEST(YarnTerms, TangentsOfDampingAreDerivatives) {
  const WovenPatch patch = woven_patch(all_forces());
  const System& system = *patch.system;
  for (const double size : {3e-4, 2e-6}) {  // bent, and nearly straight: within the blend
    State state = system.initial_state();
    state.q = testing::shaken(patch.cloth.rest, size, size / 3, 40);
    const Vector q = state.q, v = some_velocity(system, 7);
    Workspace workspace = system.make_workspace();
    system.begin_step(state, workspace);
    ASSERT_EQ(system.dissipations().size(), 3U);
    for (std::size_t j = 0; j < 3; ++j) {
      const DissipationTerm& term = *system.dissipations()[j];
      const Vector& xi = state.internal_variables[j];
      SCOPED_TRACE(fmt::format("{} at {:g} m", term.model(), size));
      const auto force = [&](const Vector& x, const Vector& y) {
        Vector f = Vector::Zero(x.size());
        DissipationRequest request{
            .q = x, .v = y, .internal_variables = xi, .dt = 1e-3, .scratch = workspace.dissipation[j].get()};
        request.force = &f;
        term.evaluate(request);
        return f;
      };
      const auto tangent = [&](double dv, double dq) {
        BlockMatrix A(system.pattern());
        DissipationRequest request{
            .q = q, .v = v, .internal_variables = xi, .dt = 1e-3, .scratch = workspace.dissipation[j].get()};
        request.tangent = &A;
        request.dv_scale = dv;
        request.dq_scale = dq;
        term.evaluate(request);
        return A.dense();
      };
      if (term.model() != "yarn_friction") {
        expect_slope(
            "df/dv", [&](const Vector& y) { return force(q, y); }, v, tangent(1, 0));
        expect_slope(
            "df/dq", [&](const Vector& x) { return force(x, v); }, q, tangent(0, 1));
      }
      const Matrix C = tangent(1, 0);
      EXPECT_LT((C - C.transpose()).norm(), 1e-12 * (1 + C.norm()));
    }
  }
}

TEST(YarnTerms, InternalForcesAndDampingKeepMomentumAndDampingTakesPower) {
  WovenPatchOptions options = all_forces();
  options.gravity = Vec3::Zero();
  const WovenPatch patch = woven_patch(options);
  const System& system = *patch.system;
  const Kinematics& kinematics = system.kinematics();
  for (int seed = 0; seed < 200; ++seed) {
    State state = system.initial_state();
    state.q = testing::shaken(patch.cloth.rest, 5e-4, 2e-4, 31 * seed);
    const Vector v = some_velocity(system, 13 * seed + 5);
    Workspace workspace = system.make_workspace();
    system.begin_step(state, workspace);
    const auto expect_none = [&](const Vector& f, const char* what, bool keeps_turning) {
      double size = 0;
      for (int i = 0; i < kinematics.num_points(); ++i) size += f.segment<3>(crossing_size * i).norm();
      const LinearAngular total = kinematics.wrench(state.q, f);
      EXPECT_LT(total.linear.norm(), 1e-12 * size + 1e-18) << what;
      if (keeps_turning) EXPECT_LT(total.angular.norm(), 1e-12 * size * 0.02 + 1e-20) << what;
    };
    for (const auto& energy : system.energies()) {
      Vector f = Vector::Zero(system.num_dofs());
      energy->evaluate({.q = state.q, .gradient = &f});
      expect_none(f, typeid(*energy).name(), true);
    }
    for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
      const DissipationTerm& term = *system.dissipations()[j];
      Vector f = Vector::Zero(system.num_dofs());
      DissipationRequest request{.q = state.q,
                                 .v = v,
                                 .internal_variables = state.internal_variables[j],
                                 .dt = 0,
                                 .scratch = workspace.dissipation[j].get()};
      request.force = &f;
      const double power = term.evaluate(request);
      EXPECT_GE(power, 0) << term.model();
      EXPECT_NEAR(power, f.dot(v), 1e-12 * f.norm() * v.norm()) << term.model();
      expect_none(f, term.model().c_str(), term.traits().keeps_angular_momentum);
    }
  }
}

TEST(YarnTerms, BentYarnsAreNotDampedByRigidMotion) {
  WovenPatchOptions options;
  options.stretch_damping = {0.03, 0.02};
  options.bending_damping = {0.1, 0.16};
  options.sheet.place = [](double x, double y) {  // bent everywhere by more than the blend
    return Vec3(0.004 * std::sin(x / 0.004), 0.003 * std::sin(y / 0.003),
                0.004 * std::cos(x / 0.004) + 0.003 * std::cos(y / 0.003));
  };
  const WovenPatch patch = woven_patch(options);
  const System& system = *patch.system;
  const Vec3 w(2, -1, 0.5), u(0.3, 0.1, -2);
  Vector v = Vector::Zero(system.num_dofs());
  for (int i = 0; i < patch.cloth.num_crossings(); ++i)
    v.segment<3>(crossing_size * i) = u + w.cross(Vec3(patch.cloth.rest.segment<3>(crossing_size * i)));
  State state = system.initial_state();
  for (const auto& term : system.dissipations()) {
    const auto force_of = [&](const Vector& velocity) {
      Vector f = Vector::Zero(system.num_dofs());
      DissipationRequest request{
          .q = state.q, .v = velocity, .internal_variables = state.internal_variables[0], .dt = 0, .scratch = nullptr};
      request.force = &f;
      term->evaluate(request);
      return f.norm();
    };
    const double shaking = force_of(some_velocity(system, 3));
    EXPECT_GT(shaking, 0);
    EXPECT_LT(force_of(v), 1e-11 * shaking * v.norm()) << term->model();
  }
}

TEST(YarnTerms, UniformSlidingOfAStraightYarnStretchesNothingAndIsNotDamped) {
  WovenPatchOptions options;
  options.stretch_damping = {0.03, 0.02};
  const WovenPatch patch = woven_patch(options);
  const System& system = *patch.system;
  Vector v = Vector::Zero(system.num_dofs());
  for (int i = 0; i < patch.cloth.num_crossings(); ++i) v[crossing_size * i + 3] = 0.4;
  const State state = system.initial_state();
  Vector f = Vector::Zero(system.num_dofs());
  DissipationRequest request{
      .q = state.q, .v = v, .internal_variables = state.internal_variables[0], .dt = 0, .scratch = nullptr};
  request.force = &f;
  EXPECT_EQ(system.dissipations()[0]->evaluate(request), 0);
  EXPECT_EQ(f.norm(), 0);
}

TEST(YarnTerms, TheUpperYarnPressesWhereItPullsTowardTheLowerOne) {
  // Stiff warp, soft weft, and one crossing pushed to the upper side: warp pulls it back, weft hardly does.
  WovenPatchOptions options;
  options.sheet.warp_yarns = options.sheet.weft_yarns = 3;
  options.sheet.spacing = {2e-3, 2e-3};
  options.stretch = {5, 0.05};
  options.bending = {1e-12, 1e-12};
  const WovenPatch patch = woven_patch(options);
  const int middle = 4;
  const Vec3 warp(0, 1, 0), weft(1, 0, 0), up = warp.cross(weft);
  const auto segments = std::make_shared<YarnBatch>(segments_of(patch.cloth.yarns), 9),
             bends = std::make_shared<YarnBatch>(bends_of(patch.cloth.yarns), 9);
  const YarnStretch stretch("cloth", segments, options.stretch);
  const YarnBending bending("cloth", bends, options.bending);
  const double height = 5e-4, length = std::hypot(2e-3, height), tension = 5 * (length / 2e-3 - 1);
  for (const bool warp_is_upper : {true, false})
    for (const double side : {1.0, -1.0}) {
      const YarnFriction friction(stretch, bending, std::vector<std::uint8_t>(9, warp_is_upper ? 1 : 0),
                                  {0.3, 1e3, 0, 1e-3});
      Vector q = patch.cloth.rest;
      q.segment<3>(crossing_size * middle) += side * height * up;
      std::vector<double> N;
      friction.normal_forces(q, N);
      // 2 tension height/length of the warp, a hundredth of it of the weft; half the difference
      const double pull = 0.99 * tension * height / length;
      EXPECT_NEAR(N[middle], warp_is_upper == (side > 0) ? 1e-3 + pull : std::max(0.0, 1e-3 - pull), 1e-6 * pull);
    }
}

TEST(YarnTerms, ACrossingOfTwoYarnsHasAPositiveMassMatrix) {
  const WovenPatch patch = woven_patch({});
  const System& system = *patch.system;
  const Vector none = Vector::Zero(system.num_dofs());
  BlockMatrix M(system.pattern());
  system.inertia().add_tangent(testing::shaken(patch.cloth.rest, 5e-4, 2e-4, 4), none, none, 1, 0, 0, M);
  Matrix dense = M.dense();
  for (Eigen::Index i = 0; i < dense.rows(); ++i)
    if (system.is_free()[static_cast<std::size_t>(i)] == 0) {
      dense.row(i).setZero();
      dense.col(i).setZero();
      dense(i, i) = 1e-6;
    }
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(dense).eigenvalues().minCoeff(), 1e-8);
}

TEST(YarnTerms, TangentsOfTheInertiaAreDerivatives) {
  const WovenPatch patch = woven_patch({});
  const System& system = *patch.system;
  const Vector q = testing::shaken(patch.cloth.rest, 3e-4, 1e-4, 40), v = some_velocity(system, 7),
               a = 100 * some_velocity(system, 70);
  const auto force = [&](const Vector& x, const Vector& y, const Vector& z) {
    Vector f = Vector::Zero(x.size());
    system.inertia().add_force(x, y, z, f);
    return f;
  };
  const auto tangent = [&](double by_a, double by_v, double by_q) {
    BlockMatrix A(system.pattern());
    system.inertia().add_tangent(q, v, a, by_a, by_v, by_q, A);
    return A.dense();
  };
  expect_slope(
      "M", [&](const Vector& z) { return force(q, v, z); }, a, tangent(1, 0, 0));
  expect_slope(
      "dc/dv", [&](const Vector& y) { return force(q, y, a); }, v, tangent(0, 1, 0));
  expect_slope(
      "d(Ma + c)/dq", [&](const Vector& x) { return force(x, v, a); }, q, tangent(0, 0, 1));
}

TEST(YarnTerms, AClothAtRestFeelsNothing) {
  const WovenPatch patch = woven_patch({});
  for (const auto& energy : patch.system->energies()) {
    Vector f = Vector::Zero(patch.system->num_dofs());
    EXPECT_NEAR(energy->evaluate({.q = patch.cloth.rest, .gradient = &f}), 0, 1e-18);
    EXPECT_LT(f.norm(), 1e-12);
  }
}

TEST(YarnTerms, ASegmentWithoutYarnHasNoEnergy) {
  const WovenPatch patch = woven_patch({});
  Vector q = patch.cloth.rest;
  q[crossing_size * 1 + 3] = q[3] - 1e-4;  // passed the crossing before
  EXPECT_EQ(patch.system->energies()[0]->evaluate({.q = q}), std::numeric_limits<double>::infinity());
}

TEST(YarnTerms, NonsenseIsRefusedWithItsRange) {
  WovenPatchOptions options;
  options.stretch.weft = 0;
  EXPECT_THROW(woven_patch(options), Error);
  options = {};
  options.bending_damping.warp = -1;
  options.bending_damping.weft = 2;
  EXPECT_THROW(woven_patch(options), Error);
  options = {};
  options.density.warp = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(woven_patch(options), Error);
  options = {};
  options.friction = {0.3, 0, 0, 0};
  EXPECT_THROW(woven_patch(options), Error);
}

}  // namespace
}  // namespace dashpot::test_yarn_terms
