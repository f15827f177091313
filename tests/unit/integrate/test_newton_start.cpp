// A load let go at large deflection: extrapolated positions lie behind inverted elements, next to spurious solutions
// (docs/design/0003). Newton must find the one that continues the motion.

#include <gtest/gtest.h>

#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/generate.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_newton_start {
namespace {

TEST(NewtonStart, AReleasedStvkBeamDoesNotJumpToASpuriousSolution) {
  ElasticBodyOptions options;
  options.material = {1e6, 0.3};
  options.lumped = false;
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  const auto system = elastic_body(make_bar(Vec3(1, 0.1, 0.1), {16, 2, 2}), options);
  State state = system->initial_state();
  Vector load = Vector::Zero(system->num_dofs());
  for (int i = 0; i < system->num_dofs(); i += 3)
    if (system->rest()[i] > 0.999) load[i + 1] = -30.0 / 9;  // [N] on each of the nine nodes of the tip
  ASSERT_TRUE(solve_static(*system, state, load, {}).converged);
  Workspace workspace = system->make_workspace();
  ASSERT_TRUE(make_consistent(*system, state, workspace));
  const double energy = energies(*system, state).total();
  ASSERT_GT(energy, 1);

  const auto stepper = make_stepper({"generalized_alpha", {{"rho_inf", 0.5}}}, {}, {});
  int iterations = 0;
  for (int i = 0; i < 10; ++i) {
    const StepReport report = stepper->step(*system, state, workspace, 0.05);
    ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
    iterations += report.newton_iterations;
    ASSERT_LT(report.end.total(), 1.1 * energy);
  }
  EXPECT_LT(iterations, 80);
}

}  // namespace
}  // namespace dashpot::testing::test_newton_start
