#pragma once
// frames.dpf: where all points are over time, how fast they move, and what the dampings take from them. Little endian:
// the line "dashpot frames 2\n", the number of points (uint64), then per frame the time (float64) and 7 float32 a
// point: position, velocity, power lost. Single precision is for looking, not for restarting.

#include <string>
#include <vector>

#include "dashpot/core/file.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

struct Frame {
  double time = 0;               ///< [s]
  std::vector<Vec3> points;      ///< [m]
  std::vector<Vec3> velocities;  ///< [m/s]
  /// A point's share v . f of the power the damping forces take [W]. Shares add up to the whole loss; a single one may
  /// be negative, where neighbors drive the point.
  std::vector<double> power;
};

std::string frames_header(int num_points);
/// The bytes of one frame; velocities and power have an entry for every point.
std::string frame_bytes(const Frame& frame);

/// All whole frames of a file; dashpot::Error when it is not one.
std::vector<Frame> read_frames(const std::string& path, const FileReader& read = read_file);

}  // namespace dashpot
