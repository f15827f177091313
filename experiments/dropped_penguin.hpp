#pragma once
// A penguin that falls on a floor and bounces, by projective dynamics and the midpoint rule, and the least damping that
// keeps it from blowing up (paper E, fig. 1).

#include <string>
#include <vector>

#include "least_damping.hpp"

namespace dashpot::cli {

struct DroppedPenguin {
  int tets = 3500;
  double dt = 0.0165;   ///< half the paper's [s]
  double end = 3;       ///< [s]
  double height = 0.5;  ///< of its feet over the floor at the start [m]
};

/// `damping` is an entry of the body's list, or empty.
std::string penguin_scene(const DroppedPenguin& setup, const std::string& damping);

/// Energy that the integrator and its unfinished iterations have made so far, of the energy of the fall [1]; largest
/// over the run. Infinite where the run failed.
double energy_created(const DroppedPenguin& setup, const RecordedRun& motion);
/// Stable: at most so much is created [1].
constexpr double allowed_creation = 0.25;

/// Height of the penguin's mean position over where it is when it stands [m], at every step.
std::vector<double> heights(const DroppedPenguin& setup, const RecordedRun& motion);
/// How far the mean position rises in each bounce, from the low before it [m]; at least 2 % of the fall. (Over the
/// height of standing it need not rise: the penguin may have toppled.)
std::vector<double> bounces(const DroppedPenguin& setup, const RecordedRun& motion);

/// The penguin with a damping that is looked for: stable when no more than `allowed_creation` is created.
Attempt drop_penguin(const ReproductionRequest& request, const DroppedPenguin& setup, const std::string& name,
                     const std::string& damping);

}  // namespace dashpot::cli
