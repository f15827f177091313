// Measures of the reproductions of paper A: of runs that failed, ended early or never moved they are no numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "dragon_mouth.hpp"
#include "four_balls.hpp"
#include "hidden_leaf.hpp"
#include "koala_rides.hpp"
#include "measures.hpp"
#include "realtime_koala.hpp"
#include "sitting_koala.hpp"
#include "static_specimens.hpp"
#include "step_timing.hpp"

namespace dashpot::cli::test_guarded_measures {
namespace {

const double nan = std::nan("");

TEST(KoalaTargets, AllCountNotOnlyThoseThatWereReached) {
  design::UnloadingDesign design;
  design.targets.resize(4);
  for (design::UnloadingReached& entry : design.targets) entry.error = 0.002;
  EXPECT_NEAR(worst_error(design), 0.2, 1e-12);
  design.targets[3].error = 0.4;
  design.targets[3].explanation = "unreachable";
  EXPECT_NEAR(worst_error(design), 40, 1e-12);
  design.targets[1].error = nan;
  EXPECT_TRUE(std::isnan(worst_error(design)));
  EXPECT_TRUE(std::isnan(worst_error({})));
}

/// Rings along z with 5 Hz and 5 % from 0.6 s on, until `end`.
RecordedRun ringing(double end) {
  RecordedRun motion;
  motion.scene.run.end = 2;
  motion.probes.resize(1);
  for (int i = 0; 0.004 * i <= end; ++i) {
    const double t = 0.004 * i, omega = 2 * M_PI * 5;
    motion.time.push_back(t);
    motion.probes[0].push_back(Vec3(0, 0, 0.01 * std::exp(-0.05 * omega * t) * std::cos(omega * t)));
  }
  motion.ledger.add_column("damping.bunny.example_based", "J");
  for (std::size_t i = 0; i < motion.time.size(); ++i) motion.ledger.values[0].push_back(1e-3 * static_cast<double>(i));
  return motion;
}

TEST(FourBalls, OfARunThatBlewUpHaveNoLateMotion) {
  const RecordedRun fine = ringing(2);
  EXPECT_NEAR(late_zeta(fine, 2), 0.05, 0.002);
  EXPECT_GT(late_motion(fine, 2), 1e-4);
  EXPECT_NEAR(least_work(fine), 1, 1e-9);
  RecordedRun failed = ringing(2);
  failed.diverged = true;
  for (const RecordedRun& motion : {failed, ringing(1.5)}) {
    EXPECT_TRUE(std::isnan(late_zeta(motion, 2)));
    EXPECT_TRUE(std::isnan(late_motion(motion, 2)));
    EXPECT_TRUE(std::isnan(least_work(motion)));
  }
}

TEST(RealtimeKoala, DeviatesByNoNumberWhereACourseFailedOrNothingMoved) {
  realtime::Measured measured{};
  measured.converged.belly = {0, 1, 2};
  measured.once.belly = {0, 1.5, 2};
  EXPECT_NEAR(measured.deviation(), 0.25, 1e-12);
  EXPECT_EQ(measured.largest_displacement(), 2);
  measured.once.belly = {0, 1};
  EXPECT_TRUE(std::isnan(measured.deviation())) << "a course that ended early";
  measured.once.belly = {0, nan, 2};
  EXPECT_TRUE(std::isnan(measured.deviation()));
  measured.once.belly = measured.converged.belly;
  measured.once.failed = true;
  EXPECT_TRUE(std::isnan(measured.deviation()));
  measured.once.failed = false;
  measured.once.belly = measured.converged.belly = {0, 0, 0};
  EXPECT_TRUE(std::isnan(measured.deviation()));
}

TEST(Rides, ThatEndEarlyHaveNoAmplitude) {
  rides::Played played;
  for (int i = 0; i <= 750; ++i) {
    played.time.push_back(0.004 * i);
    played.side.push_back(0.5 * std::cos(2 * M_PI * 6 * 0.004 * i));
  }
  EXPECT_TRUE(std::isnan(played.amplitude(played.side, 6)));
  played.is_complete = true;
  EXPECT_NEAR(played.amplitude(played.side, 6), 0.5, 0.01);
}

TEST(Recoveries, AreMeasuredToTheirEnd) {
  dragon::Recovery seen;
  seen.motion.scene.run.end = 1;
  seen.motion.probes.resize(2);
  for (int i = 0; i <= 10; ++i) {
    seen.motion.time.push_back(0.1 * i);
    seen.motion.probes[0].push_back(Vec3::Zero());
    seen.motion.probes[1].push_back(Vec3::Zero());
    seen.time.push_back(0.1 * i);
    seen.share.push_back(dragon::recovery(0.1 * i) + 0.01);
  }
  EXPECT_NEAR(seen.error(), 0.01, 1e-12);
  EXPECT_NEAR(seen.at(0.5), dragon::recovery(0.5) + 0.01, 1e-12);
  EXPECT_TRUE(std::isnan(seen.at(2)));
  EXPECT_TRUE(std::isnan(seen.error(2))) << "no picture is that late";
  std::vector<double> wanted = seen.share;
  wanted[3] += 0.11;
  EXPECT_NEAR(seen.error_against(wanted), 0.11 / std::sqrt(11), 1e-12);
  EXPECT_TRUE(std::isnan(seen.error_against({0.5}))) << "another number of pictures";
  seen.motion.diverged = true;
  EXPECT_TRUE(std::isnan(seen.error()));
  EXPECT_TRUE(std::isnan(seen.error_against(wanted)));
  EXPECT_TRUE(std::isnan(dragon::Recovery{}.half_time()));
}

TEST(HiddenLeaves, ArePredictedByTheirTurningPoints) {
  leaf::HiddenSwing swing{2, {1.6, 1.2, 1, 0.8, 0.6, 0.5}, {1.6, 1.3, 1, 0.8, 0.6, 0.5}};
  EXPECT_NEAR(swing.residual_error(), 0.1 / 1.2, 1e-12);
  EXPECT_NEAR(swing.peak_error(), 0.05, 1e-12);
  leaf::HiddenLeaf hidden;
  EXPECT_TRUE(std::isnan(hidden.worst(hidden.held_out, &leaf::HiddenSwing::peak_error))) << "nothing held out";
  hidden.held_out = {swing};
  EXPECT_NEAR(hidden.worst(hidden.held_out, &leaf::HiddenSwing::peak_error), 0.05, 1e-12);
  swing.fitted.resize(3);
  EXPECT_TRUE(std::isnan(swing.peak_error())) << "a release that stopped swinging";
  swing.fitted.resize(1);
  EXPECT_TRUE(std::isnan(swing.residual_error()));
}

TEST(Specimens, WithoutHeldOutLoadsPredictNothing) {
  FittedSpecimen fit;
  fit.outcome.elasticity.emplace();
  const auto add = [&](double load, bool held_out, double error) {
    design::IdentifiedPoint point;
    point.measured = {load, 1, held_out};
    point.error = error;
    fit.outcome.elasticity->points.push_back(point);
  };
  add(1, false, 0.001);
  add(3, false, 0.001);
  EXPECT_TRUE(std::isnan(fit.held_out(false)));
  add(2, true, -0.03);
  EXPECT_EQ(fit.held_out(false), 0.03);
  EXPECT_TRUE(std::isnan(fit.held_out(true)));
  DrawnErrors errors;
  errors.add(fit);
  EXPECT_EQ(largest(errors.within), 0.03);
  add(4, true, nan);
  EXPECT_TRUE(std::isnan(fit.held_out(true)));
  errors.add(FittedSpecimen{});
  EXPECT_TRUE(std::isnan(largest(errors.within))) << "a draw whose fit failed";
}

TEST(Specimens, DrawOtherNoiseOnTheSameDisplacements) {
  SpecimenReadings data;
  for (int i = 1; i <= 400; ++i) data.exact.push_back({static_cast<double>(i), 0.01, i % 2 == 0});
  double sum = 0, squares = 0;
  data.draw(1);
  const std::vector<design::LoadPoint> first = data.readings;
  for (const design::LoadPoint& point : first) {
    const double error = point.displacement / 0.01 - 1;
    sum += error, squares += error * error;
  }
  EXPECT_NEAR(sum / 400, 0, 1e-3);
  EXPECT_NEAR(std::sqrt(squares / 400), 0.005, 5e-4) << "half a percent";
  data.draw(2);
  EXPECT_NE(data.readings[0].displacement, first[0].displacement);
  data.draw(1);
  EXPECT_EQ(data.readings[7].displacement, first[7].displacement);
  EXPECT_EQ(data.readings[7].held_out, data.exact[7].held_out);
}

TEST(TimedBodies, ThatFailAStepHaveNoTime) {
  const CompiledScene scene = compile(parse_scene(R"({"dashpot": 1, "time": {"dt": 0.01, "end": 1, "stepper": "bathe"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [4, 1, 1]}},
      "material": {"model": "linear", "young": 1e5, "poisson": 0.3, "density": 1000}}]})"));
  std::vector<TimedBody> fine, none, failing;
  fine.emplace_back(scene.system, scene.start, NewtonOptions{});
  none.emplace_back(scene.system, scene.start, NewtonOptions{});
  State broken = scene.start;
  broken.v.setConstant(nan);
  failing.emplace_back(scene.system, broken, NewtonOptions{});
  time_in_turn(fine, 0.01, 3, 3);
  time_in_turn(failing, 0.01, 3, 1);
  EXPECT_GT(fine[0].milliseconds(), 0);
  EXPECT_GE(fine[0].median_milliseconds(), fine[0].milliseconds());
  EXPECT_TRUE(std::isnan(none[0].milliseconds()));
  EXPECT_TRUE(std::isnan(failing[0].milliseconds()));
  EXPECT_TRUE(std::isnan(failing[0].median_milliseconds()));
}

}  // namespace
}  // namespace dashpot::cli::test_guarded_measures
