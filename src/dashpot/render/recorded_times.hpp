#pragma once
// Moments of recorded runs: which ones to show, and the frame at any time.

#include <string>
#include <vector>

#include "dashpot/record/recording.hpp"

namespace dashpot::render {

/// A run and what it is called in pictures.
struct ShownRun {
  const Recording* recording = nullptr;
  std::string name;
};

/// A moment worth a picture, and why: "start", "impact", "largest deformation", "at rest", "end"; empty: in between.
struct Moment {
  double time = 0;  ///< [s]
  std::string label;
};
/// At most `count` (>= 2) moments in order: the start, the largest loss of kinetic energy, the largest deformation,
/// when it comes to rest, the end; the others lie where most of the way between them is. A sudden loss is an impact
/// only where something `can_touch`; elsewhere it is a reversal of the motion, or damping.
std::vector<Moment> key_frames(const Recording& recording, int count, bool can_touch);

/// `count` times from the first frame to the last, evenly spaced.
std::vector<double> even_times(const Recording& recording, int count);
/// The time at which the points of two runs of the same scene are farthest apart (root mean square); the end of the
/// shorter one when they cannot be compared.
double most_different_time(const std::vector<ShownRun>& runs);
/// The frame at `time`, interpolated linearly; held at the ends.
Frame frame_at(const Recording& recording, double time);

/// Indices of at most `wanted` frames, evenly spread, first and last always: long runs cost no more than short ones.
std::vector<std::size_t> sampled_frames(const Recording& recording, std::size_t wanted);

}  // namespace dashpot::render
