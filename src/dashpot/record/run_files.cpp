#include "dashpot/record/run_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {

std::string csv_line(const std::vector<double>& values) {
  std::string line;
  for (const double value : values) {
    if (!line.empty()) line += ',';
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  return line += '\n';
}

std::string csv_line(const std::vector<std::string>& names) {
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) line += (i ? "," : "") + names[i];
  return line += '\n';
}

std::vector<double> to_numbers(const RunCounters& c) {
  return {static_cast<double>(c.steps),
          static_cast<double>(c.substepped),
          static_cast<double>(c.newton_iterations),
          static_cast<double>(c.factorizations),
          static_cast<double>(c.linear_iterations),
          static_cast<double>(c.analyses),
          static_cast<double>(c.projected),
          c.worst_residual,
          c.wall_seconds,
          c.shortest_substep};
}

}  // namespace

RunCounters counters_from(const std::vector<double>& n) {
  RunCounters c;
  if (n.size() != 10) return c;
  c.steps = std::llround(n[0]);
  c.substepped = std::llround(n[1]);
  c.newton_iterations = std::llround(n[2]);
  c.factorizations = std::llround(n[3]);
  c.linear_iterations = std::llround(n[4]);
  c.analyses = std::llround(n[5]);
  c.projected = std::llround(n[6]);
  c.worst_residual = n[7];
  c.wall_seconds = n[8];
  c.shortest_substep = n[9];
  return c;
}

RunFiles::RunFiles(const System& system, const RunSettings& settings)
    : system_(system), settings_(settings), workspace_(system.make_workspace()) {
  if (settings.folder.empty()) return;
  names_ = {"ledger.csv", "probes.csv"};
  if (settings.write_frames) names_.push_back("frames.dpf");
  if (!system.loads().empty()) names_.push_back("loads.csv");
  if (!settings.touching.empty()) names_.push_back("contacts.csv");
}

GrowingFile* RunFiles::file(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? nullptr : &files_[static_cast<std::size_t>(found - names_.begin())];
}

void RunFiles::create(const EnergyLedger& ledger) {
  if (names_.empty()) return;
  create_folder(settings_.folder);
  for (const char* old : {"checkpoint.dpc", "ledger.csv", "probes.csv", "frames.dpf", "frames.dpf.partial", "loads.csv",
                          "loads.csv.partial", "contacts.csv", "contacts.csv.partial"})
    std::filesystem::remove(path(old));  // an earlier run's files must not be mistaken for this one's
  for (const std::string& name : names_) files_.push_back(GrowingFile::create(path(name)));
  file("ledger.csv")->append(csv_line(ledger.columns()));
  std::vector<std::string> columns = {"time"};
  for (const Probe& probe : settings_.probes)
    for (const char* component : {".x", ".y", ".z", ".vx", ".vy", ".vz"}) columns.push_back(probe.name + component);
  file("probes.csv")->append(csv_line(columns));
  if (GrowingFile* frames = file("frames.dpf")) {
    int points = system_.kinematics().num_points();
    for (const Scenery& piece : settings_.scenery) points += piece.num_points;
    frames->append(frames_header(points));
  }
  if (GrowingFile* loads = file("loads.csv")) loads->append("time,load.x,load.y,load.z\n");
  if (GrowingFile* contacts = file("contacts.csv")) {
    columns = {"time"};
    for (const TouchingBody& body : settings_.touching)
      for (const char* component : {".fx", ".fy", ".fz"}) columns.push_back("contact." + body.name + component);
    contacts->append(csv_line(columns));
  }
}

void RunFiles::reopen(const Checkpoint& checkpoint) {
  for (const std::string& name : names_) {
    const auto entry = std::find_if(checkpoint.files.begin(), checkpoint.files.end(),
                                    [&](const auto& file) { return file.first == name; });
    if (entry == checkpoint.files.end())
      throw Error(Problem{path("checkpoint.dpc"), "the checkpoint knows no " + name, "the same recording as before",
                          "start the run again without --resume"});
    files_.push_back(GrowingFile::resume(path(name), entry->second));
  }
}

void RunFiles::book(const EnergyLedger& ledger) {
  if (!files_.empty()) files_[0].append(csv_line(ledger.row()));
}

void RunFiles::record(const State& state) {
  if (files_.empty()) return;
  frame_.time = state.time;
  system_.kinematics().positions(state.q, frame_.points);
  system_.kinematics().velocities(state.q, state.v, frame_.velocities);
  losses_.damping.clear();
  if (settings_.write_frames || !settings_.touching.empty()) find_losses(state);
  record_probes(state);
  record_loads(state);
  record_contacts(state);
  record_frame(state);
}

void RunFiles::find_losses(const State& state) {
  if (system_.num_dofs() != 3 * static_cast<int>(frame_.points.size()) || system_.dissipations().empty()) return;
  system_.begin_step(state, workspace_);
  evaluate_losses(system_, workspace_, state.memory, {state.q, state.v, {}}, {state.time, 0}, losses_);
}

void RunFiles::record_probes(const State& state) {
  std::vector<double> row = {state.time};
  for (const Probe& probe : settings_.probes)
    for (const std::vector<Vec3>* field : {&frame_.points, &frame_.velocities}) {
      Vec3 mean = Vec3::Zero();
      for (std::size_t i = 0; i < probe.points.size(); ++i)
        mean += probe.weights[i] * (*field)[static_cast<std::size_t>(probe.points[i])];
      row.insert(row.end(), mean.data(), mean.data() + 3);
    }
  file("probes.csv")->append(csv_line(row));
}

void RunFiles::record_loads(const State& state) {
  GrowingFile* loads = file("loads.csv");
  if (loads == nullptr) return;
  Vector force = Vector::Zero(system_.num_dofs());
  system_.add_external_force(state.time, force);
  const Vec3 total = system_.kinematics().wrench(state.q, force).linear;
  loads->append(csv_line(std::vector<double>{state.time, total.x(), total.y(), total.z()}));
}

void RunFiles::record_contacts(const State& state) {
  GrowingFile* contacts = file("contacts.csv");
  if (contacts == nullptr) return;
  Vector resistance = Vector::Zero(system_.num_dofs());  // of what touches: it stands on the left of the equation
  EnergyRequest request{state.q};
  request.time = state.time;
  request.gradient = &resistance;
  for (const auto& energy : system_.energies())
    if (energy->kind() == EnergyKind::contact) energy->evaluate(request);
  for (std::size_t j = 0; !losses_.damping.empty() && j < system_.dissipations().size(); ++j)
    if (system_.dissipations()[j]->is_contact()) {
      const Eigen::VectorBlock<const Vector> force = damping_force(system_, losses_, j);
      resistance.segment(force.startRow(), force.size()) += force;
    }
  std::vector<double> row = {state.time};
  for (const TouchingBody& body : settings_.touching) {
    Vec3 force = Vec3::Zero();
    for (int p = body.first_point; p < body.first_point + body.num_points; ++p) force -= resistance.segment<3>(3 * p);
    row.insert(row.end(), force.data(), force.data() + 3);
  }
  contacts->append(csv_line(row));
}

void RunFiles::record_frame(const State& state) {
  GrowingFile* frames = file("frames.dpf");
  if (frames == nullptr) return;
  frame_.power.assign(frame_.points.size(), 0.0);  // each point's share of the losses
  for (const Vector& force : losses_.damping)
    for (std::size_t p = 0; p < frame_.power.size(); ++p)
      frame_.power[p] += force.segment<3>(3 * static_cast<Eigen::Index>(p)).dot(frame_.velocities[p]);
  for (const Scenery& piece : settings_.scenery) piece.append(state.time, frame_.points, frame_.velocities);
  frame_.power.resize(frame_.points.size(), 0.0);
  frames->append(frame_bytes(frame_));
}

void RunFiles::checkpoint(const State& state, const EnergyLedger& ledger, const RunCounters& counters) {
  if (files_.empty()) return;
  Checkpoint checkpoint{settings_.fingerprint, state, ledger.accumulators(), to_numbers(counters), {}};
  for (std::size_t i = 0; i < files_.size(); ++i) checkpoint.files.emplace_back(names_[i], files_[i].flush());
  write_checkpoint(path("checkpoint.dpc"), checkpoint);
}

void RunFiles::finish() {
  for (GrowingFile& file : files_) file.finish();
}

}  // namespace dashpot
