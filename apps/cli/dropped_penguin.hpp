#pragma once
// A penguin that falls on a floor and bounces, by projective dynamics and the midpoint rule, and the least damping that
// keeps it from blowing up (paper E, fig. 1).

#include <string>
#include <vector>

#include "experiment.hpp"

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
double energy_created(const DroppedPenguin& setup, const Motion& motion);
/// Stable: at most so much is created [1].
constexpr double allowed_creation = 0.25;

/// Height of the penguin's mean position over where it is when it stands [m], at every step.
std::vector<double> heights(const DroppedPenguin& setup, const Motion& motion);
/// How far the mean position rises in each bounce, from the low before it [m]; at least 2 % of the fall. (Over the
/// height of standing it need not rise: the penguin may have toppled.)
std::vector<double> bounces(const DroppedPenguin& setup, const Motion& motion);

/// One run of a search.
struct Trial {
  double amount = 0;   ///< of damping
  double created = 0;  ///< see energy_created
  bool is_stable() const { return created <= allowed_creation; }
};

/// A family of dampings, from none to much.
struct DampingFamily {
  std::string name;    ///< in tables and legends
  std::string unit;    ///< of an amount as shown
  double shown = 1;    ///< amount in that unit over amount in SI
  double much = 0;     ///< where the search begins; stable
  std::string format;  ///< of the scene's entry, with {} for the amount
  std::string entry(double amount) const;
};

struct LeastDamping {
  DampingFamily family;
  std::vector<Trial> trials;  ///< by amount
  double amount = 0;          ///< the least that is stable, and so is all tried above it; 0: even `much` was not
  Motion motion;              ///< with it
};

/// From `much` down by halves to the first that is not stable, then `refinements` bisections (of the logarithm).
LeastDamping find_least(const ReproductionRequest& request, const DroppedPenguin& setup, const DampingFamily& family,
                        int refinements);

}  // namespace dashpot::cli
