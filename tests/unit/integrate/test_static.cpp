#include <gtest/gtest.h>

#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/generate.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_static {
namespace {

ElasticBodyOptions hanging(IsotropicLaw law) {
  ElasticBodyOptions options;
  options.law = law;
  options.material = {1e5, 0.0};
  options.gravity = Vec3(9.81, 0, 0);
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  return options;
}

TEST(StaticEquilibrium, AColumnUnderItsOwnWeightStretchesAsTheoryAtZeroPoisson) {
  const double length = 1, density = 1000, young = 1e5;
  const auto system = elastic_body(make_bar(Vec3(length, 0.1, 0.1), {40, 1, 1}), hanging(IsotropicLaw::linear));
  State state = system->initial_state();
  const StaticReport report = solve_static(*system, state, {}, {});
  ASSERT_TRUE(report.converged) << report.explanation;
  double tip = 0;
  for (int i = 0; i < system->num_dofs(); i += 3) tip = std::max(tip, state.q[i] - length);
  const double theory = density * 9.81 * length * length / (2 * young);
  EXPECT_NEAR(tip, theory, 2e-3 * theory);
}

TEST(StaticEquilibrium, LargeSagOfANonlinearCantileverBalancesAllForces) {
  ElasticBodyOptions options = hanging(IsotropicLaw::stable_neo_hookean);
  options.gravity = Vec3(0, -9.81, 0);
  options.material = {1e5, 0.4};
  const auto system = elastic_body(make_bar(Vec3(1, 0.1, 0.1), {16, 2, 2}), options);
  State state = system->initial_state();
  const StaticReport report = solve_static(*system, state, {}, {});
  ASSERT_TRUE(report.converged) << report.explanation;
  EXPECT_LT(report.residual, 1e-8);
  double lowest = 0;
  for (int i = 1; i < system->num_dofs(); i += 3) lowest = std::min(lowest, state.q[i]);
  EXPECT_LT(lowest, -0.3) << "the sag must be large for the test to mean something";
  Workspace workspace = system->make_workspace();
  ASSERT_TRUE(make_consistent(*system, state, workspace));
  EXPECT_LT(state.a.lpNorm<Eigen::Infinity>(), 1e-4 * 9.81) << "released from equilibrium, nothing moves";
}

TEST(StaticEquilibrium, APinnedBodyThatNothingActsOnIsAtRestWhateverItsForcesOfRoundOff) {
  for (const IsotropicLaw law : {IsotropicLaw::linear, IsotropicLaw::stable_neo_hookean, IsotropicLaw::corotational}) {
    ElasticBodyOptions options = hanging(law);
    options.gravity = Vec3::Zero();
    options.material = {1e5, 0.4};
    const auto system = elastic_body(make_bar(Vec3(1, 0.1, 0.1), {8, 2, 2}), options);
    State state = system->initial_state();
    const StaticReport report = solve_static(*system, state, {}, {});
    ASSERT_TRUE(report.converged) << report.explanation;
    EXPECT_LT((state.q - system->rest()).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(StaticEquilibrium, AFreeBodyUnderGravityHasNoneAndTheReportSaysSo) {
  ElasticBodyOptions options = hanging(IsotropicLaw::stvk);
  options.is_pinned = nullptr;
  const auto system = elastic_body(make_bar(Vec3(1, 0.1, 0.1), {4, 1, 1}), options);
  State state = system->initial_state();
  const Vector before = state.q;
  StaticOptions limited;
  limited.max_iterations = 30;
  const StaticReport report = solve_static(*system, state, {}, limited);
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.explanation.empty());
  EXPECT_EQ((state.q - before).norm(), 0);
}

}  // namespace
}  // namespace dashpot::testing::test_static
