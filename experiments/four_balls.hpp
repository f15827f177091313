#pragma once
// A bunny on pinned feet that four balls hit one after the other, from the front, the left, the back and the right; and
// what is measured of it. There is no gravity; balls may meet each other too.
#include <string>
#include <vector>

#include "dashpot/dissipation/example_coupling.hpp"
#include "dashpot/render/figure.hpp"
#include "experiment.hpp"

namespace dashpot::cli {

struct FourBalls {
  int tets = 3000, layers = 2;  ///< of the bunny; of each ball
  double dt = 0.004, end = 2;   ///< [s]; the bunny swings with a period of 0.22 s
};
inline constexpr double ball_speed = 2.5;     ///< [m/s]
inline constexpr double after_impacts = 0.6;  ///< all balls have left by then [s]

/// The scene with this damping of the bunny.
std::string four_balls_scene(const FourBalls& setup, const std::string& damping);

/// Of the whole bunny; 5 % along its first mode.
inline constexpr const char* bunny_rayleigh = R"({"model": "rayleigh", "zeta": [{"mode": 1, "zeta": 0.05}]})";
/// Gains along two examples over that: the head pulled forward, and pulled at an angle from there (90: sideways).
struct PulledGains {
  double forward = 0.1, other = 1, degrees = 90;
  Coupling coupling = Coupling::nonnegative;
};
std::string pulled_damping(const PulledGains& gains);

/// Root mean square of a coordinate of the head after the impacts [m].
double late_motion(const RecordedRun& motion, int axis);
/// Damping ratio of a coordinate of the head after the impacts.
double late_zeta(const RecordedRun& motion, int axis);
/// Change of each ball's momentum while it was at the bunny [N s].
std::vector<double> impulses(const RecordedRun& motion);
/// Smallest eigenvalue of the symmetric part of the raw coupling of a motion's examples at rest; below zero the
/// non-negative one differs from it. Not for the bounded coupling, whose basis is another.
double raw_eigenvalue(const RecordedRun& motion);
/// Between the two examples of a motion, in the norm of its damping [degrees].
double example_angle(const RecordedRun& motion);
/// Least work that the bunny's damping took in a step over the most it took in one.
double least_work(const RecordedRun& motion);

/// To be looked at: the bunny alone, with its displacements made `times` larger.
RecordedRun bunny_alone(const RecordedRun& motion, double times);

}  // namespace dashpot::cli
