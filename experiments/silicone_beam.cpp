#include "silicone_beam.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "scene_file.hpp"

namespace dashpot::cli {
namespace {

namespace fs = std::filesystem;

constexpr double gravity = 9.80709;          // [m/s2], of the scene
constexpr int nodes_of_tip = 9;              // of a face of one cell of 10-node tets
constexpr double spring_over_weight = 0.01;  // [1/m]: of the hook's spring, 0.1 % of the beam's stiffness
constexpr double spring_length = 0.3;        // [m], of the scene
constexpr double yield_length = 0.3e-3;      // [m] by which the tip moves before the hook slips

}  // namespace

std::string silicone_beam_folder() {
  std::error_code ignored;
  const auto holds = [&](const fs::path& folder) { return fs::exists(folder / "beam_gravity_V2_a.csv", ignored); };
  if (const char* data = std::getenv("DASHPOT_DATA")) {
    const fs::path folder = fs::path(data) / "silicone_beam";
    return holds(folder) ? folder.string() : "";
  }
  for (fs::path at = fs::current_path(ignored); at.has_parent_path() && at != at.parent_path(); at = at.parent_path())
    if (const fs::path folder = at.parent_path() / "shared" / "data" / "silicone_beam"; holds(folder))
      return folder.string();
  return {};
}

const std::vector<BeamLoad>& beam_loads() {
  static const std::vector<BeamLoad> loads = {{"own weight", "beam_gravity_V2_a.csv", 0},
                                              {"52 g", "beam_load52_V2_a.csv", 0.51012},
                                              {"101 g", "beam_load101_V2_a.csv", 1.00062}};
  return loads;
}

learn::RingRun beam_run(const BeamLoad& load, const std::string& folder, const BeamSize& size) {
  std::vector<SceneChange> changes = {{"/time/dt", size.dt},
                                      {"/bodies/0/mesh/bar/cells", fmt::format("[1, 1, {}]", size.cells)},
                                      {"/bodies/0/material/young", size.young}};
  if (load.weight > 0) {
    changes.emplace_back("/bodies/0/point_masses/0/mass", load.weight / gravity / nodes_of_tip);
    changes.emplace_back("/bodies/1/springs/0/stiffness", spring_over_weight * load.weight);
  }
  const std::string text = scene_file("silicone_beam", changes);
  const auto scene = [text](const std::vector<SceneOverride>& overrides) {
    return compile(parse_scene(text, "silicone_beam.json", {}, overrides));
  };
  learn::DataSpec spec;
  spec.kind = learn::DataKind::markers;
  spec.file = folder + "/" + load.file;
  spec.body = "beam";
  spec.offset = learn::OffsetKind::release;
  spec.markers.unit = "m";
  spec.markers.markers = {{"Tip1", {}}, {"Tip2", {}}, {"Tip3", {}}};
  spec.markers.alignment = learn::AlignmentKind::given;
  std::vector<std::string> notes;
  learn::RingRun run = learn::load_ring(spec.file, scene, spec, notes);
  run.name = load.name;
  return run;
}

double hook_share(double friction_over_load) { return friction_over_load / (spring_over_weight * yield_length); }
double hook_yield_strain() { return yield_length / spring_length; }

}  // namespace dashpot::cli
