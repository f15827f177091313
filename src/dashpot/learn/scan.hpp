#pragma once
// Virtual depth cameras looking at a recorded run: point clouds with known truth, for tests and for planning a capture.
//
// A camera sees points of surfaces that face it and that nothing hides (Occlusion: other bodies and colliders hide
// too). They are drawn at random with a density of area times cosine, over distance squared for a depth camera that
// stands near: as many in every pixel. Noise is normal, independent in x, y and z; outliers replace points by places
// anywhere in the box around the bodies, a fifth larger on each side.
//
// The points of a frame and camera depend on the seed, the number of the frame and that of the camera alone.

#include <cstdint>

#include "dashpot/learn/point_cloud.hpp"
#include "dashpot/record/recording.hpp"

namespace dashpot::learn {

struct ScanSettings {
  std::vector<DepthCamera> cameras;
  std::vector<std::string> bodies = {};  ///< that are scanned; none: all. The others hide them
  int points = 1000;                     ///< of a frame and camera
  int every = 1;                         ///< every n-th recorded frame
  double noise = 0;                      ///< standard deviation [m]
  double outliers = 0;                   ///< share of the points, 0 <= share < 1
  std::uint64_t seed = 1;
};

/// A point before noise.
struct ScannedPoint {
  Vec3 position = Vec3::Zero();  ///< [m]
  int triangle = -1;             ///< of Scanner::surface()
  Vec3 barycentric = Vec3::Zero();
};

class Scanner {
 public:
  /// `run` must outlive this. dashpot::Error with all problems: no cameras, unknown bodies, nothing with a surface, no
  /// frames, numbers out of range.
  Scanner(const Recording& run, const ScanSettings& settings);

  /// Frames that are scanned, by their numbers in the run.
  const std::vector<int>& frames() const { return frames_; }
  /// Triangles of the scanned bodies, by points of the frames.
  const std::vector<Triangle>& surface() const { return surface_; }
  /// What camera m sees of a frame; empty: nothing.
  std::vector<ScannedPoint> seen(int frame, int camera) const;
  /// The same with noise and outliers, of all cameras.
  CloudFrame scan(int frame) const;

 private:
  const Recording& run_;
  ScanSettings settings_;
  std::vector<int> frames_;
  std::vector<Triangle> surface_;    ///< scanned
  std::vector<Triangle> occluders_;  ///< all; the scanned ones come first
};

/// All frames at once.
CloudSequence scan_run(const Recording& run, const ScanSettings& settings);

/// The index of a sequence whose files are called so: files[frame][camera], "" where a camera saw nothing.
std::string cloud_index(const CloudSequence& clouds, const std::vector<std::vector<std::string>>& files,
                        const std::vector<std::pair<std::string, std::string>>& remarks = {});

}  // namespace dashpot::learn
