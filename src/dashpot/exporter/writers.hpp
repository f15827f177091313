#pragma once
// The writers behind export_animation, one per format, and what they share. Internal to the room.

#include <array>
#include <string>
#include <vector>

#include "dashpot/exporter/exporter.hpp"

namespace dashpot::exporter {

struct WriterContext {
  const Animation& animation;
  const ExportOptions& options;
  const Hooks& hooks;
  ExportReport& report;
};

void write_point_caches(const WriterContext& context);  ///< pc2 and mdd
void write_usda(const WriterContext& context);
void write_glb(const WriterContext& context);
void write_xdmf(const WriterContext& context);
void write_vtu_series(const WriterContext& context);
void write_obj_series(const WriterContext& context);

/// Linear RGB, 0 to 1: a palette for bodies, gray for scenery.
std::array<float, 3> color_of(const std::vector<Actor>& actors, std::size_t actor);
/// Which axis points up: 1 (y) or 2 (z), from gravity.
int up_axis(const Animation& animation);
/// Names for files or prims: letters, digits and _ only, not beginning with a digit, all different.
std::vector<std::string> plain_names(const std::vector<Actor>& actors);
/// "name.ext" -> "name"; folder kept.
std::string without_extension(const std::string& path);

}  // namespace dashpot::exporter
