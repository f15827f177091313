#pragma once
// A recorded run as animation files. What each format carries:
//
//   pc2, mdd  positions of one actor (.obj beside it with the same points); of its skin, or of all nodes when asked
//   usda      all actors: Mesh, BasisCurves and Points with points, velocities, extent as time samples; colors
//   glb       all actors: skin with morph targets (morph_targets.hpp), normals, colors; error stated in asset.extras
//   xdmf      all actors as one grid, all nodes and elements; velocity, displacement, power, body; data in .h5 beside
//   it vtu       the same as a folder of .vtu files and a .pvd obj       skins of all actors as a folder of .obj files,
//   one per actor and frame
//
// Lengths are meters, times seconds. The up axis is y unless gravity points along z: .usda then says so, .glb turns its
// root node, the others keep the coordinates as they are. Infinite grounds are not exported. Everything is whole or
// absent (output.hpp). Not for use from two threads at once: libhdf5 is not thread-safe.

#include <string>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/exporter/animation.hpp"
#include "dashpot/exporter/morph_targets.hpp"
#include "dashpot/exporter/output.hpp"
#include "dashpot/exporter/stamp.hpp"

namespace dashpot::exporter {

enum class Format { pc2, mdd, usda, glb, xdmf, vtu, obj };

struct FormatInfo {
  Format format;
  std::string name;       ///< for --format
  std::string extension;  ///< with the dot; that of the .pvd for vtu
  bool writes_folder;     ///< always into a folder
  std::string holds;      ///< one line
};
const std::vector<FormatInfo>& all_formats();

/// The format of an output: `name` (of all_formats) where it is not empty, else by the extension of `path`;
/// dashpot::Error lists what is possible.
Format format_of(const std::string& path, const std::string& name = {});

struct ExportOptions {
  Format format = Format::usda;
  std::string path;        ///< file or folder
  bool all_nodes = false;  ///< pc2, mdd: inner nodes too
  MorphRequest morphs;     ///< glb
  Stamp stamp;
};

/// Morph targets of one actor of a .glb file.
struct ActorMorphs {
  std::string actor;
  int num_targets = 0;
  bool moves_rigidly = false;  ///< rigid motion taken out into the node
  MorphError error;
};

struct ExportReport {
  bool is_interrupted = false;
  std::vector<std::string> files;  ///< written files and folders
  std::size_t num_frames = 0;
  std::vector<ActorMorphs> morphs;
};

/// dashpot::Error when the output cannot be written as asked.
ExportReport export_animation(const Animation& animation, const ExportOptions& options, const Hooks& hooks = {});

}  // namespace dashpot::exporter
