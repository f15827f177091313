#include <gtest/gtest.h>

#include "dashpot/mesh/generate.hpp"
#include "support/damping_laws.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_laws {
namespace {

std::shared_ptr<const System> damped_bar(double alpha, double beta, StiffnessPart part,
                                         IsotropicLaw law = IsotropicLaw::stvk) {
  ElasticBodyOptions options;
  options.law = law;
  options.alpha = alpha;
  options.beta = beta;
  options.stiffness = part;
  return elastic_body(make_bar(Vec3(0.3, 0.1, 0.1), {3, 1, 1}), options);
}

TEST(RayleighLaws, MassProportional) { expect_dissipation_laws(*damped_bar(0.5, 0, StiffnessPart::rest), 0); }
TEST(RayleighLaws, RestStiffness) { expect_dissipation_laws(*damped_bar(0, 0.01, StiffnessPart::rest), 0); }
TEST(RayleighLaws, LaggedTangent) {
  expect_dissipation_laws(*damped_bar(0, 0.01, StiffnessPart::projected_tangent), 0);
}
TEST(RayleighLaws, GaussNewton) {
  for (const IsotropicLaw law : {IsotropicLaw::stvk, IsotropicLaw::corotational, IsotropicLaw::stable_neo_hookean})
    expect_dissipation_laws(*damped_bar(0, 0.01, StiffnessPart::gauss_newton, law), 0);
}
TEST(RayleighLaws, MassAndStiffnessTogether) {
  expect_dissipation_laws(*damped_bar(0.5, 0.01, StiffnessPart::gauss_newton), 0);
}

TEST(RayleighLaws, GaussNewtonDampingIsPassiveAlsoForInvertedElements) {
  DampingLawOptions options;
  options.deformation = 1.5;
  options.num_states = 300;
  expect_dissipation_laws(*damped_bar(0, 0.01, StiffnessPart::gauss_newton, IsotropicLaw::stvk), 0, options);
}

TEST(EtherDragLaws, TakesEnergyAndMomentumAtARateThatDoesNotDependOnTheStep) {
  ElasticBodyOptions options;
  options.ether_rate = 3;
  expect_filter_laws(*elastic_body(make_bar(Vec3(0.3, 0.1, 0.1), {3, 1, 1}), options), 0, true);
}

}  // namespace
}  // namespace dashpot::testing::test_laws
