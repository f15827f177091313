#pragma once
// Rides of the sitting koala (paper A, fig. 13): its seat is carried rigidly on keyframed motions, or a skeleton in it
// moves, and what its belly does against them is followed in shares of the examples it is damped along.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"
#include "dashpot/record/recording.hpp"
#include "reproductions.hpp"
#include "sitting_koala.hpp"

namespace dashpot::cli::rides {

constexpr double ride_end = 1.4;  ///< [s]; the seat stands still from then on
constexpr double run_end = 3;     ///< [s]

struct Ride {
  std::string name, motion;   ///< of the seat, as JSON; where there is a skeleton, its file
  std::vector<double> shown;  ///< times of the pictures [s]
  bool has_skeleton = false;
};

/// Jumps, swings and turns.
const std::vector<Ride>& all_rides();
/// Jumps with pelvis, chest and head moving against each other.
const Ride& skeleton_ride();

struct Played {
  std::string name;
  double steps_per_s = 0;                   ///< of the whole run, recording included
  double worst_power = 0;                   ///< smallest gain of what a damping has taken over a step [J]
  double taken = 0;                         ///< by all dampings [J]
  bool is_complete = false;                 ///< it came to its end
  std::vector<double> time, side, up_down;  ///< [s], shares of the examples, from where the koala started
  Recording recording;
  std::shared_ptr<const System> system;  ///< rides along
  State start;
  double dt = 0;  ///< [s]

  /// Amplitude of a share at a frequency [Hz], in a Hann window between two times [s]. Not a number of a ride that
  /// ended early.
  double amplitude(const std::vector<double>& share, double frequency, double from = ride_end,
                   double to = run_end) const;
};

/// A koala and how its sagged belly swings [Hz]: where the spectra of the jumps have their peaks.
struct Setup {
  KoalaSize size;
  double side_frequency, up_down_frequency;
};

/// One ride, with the default damping and with the designed one.
struct Pair {
  const Ride* ride;
  Played rayleigh, designed;
  Setup setup;
  double steps_per_s = 0;         ///< of the designed ride while the seat moves, undisturbed (step_timing.hpp)
  double median_steps_per_s = 0;  ///< the same of the median repeats

  /// Swing of the belly once the seat stands: the largest amplitude within half a hertz of its frequency.
  double side(const Played& run) const;
  double up_down(const Played& run) const;
  double side_ratio() const { return side(designed) / side(rayleigh); }
  /// How fast the side swing dies, between the first and the second half of the time in which the seat stands [1/s].
  double side_decay(const Played& run) const;
  double decay_ratio() const { return side_decay(designed) / side_decay(rayleigh); }
  double up_down_ratio() const { return up_down(designed) / up_down(rayleigh); }
};

/// Plays a ride twice and times the designed one `repeats` times. Scenes and runs are written to the folder. Nothing
/// when interrupted.
std::optional<Pair> ride_twice(const ReproductionRequest& request, const Ride& ride, const Setup& setup, int repeats);

}  // namespace dashpot::cli::rides
