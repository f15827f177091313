#pragma once
// A sneaker that is pulled at toe and heel, let go and falls, by symplectic Euler (paper C, fig. 1). While it is pulled
// its weight is carried, so that its center of mass rests; it may roll about the line of pull. From release on it
// should fall freely.

#include <string>
#include <vector>

#include "least_damping.hpp"

namespace dashpot::cli {

struct PulledSneaker {
  int tets = 2000;
  double dt = 0;               ///< [s]
  double release = 0.3;        ///< [s]
  double end = 0.8;            ///< [s]
  double mass = 0;             ///< [kg]
  Vec3 along = Vec3::UnitZ();  ///< from heel to toe: where the draggers pull
  double at_toe = 0.5;         ///< share of the weight that is carried there [1]
  double lightest = 0;         ///< of its nodes [kg]
  double lambda = 0;           ///< c dt lambda <= 1 lets no spring damping overshoot [1/kg]
  double rest_limit = 0;       ///< longest step that is stable at rest without damping [s]
  double undamped_limit = 0;   ///< longest step found that is stable in this experiment without damping [s]
  double spring_limit = 0;     ///< the same with spring damping [s]
  double spring_share = 0;     ///< of the bound, at which that was found [1]
  double slowest = 0;          ///< angular frequency of its slowest mode [1/s]
  double slowest_ratio = 0;    ///< damping ratio of that mode under spring damping, over its coefficient [s/kg]
  double mean_share = 0;       ///< mean over all motions of what spring damping brakes, of its bound [1]
};

/// With all filled in. The step is the longest that spring damping bears, the best of these shares of its bound.
PulledSneaker make_sneaker(const Console& console, PulledSneaker setup, const std::vector<double>& spring_shares);
/// `damping` is an entry of the body's list, or empty; frames are kept every `frames` seconds.
std::string sneaker_scene(const PulledSneaker& setup, const std::string& damping, double frames = 0.01);
/// A dashpot on every edge, `share` of the largest that is sure not to overshoot at this step.
std::string spring_entry(const PulledSneaker& setup, double share);
/// Whether it stays stable to the end (stability_trial.hpp says what that means), as the scene is run and shaken a
/// little at the start. Beyond the border of stability motion is chaotic, and a digit of the step decides when it
/// fails: what comes to the end once by luck is no damping that keeps it stable.
Attempt try_sneaker(const PulledSneaker& setup, const std::string& damping);
/// Energy out of nothing that counts as failure: what lifts the sneaker by 5 cm [J].
double allowed_gain(const PulledSneaker& setup);

/// Height of the center of mass over where it was at the start [m], at every step.
std::vector<double> center_heights(const PulledSneaker& setup, const RecordedRun& motion);
/// How far the center of mass falls from release to the end, over what a free fall with the velocity at release does.
double fall_over_free(const PulledSneaker& setup, const RecordedRun& motion);

}  // namespace dashpot::cli
