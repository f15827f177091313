// One file a frame, in a folder: .vtu with a .pvd, .obj.
#include <fmt/format.h>

#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/exporter/fields.hpp"
#include "dashpot/exporter/skin.hpp"
#include "dashpot/exporter/writers.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot::exporter {
namespace {

std::string frame_name(const std::string& stem, std::size_t frame, const char* extension) {
  return fmt::format("{}_{:05}{}", stem, frame, extension);
}

std::string xml_comment(std::string text) {
  for (std::size_t at; (at = text.find("--")) != std::string::npos;) text.replace(at, 2, "- ");
  return "<!-- " + text + " -->\n";
}

/// Puts a comment after the XML declaration, which must stay the first line.
std::string stamped_xml(std::string xml, const std::string& stamp) {
  xml.insert(xml.find('\n') + 1, xml_comment(stamp));
  return xml;
}

}  // namespace

void write_vtu_series(const WriterContext& context) {
  const Animation& animation = context.animation;
  const std::filesystem::path path(context.options.path);
  const std::string stamp = context.options.stamp.text();
  const bool names_pvd = !path.extension().empty();
  // FILE.pvd lists FILE_frames/FILE_00000.vtu, ...; a folder holds all of it.
  const std::string stem = names_pvd ? path.stem().string() : "frames";
  const std::string folder_path = names_pvd ? without_extension(path.string()) + "_frames" : path.string();
  Ticker ticker(context.hooks, static_cast<double>(animation.times().size()));
  OutputFolder folder(folder_path);
  const Mesh mesh = joined_mesh(animation.actors());
  std::vector<PvdEntry> entries;
  for (std::size_t f = 0; f < animation.times().size(); ++f) {
    const Fields fields = joined_fields(animation, f);
    const std::string name = frame_name(stem, f, ".vtu");
    folder.write(name, stamped_xml(vtu_bytes(mesh, fields.arrays, &fields.points), stamp));
    entries.push_back({animation.times()[f], names_pvd ? stem + "_frames/" + name : name});
    ticker.step();
  }
  const std::string pvd = stamped_xml(pvd_bytes(entries), stamp);
  if (!names_pvd) folder.write(stem + ".pvd", pvd);
  folder.finish(stamp);
  if (names_pvd) {
    write_file_atomically(path.string(), pvd);
    context.report.files = {path.string(), folder_path};
  } else {
    context.report.files = {folder_path};
  }
}

void write_obj_series(const WriterContext& context) {
  const Animation& animation = context.animation;
  const std::vector<Actor>& actors = animation.actors();
  const std::string& path = context.options.path;
  const bool names_file = !std::filesystem::path(path).extension().empty();
  const auto bytes = [&](const Actor& actor, const Skin& skin, std::size_t f) {
    return fmt::format("# {}\n# {} at {} s\n", context.options.stamp.text(), actor.name, animation.times()[f]) +
           obj_bytes(skin.mesh(skin.of(animation.shape(actor, f).points)));
  };
  if (names_file) {
    if (animation.times().size() != 1 || actors.size() != 1)
      throw Error(Problem{
          path, fmt::format("{} frames of {} bodies for one .obj file", animation.times().size(), actors.size()),
          "one of each", "name a folder with --format obj, or choose with --time and --body"});
    write_file_atomically(path, bytes(actors[0], skin_of(actors[0].mesh), 0));
    context.report.files = {path};
    return;
  }
  Ticker ticker(context.hooks, static_cast<double>(animation.times().size() * actors.size()));
  OutputFolder folder(path);
  const std::vector<std::string> names = plain_names(actors);
  for (std::size_t a = 0; a < actors.size(); ++a) {
    const Skin skin = skin_of(actors[a].mesh);
    for (std::size_t f = 0; f < animation.times().size(); ++f) {
      folder.write(frame_name(names[a], f, ".obj"), bytes(actors[a], skin, f));
      ticker.step();
    }
  }
  folder.finish(context.options.stamp.text());
  context.report.files = {path};
}

}  // namespace dashpot::exporter
