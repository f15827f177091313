#pragma once
// frames.dpf: positions of all points over time. Little endian: the line "dashpot frames 1\n", the number of points
// (uint64), then per frame the time (float64) and 3 float32 a point. Single precision is for looking, not for
// restarting.

#include <string>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

std::string frames_header(int num_points);
std::string frame_bytes(double time, const std::vector<Vec3>& points);

struct Frame {
  double time = 0;           ///< [s]
  std::vector<Vec3> points;  ///< [m]
};
/// All whole frames of a file; dashpot::Error when it is not one.
std::vector<Frame> read_frames(const std::string& path);

}  // namespace dashpot
