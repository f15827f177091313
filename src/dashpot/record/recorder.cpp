#include "dashpot/record/recorder.hpp"

#include "dashpot/integrate/balance.hpp"

namespace dashpot {

Recorder::Recorder(const System& system, const RunSettings& settings, const EnergyLedger& ledger, RunSink* sink,
                   RunResult& result)
    : system_(&system),
      settings_(settings),
      sink_(sink),
      result_(result),
      makes_frames_(settings.keep_frames || (sink != nullptr && sink->wants_frames())),
      workspace_(system.make_workspace()) {
  result.ledger.name = "ledger";
  for (const std::string& column : ledger.columns()) result.ledger.add_column(column, ledger_unit(column));
  result.probes.name = "probes";
  result.probes.add_column("time", "s");
  for (const Probe& probe : settings.probes) {
    for (const char* component : {".x", ".y", ".z"}) result.probes.add_column(probe.name + component, "m");
    for (const char* component : {".vx", ".vy", ".vz"}) result.probes.add_column(probe.name + component, "m/s");
  }
  result.loads.name = "loads";
  if (!system.loads().empty()) {
    result.loads.add_column("time", "s");
    for (const char* component : {"load.x", "load.y", "load.z"}) result.loads.add_column(component, "N");
  }
  result.contacts.name = "contacts";
  if (!settings.touching.empty()) {
    result.contacts.add_column("time", "s");
    for (const TouchingBody& body : settings.touching)
      for (const char* component : {".fx", ".fy", ".fz"})
        result.contacts.add_column("contact." + body.name + component, "N");
  }
}

void Recorder::follow(const System& system) {
  if (system_ == &system) return;
  system_ = &system;
  workspace_ = system.make_workspace();
}

int Recorder::num_points() const {
  int points = system_->kinematics().num_points();
  for (const Scenery& piece : settings_.scenery) points += piece.num_points;
  return points;
}

void Recorder::add(RunTable table, const std::vector<double>& row) {
  result_.table(table).add_row(row);
  if (sink_ != nullptr) sink_->row(table, row);
}

void Recorder::book(const EnergyLedger& ledger) { add(RunTable::ledger, ledger.row()); }

void Recorder::record(const State& state, bool samples, bool frame) {
  frame &= makes_frames_;
  if (!samples && !frame) return;
  frame_.time = state.time;
  system_->kinematics().positions(state.q, frame_.points);
  system_->kinematics().velocities(state.q, state.v, frame_.velocities);
  losses_.damping.clear();
  if (frame || !settings_.touching.empty()) find_losses(state);
  if (samples) {
    record_probes(state);
    record_loads(state);
    record_contacts(state);
  }
  if (frame) record_frame(state);
}

void Recorder::find_losses(const State& state) {
  const bool is_shown = system_->kinematics().num_nodes() > 0 || !settings_.touching.empty();
  if (system_->dissipations().empty() || !is_shown) return;
  system_->begin_step(state, workspace_);
  evaluate_losses(*system_, workspace_, state.internal_variables, {state.q, state.v, {}}, {state.time, 0}, losses_);
}

void Recorder::record_probes(const State& state) {
  std::vector<double> row = {state.time};
  for (const Probe& probe : settings_.probes)
    for (const std::vector<Vec3>* field : {&frame_.points, &frame_.velocities}) {
      Vec3 mean = Vec3::Zero();
      for (std::size_t i = 0; i < probe.points.size(); ++i)
        mean += probe.weights[i] * (*field)[static_cast<std::size_t>(probe.points[i])];
      row.insert(row.end(), mean.data(), mean.data() + 3);
    }
  add(RunTable::probes, row);
}

void Recorder::record_loads(const State& state) {
  if (system_->loads().empty()) return;
  Vector force = Vector::Zero(system_->num_dofs());
  system_->add_external_force(state.time, force);
  const Vec3 total = system_->kinematics().wrench(state.q, force).linear;
  add(RunTable::loads, {state.time, total.x(), total.y(), total.z()});
}

Vec3 Recorder::force_on(const Vector& q, const Vector& force, const TouchingBody& body) const {
  const Kinematics& kinematics = system_->kinematics();
  BlockRange blocks;
  for (int p = body.first_point; p < body.first_point + body.num_points; ++p)
    blocks = hull(blocks, kinematics.block_range(p));
  return kinematics.wrench(q, force, blocks).linear;
}

void Recorder::record_contacts(const State& state) {
  if (settings_.touching.empty()) return;
  Vector resistance = Vector::Zero(system_->num_dofs());  // of what touches: it stands on the left of the equation
  EnergyRequest request{state.q};
  request.time = state.time;
  request.gradient = &resistance;
  for (const auto& energy : system_->energies())
    if (energy->kind() == EnergyKind::contact) energy->evaluate(request);
  for (std::size_t j = 0; !losses_.damping.empty() && j < system_->dissipations().size(); ++j)
    if (system_->dissipations()[j]->is_contact()) {
      const DofRange dofs = damping_dofs(*system_, j);
      resistance.segment(dofs.begin, dofs.size()) +=
          damping_layer(*system_, losses_, j).segment(dofs.begin, dofs.size());
    }
  std::vector<double> row = {state.time};
  for (const TouchingBody& body : settings_.touching) {
    const Vec3 force = -force_on(state.q, resistance, body);
    row.insert(row.end(), force.data(), force.data() + 3);
  }
  add(RunTable::contacts, row);
}

void Recorder::record_frame(const State& state) {
  frame_.power.assign(frame_.points.size(), 0.0);  // each node's share of the losses
  const Kinematics& kinematics = system_->kinematics();
  for (const Vector& force : losses_.damping)
    for (int p = 0; p < kinematics.num_nodes(); ++p)
      frame_.power[at(p)] += force.segment<3>(kinematics.node_dof(p)).dot(frame_.velocities[at(p)]);
  for (const Scenery& piece : settings_.scenery) piece.append(state.time, frame_.points, frame_.velocities);
  frame_.power.resize(frame_.points.size(), 0.0);
  if (sink_ != nullptr && sink_->wants_frames()) sink_->frame(frame_);
  if (settings_.keep_frames) result_.recording.frames.push_back(frame_);
}

}  // namespace dashpot
