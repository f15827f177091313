// Claims judge what was measured; what was not measured, or not of anything that moves, never passes.
#include <gtest/gtest.h>

#include <cmath>

#include "damping_contest.hpp"
#include "dropped_penguin.hpp"
#include "measures.hpp"
#include "pulled_sneaker.hpp"
#include "struck_membrane.hpp"

namespace dashpot::cli::test_claims {
namespace {

TEST(Claims, WhatIsNotAFiniteNumberHoldsNowhere) {
  for (const double nothing : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    SCOPED_TRACE(nothing);
    EXPECT_FALSE(claim_at_most("", "", {}, nothing, "1", 1).holds());
    EXPECT_FALSE(claim_at_least("", "", {}, nothing, "1", 1).holds());
    EXPECT_FALSE(claim_near("", "", 1, nothing, "1", 0.1).holds());
    EXPECT_EQ(refuted(claim_at_most("", "", {}, nothing, "1", 1), "proof").verdict, Verdict::not_met);
    EXPECT_EQ(on_our_body(claim_at_most("", "", {}, nothing, "1", 1), "").verdict, Verdict::not_met);
    EXPECT_EQ(not_judged(claim_at_most("", "", {}, nothing, "1", 1), "small").verdict, Verdict::not_met);
    EXPECT_TRUE(reported("", "", {}, nothing, "1").is_missed());
  }
}

TEST(Claims, ABarIsMetOnItsOwnSideAndByItself) {
  EXPECT_TRUE(claim_at_most("", "", {}, 1, "1", 1).holds());
  EXPECT_FALSE(claim_at_most("", "", {}, 1.001, "1", 1).holds());
  EXPECT_TRUE(claim_at_least("", "", {}, 1, "1", 1).holds());
  EXPECT_FALSE(claim_at_least("", "", {}, 0.999, "1", 1).holds());
  EXPECT_TRUE(claim_near("", "", 2, 2.19, "1", 0.1).holds());
  EXPECT_FALSE(claim_near("", "", 2, 1.79, "1", 0.1).holds());
}

TEST(Claims, AreRefutedByAProofAndMissedOnABodyOfOurs) {
  const Claim missed = claim_at_most("", "", {}, 2, "1", 1), met = claim_at_most("", "", {}, 0.5, "1", 1);
  EXPECT_EQ(refuted(missed, "ABCE, 1.1").verdict, Verdict::refuted);
  EXPECT_EQ(refuted(missed, "ABCE, 1.1").reason, "ABCE, 1.1");
  EXPECT_FALSE(refuted(missed, "ABCE, 1.1").is_missed());
  EXPECT_EQ(on_our_body(missed, "softer").verdict, Verdict::not_reproduced);
  EXPECT_TRUE(on_our_body(missed, "softer").is_missed());
  EXPECT_TRUE(refuted(met, "").holds());
  EXPECT_TRUE(on_our_body(met, "").holds());
  EXPECT_TRUE(only_if(true, met, "").holds());
  EXPECT_EQ(only_if(false, met, "dead").verdict, Verdict::not_met);
  EXPECT_EQ(only_if(false, met, "dead").reason, "dead");
}

TEST(Claims, ACauseStandsBesideAMissAndChangesNoVerdict) {
  const Claim missed = claim_at_most("", "", {}, 2, "1", 1), met = claim_at_most("", "", {}, 0.5, "1", 1);
  EXPECT_EQ(explained(missed, "coarse").reason, "coarse");
  EXPECT_TRUE(explained(missed, "coarse").is_missed());
  EXPECT_EQ(explained(met, "coarse").reason, "");
  EXPECT_TRUE(explained(met, "coarse").holds());
  EXPECT_EQ(explained(claim_at_most("", "", {}, std::nan(""), "1", 1), "coarse").reason, "");
}

TEST(Claims, ThatAreNotJudgedAreNeitherMetNorMissed) {
  for (const double ours : {0.5, 2.0}) {
    const Claim claim = not_judged(claim_at_most("", "", {}, ours, "1", 1), "too small");
    EXPECT_FALSE(claim.holds());
    EXPECT_FALSE(claim.is_missed());
    EXPECT_EQ(claim.reason, "too small");
  }
  EXPECT_FALSE(reported("", "", {}, 7, "1").is_missed());
}

TEST(Claims, TheLargestOfMeasuresIsNoNumberWhereOneIsNone) {
  EXPECT_EQ(largest({1, 3, 2}), 3);
  EXPECT_EQ(largest({-2, -3}), -2);
  EXPECT_TRUE(std::isnan(largest({})));
  EXPECT_TRUE(std::isnan(largest({std::nan(""), 3})));
  EXPECT_TRUE(std::isnan(largest({3, std::nan("")})));
  EXPECT_TRUE(std::isnan(largest({1, std::nan(""), 3})));
  EXPECT_EQ(least({2, 1, 3}), 1);
  EXPECT_TRUE(std::isnan(least({})));
  EXPECT_TRUE(std::isnan(least({std::nan(""), 3})));
  EXPECT_TRUE(std::isnan(least({3, std::nan("")})));
}

/// A cube of 1 m, carried along x to each of these places.
RecordedRun carried(const std::vector<double>& places) {
  RecordedRun motion;
  RecordedBody body;
  for (int i = 0; i < 8; ++i) body.mesh.nodes.push_back(Vec3(i & 1, i >> 1 & 1, i >> 2 & 1));
  motion.recording.bodies.push_back(body);
  for (const double x : places) {
    Frame frame;
    frame.time = static_cast<double>(motion.time.size());
    for (const Vec3& node : body.mesh.nodes) frame.points.push_back(node + Vec3(x, 0, 0));
    motion.time.push_back(frame.time);
    motion.recording.frames.push_back(frame);
  }
  return motion;
}

TEST(Differences, AreInPercentOfTheDiameterAndOfTheWorstVertexAndFrame) {
  const RecordedRun a = carried({0, 0, 0});
  RecordedRun b = carried({0, 0.1, 0.05});
  EXPECT_NEAR(largest_difference(a, b), 10 / std::sqrt(3), 1e-12);
  b.recording.frames[2].points[5].z() += 0.3;
  EXPECT_NEAR(largest_difference(a, b), 100 * std::hypot(0.05, 0.3) / std::sqrt(3), 1e-12);
}

TEST(Differences, OfARunThatFailedAreNoNumber) {
  const RecordedRun a = carried({0, 0, 0});
  RecordedRun failed = carried({0, 0, 0});
  EXPECT_EQ(largest_difference(a, failed), 0);
  failed.diverged = true;
  EXPECT_TRUE(std::isnan(largest_difference(a, failed)));
  EXPECT_TRUE(std::isnan(largest_difference(a, carried({0, 0}))));
  RecordedRun broken = carried({0, 0, 0});
  broken.recording.frames[1].points[3].y() = std::nan("");
  EXPECT_TRUE(std::isnan(largest_difference(a, broken)));
  EXPECT_TRUE(std::isnan(largest_difference(carried({}), carried({}))));
}

TEST(Contests, BodiesThatDoNotMoveAreNoContest) {
  Contest contest;
  contest.motions = {carried({0, 0.1, 0}), carried({0, 0.05, 0.1})};
  for (RecordedRun& motion : contest.motions) motion.dampings = {"body.model"};
  EXPECT_TRUE(claim_all_finish(contest, "").holds());
  contest.motions[1] = carried({0, 0, 0.001});
  contest.motions[1].dampings = {"body.model"};
  EXPECT_FALSE(claim_all_finish(contest, "").holds());
  contest.motions[1] = carried({0, 0.05, 0.1});
  contest.motions[1].dampings = {"body.model"};
  contest.motions[1].diverged = true;
  EXPECT_FALSE(claim_all_finish(contest, "").holds());
}

TEST(Runs, ReachATimeOnlyWhereTheyDidNotFailBefore) {
  RecordedRun motion = carried({0, 0, 0});
  EXPECT_TRUE(reaches(motion, 2));
  EXPECT_FALSE(reaches(motion, 2.001));
  motion.diverged = true;
  EXPECT_FALSE(reaches(motion, 1));
  EXPECT_FALSE(reaches(RecordedRun(), 0));
  motion = carried({0, 0, 0});
  motion.scene.run.end = 2;
  EXPECT_TRUE(is_complete(motion));
  EXPECT_EQ(of_complete(motion, 7), 7);
  motion.scene.run.end = 3;
  EXPECT_TRUE(std::isnan(of_complete(motion, 7)));
}

TEST(Losses, GiveNothingBackAndAreNotNothing) {
  EXPECT_EQ(least_gain({0, 1, 3, 4}), 0.5);
  EXPECT_EQ(least_gain({0, 2, 1, 5}), -0.25);
  EXPECT_TRUE(std::isnan(least_gain({0, 0, 0}))) << "a damping that took nothing";
  EXPECT_TRUE(std::isnan(least_gain({0, std::nan(""), 2})));
  EXPECT_TRUE(std::isnan(least_gain({})));
}

/// A motion whose first probe moves along y.
RecordedRun heights_of(const std::vector<double>& y) {
  RecordedRun motion;
  motion.probes.resize(1);
  for (const double value : y) {
    motion.time.push_back(static_cast<double>(motion.time.size()));
    motion.probes[0].push_back(Vec3(0, value, 0));
  }
  return motion;
}

TEST(Bounces, OfABallAreWhatItRisesAboveTheMembraneOfItsFall) {
  const double fall = ball_drop - membrane_thickness / 2;
  EXPECT_NEAR(bounce(heights_of({0, -fall, -1.5 * fall, -fall, -0.6 * fall, -0.8 * fall})), 0.4, 1e-12);
  EXPECT_EQ(bounce(heights_of({0, 0, 0})), 0) << "a ball that does not fall";
  EXPECT_EQ(bounce(heights_of({0, -0.5 * fall, -0.9 * fall})), 0) << "a run that ends before the contact";
  EXPECT_LE(bounce(heights_of({0, -fall, -1.5 * fall})), 0) << "a ball that stays below";
  EXPECT_EQ(lowest_time(heights_of({0, -1, -3, -2})), 2);
}

TEST(Bounces, OfAPenguinAreRisesFromTheLowBeforeEach) {
  DroppedPenguin setup;
  const double h = setup.height;
  const std::vector<double> found =
      bounces(setup, heights_of({0, -h, -1.1 * h, -h, -0.4 * h, -0.6 * h, -1.05 * h, -0.8 * h, -h, -1.01 * h, -h}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], 0.7 * h, 1e-12);
  EXPECT_NEAR(found[1], 0.25 * h, 1e-12);
  EXPECT_TRUE(bounces(setup, heights_of({0, 0, 0})).empty());
  EXPECT_TRUE(bounces(setup, heights_of({0, -h, -1.1 * h})).empty());
}

TEST(EnergyCreated, IsTheMostOverTheStartLossesIncludedOfTheFalls) {
  DroppedPenguin setup;
  RecordedRun motion;
  motion.scene.bodies.emplace_back().mass = 2;
  motion.energy = {10, 9, 12, 4};
  motion.damped = {0, 2, 3, 5};
  const double fall = 2 * 9.81 * setup.height;
  EXPECT_NEAR(energy_created(setup, motion), 5 / fall, 1e-12);
  motion.energy[1] = std::nan("");
  EXPECT_FALSE(energy_created(setup, motion) <= allowed_creation);
  motion.diverged = true;
  EXPECT_EQ(energy_created(setup, motion), HUGE_VAL);
}

/// The center of mass rests until release and then falls with this share of gravity, from a velocity at release.
RecordedRun falling(const PulledSneaker& setup, double share, double velocity) {
  RecordedRun motion;
  const double dt = 1e-3;
  for (int i = 0; i * dt <= setup.end + 1e-9; ++i) {
    const double t = i * dt;
    motion.time.push_back(t);
    const double v = t < setup.release - 1e-9 ? 0 : velocity - share * 9.81 * (t - setup.release);
    motion.momentum.push_back(Vec3(0, setup.mass * v, 0));
  }
  return motion;
}

TEST(Falls, AreMeasuredFromReleaseAgainstAFreeFallWithTheSameVelocity) {
  PulledSneaker setup;
  setup.mass = 0.4;
  for (const double velocity : {0.0, -0.5, 0.5}) {
    SCOPED_TRACE(velocity);
    EXPECT_NEAR(fall_over_free(setup, falling(setup, 1, velocity)), 1, 5e-3);
  }
  EXPECT_NEAR(fall_over_free(setup, falling(setup, 0.6, 0)), 0.6, 3e-3);
  EXPECT_NEAR(center_heights(setup, falling(setup, 1, 0)).back(), -0.5 * 9.81 * 0.25, 5e-3);
}

}  // namespace
}  // namespace dashpot::cli::test_claims
