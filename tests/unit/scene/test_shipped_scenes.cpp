// Every shipped scene asserts a number.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/source_folder.hpp"

namespace dashpot::test_shipped_scenes {
namespace {

CompiledScene shipped(const std::string& name, const std::vector<SceneOverride>& changes = {}) {
  return compile(load_scene(source_folder() + "/scenes/" + name + ".json", changes));
}

/// Displacement of a probe's first point from rest [m].
Vec3 displacement(const CompiledScene& scene, const State& state, std::size_t probe) {
  const int i = 3 * scene.run.probes[probe].points[0];
  return (state.q - scene.system->rest()).segment<3>(i);
}

struct Outcome {
  State end;
  std::vector<double> damping;  ///< [J]
  double external = 0, initial = 0, total = 0;
  Vec3 largest = Vec3::Zero();  ///< largest displacement of the last probe along each axis [m]
};

Outcome play(const CompiledScene& scene, double until) {
  Outcome outcome;
  outcome.end = scene.start;
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, outcome.end);
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  settings.end = until;
  RunHooks hooks;
  hooks.on_record = [&](const State& state) {
    outcome.largest = outcome.largest.cwiseMax(displacement(scene, state, scene.run.probes.size() - 1).cwiseAbs());
  };
  const RunResult result = run(*scene.system, outcome.end, *stepper, ledger, settings, hooks);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  EXPECT_LT(std::abs(ledger.solver()), 1e-6 * ledger.energy_scale());
  outcome.damping = ledger.damping();
  outcome.external = ledger.external();
  outcome.initial = ledger.initial_energy();
  outcome.total = ledger.total_energy();
  return outcome;
}

TEST(ShippedScenes, TheCantileverBendsAndSwingsAsBeamTheorySays) {
  const CompiledScene scene = shipped("cantilever");
  const double EI = 4e6 * 1e-4 / 12, rho_A = 10;
  const double bent = displacement(scene, scene.start, 0).y();
  EXPECT_NEAR(bent, 1 / (3 * EI), 0.03 / (3 * EI)) << "F L^3 / 3 E I";
  const double f = 1.8751 * 1.8751 / (2 * std::numbers::pi) * std::sqrt(EI / rho_A);
  EXPECT_NEAR(f, 1.02, 0.01);
  const Outcome half = play(scene, 0.5 / f);
  EXPECT_NEAR(displacement(scene, half.end, 0).y(), -bent * std::exp(-0.02 * std::numbers::pi), 0.05 * bent)
      << "on the other side after half a period, 2 % damping";
}

TEST(ShippedScenes, FourBeamsBendAlikeAndLoseEnergyEachInItsWay) {
  const CompiledScene scene = shipped("beam_ring");
  for (std::size_t probe = 1; probe < 4; ++probe)
    EXPECT_NEAR(displacement(scene, scene.start, probe).y(), displacement(scene, scene.start, 0).y(), 1e-9);
  const double EI = 20e6 * 0.16 * std::pow(0.08, 3) / 12;
  EXPECT_NEAR(displacement(scene, scene.start, 0).y(), -40 / (3 * EI), 0.08 * 40 / (3 * EI)) << "F L^3 / 3 E I";
  ASSERT_EQ(scene.dampings.size(), 3U);
  const Outcome outcome = play(scene, 0.4);
  ASSERT_EQ(outcome.damping.size(), 3U);
  for (const double lost : outcome.damping) EXPECT_GT(lost, 0.01 * outcome.initial);
}

TEST(ShippedScenes, SpringsAndFreeFlightLeaveNextToNothingToTheSolver) {
  for (const char* name : {"spring_chain", "spinning_bar"}) {
    SCOPED_TRACE(name);
    const Outcome outcome = play(shipped(name), 0.5);  // play() asserts the solver's share
    EXPECT_GT(outcome.initial + std::abs(outcome.external), 0);
  }
}

TEST(ShippedScenes, ThePlateRestsUntilItIsTapped) {
  const CompiledScene scene = shipped("plate");
  EXPECT_LT(displacement(scene, scene.start, 0).y(), -0.02) << "it sags";
  EXPECT_LT(scene.start.a.cwiseAbs().maxCoeff(), 0.01 * 9.81) << "and does not move";
  const Outcome quiet = play(scene, 0.04), tapped = play(scene, 0.15);
  EXPECT_LT(std::abs(quiet.external), 1e-12);
  EXPECT_GT(tapped.external, 1e-3);
  EXPECT_LT(displacement(scene, tapped.end, 0).y(), displacement(scene, quiet.end, 0).y() - 1e-3);
}

TEST(ShippedScenes, ASupportThatShakesNearResonanceDrivesTheTipFarBeyondItself) {
  const CompiledScene scene = shipped("base_excitation");
  const Outcome outcome = play(scene, 3);
  EXPECT_GT(outcome.largest.y(), 0.02) << "four times the 5 mm of the clamp";
  EXPECT_LT(outcome.largest.y(), 0.2);
  EXPECT_GT(outcome.external, 0) << "the support feeds it";
}

TEST(ShippedScenes, TheSoftBeamFallsByMoreThanHalfItsLength) {
  const Outcome outcome = play(shipped("large_deformation"), 0.7);
  EXPECT_GT(outcome.largest.y(), 0.5);
  EXPECT_LT(outcome.total, outcome.initial);
}

TEST(ShippedScenes, TheShirtIsPutOnAndStaysOn) {
  CompiledScene scene = shipped("walking_shirt", {{"/bodies/0/mesh/shape/tets", "1200"}, {"/time/dt", "0.005"}});
  scene.run.end = 0.9;
  const RunResult result = simulate(scene);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  const Table hem = result.probe("hem"), neck = result.probe("neck");
  EXPECT_NEAR(hem.column("hem.y").back(), 0.86, 0.05) << "cut to reach the hips";
  EXPECT_NEAR(neck.column("neck.y").back(), 1.5, 0.06) << "held by the shoulders";
  EXPECT_GT(result.final_value("friction"), 0);
}

TEST(ShippedScenes, TheFreePartOfAWaggingTailSwingsFurtherThanTheDrivenPart) {
  const CompiledScene scene = shipped("secondary_motion");
  const Outcome outcome = play(scene, 2.25);  // at the middle of a cycle the joints are straight and fastest
  const Vec3 root = displacement(scene, outcome.end, 0);
  EXPECT_NEAR(root.norm(), 0, 1e-12) << "the skin is where the track says";
  EXPECT_GT(outcome.largest.z(), 0.1) << "the tip, whose bones would swing by some 16 cm if they were stiff";
  EXPECT_LT(outcome.largest.z(), 0.5);
  EXPECT_GT(outcome.external, 0.01) << "the joints do the work";
  EXPECT_GT(outcome.damping[0], 0.01 * outcome.external);
}

TEST(ShippedScenes, TheElephantWalksOneStrideAndItsTrunkSwingsFreely) {
  const CompiledScene scene = shipped("elephant_walk", {{"/bodies/0/mesh/shape/tets", "2000"}});
  const Outcome outcome = play(scene, 1.2);
  EXPECT_NEAR(displacement(scene, outcome.end, 0).z(), 0.144, 0.003) << "a stride of the driven torso";
  EXPECT_GT(outcome.largest.x(), 0.02) << "sway of the trunk's tip, which nothing drives";
  EXPECT_LT(outcome.largest.x(), 0.2);
  EXPECT_GT(outcome.damping[0], 0.01 * outcome.external);
}

TEST(ShippedScenes, APlankOnRopesSwingsAsAPendulum) {
  const CompiledScene scene = shipped("plank_on_ropes");
  ASSERT_EQ(scene.system->ties().size(), 2);
  const Outcome outcome = play(scene, 1.0);
  EXPECT_NEAR(outcome.largest.z(), 0.5 * std::sqrt(1.02 / 9.81), 0.015) << "v sqrt(L / g)";
  EXPECT_EQ(outcome.external, 0) << "ties do no work";
  EXPECT_LT(outcome.total, outcome.initial);
  EXPECT_GT(outcome.total, outcome.initial - 0.1) << "of 0.36 J of swing";
}

TEST(ShippedScenes, TheDroppedBallBouncesLowerAndNeverPassesTheFloor) {
  const CompiledScene scene = shipped("ball_drop");
  ASSERT_EQ(scene.contacts.size(), 1U);
  State state = scene.start;
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, state);
  double lowest = 1, top = 0;
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  settings.end = 1.25;
  settings.record_every = 0;
  RunHooks hooks;
  hooks.on_record = [&](const State& now) {
    for (Eigen::Index i = 1; i < now.q.size(); i += 3) lowest = std::min(lowest, now.q[i]);
    if (now.time > 0.8) top = std::max(top, now.q[3 * scene.run.probes[0].points[0] + 1]);
  };
  const RunResult result = run(*scene.system, state, *stepper, ledger, settings, hooks);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  EXPECT_LT(lowest, 0) << "it did hit the floor";
  EXPECT_GT(lowest, -0.01) << "6.3 m/s, a ball of 20 cm";
  EXPECT_GT(top, 0.6);
  EXPECT_LT(top, 1.6) << "dropped from 2.1 m";
  const double fall = scene.bodies[0].mass * 9.81 * 2;
  EXPECT_GT(ledger.contact(), 0.08 * fall) << "the ledger shows what the floor took";
  EXPECT_LT(std::abs(ledger.numerical()), 0.5 * ledger.contact());
  EXPECT_LT(ledger.contact() + ledger.damping()[0], fall);
}

TEST(ShippedScenes, TheSneakerTakesExplicitStepsThatOnlyItsDampingAllows) {
  const CompiledScene scene = shipped("sneaker_drop", {{"/bodies/0/mesh/tets", "500"}, {"/time/end", "0.4"}});
  const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
  const double dt = 1.3 * limit.dt_without_filters;
  EXPECT_GT(limit.dt, dt);
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  settings.dt = dt;
  State state = scene.start;
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, state);
  const RunResult result = run(*scene.system, state, *stepper, ledger, settings);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  const double fall = scene.bodies[0].mass * 9.81 * 0.3;
  EXPECT_GT(ledger.damping().back(), 0.01 * fall);
  EXPECT_LT(std::abs(ledger.numerical()), 0.3 * fall);
}

TEST(ShippedScenes, TheSneakerWithoutItsDampingDoesNotSurviveTheSameSteps) {
  // At two thirds of them it does: it is the steps that are too long.
  const std::vector<SceneOverride> changes{
      {"/bodies/0/mesh/tets", "500"}, {"/time/end", "0.4"}, {"/bodies/0/damping", "[]"}};
  const CompiledScene scene = shipped("sneaker_drop", changes);
  const double border = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper).dt;
  const double fall = scene.bodies[0].mass * 9.81 * 0.3;
  for (const double steps : {0.9, 1.3}) {
    RunSettings settings = scene.run;
    settings.keep_frames = false;
    settings.dt = steps * border;
    State state = scene.start;
    const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
    EnergyLedger ledger(*scene.system, state);
    const RunResult result = run(*scene.system, state, *stepper, ledger, settings);
    const bool survives = result.status == RunStatus::finished && -ledger.numerical() < fall;
    EXPECT_EQ(survives, steps < 1) << steps << " times the border: " << result.explanation << ledger.numerical() / fall;
  }
}

TEST(ShippedScenes, TheSneakersStepsAreHalfAgainAsLongAsItCouldTakeUndamped) {
  const CompiledScene scene = shipped("sneaker_drop", {});
  const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
  EXPECT_GT(scene.run.dt, 1.4 * limit.dt_without_filters);
  EXPECT_LT(scene.run.dt, 1.7 * limit.dt_without_filters);
  EXPECT_LT(scene.run.dt, limit.dt);
}

TEST(ShippedScenes, TheKoalaFallsFromTenTimesItsHeightAndComesToRestOnTheFloor) {
  const CompiledScene scene = shipped("koala_drop", {{"/bodies/0/mesh/tets", "700"}});
  State state = scene.start;
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, state);
  double lowest = 1;
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  settings.end = 7;  // a coarser body tumbles and rocks for longer
  settings.record_every = 0;
  RunHooks hooks;
  hooks.on_record = [&](const State& now) {
    for (Eigen::Index i = 1; i < now.q.size(); i += 3) lowest = std::min(lowest, now.q[i]);
  };
  const RunResult result = run(*scene.system, state, *stepper, ledger, settings, hooks);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  EXPECT_LT(lowest, 0) << "it did hit the floor";
  EXPECT_GT(lowest, -0.06) << "8.6 m/s, a body of 38 cm: no node came near the middle of another side";
  const double fall = scene.bodies[0].mass * 9.81 * 3.8;
  EXPECT_LT(scene.system->inertia().kinetic_energy(state.q, state.v), 1e-4 * fall) << "it lies still";
  EXPECT_GT(ledger.contact(), 0.05 * fall) << "the ledger shows what the floor took";
  const double taken = ledger.contact() + ledger.damping()[0] + ledger.numerical() + ledger.solver();
  EXPECT_NEAR(taken, ledger.initial_energy() - ledger.total_energy(), 1e-9 * fall) << "and closes";
  EXPECT_LT(std::abs(ledger.solver()), 1e-6 * fall);
  EXPECT_NEAR(taken, fall, 0.06 * fall) << "all of the fall";
}

TEST(ShippedScenes, BlocksOnASlopeStickSlideAndRunAsTheirFrictionSays) {
  const CompiledScene scene = shipped("sliding_block");
  ASSERT_EQ(scene.contacts.size(), 3U);
  const double angle = 25 * std::numbers::pi / 180;
  const Vec3 down(std::cos(angle), -std::sin(angle), 0);
  const auto speed = [&](const State& state, std::size_t probe) {
    double sum = 0;
    for (const int point : scene.run.probes[probe].points) sum += state.v.segment<3>(3 * point).dot(down);
    return sum / static_cast<double>(scene.run.probes[probe].points.size());
  };
  const Outcome half = play(scene, 0.5), end = play(scene, 1.5);
  EXPECT_LT(std::abs(speed(end.end, 0)), 1e-3) << "creeps slower than its slip speed";
  for (const std::size_t probe : {1U, 2U}) {
    const double mu = probe == 1 ? 0.454 : 0.2, a = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_GT(a, 0.1);
    EXPECT_NEAR(speed(end.end, probe) - speed(half.end, probe), a * 1.0, 0.03 * a);
  }
}

TEST(ShippedScenes, ARopeBridgeLetGoSagsPastItsBalanceAndHangsOnItsTies) {
  const CompiledScene scene = shipped("rope_bridge");
  ASSERT_GE(scene.system->ties().size(), 14 * 3) << "seven planks, two ropes, a few nodes each";
  const Outcome outcome = play(scene, 0.3);
  EXPECT_GT(outcome.largest.y(), 0.10) << "the middle plank on its way down";
  EXPECT_LT(outcome.largest.y(), 0.40);
  EXPECT_LT(outcome.largest.z(), 0.005) << "both ropes carry alike";
  EXPECT_EQ(outcome.external, 0) << "nobody has stepped on it, and ties do no work";
  EXPECT_GT(outcome.damping[0], 0);
  EXPECT_LT(outcome.total, outcome.initial);
}

TEST(ShippedScenes, TwoBallsPartAgainWithAllTheirMomentum) {
  const CompiledScene scene = shipped("two_balls");
  ASSERT_EQ(scene.contacts.size(), 1u);
  const Outcome outcome = play(scene, 0.2);
  const double mass = scene.bodies[0].mass;
  const LinearAngular before = scene.system->inertia().momentum(scene.start.q, scene.start.v);
  const LinearAngular after = scene.system->inertia().momentum(outcome.end.q, outcome.end.v);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-7 * mass * 1.5);
  ASSERT_GT(before.angular.norm(), 0.1 * mass * 0.06 * 1.5);
  EXPECT_LT((after.angular - before.angular).norm(), 0.02 * before.angular.norm());
  const Vec3 left = outcome.end.v.segment<3>(3 * scene.run.probes[0].points[0]);
  EXPECT_LT(left.x(), 0.3) << "it came with 1.5 m/s and was turned";
  const double lost = outcome.damping.back();
  EXPECT_GT(lost, 0) << "friction";
  EXPECT_LT(lost, outcome.initial);
}

}  // namespace
}  // namespace dashpot::test_shipped_scenes
