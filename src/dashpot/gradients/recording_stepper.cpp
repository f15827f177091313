#include "dashpot/gradients/recording_stepper.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/newton.hpp"

namespace dashpot {
namespace {

/// Checkpoints may take half the memory once segments are taken again, which take the other half.
std::size_t most_checkpoints(double memory, double record_bytes, bool all_kept) {
  const double fit = memory / std::max(record_bytes, 1.0);
  return static_cast<std::size_t>(std::max(2.0, std::floor(all_kept ? fit : 0.5 * fit)));
}

}  // namespace

double record_bytes(const State& state, std::size_t num_stages) {
  double numbers = static_cast<double>(num_stages) * static_cast<double>(state.q.size());
  for (const Vector* x : {&state.q, &state.v, &state.a, &state.q_previous, &state.v_previous, &state.residual})
    numbers += static_cast<double>(x->size());
  for (const Vector& xi : state.internal_variables) numbers += static_cast<double>(xi.size());
  return sizeof(double) * numbers + sizeof(State);
}

CheckpointPlan checkpoint_plan(std::int64_t num_steps, double record_bytes, double memory) {
  CheckpointPlan plan;
  const auto all = static_cast<std::int64_t>(most_checkpoints(memory, record_bytes, true));
  const auto half = static_cast<std::int64_t>(most_checkpoints(memory, record_bytes, false));
  while (num_steps > (plan.distance == 1 ? all : half) * plan.distance) plan.distance *= 2;
  plan.checkpoints = (num_steps + plan.distance - 1) / plan.distance;
  if (plan.distance > 1) plan.steps_again = num_steps;
  plan.bytes =
      record_bytes * static_cast<double>(plan.distance == 1 ? plan.checkpoints : plan.checkpoints + plan.distance);
  return plan;
}

RecordingStepper::RecordingStepper(const Integrator& integrator, const NewtonOptions& newton,
                                   const LinearSolverOptions& linear, double memory)
    : integrator_(integrator), newton_(newton), linear_(linear), memory_(memory) {
  if (integrator.is_explicit())
    throw Error(Problem{"stepper", fmt::format("{} is explicit", integrator.name()),
                        "an implicit integrator, whose stages can be differentiated",
                        "choose backward_euler, midpoint, bdf2 or bathe"});
  inner_ =
      std::make_unique<ImplicitStepper>(integrator.name(), integrator, std::make_unique<NewtonSolver>(newton, linear));
}

void RecordingStepper::note_bytes() {
  peak_bytes_ = std::max(peak_bytes_, record_bytes_ * static_cast<double>(checkpoints_.size() + segment_.size()));
}

void RecordingStepper::thin_out() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < checkpoints_.size(); i += 2, ++kept)
    if (kept != i) checkpoints_[kept] = std::move(checkpoints_[i]);
  checkpoints_.resize(kept);
  for (StepRecord& record : checkpoints_) record.d.clear();
  distance_ *= 2;
}

StepReport RecordingStepper::step(const System& system, State& state, Workspace& workspace, double dt) {
  const std::size_t number = taken_.size();
  const bool is_checkpoint = number % distance_ == 0;
  StepRecord record;
  if (is_checkpoint) record.before = state;
  const double time = state.time;
  const StepReport report = inner_->step(system, state, workspace, dt);
  if (report.status == StepStatus::failed) return report;
  taken_.push_back({time, dt});
  last_ = state;
  if (!is_checkpoint) return report;
  record.dt = dt;
  if (distance_ == 1) record.d = inner_->stage_displacements();
  record_bytes_ = std::max(record_bytes_, record_bytes(state, inner_->stage_displacements().size()));
  checkpoints_.push_back(std::move(record));
  note_bytes();
  while (checkpoints_.size() > most_checkpoints(memory_, record_bytes_, distance_ == 1)) thin_out();
  return report;
}

void RecordingStepper::retake(const System& system, std::size_t segment) {
  const std::size_t first = segment * distance_, end = std::min(first + distance_, taken_.size());
  ImplicitStepper stepper(inner_->name(), integrator_, std::make_unique<NewtonSolver>(newton_, linear_));
  Workspace workspace = system.make_workspace();
  State state = checkpoints_[segment].before;
  segment_.clear();
  for (std::size_t i = first; i < end; ++i) {
    state.time = taken_[i].time;  // a clock may be set between steps
    StepRecord& record = segment_.emplace_back();
    record.before = state;
    record.dt = taken_[i].dt;
    const StepReport report = stepper.step(system, state, workspace, record.dt);
    ++num_steps_again_;
    if (report.status == StepStatus::failed)
      throw Error(Problem{"checkpoints", "a step that succeeded failed when it was taken again: " + report.explanation,
                          "the same System", ""});
    record.d = stepper.stage_displacements();
  }
  note_bytes();
  const State& expected = end < taken_.size() ? checkpoints_[segment + 1].before : last_;
  if (state.q != expected.q || state.v != expected.v)
    throw Error(Problem{
        "checkpoints",
        fmt::format("steps from t = {:.6g} s came out differently when they were taken again", taken_[first].time),
        "a run that is a function of its System and State", "give it the memory to keep all its steps"});
}

bool RecordingStepper::go_back(const System& system,
                               FunctionRef<bool(const StepRecord& record, std::int64_t step)> visit) {
  for (std::size_t segment = checkpoints_.size(); segment-- > 0;) {
    if (distance_ == 1) {
      if (!visit(checkpoints_[segment], static_cast<std::int64_t>(segment))) return false;
      continue;
    }
    retake(system, segment);
    for (std::size_t i = segment_.size(); i-- > 0;)
      if (!visit(segment_[i], static_cast<std::int64_t>(segment * distance_ + i))) return false;
  }
  segment_.clear();
  return true;
}

}  // namespace dashpot
