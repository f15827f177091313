#include "dashpot/render/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "dashpot/mesh/info.hpp"
#include "dashpot/render/mesh_picture.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/ticks.hpp"

namespace dashpot::render {
namespace {

/// A shell is the skin of a solid: as many triangles as tets would ask for a lattice many times finer.
constexpr double shell_share = 0.2;

GalleryMesh measured(const ShapeMesh& meshed, const MeshInfo& info, double wanted, double seconds) {
  GalleryMesh result;
  result.wanted = wanted;
  result.num_nodes = info.num_nodes;
  const ElementGroup* tets = meshed.mesh.tets();
  const ElementGroup* triangles = meshed.mesh.group(ElementKind::triangle);
  result.kind = tets != nullptr ? "tets" : triangles != nullptr ? "triangles" : "edges";
  result.num_elements = tets != nullptr ? tets->size() : meshed.mesh.num_elements();
  result.min_dihedral = info.min_dihedral;
  result.max_dihedral = info.max_dihedral;
  result.volume = info.volume;
  result.area = info.surface_area;
  result.seconds = seconds;
  for (const Problem& warning : meshed.warnings) result.warnings.push_back(warning.text());
  return result;
}

std::string angle_text(double degrees) { return degrees > 0 ? fmt::format("{:.1f}°", degrees) : "—"; }

/// Two pictures of one height with a gap between them.
Image beside(const Image& left, const Image& right) {
  constexpr int between = 6;
  Image both(left.width + between + right.width, left.height);
  paste(both, left, 0, 0);
  paste(both, right, left.width + between, 0);
  return both;
}

Table mesh_table(const GalleryEntry& entry) {
  Table table{"", {"asked", "elements", "nodes", "smallest angle", "largest angle", "volume", "meshed in [s]"}, {}, ""};
  for (const GalleryMesh& mesh : entry.meshes) {
    table.rows.push_back(
        {fmt::format("{:.0f}", mesh.wanted), fmt::format("{} {}", mesh.num_elements, mesh.kind),
         fmt::format("{}", mesh.num_nodes), angle_text(mesh.min_dihedral), angle_text(mesh.max_dihedral),
         mesh.volume > 0 ? plain_number(mesh.volume * 1e3, 4) + " l" : "—", fmt::format("{:.2f}", mesh.seconds)});
  }
  return table;
}

Section section_of(const GalleryEntry& entry) {
  Section section{entry.title.empty() ? entry.name : entry.title + " (" + entry.name + ")", {}};
  if (!entry.description.empty()) section.blocks.push_back(Paragraph{entry.description});
  if (!entry.problem.empty()) section.blocks.push_back(Paragraph{"Could not be meshed: " + entry.problem});
  if (!entry.picture.empty())
    section.blocks.push_back(Picture{entry.name + (entry.regions.size() > 1 ? ", and its regions in colors" : ""),
                                     "image/png", entry.picture});
  section.blocks.push_back(Paragraph{
      fmt::format("{:.3g} × {:.3g} × {:.3g} m (width, height, depth). Regions: {}.{}", entry.size.x(), entry.size.y(),
                  entry.size.z(), entry.regions.empty() ? "none" : fmt::format("{}", fmt::join(entry.regions, ", ")),
                  entry.node_sets.empty() ? "" : fmt::format(" Node sets: {}.", fmt::join(entry.node_sets, ", ")))});
  if (!entry.meshes.empty()) section.blocks.push_back(mesh_table(entry));
  return section;
}

}  // namespace

GalleryEntry gallery_entry(const std::string& name, const GallerySettings& settings) {
  GalleryEntry entry;
  entry.name = name;
  try {
    const Shape shape = load_shape(name);
    entry.title = shape.title;
    entry.description = shape.description;
    for (std::size_t i = 0; i < settings.elements.size(); ++i) {
      const double wanted = settings.elements[i] * (shape.is_shell ? shell_share : 1);
      const auto start = std::chrono::steady_clock::now();
      const ShapeMesh meshed = mesh_shape(shape, {wanted, 0, 0});
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const MeshInfo info = mesh_info(meshed.mesh);
      entry.meshes.push_back(measured(meshed, info, wanted, seconds));
      if (static_cast<int>(i) != settings.picture) continue;
      entry.size = info.box.size();
      for (const MeshInfo::Part& region : info.regions)
        if (region.num_elements > 0) entry.regions.push_back(region.name);
      for (const MeshInfo::Part& set : info.node_sets) entry.node_sets.push_back(set.name);
      MeshPictureSettings picture;
      picture.draw.width = settings.width;
      picture.draw.height = settings.height;
      picture.look = shape_look(shape);
      picture.style = shape_style(shape, meshed);
      Image image = mesh_picture(meshed.mesh, picture);
      if (entry.regions.size() > 1) {
        picture.colors_regions = true;
        picture.draw = DrawSettings::draft(settings.width * 3 / 4, settings.height);
        picture.shows_note = false;
        image = beside(image, mesh_picture(meshed.mesh, picture));
      }
      entry.picture = to_png(image, {{"Title", name}});
    }
  } catch (const Error& error) {
    entry.problem = error.what();
  }
  return entry;
}

Report gallery_report(const std::vector<GalleryEntry>& entries, double seconds) {
  Report report;
  report.title = "The cast";
  report.summary =
      "Bodies that come with Dashpot, each a small text file. Use one in a scene with "
      "\"mesh\": {\"shape\": \"NAME\", \"tets\": 11000}, or write its mesh with `dashpot mesh NAME -o FILE`.";
  double worst = 180, slowest = 0;
  std::size_t failed = 0;
  for (const GalleryEntry& entry : entries) {
    failed += entry.problem.empty() ? 0 : 1;
    if (!entry.problem.empty()) report.warnings.push_back(entry.name + ": " + entry.problem);
    for (const GalleryMesh& mesh : entry.meshes) {
      if (mesh.min_dihedral > 0) worst = std::min(worst, mesh.min_dihedral);
      slowest = std::max(slowest, mesh.seconds);
      for (const std::string& warning : mesh.warnings)
        report.warnings.push_back(fmt::format("{} at {:.0f}: {}", entry.name, mesh.wanted, warning));
    }
    report.sections.push_back(section_of(entry));
  }
  report.key_figures = {
      {"assets", fmt::format("{}", entries.size() - failed), "", failed > 0 ? "some failed" : ""},
      {"smallest dihedral angle", worst < 180 ? fmt::format("{:.1f}", worst) : "—", "°", "of all tets"},
      {"slowest mesh", fmt::format("{:.1f}", slowest), "s", ""},
      {"whole gallery", fmt::format("{:.0f}", seconds), "s", ""}};
  return report;
}

std::string gallery_json(const std::vector<GalleryEntry>& entries, double seconds) {
  using nlohmann::ordered_json;
  ordered_json assets = ordered_json::array();
  for (const GalleryEntry& entry : entries) {
    ordered_json meshes = ordered_json::array();
    for (const GalleryMesh& mesh : entry.meshes)
      meshes.push_back({{"asked", mesh.wanted},
                        {"elements", mesh.num_elements},
                        {"kind", mesh.kind},
                        {"nodes", mesh.num_nodes},
                        {"min_dihedral", mesh.min_dihedral},
                        {"max_dihedral", mesh.max_dihedral},
                        {"volume", mesh.volume},
                        {"surface_area", mesh.area},
                        {"seconds", mesh.seconds},
                        {"warnings", mesh.warnings}});
    assets.push_back({{"name", entry.name},
                      {"title", entry.title},
                      {"description", entry.description},
                      {"size", {entry.size.x(), entry.size.y(), entry.size.z()}},
                      {"regions", entry.regions},
                      {"node_sets", entry.node_sets},
                      {"picture_bytes", entry.picture.size()},
                      {"problem", entry.problem},
                      {"meshes", meshes}});
  }
  return ordered_json{{"assets", assets}, {"seconds", seconds}}.dump(2);
}

}  // namespace dashpot::render
