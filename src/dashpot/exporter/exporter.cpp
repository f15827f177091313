#include "dashpot/exporter/exporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dashpot/exporter/writers.hpp"

namespace dashpot::exporter {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string possible_formats() {
  std::string list;
  for (const FormatInfo& info : all_formats())
    list +=
        fmt::format("{}{}", list.empty() ? "" : ", ", info.writes_folder ? "--format " + info.name : info.extension);
  return list + " (.pvd writes .vtu files)";
}

}  // namespace

const std::vector<FormatInfo>& all_formats() {
  static const std::vector<FormatInfo> formats = {
      {Format::pc2, "pc2", ".pc2", false, "point cache, counts frames; an .obj with the same points beside it"},
      {Format::mdd, "mdd", ".mdd", false, "point cache, counts seconds; an .obj with the same points beside it"},
      {Format::usda, "usda", ".usda", false, "USD text: all bodies with positions and velocities over time"},
      {Format::glb, "glb", ".glb", false, "binary glTF 2.0: a few morph targets with animated weights"},
      {Format::xdmf, "xdmf", ".xdmf", false, "XDMF and HDF5: all nodes and elements with fields"},
      {Format::vtu, "vtu", ".pvd", false, ".vtu files and a .pvd: all nodes and elements with fields"},
      {Format::obj, "obj", ".obj", true, "a folder of .obj files, one per body and frame"}};
  return formats;
}

Format format_of(const std::string& path, const std::string& name) {
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  std::vector<std::string> names;
  for (const FormatInfo& info : all_formats()) {
    if (name.empty() ? info.extension == extension : info.name == lower(name)) return info.format;
    names.push_back(info.name);
  }
  if (!name.empty()) {
    const std::string near = nearest_name(lower(name), names);
    throw Error(Problem{"--format", "'" + name + "'", fmt::format("one of {}", fmt::join(names, ", ")),
                        near.empty() ? "" : "did you mean '" + near + "'?"});
  }
  throw Error(Problem{path,
                      extension.empty() ? "an output name without extension" : "output format '" + extension + "'",
                      "one of " + possible_formats(), "give the name another extension, or a folder and --format"});
}

ExportReport export_animation(const Animation& animation, const ExportOptions& options, const Hooks& hooks) {
  ExportReport report;
  report.num_frames = animation.times().size();
  const WriterContext context{animation, options, hooks, report};
  try {
    switch (options.format) {
      case Format::pc2:
      case Format::mdd:
        write_point_caches(context);
        break;
      case Format::usda:
        write_usda(context);
        break;
      case Format::glb:
        write_glb(context);
        break;
      case Format::xdmf:
        write_xdmf(context);
        break;
      case Format::vtu:
        write_vtu_series(context);
        break;
      case Format::obj:
        write_obj_series(context);
        break;
    }
  } catch (const Interrupted&) {
    report.is_interrupted = true;
    report.files.clear();
  }
  return report;
}

std::array<float, 3> color_of(const std::vector<Actor>& actors, std::size_t actor) {
  static constexpr std::array<float, 3> palette[] = {
      {0.13F, 0.34F, 0.60F}, {0.72F, 0.24F, 0.08F}, {0.18F, 0.45F, 0.16F}, {0.62F, 0.45F, 0.05F},
      {0.36F, 0.16F, 0.48F}, {0.05F, 0.43F, 0.45F}, {0.60F, 0.12F, 0.26F}, {0.33F, 0.22F, 0.12F}};
  if (actors[actor].is_scenery) return {0.35F, 0.35F, 0.35F};
  std::size_t bodies_before = 0;
  for (std::size_t a = 0; a < actor; ++a) bodies_before += actors[a].is_scenery ? 0 : 1;
  return palette[bodies_before % std::size(palette)];
}

int up_axis(const Animation& animation) {
  const Vec3 g = animation.gravity().cwiseAbs();
  return g.z() > g.y() && g.z() >= g.x() ? 2 : 1;
}

std::vector<std::string> plain_names(const std::vector<Actor>& actors) {
  std::vector<std::string> names;
  for (const Actor& actor : actors) {
    std::string plain;
    for (const char c : actor.name) {
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      plain += is_plain ? c : '_';
    }
    if (plain.empty() || (plain[0] >= '0' && plain[0] <= '9')) plain = "_" + plain;
    std::string unique = plain;
    for (int i = 2; std::find(names.begin(), names.end(), unique) != names.end(); ++i)
      unique = fmt::format("{}_{}", plain, i);
    names.push_back(unique);
  }
  return names;
}

std::string without_extension(const std::string& path) {
  return std::filesystem::path(path).replace_extension().string();
}

}  // namespace dashpot::exporter
