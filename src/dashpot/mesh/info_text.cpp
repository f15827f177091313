#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "dashpot/mesh/info.hpp"

namespace dashpot {
namespace {

const char* measure_unit(int dimension) {
  static constexpr const char* units[] = {"", "m", "m^2", "m^3"};
  return units[dimension];
}

nlohmann::ordered_json vector_json(const Vec3& x) { return {x[0], x[1], x[2]}; }

nlohmann::ordered_json report_json(const MeshReport& report) {
  nlohmann::ordered_json json{{"format", report.format},
                              {"flipped_tets", report.num_flipped_tets},
                              {"dropped_elements", report.num_dropped_elements},
                              {"boundary_elements", report.num_boundary_elements}};
  for (const Problem& warning : report.warnings) json["warnings"].push_back(warning.text());
  return json;
}

}  // namespace

std::string to_text(const MeshInfo& info, const MeshReport* report) {
  std::string out;
  const auto row = [&]<class... Args>(const char* name, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), "{:<16}", name);
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
    out += '\n';
  };
  if (report != nullptr) row("format", "{}", report->format);
  row("nodes", "{}", info.num_nodes);
  for (const MeshInfo::Kind& kind : info.kinds) row("elements", "{} {}", kind.count, to_string(kind.kind));
  const Vec3 size = info.box.size();
  row("bounding box", "({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g}) m", info.box.min[0], info.box.min[1], info.box.min[2],
      info.box.max[0], info.box.max[1], info.box.max[2]);
  row("size", "{:g} x {:g} x {:g} m", size[0], size[1], size[2]);
  if (info.volume > 0) row("volume", "{:g} m^3", info.volume);
  if (info.surface_area > 0)
    row("surface", "{:g} m^2, {} triangles, {} nodes, {}", info.surface_area, info.num_surface_triangles,
        info.num_surface_nodes,
        info.num_rim_edges == 0 ? std::string("closed") : fmt::format("open ({} rim edges)", info.num_rim_edges));
  if (info.length > 0) row("length", "{:g} m", info.length);
  if (info.longest_edge > 0)
    row("edges", "{:g} to {:g} m, mean {:g} m", info.shortest_edge, info.longest_edge, info.mean_edge);
  if (info.worst_tet >= 0) {
    row("dihedral angles", "{:.1f} to {:.1f} degrees (regular: 70.5)", info.min_dihedral, info.max_dihedral);
    row("aspect", "worst {:.2f} (tet {}), mean {:.2f} (regular: 1)", info.worst_aspect, info.worst_tet,
        info.mean_aspect);
  }
  if (info.min_triangle_angle > 0) row("smallest angle", "{:.1f} degrees", info.min_triangle_angle);
  row("parts", "{}{}", info.num_parts,
      info.num_hinged_groups == 0
          ? ""
          : fmt::format(", {} hinged to another ({} tets)", info.num_hinged_groups, info.num_hinged_tets));
  for (const MeshInfo::Part& part : info.regions)
    row("region", "'{}': {} elements, {} nodes, {:g} {}", part.name, part.num_elements, part.num_nodes, part.measure,
        measure_unit(info.dimension));
  for (const MeshInfo::Part& part : info.node_sets) row("node set", "'{}': {} nodes", part.name, part.num_nodes);
  for (const MeshInfo::Field& field : info.fields)
    row("field", "'{}' on each {}: {:g} to {:g}", field.name, to_string(field.kind), field.smallest, field.largest);
  if (info.num_overlapping_faces > 0)
    row("warning", "{} faces belong to more than two tets", info.num_overlapping_faces);
  if (report != nullptr) {
    for (const Problem& warning : report->warnings) row("warning", "{}", warning.text());
  } else {
    if (!info.hinges.empty()) row("warning", "{}", info.hinges);
    if (info.num_duplicate_nodes > 0) row("warning", "{} nodes have the position of another", info.num_duplicate_nodes);
    if (info.num_unused_nodes > 0) row("warning", "{} nodes belong to no element", info.num_unused_nodes);
  }
  return out;
}

std::string to_json(const MeshInfo& info, const MeshReport* report) {
  nlohmann::ordered_json json{{"nodes", info.num_nodes}, {"dimension", info.dimension}};
  json["elements"] = nlohmann::ordered_json::object();
  for (const MeshInfo::Kind& kind : info.kinds) json["elements"][to_string(kind.kind)] = kind.count;
  json["box"] = {{"min", vector_json(info.box.min)}, {"max", vector_json(info.box.max)}};
  json["volume"] = info.volume;
  json["surface"] = {{"area", info.surface_area},
                     {"triangles", info.num_surface_triangles},
                     {"nodes", info.num_surface_nodes},
                     {"rim_edges", info.num_rim_edges}};
  json["length"] = info.length;
  json["edges"] = {{"shortest", info.shortest_edge}, {"longest", info.longest_edge}, {"mean", info.mean_edge}};
  json["quality"] = {{"min_dihedral_degrees", info.min_dihedral},
                     {"max_dihedral_degrees", info.max_dihedral},
                     {"worst_aspect", info.worst_aspect},
                     {"mean_aspect", info.mean_aspect},
                     {"worst_tet", info.worst_tet},
                     {"min_triangle_angle_degrees", info.min_triangle_angle}};
  json["parts"] = info.num_parts;
  json["hinged"] = {{"groups", info.num_hinged_groups}, {"tets", info.num_hinged_tets}};
  json["bandwidth"] = info.bandwidth;
  json["duplicate_nodes"] = info.num_duplicate_nodes;
  json["unused_nodes"] = info.num_unused_nodes;
  json["overlapping_faces"] = info.num_overlapping_faces;
  json["regions"] = nlohmann::ordered_json::array();
  for (const MeshInfo::Part& part : info.regions)
    json["regions"].push_back(
        {{"name", part.name}, {"elements", part.num_elements}, {"nodes", part.num_nodes}, {"measure", part.measure}});
  json["node_sets"] = nlohmann::ordered_json::array();
  for (const MeshInfo::Part& part : info.node_sets)
    json["node_sets"].push_back({{"name", part.name}, {"nodes", part.num_nodes}});
  json["fields"] = nlohmann::ordered_json::array();
  for (const MeshInfo::Field& field : info.fields)
    json["fields"].push_back({{"name", field.name},
                              {"elements", to_string(field.kind)},
                              {"smallest", field.smallest},
                              {"largest", field.largest}});
  if (report != nullptr) json["report"] = report_json(*report);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace dashpot
