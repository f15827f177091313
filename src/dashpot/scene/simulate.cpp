#include "dashpot/scene/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/integrate/live_system.hpp"

namespace dashpot {
namespace {

/// A mixture of old and new results under their final names would lie about both.
void remove_old_results(const std::string& folder) {
  for (const char* name : {"report.html", "summary.json", "scene.json", "ledger.csv", "probes.csv", "loads.csv",
                           "contacts.csv", "frames.dpf", "checkpoint.dpc", "recording.json"})
    for (const char* suffix : {"", ".partial"}) {
      std::error_code ignored;
      std::filesystem::remove(folder + "/" + name + suffix, ignored);
    }
}

constexpr std::uintmax_t most_bytes = 400'000'000;  ///< of a frames file that is read at once

/// When the last load on this body has stopped changing [s]: from then on it rings freely. Infinite under a drive that
/// never ends.
double rings_freely_from(const BodySpec& body, double end) {
  constexpr double never = std::numeric_limits<double>::infinity();
  double time = 0;
  for (const ModelSpec& load : body.loads) {
    const Settings& settings = load.settings;
    if (settings.number("from") >= end) continue;
    if (settings.has("until"))
      time = std::max(time, settings.number("until"));
    else
      time = std::max(time, load.name() == "harmonic" ? never : settings.number("from") + settings.number("ramp"));
  }
  for (const PinSpec& pin : body.pins)
    if (pin.motion) time = never;
  return time;
}

/// A number with an error as large as itself misleads whoever reads only the number.
bool is_vague(const analysis::RingDown& ring) {
  return ring.cycles.size() < 3 || !(ring.zeta_deviation <= std::max(0.01, 0.5 * std::abs(ring.zeta)));
}

ProbeRing without_ring(ProbeRing ring, std::string obstacle) {
  analysis::RingDown& values = ring.ring;
  ring.obstacle = std::move(obstacle);
  values.frequency = values.frequency_deviation = values.natural_frequency = values.initial_amplitude = nan;
  values.zeta = values.zeta_deviation = values.decay_rate = nan;
  values.by_amplitude.clear();
  values.cycles.clear();
  return ring;
}

ProbeRing measure_probe(const std::string& probe, double free_from, double end, const Table& table) {
  const std::size_t column = table.liveliest({probe + ".x", probe + ".y", probe + ".z"});
  ProbeRing result{probe, table.columns[column], {}, ""};
  analysis::RingDown& ring = result.ring;
  if (free_from < end) {
    analysis::RingDownOptions options;
    options.start = free_from;
    ring = analysis::measure_ring_down(table.column("time"), table.values[column], options);
    if (!std::isfinite(ring.zeta) || !is_vague(ring)) return result;
    result.obstacle = "too few clear cycles to read a damping ratio; run longer";
  } else {
    return without_ring(std::move(result), "driven until the end of the run, so there is no ring-down to measure");
  }
  ring.zeta = ring.zeta_deviation = ring.decay_rate = nan;
  ring.by_amplitude.clear();
  return result;
}

/// Share of the recorded time in which a body falls or flies: nothing holds it, and nothing touches it. 0 where there
/// is nothing to fall: a free body that rings in place.
double time_in_flight(const SceneSpec& spec, std::size_t body, const Table& contacts) {
  const bool is_attached = std::any_of(spec.attachments.begin(), spec.attachments.end(),
                                       [&](const AttachmentSpec& a) { return a.body == body || a.to == body; });
  if (!spec.bodies[body].pins.empty() || is_attached || spec.gravity.norm() == 0) return 0;
  const std::string name = "contact." + spec.bodies[body].name;
  if (contacts.index_of(name + ".fx") < 0 || contacts.num_rows() == 0) return 1;
  std::size_t untouched = 0;
  for (std::size_t row = 0; row < contacts.num_rows(); ++row)
    untouched += contacts.column(name + ".fx")[row] == 0 && contacts.column(name + ".fy")[row] == 0 &&
                 contacts.column(name + ".fz")[row] == 0;
  return static_cast<double>(untouched) / static_cast<double>(contacts.num_rows());
}

std::vector<ProbeRing> measure_probes(const SceneSpec& spec, const Table& table, const Table& contacts) {
  constexpr double most_flight = 0.1;  // a body that lies on the floor and rings may lose touch for a moment
  std::vector<ProbeRing> rings;
  for (const ProbeSpec& probe : spec.record.probes) {
    try {
      const double free_from = rings_freely_from(spec.bodies[probe.body], spec.time.end);
      ProbeRing ring = measure_probe(probe.name, free_from, spec.time.end, table);
      if (const double flight = time_in_flight(spec, probe.body, contacts); flight > most_flight)
        ring = without_ring(std::move(ring), fmt::format("its body is not held and flies or falls for {:.0f} % of the "
                                                         "time, so that what it shows is no vibration",
                                                         100 * flight));
      rings.push_back(std::move(ring));
    } catch (const Error&) {
      // A probe that rests, or is recorded too rarely to show a cycle, has no damping to report.
    }
  }
  return rings;
}

RunResult simulate(const CompiledScene& scene, const RunSettings& settings, const RunHooks& hooks, RunSink* sink,
                   const std::vector<double>& parameters) {
  State state = scene.start;
  LiveSystem live(*scene.system, state);
  state.parameters = parameters;
  live.follow(state);
  EnergyLedger ledger(*live, state);
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  RunResult result = run(*scene.system, state, *stepper, ledger, settings, hooks, sink);
  std::vector<Frame> frames = std::move(result.recording.frames);
  result.recording = scene.recording;
  result.recording.frames = std::move(frames);
  return result;
}

}  // namespace

RunResult simulate(const CompiledScene& scene, const RunHooks& hooks, RunSink* sink,
                   const std::vector<double>& parameters) {
  return simulate(scene, scene.run, hooks, sink, parameters);
}

RunResult simulate_into(const std::string& folder, const CompiledScene& scene, const RunHooks& hooks,
                        const RunFolderOptions& options, const FolderLock* held) {
  const FolderLock own = held == nullptr ? FolderLock(folder) : FolderLock();
  if (options.resume)  // before anything in the folder is replaced
    require_resumable(read_checkpoint(folder + "/checkpoint.dpc"), scene.run, scene.start.time);
  else
    remove_old_results(folder);
  write_file_atomically(folder + "/scene.json", filled_in(scene.spec));
  write_recording_index(folder, scene.recording);
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  RunFolder files(folder, options);
  return simulate(scene, settings, hooks, &files, {});
}

void fetch_frames(const std::string& folder, RunResult& run) {
  const std::string path = folder + "/frames.dpf";
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (!failed && size <= most_bytes) run.recording.frames = read_frames(path);
}

MeasuredRun measured(const SceneSpec& spec, RunResult run) {
  MeasuredRun result{std::move(run), {}};
  if (result.run.status != RunStatus::interrupted)
    result.rings = measure_probes(spec, result.run.probes, result.run.contacts);
  return result;
}

}  // namespace dashpot
