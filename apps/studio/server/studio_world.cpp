#include "studio_world.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/integrate/work_account.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/reduce/reduced_system.hpp"

namespace dashpot::studio {
namespace {

constexpr double kept_while_posing = 0.8;  // of the velocity, each step: slow vibrations are about critically damped

State started(const System& system, State start) {
  Workspace workspace = system.make_workspace();
  make_consistent(system, start, workspace);
  return start;
}

double largest_body(const CompiledScene& scene) {
  double most = 0;
  for (const CompiledBody& body : scene.bodies) most = std::max(most, bounding_box(body.mesh.nodes).diagonal());
  return most;
}

bool same_basis(const ReducedModel* a, const ReducedModel* b) {
  if (a == nullptr || b == nullptr) return false;
  const Matrix &shapes = a->subspace->basis().shapes, &others = b->subspace->basis().shapes;
  return shapes.rows() == others.rows() && shapes.cols() == others.cols() && shapes == others;
}

std::size_t bytes_of(const Vector& v) { return static_cast<std::size_t>(v.size()) * sizeof(double); }

}  // namespace

std::size_t WorldInstant::bytes() const {
  std::size_t sum = 512 + accumulators.size() * sizeof(double) + state.parameters.size() * sizeof(double);
  for (const Vector* v : {&state.q, &state.v, &state.a, &state.q_previous, &state.v_previous, &state.residual})
    sum += bytes_of(*v);
  for (const Vector& v : state.internal_variables) sum += bytes_of(v);
  return sum;
}

StudioWorld::StudioWorld(std::string kind, std::shared_ptr<const CompiledScene> scene,
                         std::shared_ptr<const System> system)
    : kind_(std::move(kind)),
      scene_(std::move(scene)),
      base_(std::move(system)),
      start_(base_ == scene_->system ? scene_->start : started(*base_, scene_->start)),
      state_(start_),
      stepper_(make_stepper(scene_->spec)),
      live_(*base_, state_),
      ledger_(*live_, state_),
      reach_(largest_body(*scene_)) {}

void StudioWorld::reset() {
  const std::vector<double> parameters = state_.parameters;
  state_ = start_;
  state_.parameters = parameters;
  if (!parameters.empty()) make_consistent_again();
  ledger_ = EnergyLedger(*live_, state_);
  const StepReport fresh;
  report_ = fresh;
  stepper_ = make_stepper(scene_->spec);
  decay_ = {};
  let_go();
}

bool StudioWorld::make_consistent_again() {
  if (!make_consistent(*live_, state_, live_.workspace(), mass_, balance_)) return false;
  state_.is_rebalanced = true;
  return true;
}

bool StudioWorld::push(const Matrix& columns, const Vec3& impulse) {
  const State before = state_;
  state_.v += columns * impulse;
  if (make_consistent_again() && state_.is_finite()) {
    ledger_.rebase(*live_, state_);
    return true;
  }
  state_ = before;
  return false;
}

void StudioWorld::pull_patch() {
  pull_force_ = 0;
  if (!grip_ || !grip_->response || !pull_) return;
  const double dt = scene_->run.dt;
  const Kinematics& kinematics = live_->kinematics();
  const Vec3 impulse = pull_impulse(*grip_->response, *pull_, grip_->patch.position(kinematics, state_.q),
                                    grip_->patch.velocity(kinematics, state_.q, state_.v), dt, reach_);
  if (push(grip_->response->columns(), impulse)) pull_force_ = impulse.norm() / dt;
}

double StudioWorld::give_way() {
  const double time = state_.time;
  const State last_good = state_;
  const Vec3 before = grip_position();
  pull_patch();
  if (advance(*stepper_, *live_, state_, live_.workspace(), scene_->run.dt, scene_->run.max_halvings).status ==
      StepStatus::failed) {
    state_ = last_good;
    stand_still();
    return 0;
  }
  if (!begin_at(state_.q, kept_while_posing * state_.v, time)) {
    state_ = last_good;
    return 0;
  }
  return (grip_position() - before).norm() / reach_;
}

void StudioWorld::stand_still() { begin_at(state_.q, Vector::Zero(state_.v.size()), state_.time); }

std::string StudioWorld::step() {
  const double dt = scene_->run.dt;
  pull_patch();
  const State last_good = state_;
  report_ = advance(*stepper_, *live_, state_, live_.workspace(), dt, scene_->run.max_halvings);
  const auto give_up = [&](const std::string& reason) {
    state_ = last_good;
    return fmt::format("the step after t = {:.6g} s failed: {}", state_.time, reason);
  };
  if (report_.status == StepStatus::failed) return give_up(report_.explanation);
  state_.time = start_.time + static_cast<double>(state_.step) * dt;
  const std::vector<double> sums = ledger_.accumulators();
  ledger_.book(*live_, state_, report_);
  const std::vector<double> row = ledger_.row();
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) {
    ledger_.restore(*live_, last_good, sums);
    return give_up("energies are no longer numbers; the body has flown apart");
  }
  if (!tracked_.points.empty())
    decay_.add(state_.time, tracked_.position(live_->kinematics(), state_.q),
               tracked_.velocity(live_->kinematics(), state_.q, state_.v));
  return {};
}

std::vector<std::string> StudioWorld::set(const std::map<std::string, std::vector<double>>& values) {
  const ParameterLayout& layout = base_->parameters();
  std::vector<double> next = state_.parameters.empty() ? base_->parameter_values() : state_.parameters;
  std::vector<std::string> unknown;
  std::vector<Problem> problems;
  for (const auto& [name, list] : values) {
    const ParameterLayout::Entry* entry = layout.find(name);
    if (entry == nullptr) {
      unknown.push_back(name);
    } else if (static_cast<int>(list.size()) != entry->size()) {
      problems.push_back({name, fmt::format("{} values", list.size()), fmt::format("{}", entry->size()),
                          "another number of points is an edit of the scene"});
    } else {
      for (const double value : list)
        if (!entry->info.admits(value))
          problems.push_back({name, fmt::format("{:.6g} {}", value, entry->info.unit()), entry->info.range_text()});
      std::copy(list.begin(), list.end(), next.begin() + entry->first);
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  const std::vector<double> before = state_.parameters;
  state_.parameters = std::move(next);
  try {
    if (live_.follow(state_)) ledger_.rebase(*live_, state_);
  } catch (const Error&) {
    state_.parameters = before;
    throw;
  }
  return unknown;
}

void StudioWorld::take_values(const StudioWorld& other) {
  if (other.state_.parameters.empty()) return;
  std::map<std::string, std::vector<double>> values;
  for (const ParameterLayout::Entry& entry : base_->parameters().entries()) {
    const ParameterLayout::Entry* theirs = other.base_->parameters().find(entry.info.name);
    const bool is_gain = entry.info.name.find("/examples/") != std::string::npos;
    if (theirs == nullptr || theirs->size() != entry.size() || is_gain) continue;
    const auto begin = other.state_.parameters.begin() + theirs->first;
    values[entry.info.name].assign(begin, begin + theirs->size());
  }
  if (!values.empty()) set(values);
}

void StudioWorld::grab(const Patch& patch) {
  grip_ = Grip{patch, PatchResponse::of(*live_, body_of_patch(patch), state_.q, patch, scene_->run.dt, mass_)};
  pull_.reset();
}

const CompiledBody& StudioWorld::body_of_patch(const Patch& patch) const {
  return *body_of(scene_->bodies, patch.points.front());
}

Vec3 StudioWorld::grip_position() const {
  return grip_ ? grip_->patch.position(live_->kinematics(), state_.q) : Vec3(Vec3::Zero());
}

void StudioWorld::poke(const Patch& patch, const Vec3& impulse) {
  const std::optional<PatchResponse> response =
      PatchResponse::of(*live_, body_of_patch(patch), state_.q, patch, scene_->run.dt, mass_);
  if (!response) return;
  // Not faster than twice its size in a step: what is asked for may be a slip of the mouse.
  const double dt = scene_->run.dt, moved = dt * (response->mobility() * impulse).norm();
  push(response->columns(), moved > reach_ ? Vec3(impulse * (reach_ / moved)) : impulse);
}

void StudioWorld::track(const Patch& patch, const Vec3& direction) {
  tracked_ = patch;
  const Vec3 origin = patch.position(live_->kinematics(), state_.q);
  decay_ = DecayTracker(state_.time, origin, direction);
  decay_.add(state_.time, origin, patch.velocity(live_->kinematics(), state_.q, state_.v));
}

std::vector<Vec3> StudioWorld::positions() const {
  std::vector<Vec3> x;
  live_->kinematics().positions(state_.q, x);
  return x;
}

bool StudioWorld::take_motion(const StudioWorld& other) {
  const auto& mine = scene_->reduced;
  const auto& theirs = other.scene_->reduced;
  if ((!mine && !theirs && other.state_.q.size() == state_.q.size()) || same_basis(mine.get(), theirs.get()))
    return begin_at(other.state_.q, other.state_.v, other.state_.time);
  const auto full = [](const StudioWorld& world) {
    const auto& reduced = world.scene_->reduced;
    return reduced ? reduced->subspace->full_state(world.state_.q, world.state_.v, world.state_.time) : world.state_;
  };
  const State theirs_in_full = full(other);
  if (mine) {
    if (theirs_in_full.q.size() != mine->subspace->full().num_dofs()) return false;
    const State projected = mine->project(theirs_in_full).state;
    return begin_at(projected.q, projected.v, other.state_.time);
  }
  if (theirs_in_full.q.size() != state_.q.size()) return false;
  return begin_at(theirs_in_full.q, theirs_in_full.v, other.state_.time);
}

void StudioWorld::continue_from(const StudioWorld& other) {
  const std::vector<double> parameters = state_.parameters;
  state_ = other.state_;
  state_.parameters = parameters;
  make_consistent_again();  // the dampings pull otherwise than before
  ledger_.restore(*live_, state_, other.ledger_.accumulators());
}

/// Goes on from a shape and its velocity; memory of dampings and of the integrator, and the ledger, begin anew.
bool StudioWorld::begin_at(Vector q, Vector v, double time) {
  const State before = state_;
  state_ = start_;
  state_.parameters = before.parameters;
  state_.q = std::move(q);
  state_.v = std::move(v);
  state_.step = std::llround((time - start_.time) / scene_->run.dt);
  state_.time = start_.time + static_cast<double>(state_.step) * scene_->run.dt;
  state_.last_dt = 0;
  state_.q_previous.resize(0);
  state_.v_previous.resize(0);
  live_->prescribe(state_.time, &state_.q, &state_.v, nullptr);
  if (!make_consistent_again() || !state_.is_finite()) {
    state_ = before;
    return false;
  }
  ledger_ = EnergyLedger(*live_, state_);
  return true;
}

bool StudioWorld::has_nodes_of(const CompiledScene& other) const {
  const auto same_nodes = [](const CompiledBody& a, const CompiledBody& b) {
    return a.first_block == b.first_block && a.mesh.nodes == b.mesh.nodes;
  };
  const auto &mine = scene_->reduced, &theirs = other.reduced;
  return std::equal(scene_->bodies.begin(), scene_->bodies.end(), other.bodies.begin(), other.bodies.end(),
                    same_nodes) &&
         (mine || theirs ? same_basis(mine.get(), theirs.get()) : other.system->num_dofs() == base_->num_dofs());
}

const TermScratch* StudioWorld::scratch_of(std::size_t dissipation) {
  Workspace& workspace = live_.workspace();
  live_->begin_step(state_, workspace);
  return workspace.dissipation[dissipation].get();
}

void StudioWorld::restore(const WorldInstant& instant) {
  if (instant.state.q.size() != state_.q.size()) return;
  if (instant.is_from_before_an_edit) {
    begin_at(instant.state.q, instant.state.v, instant.state.time);
    return;
  }
  const std::vector<double> parameters = state_.parameters;
  state_ = instant.state;
  state_.parameters = parameters;
  if (instant.state.parameters != parameters) make_consistent_again();
  ledger_.restore(*live_, state_, instant.accumulators);
}

}  // namespace dashpot::studio
