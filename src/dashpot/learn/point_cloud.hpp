#pragma once
// Sequences of point clouds: what depth cameras and scanners deliver. A folder holds one file of points for each frame
// and camera, and an index (JSON) that says when and from where they were taken:
//
//   {"dashpot_clouds": 1, "unit": "m", "noise": 0.001,
//    "cameras": [{"name": "left", "position": [0, 1, 2]}, {"name": "far", "direction": [0, 0, 1]}],
//    "frames": [{"time": 0.02, "files": ["left_0.ply", "far_0.ply"]}, {"time": 0.04, "files": ["left_1.xyz", null]}]}
//
// One file a camera and frame, in the order of the cameras, null where a camera took none; names are relative to the
// index. "position": where the rays of a depth camera meet; "direction": from the body to a far camera. "unit" (m) is
// that of points and positions, "noise" the standard deviation of a point's distance [unit], 0: unknown. Other keys are
// passed over: who made it, with which seed.
//
// .ply: vertices of an ASCII or binary file (mesh/read.hpp); anything else in it is passed over. .xyz: three numbers a
// line, separated by blanks or commas, more of them (colors, normals) passed over, '#' begins a comment. Points with
// coordinates that are not finite are where a camera got nothing back: they are left out.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/file.hpp"
#include "dashpot/learn/depth_camera.hpp"

namespace dashpot::learn {

struct CloudFrame {
  double time = 0;                        ///< [s]
  std::vector<std::vector<Vec3>> points;  ///< of each camera [m]
};

struct CloudSequence {
  std::string source;  ///< file, for messages
  std::vector<DepthCamera> cameras;
  std::vector<CloudFrame> frames;
  double noise = 0;  ///< [m]; 0: not known
};

/// Points of one file, by its extension: .ply or .xyz. dashpot::Error with the place.
std::vector<Vec3> read_cloud(std::string_view bytes, const std::string& path);

/// The index and all files it names. dashpot::Error with everything that is wrong: keys, times that do not increase,
/// files that are missing or hold no points.
CloudSequence read_clouds(const std::string& index_path, const FileReader& read = read_file);

/// .ply with binary little-endian coordinates in double precision.
std::string ply_bytes(const std::vector<Vec3>& points);
/// .xyz, with as many digits as bring the same bits back.
std::string xyz_text(const std::vector<Vec3>& points);

}  // namespace dashpot::learn
