// The chain CH5 with damping examples in time: reference solutions of the ODE and of Bathe's rule at h = .01 (reference
// ABCE, end of table A6), order of convergence, and an energy ledger that closes.
#include <gtest/gtest.h>

#include "unit/dissipation/example_chain.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_example_damping {
namespace {

struct Case {
  const char* name;
  GainInput input;
  double u[5], energy, bathe;
};

const Case cases[] = {
    {"constant",
     GainInput::constant,
     {-.072324744438, -.157091952299, -.253909078212, -.301294676286, -.256136315991},
     1.6360413296,
     -.255950068642},
    {"displacement",
     GainInput::displacement,
     {-.067699268035, -.13919169234, -.261354683648, -.289719623536, -.201603490238},
     1.7542773615,
     -.201435546464},
    {"velocity",
     GainInput::velocity,
     {-.039342262297, -.102112230539, -.180701748141, -.196773348577, -.129577438501},
     .9543443563,
     -.129418102117},
};

ExampleChain designed_chain(GainInput input) {
  ExampleBasedOptions options = with_coupling(Coupling::nonnegative);
  options.input = input;
  const auto curve = math::GainCurve::through({{0, 0.1}, {.1, std::pow(10.0, .3)}, {.3, std::pow(10.0, .8)}},
                                              math::GainCurve::Kind::linear);
  const bool constant = input == GainInput::constant;
  return ExampleChain(chain_examples().leftCols(2),
                      constant ? constant_gains({.2, 5}) : std::vector<math::GainCurve>{curve, curve}, options);
}

State run_to_one(const System& system, int steps) {
  State state = start_at(system, 0.1 * numbers({1, 2, 3, 4, 5}), numbers({0, 1, 0, -1, 0}));
  EXPECT_NEAR(energies(system, state).total(), 2.75, 1e-12);
  const auto stepper = stepper_named("Bathe", 1e-12);
  EXPECT_TRUE(run_steps(system, *stepper, state, 1.0 / steps, steps));
  return state;
}

TEST(ExampleDamping, BatheReproducesTheReferenceAndConvergesToTheSolutionOfTheEquation) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const ExampleChain chain = designed_chain(one.input);
    EXPECT_TRUE(chain.system->is_symmetric());  // its sparse part
    const State coarse = run_to_one(*chain.system, 100);
    EXPECT_NEAR(coarse.q[4], one.bathe, 1e-10);
    const State fine = run_to_one(*chain.system, 200);
    double error[2] = {}, size = 0;
    for (int i = 0; i < 5; ++i) {
      // Richardson's extrapolation of a second-order method.
      EXPECT_NEAR((4 * fine.q[i] - coarse.q[i]) / 3, one.u[i], 2e-6);
      error[0] = std::max(error[0], std::abs(coarse.q[i] - one.u[i]));
      error[1] = std::max(error[1], std::abs(fine.q[i] - one.u[i]));
      size = std::max(size, std::abs(one.u[i]));
    }
    ASSERT_GT(error[1], 1e-6 * size);
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.06);
    EXPECT_NEAR(energies(*chain.system, fine).total(), one.energy, 2e-3 * one.energy);
  }
}

TEST(ExampleDamping, TheLedgerBooksTheLossInOneColumn) {
  for (const Case& one : cases) {
    const ExampleChain chain = designed_chain(one.input);
    ASSERT_EQ(chain.system->dissipations().size(), 1u);
    EXPECT_EQ(chain.system->dissipations()[0]->model(), "example_based");
    State state = start_at(*chain.system, 0.1 * numbers({1, 2, 3, 4, 5}), numbers({0, 1, 0, -1, 0}));
    NewtonOptions newton;
    newton.tolerance = 1e-12;
    const auto stepper = make_stepper("midpoint", newton, {});
    Workspace workspace = chain.system->make_workspace();
    double lost = 0;
    const double before = energies(*chain.system, state).total();
    for (int i = 0; i < 100; ++i) lost += stepper->step(*chain.system, state, workspace, 0.01).work.damping[0];
    ASSERT_GT(lost, 0.5);
    EXPECT_NEAR(before - energies(*chain.system, state).total(), lost, 1e-9);  // the midpoint rule loses nothing itself
  }
}

}  // namespace
}  // namespace dashpot::testing::test_example_damping
