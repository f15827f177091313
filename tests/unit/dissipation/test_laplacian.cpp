// Laplacian damping [LiLiuKavan2018] with the numbers of reference ABCE, section 4.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/dissipation/laplacian.hpp"
#include "dashpot/math/best_spin.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"
#include "support/laplacian_sources.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_laplacian {
namespace {

enum class Variant { plain, element, global };
constexpr Variant all_variants[] = {Variant::plain, Variant::element, Variant::global};

std::unique_ptr<DissipationTerm> make(Variant variant, LaplacianParts parts) {
  if (variant == Variant::plain) return std::make_unique<LaplacianDamping>("bar", std::move(parts));
  return std::make_unique<ConservingLaplacianDamping>(
      "bar", std::move(parts), variant == Variant::element ? FreeRotation::element : FreeRotation::global);
}

Bar16::Damping laplacian(Variant variant, double alpha = 0, double beta = Bar16::beta) {
  return [=](const Bar16::Parts& parts) { return make(variant, parts.laplacian_parts(alpha, beta)); };
}

Vector damping_force(const System& system, const Vector& q, const Vector& v) {
  const DissipationTerm& term = *system.dissipations()[0];
  const auto scratch = term.make_scratch();
  Vector f = Vector::Zero(q.size());
  const Vector xi;
  DissipationRequest request{q, v, xi, 0, scratch.get()};
  request.force = &f;
  term.evaluate(request);
  return f;
}

Vector spin_about_origin(const Vector& q, const Vec3& omega) {
  Vector v(q.size());
  for (Eigen::Index i = 0; i < q.size(); i += 3) v.segment<3>(i) = omega.cross(Vec3(q.segment<3>(i)));
  return v;
}

TEST(LaplacianLaws, EveryVariantWithAndWithoutMassPart) {
  for (const Variant variant : all_variants)
    for (const double alpha : {0.0, 0.5}) {
      SCOPED_TRACE(static_cast<int>(variant));
      DampingLawOptions options;
      options.num_states = 300;
      expect_dissipation_laws(*Bar16(laplacian(variant, alpha)).system, 0, options);
    }
}

TEST(LaplacianLaws, ConsistentMassAndTetsOfTenNodes) {
  for (const Variant variant : all_variants) {
    SCOPED_TRACE(static_cast<int>(variant));
    DampingLawOptions options;
    options.num_states = 50;
    Bar16::Options bar;
    bar.consistent = true;
    bar.damping = laplacian(variant, 0.5);
    expect_dissipation_laws(*Bar16(bar).system, 0, options);
    bar.mid_nodes = true;
    expect_dissipation_laws(*Bar16(bar).system, 0, options);
  }
}

TEST(LaplacianDamping, TorqueOnASpinningBodyIsTheSecondMomentOfItsDeformationGradients) {
  const Bar16 bar(laplacian(Variant::plain));
  const Vec3 omega(.3, -.2, .9);
  const Vector& X = bar.system->rest();
  const Vec3 at_rest =
      -bar.system->kinematics().wrench(X, damping_force(*bar.system, X, spin_about_origin(X, omega))).angular;
  EXPECT_LT((at_rest - Vec3(-1.44, .96, -4.32)).norm(), 1e-12);
  // S = sum_j w_j F_j F_j^T is r^T L r as well.
  const Vector q = bar.noisy_q();
  const Vector f = damping_force(*bar.system, q, q);
  Mat3 S = Mat3::Zero();
  for (Eigen::Index i = 0; i < q.size(); i += 3) S += q.segment<3>(i) * f.segment<3>(i).transpose();
  const Vec3 deformed =
      -bar.system->kinematics().wrench(q, damping_force(*bar.system, q, spin_about_origin(q, omega))).angular;
  EXPECT_LT((deformed + math::spin_matrix(S) * omega).norm(), 1e-12);
}

struct Energies3 {
  double kinetic, elastic, Lz;
};

Energies3 after(const Bar16& bar, const char* stepper, const Vector& q, const Vector& v, int steps,
                double* largest_loss = nullptr) {
  State state = start_at(*bar.system, q, v);
  const Vec3 L = bar.angular_momentum(q, v);
  const auto by = stepper_named(stepper, 1e-12);
  Workspace workspace = bar.system->make_workspace();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = by->step(*bar.system, state, workspace, Bar16::h);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    if (largest_loss != nullptr)
      *largest_loss = std::max(*largest_loss, (bar.angular_momentum(state.q, state.v) - L).cwiseAbs().maxCoeff());
  }
  const Energies e = energies(*bar.system, state);
  return {e.kinetic, e.total() - e.kinetic, bar.angular_momentum(state.q, state.v).z()};
}

TEST(LaplacianDamping, PlainBrakesASlowSpinAtTheRateOfTheReference) {
  const Bar16 bar(laplacian(Variant::plain));
  const Vector& X = bar.system->rest();
  Vector about_center = X;
  for (Eigen::Index i = 0; i < X.size(); i += 3) about_center.segment<3>(i) -= bar.center(X);
  const Vector v = spin_about_origin(about_center, Vec3(0, 0, .05));
  const double before = bar.angular_momentum(X, v).z();
  EXPECT_NEAR(after(bar, "IM", X, v, 20).Lz / before, .761333169, 1e-8);
  for (const Variant variant : {Variant::element, Variant::global})
    EXPECT_NEAR(after(Bar16(laplacian(variant)), "IM", X, v, 20).Lz / before, 1, 1e-10);
}

TEST(LaplacianDamping, OneMidpointStepOfTheNoisyBarIsThatOfTheReference) {
  struct Row {
    const char* name;
    Bar16::Damping damping;
    const char* stepper;
    double kinetic, elastic, Lz;
  };
  const Row rows[] = {
      {"none", nullptr, "IM", 3.874977722514, 6.943744177608, .338225291366},
      {"plain", laplacian(Variant::plain), "IM", 3.573623355335, 6.994040434265, .331946392578},
      {"global", laplacian(Variant::global), "IM", 3.575924224772, 6.993881498913, .338225291366},
      {"element", laplacian(Variant::element), "IM", 3.646820258823, 6.980577298766, .338225291366},
      {"backward Euler", laplacian(Variant::plain), "BE", 2.796310925187, 5.981020497737, .329351950881},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Bar16 bar(row.damping);
    const Energies3 start = after(bar, row.stepper, bar.noisy_q(), bar.noisy_v(), 0);
    EXPECT_NEAR(start.kinetic, 1.967752054850, 1e-10);
    EXPECT_NEAR(start.elastic, 8.850934944755, 1e-10);
    const Energies3 e = after(bar, row.stepper, bar.noisy_q(), bar.noisy_v(), 1);
    EXPECT_NEAR(e.kinetic, row.kinetic, 1e-8);
    EXPECT_NEAR(e.elastic, row.elastic, 1e-8);
    EXPECT_NEAR(e.Lz, row.Lz, 1e-9);
  }
}

TEST(LaplacianDamping, FiftyStepsOfTheSpinningBarAreThoseOfTheReference) {
  struct Row {
    const char* name;
    Bar16::Damping damping;
    bool keeps;
    double Lz, total, kinetic;
  };
  const Row rows[] = {
      {"none", nullptr, true, 7.093535011, 7.339786554, 7.055574797},
      {"plain", laplacian(Variant::plain), false, 3.608941886, 1.917756939, 1.846498343},
      {"global", laplacian(Variant::global), true, 7.093535011, 7.181025872, 7.006182804},
      {"element", laplacian(Variant::element), true, 7.093535011, 7.198180036, 7.011113206},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Bar16 bar(row.damping);
    double loss = 0;
    const Energies3 e = after(bar, "IM", bar.system->rest(), bar.spinning_v(), 50, &loss);
    EXPECT_NEAR(e.Lz, row.Lz, 2e-8);
    EXPECT_NEAR(e.kinetic + e.elastic, row.total, 2e-8);
    EXPECT_NEAR(e.kinetic, row.kinetic, 2e-8);
    if (row.keeps)
      EXPECT_LT(loss, 1e-10 * 7.09);
    else
      EXPECT_GT(loss, 3);
  }
}

TEST(LaplacianDamping, ExactDerivativesMakeNewtonConvergeQuadratically) {
  for (const Variant variant : {Variant::element, Variant::global}) {
    const Bar16 bar(laplacian(variant, 0, 0.05));  // strong: beta |Fdot| ~ 0.1
    EXPECT_FALSE(bar.system->is_symmetric());
    State state = start_at(*bar.system, bar.noisy_q(), 3 * bar.noisy_v());
    Workspace workspace = bar.system->make_workspace();
    const StepReport report = stepper_named("IM", 1e-12)->step(*bar.system, state, workspace, Bar16::h);
    EXPECT_EQ(report.status, StepStatus::ok) << report.explanation;
    EXPECT_LE(report.newton_iterations, 6);
  }
}

TEST(LaplacianDamping, ElementVariantAtATurnedShapeIsRayleighWithTheTurnedStiffness) {
  const Bar16 bar(laplacian(Variant::element));
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  Vector turned = bar.system->rest(), v = bar.noisy_v();
  for (Eigen::Index i = 0; i < turned.size(); i += 3) turned.segment<3>(i) = Vec3(R * turned.segment<3>(i));
  BlockMatrix K(bar.system->pattern());
  EnergyRequest request{turned};
  request.hessian = &K;
  bar.system->energies()[0]->evaluate(request);
  Vector expected(v.size());
  K.multiply(v, expected);
  ASSERT_GT(expected.norm(), 1);
  EXPECT_LT((damping_force(*bar.system, turned, v) - Bar16::beta * expected).norm(), 1e-10 * expected.norm());
}

TEST(LaplacianDamping, MatrixOfProjectiveSteppersBoundsTheDerivative) {
  for (const Variant variant : all_variants) {
    SCOPED_TRACE(static_cast<int>(variant));
    const Bar16 bar(laplacian(variant, 0.5));
    const DissipationTerm& term = *bar.system->dissipations()[0];
    const ScalarDamping& scalar = *term.capabilities().scalar;
    EXPECT_EQ(scalar.has_rotation_part(), variant != Variant::plain);
    const BlockPattern& pattern = *bar.system->pattern();
    std::vector<double> of_slot(static_cast<std::size_t>(pattern.num_slots()), 0.0);
    scalar.add_scalar_damping(2, of_slot);
    BlockMatrix D(bar.system->pattern()), C(bar.system->pattern());
    for (int s = 0; s < pattern.num_slots(); ++s)
      for (int c = 0; c < 3; ++c) D.block(s)[4 * c] = 0.5 * of_slot[static_cast<std::size_t>(s)];
    const Vector q = bar.noisy_q(), v = bar.noisy_v(), xi;
    Vector f(v.size()), e = Vector::Zero(v.size());
    D.multiply(v, f);
    scalar.add_rotation_part(q, v, e);
    if (variant != Variant::plain) ASSERT_GT(e.norm(), 1e-2 * f.norm());
    EXPECT_LT((f - e - damping_force(*bar.system, q, v)).norm(), 1e-12 * f.norm());
    std::vector<LowRank> parts;
    DissipationRequest request{q, v, xi, 0, nullptr};
    request.tangent = &C;
    request.low_rank = &parts;
    request.dv_scale = 1;
    term.evaluate(request);
    Matrix derivative = C.dense();
    for (const LowRank& part : parts) derivative += *part.U * part.S * part.V->transpose();
    const double scale = D.dense().norm();
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(derivative).eigenvalues()[0], -1e-13 * scale);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(D.dense() - derivative).eigenvalues()[0], -1e-13 * scale);
  }
}

TEST(LaplacianDamping, CoefficientsAreParametersAndTheFirstSystemStaysAsItIs) {
  for (const Variant variant : all_variants) {
    const Bar16 bar([&](const Bar16::Parts& parts) { return make(variant, parts.laplacian_parts(0.5, Bar16::beta)); });
    const Vector q = bar.noisy_q(), v = bar.noisy_v();
    const Vector both = damping_force(*bar.system, q, v);
    const auto with = [&](double alpha, double beta) {
      std::vector<double> values;
      bar.system->parameters().set("bar/laplacian/alpha", alpha, values);
      bar.system->parameters().set("bar/laplacian/beta", beta, values);
      return damping_force(*bar.system->with(values), q, v);
    };
    const Vector beta_alone = with(0, Bar16::beta), three_alpha = with(1.5, 0);
    ASSERT_GT(beta_alone.norm(), 0);
    ASSERT_GT(three_alpha.norm(), 0);
    EXPECT_LT((beta_alone + three_alpha / 3 - both).norm(), 1e-12 * both.norm());
    EXPECT_EQ(damping_force(*bar.system, q, v), both);
    EXPECT_THROW(with(1, -1), Error);
    EXPECT_THROW(with(NAN, 1), Error);
  }
}

TEST(LaplacianDamping, RefusesAmountsThatWouldCreateEnergy) {
  const auto made = [](double alpha, double beta) { Bar16 bar(laplacian(Variant::plain, alpha, beta)); };
  EXPECT_NO_THROW(made(0, 0));
  EXPECT_THROW(made(-1, 0), Error);
  EXPECT_THROW(made(0, INFINITY), Error);
  try {
    made(-1, NAN);
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2U);
  }
}

TEST(LaplacianDamping, AnExampleOverALaplacianObeysAndMultipliesItsDirection) {
  const auto designed = [](double gain) {
    return [gain](const Bar16::Parts& parts) -> std::unique_ptr<DissipationTerm> {
      auto base = std::make_unique<LaplacianDamping>("bar", parts.laplacian_parts(0, Bar16::beta));
      const ViscousOperator* C = base.get();
      DampingExample bend{"bend", Vector::Zero(parts.rest.size()), math::GainCurve::constant(gain)};
      for (Eigen::Index i = 0; i < parts.rest.size(); i += 3) bend.shape[i + 1] = parts.rest[i] * parts.rest[i];
      return std::make_unique<ExampleBased>("bar", std::move(base), C, *parts.mass, parts.rest, 0, 16,
                                            std::vector<DampingExample>{bend}, ExampleBasedOptions{});
    };
  };
  const Bar16 bar(designed(5));
  expect_dissipation_laws(*bar.system, 0, {100});
  const Vector& X = bar.system->rest();
  Vector along = Vector::Zero(X.size());
  for (Eigen::Index i = 0; i < X.size(); i += 3) along[i + 1] = X[i] * X[i];
  const DissipationTerm& term = *bar.system->dissipations()[0];
  const auto scratch = term.make_scratch();
  term.begin_step(bar.system->initial_state(), scratch.get());
  Vector f = Vector::Zero(X.size());
  const Vector xi;
  DissipationRequest request{X, along, xi, 0, scratch.get()};
  request.force = &f;
  term.evaluate(request);
  const Vector base = damping_force(*Bar16(laplacian(Variant::plain)).system, X, along);
  ASSERT_GT(base.norm(), 1);
  EXPECT_LT((f - 5 * base).norm(), 1e-10 * f.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_laplacian
