#pragma once
// An elastic ball falls on a membrane of tets that is clamped at its rim, by symplectic Euler (paper C, fig. 2).

#include <string>

#include "experiment.hpp"

namespace dashpot::cli {

struct StruckMembrane {
  int tets = 2000, layers = 4;  ///< of the membrane; of the ball
  double end = 0.6;             ///< [s]
  double limit = 0;             ///< longest step that is stable at rest without damping [s]
  double lambda[2] = {0, 0};    ///< of membrane and ball: c dt lambda <= 1 lets no spring damping overshoot [1/kg]
};
inline constexpr double ball_radius = 0.12, ball_drop = 0.3;  ///< [m]; of its lowest point over the middle surface
inline constexpr double membrane_thickness = 0.016;           ///< [m]

/// Dampings of both bodies at a time step, as entries of a body's list.
struct MembraneDamping {
  std::string name;
  std::string membrane, ball;
};

/// With limit and lambda filled in.
StruckMembrane make_membrane(StruckMembrane setup);
std::string membrane_scene(const StruckMembrane& setup, double dt, const MembraneDamping& damping, double frames);

/// A dashpot on every edge, `share` of the largest that is sure not to overshoot at this step.
MembraneDamping spring_damping(const StruckMembrane& setup, double dt, double share);
/// The same repeated within every step; 100 % of that bound.
MembraneDamping iterated_spring_damping(int iterations);
/// Global damping, its torque eliminated on edges, then local damping of the tets; shares a step.
MembraneDamping relative_damping(double global, double local);

struct MembraneOutcome {
  bool is_stable = false;
  std::string reason;
  double time = 0;  ///< reached [s]
};
/// stability_trial.hpp says what stable means; `allowed_gain()` is the energy out of nothing that is borne.
MembraneOutcome try_membrane(const StruckMembrane& setup, double dt, const MembraneDamping& damping);
/// A tenth of the energy of the ball's fall [J].
double allowed_gain();

/// When the ball's mean position is lowest [s].
double lowest_time(const RecordedRun& motion);
/// How high the ball rises again over where it touches the level membrane, over its fall to there [1].
double bounce(const RecordedRun& motion);

}  // namespace dashpot::cli
