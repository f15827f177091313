// `dashpot mesh SHAPE`: a shape file or asset into a mesh.
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/write.hpp"
#include "dashpot/shape/assets.hpp"
#include "dashpot/shape/mesh_shape.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"

namespace dashpot::cli {
namespace {

struct MeshOptions {
  std::string shape, out, surface;
  double tets = 0;
  std::string spacing, height;
  bool list = false, source = false;
};

int list_assets(const Console& console) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  for (const std::string& name : asset_names()) {
    const Shape shape = load_shape(name);
    text += fmt::format("{:<16}{}\n", name, shape.title.empty() ? shape.description : shape.title);
    list.push_back(
        {{"name", name}, {"title", shape.title}, {"description", shape.description}, {"regions", shape.regions}});
  }
  console.print(text);
  console.print_json({{"assets", list}});
  return exit_ok;
}

/// Trials of the search for the spacing, once they have taken two seconds. The search ends when it is near enough, so
/// the number of trials is a guess.
class MeshingProgress {
 public:
  explicit MeshingProgress(const Console& console) : bar_(console, "meshing", usual_trials, "trials") {}
  void update(int trial) {
    using namespace std::chrono;
    if (steady_clock::now() - start_ > seconds(2)) bar_.update(std::min<double>(trial, usual_trials - 1));
  }
  void finish() { bar_.finish(); }

 private:
  static constexpr double usual_trials = 9;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Progress bar_;
};

int mesh(const MeshOptions& options, const Console& console) {
  if (options.list) return list_assets(console);
  if (options.shape.empty())
    throw UsageError(Problem{"dashpot mesh", "no shape", "an asset's name or a shape file",
                             "'dashpot mesh --list' shows the assets"});
  if (options.source && !asset_text(options.shape).empty()) {
    console.print(std::string(asset_text(options.shape)));
    return exit_ok;
  }
  const auto start = std::chrono::steady_clock::now();
  std::vector<Problem> warnings;
  const Shape shape = load_shape(options.shape, &warnings);
  ShapeMeshOptions wanted{options.tets, length_option("--spacing", options.spacing),
                          length_option("--height", options.height)};
  if (wanted.elements == 0 && wanted.spacing == 0) wanted.elements = 11000;
  MeshingProgress progress(console);
  wanted.on_trial = [&](int trial) { progress.update(trial); };
  ShapeMesh result = mesh_shape(shape, wanted);
  progress.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  for (const std::string& path : {options.out, options.surface}) {
    if (path.empty()) continue;
    const std::vector<Problem> lost = lost_in_format(result.mesh, path);
    if (path == options.out) warnings.insert(warnings.end(), lost.begin(), lost.end());
    write_mesh(path, result.mesh);
  }
  for (const Problem& warning : warnings) console.warning(warning.text());
  const MeshInfo info = mesh_info(result.mesh);
  console.print(console.bold(shape.title.empty() ? shape.name : shape.title) + "\n" + to_text(info) +
                fmt::format("{:<16}{:.4g} m\n{:<16}{:.3f} s", "spacing", result.spacing, "time", seconds));
  nlohmann::ordered_json json{{"shape", options.shape}, {"spacing", result.spacing}, {"seconds", seconds}};
  json["mesh"] = nlohmann::ordered_json::parse(to_json(info));
  json["warnings"] = nlohmann::ordered_json::array();
  for (const Problem& warning : warnings) json["warnings"].push_back(warning.text());
  console.print_json(json);
  return exit_ok;
}

}  // namespace

void setup_mesh(CLI::App& app, Session& session) {
  auto o = std::make_shared<MeshOptions>();
  app.add_option("shape", o->shape, "Asset's name or shape file (.json)")->type_name("SHAPE");
  auto* tets =
      app.add_option("--tets", o->tets, "Wanted number of tets (triangles of a shell or cloth); 11000 unless given");
  app.add_option("--spacing", o->spacing, "Lattice spacing instead, such as '5 mm'")->excludes(tets);
  app.add_option("--height", o->height, "Scale the finished body to this height");
  app.add_option("-o,--out", o->out, fmt::format("Mesh to write ({})", fmt::join(writable_mesh_extensions(), " ")));
  app.add_option("--surface", o->surface, "Write its surface too (.obj)");
  app.add_flag("--list", o->list, "List the assets that come with the program");
  app.add_flag("--source", o->source, "Print the shape file of an asset, to start one's own from");
  app.footer("Example: dashpot mesh koala --tets 11000 -o koala.msh");
  app.callback([o, &session] { session.action = [o, &session] { return mesh(*o, session.console); }; });
}

}  // namespace dashpot::cli
