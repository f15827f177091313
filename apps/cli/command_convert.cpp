// `dashpot convert IN OUT`: a mesh into another format, by the extensions of the names.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/mesh/write.hpp"
#include "exit_codes.hpp"

namespace dashpot::cli {
namespace {

struct ConvertOptions {
  std::string in, out, dialect;
  double scale = 1;
  bool quadratic = false, merge = false, remove_unused = false;
};

MshDialect dialect_of(const std::string& name) {
  if (name == "2.2") return MshDialect::v22_ascii;
  if (name == "2.2-binary") return MshDialect::v22_binary;
  if (name == "4.1-binary") return MshDialect::v41_binary;
  return MshDialect::v41_ascii;
}

void change(Mesh& mesh, const ConvertOptions& options, const Console& console) {
  if (options.merge) {
    const int before = mesh.num_nodes();
    merge_coincident_nodes(mesh, 1e-9 * bounding_box(mesh.nodes).diagonal());
    console.message(fmt::format("merged {} duplicate nodes", before - mesh.num_nodes()));
  }
  if (options.remove_unused) {
    const int before = mesh.num_nodes();
    remove_unused_nodes(mesh);
    console.message(fmt::format("removed {} unused nodes", before - mesh.num_nodes()));
  }
  if (options.quadratic) mesh = to_quadratic(mesh);
  if (options.scale != 1)
    for (Vec3& node : mesh.nodes) node *= options.scale;
}

int convert(const ConvertOptions& options, const Console& console) {
  const std::string extension = std::filesystem::path(options.out).extension().string();
  MeshReport report;
  Mesh mesh = read_mesh(options.in, &report);
  for (const Problem& warning : report.warnings) console.warning(warning.text());
  change(mesh, options, console);
  const std::vector<Problem> lost = lost_in_format(mesh, options.out);
  for (const Problem& warning : lost) console.warning(warning.text());
  if (extension == ".msh")
    write_file_atomically(options.out, msh_bytes(mesh, dialect_of(options.dialect)));
  else
    write_mesh(options.out, mesh);
  console.message(fmt::format("{} -> {}: {} nodes", options.in, options.out, mesh.num_nodes()));
  nlohmann::ordered_json warnings = nlohmann::ordered_json::array();
  for (const Problem& warning : lost) warnings.push_back(warning.text());
  console.print_json({{"input", input_stamp(options.in)},
                      {"output", input_stamp(options.out)},
                      {"num_nodes", mesh.num_nodes()},
                      {"lost", warnings}});
  return exit_ok;
}

}  // namespace

void setup_convert(CLI::App& app, Session& session) {
  auto o = std::make_shared<ConvertOptions>();
  app.add_option("in", o->in, fmt::format("Mesh to read ({})", fmt::join(readable_mesh_extensions(), " ")))
      ->required()
      ->type_name("IN");
  app.add_option("out", o->out, fmt::format("Mesh to write ({})", fmt::join(writable_mesh_extensions(), " ")))
      ->required()
      ->type_name("OUT");
  app.add_option("--msh", o->dialect, "Dialect of a .msh file")
      ->check(CLI::IsMember({"4.1", "4.1-binary", "2.2", "2.2-binary"}))
      ->default_str("4.1");
  app.add_option("--scale", o->scale, "Multiply all coordinates, 0.001 for millimeters")
      ->check(CLI::Validator(
          [](const std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && value > 0 && value < 1e30
                       ? std::string()
                       : "found '" + text + "', expected a number above 0";
          },
          "POSITIVE"));
  app.add_flag("--quadratic", o->quadratic, "4-node tets become 10-node tets");
  app.add_flag("--merge", o->merge, "Merge nodes that coincide");
  app.add_flag("--remove-unused", o->remove_unused, "Remove nodes of no element");
  app.footer("Example: dashpot convert part.veg part.msh");
  app.callback([o, &session] { session.action = [o, &session] { return convert(*o, session.console); }; });
}

}  // namespace dashpot::cli
