#include "dashpot/learn/identify_data.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::learn {
namespace {

/// Tracks of what was loaded, on the clock of the scene, and their points.
const TrajectoryObservation& trajectory_of(const LoadedData& loaded, const std::string& name) {
  if (const auto* markers = dynamic_cast<const MarkerObservation*>(loaded.observation.get()))
    return markers->trajectory();
  if (const auto* plain = dynamic_cast<const TrajectoryObservation*>(loaded.observation.get())) return *plain;
  throw Error(Problem{name, "point clouds", "points that are followed: markers, probes, nodes",
                      "'dashpot learn' learns from clouds"});
}

}  // namespace

DataKind ring_data_kind(const CompiledScene& scene, const std::string& file) {
  if (std::filesystem::is_directory(file)) return DataKind::trajectory;
  const std::vector<std::string> names = analysis::marker_names(analysis::read_measurement(file));
  const auto& probes = scene.run.probes;
  const bool knows_probe = std::ranges::any_of(names, [&](const std::string& name) {
    return std::ranges::any_of(probes, [&](const auto& p) { return p.name == name; });
  });
  const bool has_numbers = std::ranges::any_of(names, [](const std::string& name) {
    const std::size_t dot = name.rfind('.');
    const std::string number = dot == std::string::npos ? name : name.substr(dot + 1);
    return !number.empty() && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  });
  return knows_probe || has_numbers ? DataKind::trajectory : DataKind::markers;
}

RingRun load_ring(const std::string& name, std::function<CompiledScene(const std::vector<SceneOverride>&)> scene,
                  DataSpec spec, std::vector<std::string>& notes) {
  const CompiledScene compiled = scene({});
  // The scene's own end does not matter: it is run as long as the capture is looked at.
  CompiledScene endless = compiled;
  if (spec.offset != OffsetKind::fit) endless.run.end = 1e6;
  const bool gives_noise = spec.sigma > 0;
  if (!gives_noise) spec.sigma = 1;  // read off the capture later
  LoadedData loaded;
  try {
    loaded = load_data(endless, spec);
  } catch (const Error& error) {
    const bool moves_at_once =
        spec.offset == OffsetKind::release && std::ranges::any_of(error.problems(), [](const Problem& problem) {
          return problem.found.find("from the first frame") != std::string::npos;
        });
    if (!moves_at_once) throw;
    notes.push_back(name + ": everything moves from the first frame on; that is taken for the start of the scene");
    spec.offset = OffsetKind::given;
    loaded = load_data(endless, spec);
  }
  notes.insert(notes.end(), loaded.notes.begin(), loaded.notes.end());
  const TrajectoryObservation& found = trajectory_of(loaded, name);
  RingRun run;
  run.name = name;
  run.scene = std::move(scene);
  run.tracks = found.tracks();
  run.points = found.points();
  run.sigma = gives_noise ? spec.sigma : 0;
  for (double& time : run.tracks.times) time -= compiled.start.time;
  return run;
}

}  // namespace dashpot::learn
