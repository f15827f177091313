#include "dashpot/gradients/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/gradients/sensitivity_stage.hpp"
#include "dashpot/integrate/newton.hpp"
#include "dashpot/integrate/table_analysis.hpp"

namespace dashpot {
namespace {

using sensitivity::constrain;
using sensitivity::relative_shift;

/// Velocities of bodies at rest are moved by this part of their size a step, times relative_shift.
constexpr double slow = 1e-3;

/// The largest motion of a material point for the rates v of the coordinates.
double largest_motion(const System& system, const Vector& q, const Vector& v) {
  std::vector<Vec3> motion;
  system.kinematics().velocities(q, v, motion);
  double most = 0;
  for (const Vec3& x : motion) most = std::max(most, x.cwiseAbs().maxCoeff());
  return most;
}

}  // namespace

namespace sensitivity {

double size_of(const System& system, const Vector& q) {
  std::vector<Vec3> points;
  system.kinematics().positions(q, points);
  if (points.empty()) return 1;
  Vec3 low = points[0], high = points[0];
  for (const Vec3& x : points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const Vec3 span = high - low;
  const double size = std::hypot(span.x(), span.y(), span.z());
  return size > 0 ? size : 1;
}

}  // namespace sensitivity

StateDirection StateDirection::zero(const State& state) {
  const Vector none = Vector::Zero(state.q.size());
  StateDirection direction{none, none, none, none, none, {}};
  for (const Vector& xi : state.internal_variables) direction.internal_variables.push_back(Vector::Zero(xi.size()));
  return direction;
}

State StateDirection::moved(const State& state, double scale) const {
  State result = state;
  result.q += scale * q;
  result.v += scale * v;
  result.a += scale * a;
  if (state.q_previous.size() > 0) {
    result.q_previous += scale * q_previous;
    result.v_previous += scale * v_previous;
  }
  for (std::size_t j = 0; j < internal_variables.size(); ++j)
    result.internal_variables[j] += scale * internal_variables[j];
  return result;
}

SensitivityStepper::SensitivityStepper(const Integrator& integrator, const NewtonOptions& newton,
                                       const LinearSolverOptions& linear, std::vector<int> values)
    : inner_(integrator.name(), integrator, std::make_unique<NewtonSolver>(newton, linear)),
      integrator_(integrator),
      linear_(linear),
      values_(std::move(values)) {
  if (integrator.kick_drift())
    throw Error(Problem{"stepper", fmt::format("{} is explicit", integrator.name()),
                        "an implicit integrator, whose stages can be differentiated",
                        "choose backward_euler, midpoint, bdf2 or bathe"});
}

void SensitivityStepper::add_start_direction(StateDirection direction) {
  start_directions_.push_back(std::move(direction));
}

void SensitivityStepper::prepare(const System& system) {
  if (!system.filters().empty())
    throw Error(Problem{system.filters()[0]->body(), fmt::format("damping '{}'", system.filters()[0]->model()),
                        "dampings that act as forces: sensitivities do not go through velocity filters yet",
                        "leave it out, or replace it by Rayleigh or strain-rate damping"});
  slopes_ = ParameterSlopes(system, values_);
  base_ = system.make_workspace();
  probe_ = system.make_workspace();
  for (BlockMatrix* matrix : {&matrix_, &damping_matrix_, &mass_matrix_, &held_matrix_})
    *matrix = BlockMatrix(system.pattern());
  solver_.reset();
  system_id_ = system.id();
}

double SensitivityStepper::scale_along(const System& system, const State& state, double dt, const Vector& q,
                                       const Vector& v, const std::vector<Vector>* internal_variables) const {
  double scale = std::numeric_limits<double>::infinity();
  const auto limit = [&](double size, double along) {
    if (along > 0 && size > 0) scale = std::min(scale, relative_shift * size / along);
  };
  limit(length_, largest_motion(system, state.q, q));
  limit(largest_motion(system, state.q, state.v) + slow * length_ / dt, largest_motion(system, state.q, v));
  if (internal_variables != nullptr)
    for (std::size_t j = 0; j < internal_variables->size(); ++j)
      if (state.internal_variables[j].size() > 0)
        limit(largest(system, state.internal_variables[j]), largest(system, (*internal_variables)[j]));
  return scale;
}

void SensitivityStepper::start_from_equilibrium(const System& system, const State& start) {
  const Instant now{start.time, 0};
  StageState resting{start.q, start.v, Vector::Zero(start.q.size())};  // balanced by forces alone
  if (factorize(system, base_, start, resting, now, 0, 0) != SolveStatus::ok)
    throw Error(Problem{"start", "the stiffness is singular at the equilibrium", "a body that is held", ""});
  Matrix right = Matrix::Zero(start.q.size(), static_cast<Eigen::Index>(values_.size())), dq = right;
  slopes_.add(system, base_, start.internal_variables, resting, now, right);
  for (Eigen::Index k = 0; k < right.cols(); ++k) {
    Vector sum = -right.col(k);
    system.reduce(sum);
    right.col(k) = sum;
  }
  if (!solve(system, right, dq))
    throw Error(Problem{"start", "the stiffness is singular at the equilibrium", "a body that is held", ""});
  for (std::size_t k = 0; k < values_.size(); ++k) columns_[k].q = dq.col(static_cast<Eigen::Index>(k));
}

void SensitivityStepper::begin(const System& system, const State& start, Start kind) {
  prepare(system);
  length_ = sensitivity::size_of(system, start.q);
  worst_residual_ = 0;
  num_refined_ = 0;
  columns_.assign(values_.size(), StateDirection::zero(start));
  columns_.insert(columns_.end(), start_directions_.begin(), start_directions_.end());
  const Instant now{start.time, 0};
  system.begin_step(start, base_);
  slopes_.begin_step(start);
  if (kind == Start::equilibrium && !values_.empty()) start_from_equilibrium(system, start);

  const auto residual_at = [&](const State& state) {
    system.begin_step(state, probe_);
    evaluate_balance(system, probe_, state.internal_variables, StageState{state.q, state.v, state.a}, now, nullptr,
                     balance_);
    return balance_.residual;
  };
  Matrix of_parameters = Matrix::Zero(start.q.size(), static_cast<Eigen::Index>(values_.size()));
  slopes_.add(system, base_, start.internal_variables, StageState{start.q, start.v, start.a}, now, of_parameters);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Vector sum = Vector::Zero(start.q.size());
    if (k < values_.size()) sum = of_parameters.col(static_cast<Eigen::Index>(k));
    StateDirection along = columns_[k];
    along.a.setZero();
    const double scale = scale_along(system, start, 1, along.q, along.v, &along.internal_variables);
    if (std::isfinite(scale)) {
      const Vector up = residual_at(along.moved(start, scale));
      sum += (up - residual_at(along.moved(start, -scale))) / (2 * scale);
    }
    if (!system.ties().empty()) system.ties().condense(sum);
    columns_[k].a.setZero();
    if (!mass_.correct(system, start.q, sum, columns_[k].a))
      throw Error(Problem{"start", "the mass matrix is singular", "mass at every free node", ""});
    constrain(system, columns_[k].a);
  }
}

SolveStatus SensitivityStepper::factorize(const System& system, const Workspace& workspace, const State& state,
                                          const StageState& motion, const Instant& instant, double a1, double v1) {
  const TangentRequest request{a1, v1, Projection::none, &matrix_, &low_rank_, &couplings_};
  evaluate_tangent(system, workspace, state.internal_variables, motion, instant, request);
  condense_tangent(system, request);
  const auto make = [&](bool symmetric) {
    LinearSolverOptions options = linear_;
    options.kind = LinearSolverKind::automatic;
    solver_ = make_linear_solver(options, system.num_dofs(), false, symmetric);
    solver_->analyze(system.pattern(), system.is_free());
  };
  if (!solver_) make(system.is_symmetric());
  SolveStatus status = solver_->factorize_coupled(matrix_, couplings_);
  if (status == SolveStatus::not_positive_definite) {  // an unprojected tangent may be: no reason to change it
    make(false);
    status = solver_->factorize_coupled(matrix_, couplings_);
  }
  return status;
}

bool SensitivityStepper::solve(const System& system, const Matrix& right_sides, Matrix& solutions) {
  solutions.setZero();
  const SolveReport report = low_rank_.empty() ? solver_->solve(right_sides, solutions)
                                               : solve_with_low_rank(*solver_, low_rank_, right_sides, solutions);
  if (report.status != SolveStatus::ok) return false;
  if (!system.ties().empty()) system.ties().follow(solutions);
  return true;
}

void SensitivityStepper::follow_memory(const System& system, const Step& step, std::size_t k, const State& next,
                                       StateDirection& end) {
  const bool follows_rates = order(integrator_) > 2;
  const auto memory_of = [&](const System& other, const Workspace& workspace, State state,
                             const std::vector<Vector>& before) {
    state.internal_variables = before;
    StepWork work(other.dissipations().size() + other.filters().size());
    update_memory(other, workspace, step.dt, follows_rates, state, work);
    return state.internal_variables;
  };
  const auto add = [&](double weight, const std::vector<Vector>& xi) {
    for (std::size_t j = 0; j < xi.size(); ++j) end.internal_variables[j] += weight * xi[j];
  };
  if (k < values_.size() && slopes_.changes_memory(k))
    for (const ParameterSlopes::Neighbor& near : slopes_.neighbors(k))
      add(near.weight, memory_of(*near.system, near.workspace, next, step.before.internal_variables));
  const StateDirection& along = columns_[k];
  const double scale = std::min(scale_along(system, step.before, step.dt, along.q, along.v, &along.internal_variables),
                                scale_along(system, next, step.dt, end.q, end.v, nullptr));
  if (!std::isfinite(scale)) return;
  for (const double sign : {1.0, -1.0}) {
    const State before = along.moved(step.before, sign * scale);
    system.begin_step(before, probe_);
    add(sign / (2 * scale), memory_of(system, probe_, end.moved(next, sign * scale), before.internal_variables));
  }
}

bool SensitivityStepper::follow(const System& system, const Step& step, const State& next) {
  system.begin_step(step.before, base_);
  slopes_.begin_step(step.before);
  const std::size_t num_stages = step.table.stages.size();
  d_.assign(columns_.size(), std::vector<Vector>(num_stages, Vector::Zero(step.before.q.size())));
  for (std::size_t s = 0; s < num_stages; ++s)
    if (!solve_stage(system, step, s)) return false;
  const bool remembers = std::any_of(system.dissipations().begin(), system.dissipations().end(),
                                     [](const auto& term) { return term->num_internal_variables() > 0; });
  std::vector<StateDirection> ends(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const StateDirection& along = columns_[k];
    const sensitivity::Knowns known(along, d_[k]);
    const KnownVectors& knowns = known.vectors;
    StateDirection& end = ends[k] = StateDirection::zero(next);
    knowns.combine(step.table.displacement_end, end.q);
    end.q += along.q;
    knowns.combine(step.table.v_end, end.v);
    knowns.combine(step.table.a_end, end.a);
    for (Vector* x : {&end.q, &end.v, &end.a}) constrain(system, *x);
    end.q_previous = along.q;
    end.v_previous = along.v;
    if (remembers) follow_memory(system, step, k, next, end);
    if (!all_finite(system, end.q) || !all_finite(system, end.v) || !all_finite(system, end.a)) return false;
  }
  columns_ = std::move(ends);
  return true;
}

StepReport SensitivityStepper::step(const System& system, State& state, Workspace& workspace, double dt) {
  if (system_id_ == 0) begin(system, state, Start::given);
  if (system_id_ != system.id()) prepare(system);
  const State before = state;
  StepReport report = inner_.step(system, state, workspace, dt);
  if (report.status == StepStatus::failed) return report;
  const StageTable table = integrator_.table(dt, before.last_dt);
  if (follow(system, Step{before, table, dt, inner_.stage_displacements()}, state)) return report;
  report.status = StepStatus::failed;
  report.explanation =
      fmt::format("the linear equations of the sensitivities could not be solved at t = {:.6g} s", before.time);
  state = before;
  return report;
}

}  // namespace dashpot
