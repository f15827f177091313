#include "studio_recording.hpp"

#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::studio {
namespace {

Frame frame_of(const System& system, const State& state) {
  Frame frame;
  frame.time = state.time;
  system.kinematics().positions(state.q, frame.points);
  system.kinematics().velocities(state.q, state.v, frame.velocities);
  frame.power.assign(frame.points.size(), 0);
  return frame;
}

void append_scenery(const RunSettings& settings, Frame& frame) {
  for (const Scenery& scenery : settings.scenery) scenery.append(frame.time, frame.points, frame.velocities);
  frame.power.resize(frame.points.size(), 0);
}

Table empty_probes(const RunSettings& settings) {
  Table table;
  table.name = "probes";
  table.add_column("time", "s");
  for (const Probe& probe : settings.probes) {
    for (const char* axis : {".x", ".y", ".z"}) table.add_column(probe.name + axis, "m");
    for (const char* axis : {".vx", ".vy", ".vz"}) table.add_column(probe.name + axis, "m/s");
  }
  return table;
}

std::vector<double> probes_of(const RunSettings& settings, const Frame& frame) {
  std::vector<double> row = {frame.time};
  for (const Probe& probe : settings.probes) {
    Vec3 x = Vec3::Zero(), v = Vec3::Zero();
    for (std::size_t i = 0; i < probe.points.size(); ++i) {
      const std::size_t point = static_cast<std::size_t>(probe.points[i]);
      x += probe.weights[i] * frame.points[point];
      v += probe.weights[i] * frame.velocities[point];
    }
    row.insert(row.end(), {x.x(), x.y(), x.z(), v.x(), v.y(), v.z()});
  }
  return row;
}

std::size_t bytes_of(const StudioRecording::Instant& instant) {
  std::size_t sum = 256 + instant.ledger.size() * sizeof(double);
  for (const auto& [kind, world] : instant.worlds) sum += world.bytes();
  return sum;
}

}  // namespace

void StudioRecording::clear() {
  instants_.clear();
  bytes_ = 0;
}

void StudioRecording::keep(const std::function<bool(const std::string& kind)>& keeps, const std::string& designed) {
  if (!keeps(designed)) return clear();
  bytes_ = 0;
  for (Instant& instant : instants_) {
    std::erase_if(instant.worlds, [&](const auto& entry) { return !keeps(entry.first); });
    instant.bytes = bytes_of(instant);
    for (auto& [kind, world] : instant.worlds) world.is_from_before_an_edit = true;
    bytes_ += instant.bytes;
  }
}

void StudioRecording::add(const std::vector<StudioWorld>& worlds, double every) {
  const StudioWorld& first = worlds.front();
  const double time = first.state().time;
  if (!empty() && time < to() + every * (1 - 1e-6)) return;
  Instant instant;
  instant.time = time;
  instant.ledger = first.ledger().row();
  for (const StudioWorld& world : worlds) instant.worlds[world.kind()] = world.instant();
  instant.bytes = bytes_of(instant);
  bytes_ += instant.bytes;
  instants_.push_back(std::move(instant));
  while (bytes_ > most_bytes_ && instants_.size() > 2) {
    bytes_ -= instants_.front().bytes;
    instants_.pop_front();
  }
}

void StudioRecording::cut_after(double time) {
  while (!empty() && instants_.back().time > time + 1e-12) {
    bytes_ -= instants_.back().bytes;
    instants_.pop_back();
  }
}

const StudioRecording::Instant* StudioRecording::nearest(double time) const {
  const Instant* best = nullptr;
  for (const Instant& instant : instants_)
    if (best == nullptr || std::abs(instant.time - time) < std::abs(best->time - time)) best = &instant;
  return best;
}

RunResult StudioRecording::as_run(const StudioWorld& designed) const {
  const CompiledScene& scene = designed.scene();
  RunResult run;
  run.recording = scene.recording;
  run.ledger.name = "ledger";
  for (const std::string& column : designed.ledger().columns()) run.ledger.add_column(column, ledger_unit(column));
  run.probes = empty_probes(scene.run);
  for (const Instant& instant : instants_) {
    const auto mine = instant.worlds.find(designed.kind());
    if (mine == instant.worlds.end() || mine->second.is_from_before_an_edit) continue;
    run.ledger.add_row(instant.ledger);
    Frame frame = frame_of(designed.system(), mine->second.state);
    run.probes.add_row(probes_of(scene.run, frame));
    append_scenery(scene.run, frame);
    run.recording.frames.push_back(std::move(frame));
  }
  if (run.recording.frames.size() < 2)
    throw Error(
        Problem{"export", "no motion is recorded since the last edit", "a motion of some instants", "play first"});
  run.state = designed.state();
  run.counters.steps = designed.state().step;
  return run;
}

}  // namespace dashpot::studio
