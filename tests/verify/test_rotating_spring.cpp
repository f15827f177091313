// A mass on a spring that is thrown sideways [reference ABCE, section 2.3]: what is left of its kinetic energy after 10
// s with strain-rate and with Rayleigh damping, by several integrators.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/record/run.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::testing::test_rotating_spring {
namespace {

constexpr double mass = 1, length = 2, stiffness = 50, speed = 20;  // [kg], [m], [N/m], [m/s]

struct End {
  double kinetic = 0, H = 0, radius = 0;
};

End end_of(const std::string& damping, const char* stepper, double dt) {
  CompiledScene scene = compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "gravity": [0, 0, 0], "time": {{"dt": {}, "end": 10, "stepper": "{}"}},
    "solver": {{"newton": {{"tolerance": 1e-12}}}},
    "bodies": [{{"name": "spring", "mesh": {{"chain": {{"ends": [[0, 0, 0], [{}, 0, 0]], "edges": 1}}}},
      "springs": [{{"stiffness": {}}}], "point_masses": [{{"mass": {}}}], "damping": [{}],
      "pins": [{{"where": {{"vertices": [0]}}}}],
      "start": {{"from": "rest", "velocity": [0, {}, 0]}}}}]}})",
                                                        dt, stepper, length, stiffness, mass, damping, speed)));
  const auto integrator = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, scene.start);
  State last;
  RunHooks hooks;
  hooks.on_record = [&](const State& state) { last = state; };
  EXPECT_EQ(run(*scene.system, scene.start, *integrator, ledger, scene.run, hooks).status, RunStatus::finished);
  const Vec3 x = last.q.tail<3>() - last.q.head<3>(), v = last.v.tail<3>();
  return {mass * v.squaredNorm() / 2, mass * x.cross(v).z(), x.norm()};
}

std::string strain_rate(double beta) { return fmt::format(R"({{"model": "strain_rate", "beta": {}}})", beta); }
std::string rayleigh(double beta) {
  return fmt::format(R"({{"model": "rayleigh", "beta": {}, "stiffness": "projected_tangent"}})", beta);
}

struct Row {
  double beta, exact, symplectic_euler, trapezoid, backward_euler;
};

TEST(RotatingSpring, HasTheKineticEnergiesOfTheReferenceWithStrainRateDamping) {
  for (const Row& row : {Row{.01, 84.701496201, 84.381466400, 84.8531581, 16.977},
                         Row{.05, 83.928931914, 84.315517336, 83.8803855, 17.091},
                         Row{.15, 83.928675522, 85.056695789, 83.8801237, 16.862}}) {
    SCOPED_TRACE(row.beta);
    const std::string damping = strain_rate(row.beta);
    EXPECT_NEAR(end_of(damping, "sdirk3", 1e-3).kinetic, row.exact, 1e-6 * row.exact);
    const End explicit_end = end_of(damping, "symplectic_euler", 0.01);
    EXPECT_NEAR(explicit_end.kinetic, row.symplectic_euler, 1e-6 * row.symplectic_euler);
    EXPECT_NEAR(explicit_end.H, 40, 1e-9 * 40);
    EXPECT_NEAR(end_of(damping, "trapezoid", 0.01).kinetic, row.trapezoid, 1e-4 * row.trapezoid);
    EXPECT_NEAR(end_of(damping, "backward_euler", 0.01).kinetic, row.backward_euler, 1e-4 * row.backward_euler);
  }
}

// The damping matrix of Rayleigh damping is held over a step: explicit steps are those of the reference, and small ones
// come to its solution; up to the moments in which a weakly damped spring is shorter than at rest, where the stiffness
// of the reference has a negative eigenvalue (its damping creates energy) and ours is projected.
TEST(RotatingSpring, IsBrakedByRayleighDampingAsInTheReference) {
  for (const Row& row : {Row{.01, 16.167623812, 16.385919061, 0, 0}, Row{.05, 2.575525282, 2.603227575, 0, 0},
                         Row{.15, .713080671, .739187030, 0, 0}}) {
    SCOPED_TRACE(row.beta);
    EXPECT_NEAR(end_of(rayleigh(row.beta), "symplectic_euler", 0.01).kinetic, row.symplectic_euler,
                1e-3 * row.symplectic_euler);
    EXPECT_NEAR(end_of(rayleigh(row.beta), "midpoint", 1e-3).kinetic, row.exact, 0.01 * row.exact);
  }
}

TEST(RotatingSpring, EndsOnTheCircleOfItsAngularMomentum) {
  const End end = end_of(strain_rate(0.15), "midpoint", 1e-3);
  EXPECT_NEAR(end.radius, 3.087378025384, 1e-5);
  EXPECT_NEAR(end.kinetic, 83.928675521416, 1e-3);
  EXPECT_NEAR(end.H, 40, 1e-9);
}

}  // namespace
}  // namespace dashpot::testing::test_rotating_spring
