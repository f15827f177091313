#pragma once
// Point caches: the positions of all points of a mesh over time, as animation packages exchange them. Both formats hold
// single precision, positions only, points in the order of the mesh's nodes; neither holds axes or units (ours: meters,
// as given).
//   .pc2  little endian: "POINTCACHE2\0", int32 version 1, int32 points, float32 start frame, float32 frames a sample,
//         int32 samples; then samples x points x 3 float32. Counts frames, not seconds: time = frame / fps.
//   .mdd  big endian: int32 frames, int32 points, float32 time [s] of each frame; then frames x points x 3 float32.
// A cache that comes back is sound: at least one frame and one point, finite numbers, times that increase strictly,
// exactly as many bytes as the header says. Everything else throws dashpot::Error with byte offsets; nothing is
// allocated that only a header claims.

#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/file.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

struct PointCache {
  std::vector<double> times;              ///< [s], strictly increasing
  std::vector<std::vector<Vec3>> frames;  ///< positions [m]; the same number of points in each

  std::size_t num_frames() const { return frames.size(); }
  std::size_t num_points() const { return frames.empty() ? 0 : frames.front().size(); }
};

/// Reads .pc2 or .mdd by the extension of its name. `fps` [1/s] is used for .pc2 only.
PointCache read_point_cache(const std::string& path, double fps = 24, const FileReader& read = read_file);
/// Extensions that read_point_cache knows, with the dot.
std::vector<std::string> point_cache_extensions();

// The same from memory; `name` is used in messages only.
PointCache parse_pc2(std::string_view bytes, const std::string& name, double fps = 24);
PointCache parse_mdd(std::string_view bytes, const std::string& name);

// dashpot::Error when the cache is not sound as said above, or a number does not fit into single precision.
/// The times must be equally spaced, to 1e-3 of the spacing: the format has no others.
std::string pc2_bytes(const PointCache& cache, double fps = 24);
std::string mdd_bytes(const PointCache& cache);

}  // namespace dashpot
