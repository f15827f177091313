#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/energy/materials.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"
#include "support/tiny_tets.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_strain_rate {
namespace {

Bar16::Damping strain_rate(double viscosity, double second, const StrainRateOptions& options = {}) {
  return [=](const Bar16::Parts& parts) {
    const auto count = static_cast<std::size_t>(parts.batch->num_tets());
    return make_strain_rate("bar", parts.batch, std::vector<double>(count, viscosity),
                            std::vector<double>(count, second), options);
  };
}

std::vector<StrainRateOptions> all_options() {
  std::vector<StrainRateOptions> all;
  for (const StrainMetric metric : {StrainMetric::green, StrainMetric::corotational})
    for (const RateTangent tangent : {RateTangent::exact, RateTangent::symmetric})
      for (const double exponent : {1.0, 0.5, 1.8}) all.push_back({metric, tangent, {exponent, 2.0}});
  return all;
}

TEST(StrainRateLaws, EveryMetricAndDensityIsObjectivePassiveAndKeepsBothMomenta) {
  for (const StrainRateOptions& options : all_options()) {
    SCOPED_TRACE(fmt::format("metric {}, tangent {}, exponent {}", static_cast<int>(options.metric),
                             static_cast<int>(options.tangent), options.power.exponent));
    expect_dissipation_laws(*Bar16(strain_rate(0.4, 0.3, options)).system, 0, {100});
    if (options.power.exponent == 1) expect_dissipation_laws(*Bar16(strain_rate(0.3, -0.2, options)).system, 0, {30});
    Bar16::Options ten;
    ten.mid_nodes = true;
    ten.damping = strain_rate(0.4, 0.3, options);
    expect_dissipation_laws(*Bar16(ten).system, 0, {10});
  }
}

/// Fixture TET1 of the reference (ABCE, table B1): the unit corner tet, deformed, with lambda_d = 30, mu_d = 20.
struct ReferenceTet {
  Vector force = Vector::Zero(12);  ///< damping stands on the left-hand side
  double power = 0;
  Matrix by_rate, by_place;

  /// `values`: other ones of its parameters.
  explicit ReferenceTet(const StrainRateOptions& options, const std::vector<double>& values = {}) {
    const TinyMesh mesh = unit_tet();
    const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
    std::shared_ptr<DissipationTerm> term =
        make_strain_rate("tet", batch, PartwiseValue(20.0), PartwiseValue(30.0), options);
    PatternBuilder couplings;
    term->couple(couplings);
    const auto pattern = couplings.build(3, 4);
    term->bind(*pattern);
    if (!values.empty()) term = term->remade(values.data(), {});
    Vector q(12), v(12);
    q << 0, 0, 0, 1.2, 0.1, 0, 0.1, 0.9, 0.2, -0.1, 0.05, 1.3;
    v << 0.5, -0.2, 0.1, 0.3, 0.4, -0.6, -0.7, 0.2, 0.9, 0.1, -0.5, 0.3;
    const Vector xi;
    BlockMatrix C(pattern), K(pattern);
    DissipationRequest request{q, v, xi, 0.01, nullptr};
    request.force = &force;
    request.tangent = &C;
    request.dv_scale = 1;
    power = term->evaluate(request);
    request.force = nullptr;
    request.tangent = &K;
    request.dv_scale = 0;
    request.dq_scale = 1;
    term->evaluate(request);
    by_rate = C.dense();
    by_place = K.dense();
  }
};

TEST(StrainRate, OneTetHasTheForcesPowerAndTracesOfTheReferenceInTheGreenStrain) {
  Vector expected(12);
  expected << -7.776666666667, 3.822916666667, 4.724166666667, -1.706666666667, 3.155833333333, 6.616666666667,
      3.864166666667, -4.484166666667, -4.981666666667, 5.619166666667, -2.494583333333, -6.359166666667;
  const ReferenceTet exact({StrainMetric::green, RateTangent::exact, {}}),
      clamped({StrainMetric::green, RateTangent::symmetric, {}});
  EXPECT_NEAR(exact.power, 2 * 7.791979166667, 1e-10);
  EXPECT_LT((exact.force + expected).norm(), 1e-10);
  EXPECT_NEAR(exact.by_rate.trace(), 153.625, 1e-10);
  EXPECT_NEAR(exact.by_place.trace(), 42.233333333333, 1e-10);
  EXPECT_GT((exact.by_place - exact.by_place.transpose()).norm(), 1);
  EXPECT_NEAR(clamped.by_place.trace(), 57.466934673035, 1e-9);
  EXPECT_LT((clamped.by_place - clamped.by_place.transpose()).norm(), 1e-12);
  EXPECT_LT((clamped.force - exact.force).norm() + (clamped.by_rate - exact.by_rate).norm(), 1e-12);
}

TEST(StrainRate, OneTetHasTheForcesPowerAndTracesOfTheReferenceInTheCorotationalStrain) {
  Vector expected(12);
  expected << -4.991070573647, 3.807364436237, 2.809367448118, -1.517726114037, 2.692440463799, 4.143665479807,
      3.201921988908, -4.928040665051, -3.641901811854, 3.306874698776, -1.571764234985, -3.311131116072;
  const ReferenceTet tet({StrainMetric::corotational, RateTangent::exact, {}});
  EXPECT_NEAR(tet.power, 2 * 5.611023634600, 1e-10);
  EXPECT_LT((tet.force + expected).norm(), 1e-10);
  EXPECT_NEAR(tet.by_rate.trace(), 107.515457932471, 1e-9);
  EXPECT_NEAR(tet.by_place.trace(), 10.03198594, 1e-7);
}

TEST(StrainRate, APowerLawHasItsViscosityAtTheReferenceRateAndFallsOrRisesAsAsked) {
  // A bar of one tet sheared at the rate g: e has the components g/2 off the diagonal, r = g, P : Fdot = mu a(g) g^2.
  const TinyMesh mesh = unit_tet();
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  const Vector X = mesh.rest(), xi;
  for (const double exponent : {0.5, 1.0, 2.0})
    for (const double rate : {0.5, 3.0, 12.0}) {
      const auto term = make_strain_rate("tet", batch, PartwiseValue(20.0), PartwiseValue(0.0),
                                         {StrainMetric::green, RateTangent::exact, {exponent, 3.0}});
      Vector v = Vector::Zero(12);
      for (int i = 0; i < 4; ++i) v[3 * i] = rate * X[3 * i + 1];
      const DissipationRequest request{X, v, xi, 0.01, nullptr};
      const double volume = 1.0 / 6, wanted = volume * 20 * std::pow(rate / 3, exponent - 1) * rate * rate;
      EXPECT_NEAR(term->evaluate(request), wanted, 2e-5 * wanted) << exponent << " " << rate;
    }
}

TEST(StrainRate, FactorsOfACurveOverTheRateAreParameters) {
  StrainRateOptions falling, other;
  falling.draw({{0.1, 1.0}, {5, 0.6}});
  other.draw({{0.1, 1.5}, {5, 1.3}});
  const std::vector<double> values = {20, 30, 1.5, 1.3};
  const ReferenceTet now(falling, values), wanted(other), before(falling);
  EXPECT_GT((now.force - before.force).norm(), 0.1 * before.force.norm());
  EXPECT_EQ((now.force - wanted.force).norm(), 0);
}

TEST(StrainRate, AtRestItIsRayleighDampingOfTheStiffness) {
  const TinyMesh mesh = with_mid_nodes(kuhn_bar(2, 1, 1, 0.3));
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 10, 0);
  constexpr double beta = 0.02, lambda = 3000, mu = 2000;
  const auto elastic = make_isotropic("bar", batch, IsotropicLaw::stvk, {Isotropic::from_lame(lambda, mu)});
  const auto count = static_cast<std::size_t>(batch->num_tets());
  const auto term =
      make_strain_rate("bar", batch, std::vector<double>(count, beta * mu), std::vector<double>(count, beta * lambda));
  PatternBuilder couplings;
  term->couple(couplings);
  const auto pattern = couplings.build(3, static_cast<int>(mesh.X.size()));
  term->bind(*pattern);
  const Vector X = mesh.rest(), v = Vector::Zero(X.size()), xi;
  BlockMatrix C(pattern), K(pattern);
  DissipationRequest request{X, v, xi, 0.01, nullptr};
  request.tangent = &C;
  request.dv_scale = 1;
  request.dq_scale = 1;  // zero here, as v is
  term->evaluate(request);
  EnergyRequest energy{X};
  energy.hessian = &K;
  elastic->evaluate(energy);
  ASSERT_GT(K.dense().norm(), 1);
  EXPECT_LT((C.dense() - beta * K.dense()).norm(), 1e-13 * beta * K.dense().norm());
}

TEST(StrainRate, ASpinningBodyKeepsItsAngularMomentumAndComesToRestInItself) {
  const Bar16 bar(strain_rate(2, 1)), undamped;
  const Vector q = bar.system->rest(), v = bar.spinning_v();
  State state = start_at(*bar.system, q, v), free = start_at(*undamped.system, q, v);
  ASSERT_TRUE(run_steps(*bar.system, *stepper_named("IM", 1e-12), state, Bar16::h, 50));
  ASSERT_TRUE(run_steps(*undamped.system, *stepper_named("IM", 1e-12), free, Bar16::h, 50));
  EXPECT_LT((bar.angular_momentum(state.q, state.v) - bar.angular_momentum(q, v)).norm(), 1e-9);
  EXPECT_LT(energies(*bar.system, state).total(), 0.995 * energies(*undamped.system, free).total());
}

TEST(StrainRate, ViscositiesThatCouldCreateEnergyAreRefused) {
  EXPECT_THROW(Bar16(strain_rate(-1, 1)), Error);
  EXPECT_THROW(Bar16(strain_rate(0.3, -0.21)), Error);
  EXPECT_THROW(Bar16(strain_rate(std::nan(""), 0)), Error);
  for (const formula::PowerLaw& power : {formula::PowerLaw{0, 1}, {-1, 1}, {0.5, 0}, {std::nan(""), 1}})
    EXPECT_THROW(Bar16(strain_rate(1, 1, {StrainMetric::green, RateTangent::exact, power})), Error);
  EXPECT_THROW(Bar16(strain_rate(0.3, -0.1, {StrainMetric::green, RateTangent::exact, {0.5, 1}})), Error)
      << "the shear viscosity of a thinning law may become smaller than any";
}

}  // namespace
}  // namespace dashpot::testing::test_strain_rate
