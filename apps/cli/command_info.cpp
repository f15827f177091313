// `dashpot info MESH`: what is in a mesh file and what may trouble a simulation.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/read.hpp"
#include "exit_codes.hpp"

namespace dashpot::cli {
namespace {

int info(const std::string& path, const Console& console) {
  MeshReport report;
  const Mesh mesh = read_mesh(path, &report);
  const MeshInfo summary = mesh_info(mesh);
  console.print(console.bold(path) + "\n" + to_text(summary, &report));
  nlohmann::ordered_json json = {{"input", input_stamp(path)}};
  json["mesh"] = nlohmann::ordered_json::parse(to_json(summary, &report));
  console.print_json(json);
  return exit_ok;
}

}  // namespace

void setup_info(CLI::App& app, Session& session) {
  auto path = std::make_shared<std::string>();
  app.add_option("mesh", *path, fmt::format("Mesh file ({})", fmt::join(readable_mesh_extensions(), " ")))
      ->required()
      ->type_name("MESH");
  app.footer("Example: dashpot info part.msh --json");
  app.callback([path, &session] { session.action = [path, &session] { return info(*path, session.console); }; });
}

}  // namespace dashpot::cli
