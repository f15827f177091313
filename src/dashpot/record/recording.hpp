#pragma once
// A run as something to look at or to export: the bodies' rest meshes, the scenery (colliders) around them, and the
// frames. On disk, in the folder of the run: recording.json (what there is), meshes/*.msh (rest shapes), frames.dpf.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/record/frames.hpp"

namespace dashpot {

/// The shape file a body was meshed from: its skin can be drawn finer than its tets, and in color.
/// x_world = translation + rotation (scale x), x a point of the shape after it was brought to `height`.
struct ShapeSource {
  std::string text;   ///< the whole file
  double height = 0;  ///< [m]; 0: as it is
  double scale = 1;
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();  ///< [m]
};

/// A body: node i of its mesh is point first_point + i of every frame.
struct RecordedBody {
  std::string name;
  Mesh mesh;  ///< rest shape, placed in the world [m]
  int first_point = 0;
  std::optional<ShapeSource> shape = {};
};

/// A collider: node i of its surface is point first_point + i of every frame.
struct RecordedScenery {
  std::string name;
  Mesh surface;  ///< triangles, at the start [m]
  int first_point = 0;
};

/// An infinite floor; drawn, not meshed.
struct Ground {
  Vec3 point = Vec3::Zero();    ///< [m]
  Vec3 normal = Vec3::UnitY();  ///< unit length, towards the free side
};

struct Recording {
  std::string title;
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]; says where down is
  std::vector<RecordedBody> bodies;
  std::vector<RecordedScenery> scenery;
  std::vector<Ground> grounds;
  std::vector<Frame> frames;
};

/// Writes recording.json and meshes/ (everything but the frames) into an existing folder.
void write_recording_index(const std::string& folder, const Recording& recording);

/// Reads all of it; frames of an unfinished run (frames.dpf.partial) count too. dashpot::Error when the folder holds no
/// run, or files that do not belong together.
Recording read_recording(const std::string& folder, const FileReader& read = read_file);

}  // namespace dashpot
