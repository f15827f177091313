#include "dashpot/record/ledger.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "dashpot/integrate/stepper.hpp"

namespace dashpot {
namespace {

/// Appends "#2", "#3", ... to names that occur again.
std::string unique_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string candidate = name;
  for (int k = 2; std::find(taken.begin(), taken.end(), candidate) != taken.end(); ++k)
    candidate = name + "#" + std::to_string(k);
  return candidate;
}

void append_wrench(std::vector<double>& row, const LinearAngular& wrench) {
  for (int c = 0; c < 3; ++c) row.push_back(wrench.linear[c]);
  for (int c = 0; c < 3; ++c) row.push_back(wrench.angular[c]);
}

}  // namespace

EnergyLedger::EnergyLedger(const System& system, const State& start)
    : work_(system.dissipations().size() + system.filters().size()) {
  for (const auto& term : system.energies()) {
    has_contact_ |= term->kind() == EnergyKind::contact;
    if (term->kind() == EnergyKind::gravity) {
      column_of_energy_.push_back(-1);
      continue;
    }
    const auto known = std::find(elastic_bodies_.begin(), elastic_bodies_.end(), term->body());
    column_of_energy_.push_back(static_cast<int>(known - elastic_bodies_.begin()));
    if (known == elastic_bodies_.end()) elastic_bodies_.push_back(term->body());
  }
  for (const auto& term : system.dissipations()) {
    dampings_.push_back(unique_name(term->body() + "." + term->model(), dampings_));
    const bool rubs = term->kind() == LossKind::friction;
    booking_.push_back(rubs ? Booking::friction : term->is_contact() ? Booking::contact : Booking::damping);
    has_contact_ |= term->is_contact();
    column_of_stored_.push_back(term->num_internal_variables() > 0 ? static_cast<int>(elastic_bodies_.size()) : -1);
    if (term->num_internal_variables() > 0) elastic_bodies_.push_back(dampings_.back());
  }
  for (const auto& filter : system.filters()) {
    dampings_.push_back(unique_name(filter->body() + "." + filter->model(), dampings_));
    booking_.push_back(Booking::damping);
  }

  columns_ = {"time", "kinetic"};
  for (const std::string& body : elastic_bodies_) columns_.push_back("elastic." + body);
  columns_.insert(columns_.end(), {"gravity", "external"});
  for (std::size_t j = 0; j < dampings_.size(); ++j)
    if (booking_[j] == Booking::damping) columns_.push_back("damping." + dampings_[j]);
  columns_.insert(columns_.end(), {"contact", "solver", "numerical", "px", "py", "pz", "lx", "ly", "lz"});
  for (const std::string& name : dampings_)
    for (const char* component : {".px", ".py", ".pz", ".lx", ".ly", ".lz"})
      columns_.push_back("impulse." + name + component);
  if (has_contact_) columns_.push_back("friction");

  energies_ = energies(system, start);
  initial_energy_ = energies_.total();
  observe(system, start);
}

void EnergyLedger::observe(const System& system, const State& state) {
  time_ = state.time;
  momentum_ = system.inertia().momentum(state.q, state.v);
  energy_scale_ = std::max({energy_scale_, energies_.kinetic, std::abs(energies_.total() - energies_.kinetic)});
}

void EnergyLedger::book(const System& system, const State& state, const StepReport& report) {
  const double before = energies_.total();
  double losses = report.work.solver;
  for (const double loss : report.work.damping) losses += loss;
  work_ += report.work;
  energies_ = report.end;
  numerical_ += report.work.external - losses - (energies_.total() - before);
  observe(system, state);
}

void EnergyLedger::rebase(const System& system, const State& state) {
  const double before = energies_.total();
  energies_ = energies(system, state);
  work_.external += energies_.total() - before;
  observe(system, state);
}

std::vector<double> EnergyLedger::row() const {
  std::vector<double> row = {time_, energies_.kinetic};
  std::vector<double> elastic(elastic_bodies_.size(), 0.0);
  double gravity = 0;
  for (std::size_t i = 0; i < energies_.potential.size(); ++i) {
    const int column = column_of_energy_[i];
    (column < 0 ? gravity : elastic[static_cast<std::size_t>(column)]) += energies_.potential[i];
  }
  for (std::size_t j = 0; j < energies_.stored.size(); ++j)
    if (column_of_stored_[j] >= 0) elastic[static_cast<std::size_t>(column_of_stored_[j])] += energies_.stored[j];
  row.insert(row.end(), elastic.begin(), elastic.end());
  row.insert(row.end(), {gravity, work_.external});
  double friction = 0;
  for (std::size_t j = 0; j < booking_.size(); ++j) {
    if (booking_[j] == Booking::damping) row.push_back(work_.damping[j]);
    if (booking_[j] == Booking::friction) friction += work_.damping[j];
  }
  row.insert(row.end(), {contact(), work_.solver, numerical_});
  append_wrench(row, momentum_);
  for (const LinearAngular& impulse : work_.impulse) append_wrench(row, impulse);
  if (has_contact_) row.push_back(friction);
  assert(row.size() == columns_.size());
  return row;
}

double EnergyLedger::contact() const {
  double sum = 0;
  for (std::size_t j = 0; j < booking_.size(); ++j)
    if (booking_[j] != Booking::damping) sum += work_.damping[j];
  return sum;
}

double EnergyLedger::created_energy() const {
  // What dampings took may hide what the integrator made, and what it lost may hide what they made: neither may.
  double taken = 0;
  for (const double loss : work_.damping) taken += loss;
  return std::max({0.0, -numerical_, -(numerical_ + taken)});
}

double EnergyLedger::created() const {
  double gravity = 0, honest = std::abs(initial_energy_) + std::abs(work_.external);
  for (std::size_t i = 0; i < energies_.potential.size(); ++i)
    if (column_of_energy_[i] < 0) gravity += energies_.potential[i];
  honest += std::abs(gravity);
  return honest > 0 ? created_energy() / honest : 0;
}

std::vector<double> EnergyLedger::accumulators() const {
  std::vector<double> values = {initial_energy_, numerical_,   energy_scale_,
                                work_.external,  work_.solver, energies_.kinetic};
  values.insert(values.end(), energies_.potential.begin(), energies_.potential.end());
  values.insert(values.end(), energies_.stored.begin(), energies_.stored.end());
  values.insert(values.end(), work_.damping.begin(), work_.damping.end());
  for (const LinearAngular& impulse : work_.impulse) append_wrench(values, impulse);
  return values;
}

void EnergyLedger::restore(const System& system, const State& state, const std::vector<double>& accumulators) {
  assert(accumulators.size() == this->accumulators().size());
  auto next = accumulators.begin();
  initial_energy_ = *next++;
  numerical_ = *next++;
  energy_scale_ = *next++;
  work_.external = *next++;
  work_.solver = *next++;
  energies_.kinetic = *next++;
  for (double& value : energies_.potential) value = *next++;
  for (double& value : energies_.stored) value = *next++;
  for (double& value : work_.damping) value = *next++;
  for (LinearAngular& impulse : work_.impulse) {
    for (int c = 0; c < 3; ++c) impulse.linear[c] = *next++;
    for (int c = 0; c < 3; ++c) impulse.angular[c] = *next++;
  }
  observe(system, state);
}

std::string ledger_unit(const std::string& column) {
  if (column == "time") return "s";
  const bool is_impulse = column.starts_with("impulse.");
  const std::string last = is_impulse ? column.substr(column.rfind('.') + 1) : column;
  for (const char axis : {'x', 'y', 'z'}) {
    if (last == std::string("p") + axis) return "kg m/s";
    if (last == std::string("l") + axis) return "kg m^2/s";
  }
  return "J";
}

}  // namespace dashpot
