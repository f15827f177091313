// What Newton's method saves without changing what counts as converged: digits of the linear solver that no one
// needs, and tangents that would differ too little from the last.

#include <gtest/gtest.h>

#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/generate.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_newton_economy {
namespace {

struct Counts {
  int newton = 0, factorizations = 0, linear = 0;
  Vector q;
};

/// A bar let go from a large deflection, by Bathe's rule.
Counts swing(double tolerance, LinearSolverKind kind) {
  ElasticBodyOptions options;
  options.material = {1e6, 0.3};
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  const auto system = elastic_body(make_bar(Vec3(1, 0.1, 0.1), {16, 2, 2}), options);
  State state = system->initial_state();
  Vector load = Vector::Zero(system->num_dofs());
  for (int i = 0; i < system->num_dofs(); i += 3)
    if (system->rest()[i] > 0.999) load[i + 1] = -30.0 / 9;  // [N]
  Counts counts;
  EXPECT_TRUE(solve_static(*system, state, load, {}).converged);
  Workspace workspace = system->make_workspace();
  EXPECT_TRUE(make_consistent(*system, state, workspace));
  NewtonOptions newton;
  newton.tolerance = tolerance;
  LinearSolverOptions linear;
  linear.kind = kind;
  const auto stepper = make_stepper("bathe", newton, linear);
  for (int i = 0; i < 20; ++i) {
    const StepReport report = stepper->step(*system, state, workspace, 0.005);
    EXPECT_EQ(report.status, StepStatus::ok) << report.explanation;
    EXPECT_LE(report.residual, tolerance);
    counts.newton += report.newton_iterations;
    counts.factorizations += report.factorizations;
    counts.linear += report.linear_iterations;
  }
  counts.q = state.q - system->rest();
  return counts;
}

TEST(NewtonEconomy, ALastIterationKeepsTheTangentAndTheMotionStaysWithinTheTolerance) {
  const Counts exact = swing(3e-11, LinearSolverKind::eigen_cholesky);
  ASSERT_GT(exact.q.norm(), 0.1);
  for (const LinearSolverKind kind : {LinearSolverKind::eigen_cholesky, LinearSolverKind::conjugate_gradient}) {
    const Counts counts = swing(1e-8, kind);
    EXPECT_LT(counts.factorizations, counts.newton) << to_string(kind);
    EXPECT_LE(counts.newton, exact.newton) << to_string(kind);
    EXPECT_LT((counts.q - exact.q).norm(), 1e-6 * exact.q.norm()) << to_string(kind);
  }
}

TEST(NewtonEconomy, ConjugateGradientsStopWhereNewtonIsContentAndCostNoIterationOfNewton) {
  const Counts direct = swing(1e-6, LinearSolverKind::eigen_cholesky),
               iterative = swing(1e-6, LinearSolverKind::conjugate_gradient);
  const Counts fine = swing(1e-10, LinearSolverKind::conjugate_gradient);
  ASSERT_GT(iterative.linear, 0);
  EXPECT_LE(iterative.newton, direct.newton);
  EXPECT_LT(iterative.linear * fine.newton, 0.8 * fine.linear * iterative.newton);  // fewer for each direction
}

}  // namespace
}  // namespace dashpot::testing::test_newton_economy
