#pragma once
// The clock of a capture against that of a simulated run: t_run = t_capture + offset. Where nothing triggered both, the
// offset is that which makes the motions most alike,
//
//   misfit(o) = sum_i |x(t_i + o) - s_i|^2 / sum_i (|x(t_i + o) - xbar|^2 + |s_i - sbar|^2)
//
// over the instants that fall into the run; 0: the same motion, 1: unrelated ones. Relative to the motion itself, so
// that quiet stretches do not pass for agreement.

#include "dashpot/learn/material_point.hpp"
#include "dashpot/learn/tracks.hpp"
#include "dashpot/record/recording.hpp"

namespace dashpot::learn {

struct OffsetSearch {
  double from = -1e9, to = 1e9;  ///< offsets that are possible [s]; at least half of the shorter motion must overlap
};

struct OffsetFit {
  double offset = 0;  ///< [s]
  double misfit = 1;
  /// The measured motion fits far better when its clock runs this many times as fast: a wrong frame rate. 1: it does
  /// not.
  double rate_factor = 1;
};

/// `tracks`: of these points, in the frame of the scene, on the clock of the capture. `run`: simulated, its frames
/// close enough to follow the motion (positions between them are cubic, from positions and velocities). dashpot::Error
/// when there are fewer than 4 instants or the motions cannot overlap.
OffsetFit fit_time_offset(const Tracks& tracks, const std::vector<MaterialPoint>& points, const Recording& run,
                          const OffsetSearch& search = {});

/// When the motion begins on the clock of the capture [s]: the last instant before any point has left its first place
/// by a twentieth of how far it ever gets. What is released at the start of a scene is released then. dashpot::Error
/// when nothing moves, or everything moves from the first frame on.
double release_time(const Tracks& tracks);

}  // namespace dashpot::learn
