// SensitivityStepper: the linear equations of one stage.
#include "dashpot/gradients/sensitivity_stage.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/integrate/newton.hpp"
#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {
namespace {

constexpr int max_refinements = 30;
constexpr double wanted_residual = 1e-9;     // of the right side, where it is refined
constexpr double tolerated_residual = 1e-4;  // where refinement ends because differences are no more exact
constexpr double accepted_residual = 1e-5;   // of a combination of all columns, without refinement

}  // namespace

namespace sensitivity {

Knowns::Knowns(const State& state, const std::vector<Vector>& d)
    : d_previous(state.q_previous.size() > 0 ? Vector(state.q_previous - state.q) : Vector()),
      vectors{state.v, state.a, d_previous, state.v_previous, d} {}

Knowns::Knowns(const StateDirection& direction, const std::vector<Vector>& d)
    : d_previous(direction.q_previous - direction.q),
      vectors{direction.v, direction.a, d_previous, direction.v_previous, d} {}

void stage_motion(const System& system, const Workspace& workspace, const State& start, const StageTable& table,
                  std::size_t s, double dt, std::vector<Vector>& d, StageState& motion) {
  const Stage& stage = table.stages[s];
  StageProblem problem{system, workspace, start, {}, {}, 0, 0, {}};
  const Knowns knowns(start, d);
  knowns.vectors.combine(stage.v, problem.v_known, stage_unknown(s));
  knowns.vectors.combine(stage.a, problem.a_known, stage_unknown(s));
  problem.v1 = stage.v[stage_unknown(s)];
  problem.a1 = stage.a[stage_unknown(s)];
  problem.instant = {start.time + stage.time * dt, stage.time * dt};
  set_motion(problem, d[s], motion);
}

void stage_residual(const System& system, const Workspace& workspace, const State& start, const StageTable& table,
                    std::size_t s, double dt, std::vector<Vector>& d, StageState& motion, Balance& balance) {
  stage_motion(system, workspace, start, table, s, dt, d, motion);
  const Instant instant{start.time + table.stages[s].time * dt, table.stages[s].time * dt};
  evaluate_balance(system, workspace, start.internal_variables, motion, instant, nullptr, balance);
}

void constrain(const System& system, Vector& x) {
  for (const auto& constraint : system.constraints())
    for (const int dof : constraint->dofs()) x[dof] = 0;
  if (!system.ties().empty()) system.ties().follow(x);
}

}  // namespace sensitivity

using sensitivity::Knowns;
using sensitivity::stage_residual;

/// How column k moves a stage, its unknown left where it is.
struct SensitivityStepper::Shift {
  Vector v, a;
};

SensitivityStepper::Shift SensitivityStepper::shift_into_stage(const Step& step, std::size_t k, std::size_t s) const {
  const Knowns knowns(columns_[k], d_[k]);
  Shift shift;
  knowns.vectors.combine(step.table.stages[s].v, shift.v, stage_unknown(s));
  knowns.vectors.combine(step.table.stages[s].a, shift.a, stage_unknown(s));
  return shift;
}

void SensitivityStepper::gather_columns(const Step& step, std::size_t s) {
  const Eigen::Index n = step.before.q.size();
  for (Matrix* matrix : {&of_q_, &of_v_, &of_a_}) matrix->resize(n, static_cast<Eigen::Index>(columns_.size()));
  parallel_for(static_cast<int>(columns_.size()), 1, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const StateDirection& along = columns_[static_cast<std::size_t>(k)];
      const Shift shift = shift_into_stage(step, static_cast<std::size_t>(k), s);
      of_q_.col(k) = along.q;
      of_v_.col(k) = shift.v - step.v1(s) * along.q;
      of_a_.col(k) = shift.a - step.a1(s) * along.q;
    }
  });
}

void SensitivityStepper::add_by_matrices(const System& system, const Step& step, std::size_t s, Matrix& known) {
  // matrix_ is A = a1 M + v1 C + K, so that K q + C v + M a = A q + C (v - v1 q) + M (a - a1 q).
  const auto add = [&](const BlockMatrix& matrix, const std::vector<LowRank>& parts, const DynamicBlocks& couplings,
                       const Matrix& x) {
    multiply_columns(matrix, x, product_);
    known += product_;
    if (parts.empty() && couplings.empty()) return;
    Vector y;
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      const Vector of_column = x.col(k);
      y.setZero(x.rows());
      for (const LowRank& part : parts) add_product(part, of_column, y);
      if (!couplings.empty()) couplings.multiply_add(of_column, y);
      known.col(k) += y;
    }
  };
  add(matrix_, low_rank_, couplings_, of_q_);
  add_inertia(system, known);
  if (system.dissipations().empty() && system.inertia().is_constant()) return;
  const Instant instant = step.instant(s);
  damping_matrix_.set_zero();
  damping_low_rank_.clear();
  damping_couplings_.clear(*system.pattern());
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    DissipationRequest request{motion_.q, motion_.v, step.before.internal_variables[j], instant.elapsed,
                               base_.dissipation[j].get()};
    request.time = instant.time;
    request.tangent = &damping_matrix_;
    request.low_rank = &damping_low_rank_;
    request.couplings = &damping_couplings_;
    request.dv_scale = 1;
    system.dissipations()[j]->evaluate(request);
  }
  damping_couplings_.finish();
  if (!system.inertia().is_constant())
    system.inertia().add_tangent(motion_.q, motion_.v, motion_.a, 0, 1, 0, damping_matrix_);
  add(damping_matrix_, damping_low_rank_, damping_couplings_, of_v_);
}

void SensitivityStepper::add_inertia(const System& system, Matrix& known) {
  if (!system.inertia().is_constant()) {
    mass_matrix_.set_zero();
    system.inertia().add_tangent(motion_.q, motion_.v, motion_.a, 1, 0, 0, mass_matrix_);
    multiply_columns(mass_matrix_, of_a_, product_);
    known += product_;
    return;
  }
  Vector force, a;  // M a, which no matrix is needed for
  for (Eigen::Index k = 0; k < known.cols(); ++k) {
    a = of_a_.col(k);
    force.setZero(a.size());
    system.inertia().add_force(motion_.q, motion_.v, a, force);
    known.col(k) += force;
  }
}

void SensitivityStepper::add_held(const System& system, const Step& step, std::size_t s, Matrix& known) {
  // The motion of the stage stays; what was held and remembered at its start moves. A term that tells the slope of what
  // it holds does so for all columns at once.
  std::vector<std::size_t> terms;
  bool has_slope = false;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    const bool remembers = term.num_internal_variables() > 0;
    if (!remembers && (!base_.dissipation[j] || term.traits().constant)) continue;
    const ViscousOperator* viscous = term.capabilities().viscous;
    if (remembers || viscous == nullptr || !viscous->has_held_slope()) {
      terms.push_back(j);
      continue;
    }
    if (!has_slope) held_matrix_.set_zero();
    has_slope = true;
    viscous->add_held_slope(base_.dissipation[j].get(), motion_.v, held_matrix_);
  }
  if (has_slope) {
    multiply_columns(held_matrix_, of_q_, product_);
    known += product_;
  }
  if (!terms.empty()) add_held_by_differences(system, step, s, terms, known);
}

void SensitivityStepper::add_held_by_differences(const System& system, const Step& step, std::size_t s,
                                                 const std::vector<std::size_t>& terms, Matrix& known) {
  const Instant instant = step.instant(s);
  Vector force;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const StateDirection& along = columns_[k];
    const double scale = scale_along(system, step.before, step.dt, along.q, along.v, &along.internal_variables);
    if (!std::isfinite(scale)) continue;
    for (const double sign : {1.0, -1.0}) {
      const State moved = along.moved(step.before, sign * scale);
      force.setZero(moved.q.size());
      for (const std::size_t j : terms) {
        const DissipationTerm& term = *system.dissipations()[j];
        TermScratch* scratch = probe_.dissipation[j].get();
        term.begin_step(moved, scratch);
        DissipationRequest request{motion_.q, motion_.v, moved.internal_variables[j], instant.elapsed, scratch};
        request.time = instant.time;
        request.force = &force;
        term.evaluate(request);
      }
      known.col(static_cast<Eigen::Index>(k)) += sign / (2 * scale) * force;
    }
  }
}

void SensitivityStepper::add_by_differences(const System& system, const Step& step, std::size_t k, std::size_t s,
                                            Vector& sum) {
  const StateDirection& along = columns_[k];
  const Shift shift = shift_into_stage(step, k, s);
  const double scale = std::min(scale_along(system, step.before, step.dt, along.q, shift.v, &along.internal_variables),
                                scale_along(system, step.before, step.dt, along.q, along.v, nullptr));
  if (!std::isfinite(scale) && largest(system, along.a) == 0) return;
  const double length = std::isfinite(scale) ? scale : 1;  // forces are linear in the acceleration
  for (const double sign : {1.0, -1.0}) {
    const State moved = along.moved(step.before, sign * length);
    system.begin_step(moved, probe_);
    std::vector<Vector> d = step.d;
    for (std::size_t i = 0; i < s; ++i) d[i] += sign * length * d_[k][i];
    stage_residual(system, probe_, moved, step.table, s, step.dt, d, motion_, balance_);
    sum += sign / (2 * length) * balance_.residual;
  }
}

/// The derivative of the residual along one combination of all columns, of the size of its right side.
double SensitivityStepper::check_stage(const System& system, const Step& step, std::size_t s,
                                       const Matrix& of_parameters, const Matrix& known) {
  StateDirection along = StateDirection::zero(step.before);
  std::vector<Vector> d_along(s + 1, Vector::Zero(step.before.q.size()));
  Vector sum = Vector::Zero(step.before.q.size()), right = sum;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    const double size = free_norm(system, known.col(column));
    if (size == 0) continue;
    const double c = (k % 3 == 1 ? -1 : 1) / size;  // signs that let no column hide another
    const StateDirection& one = columns_[k];
    along.q += c * one.q;
    along.v += c * one.v;
    along.a += c * one.a;
    along.q_previous += c * one.q_previous;
    along.v_previous += c * one.v_previous;
    for (std::size_t j = 0; j < along.internal_variables.size(); ++j)
      along.internal_variables[j] += c * one.internal_variables[j];
    for (std::size_t i = 0; i <= s; ++i) d_along[i] += c * d_[k][i];
    right += c * known.col(column);
    if (column < of_parameters.cols()) sum += c * of_parameters.col(column);
  }
  const double of = free_norm(system, right);
  if (of == 0) return 0;
  Vector v;
  Knowns(along, d_along).vectors.combine(step.table.stages[s].v, v);
  const Vector q = along.q + d_along[s];
  const double scale = std::min(scale_along(system, step.before, step.dt, q, v, &along.internal_variables),
                                scale_along(system, step.before, step.dt, along.q, along.v, nullptr));
  if (!std::isfinite(scale)) return 0;
  for (const double sign : {1.0, -1.0}) {
    const State moved = along.moved(step.before, sign * scale);
    system.begin_step(moved, probe_);
    std::vector<Vector> d = step.d;
    for (std::size_t i = 0; i <= s; ++i) d[i] += sign * scale * d_along[i];
    stage_residual(system, probe_, moved, step.table, s, step.dt, d, motion_, balance_);
    sum += sign / (2 * scale) * balance_.residual;
  }
  system.reduce(sum);
  return free_norm(system, sum) / of;
}

bool SensitivityStepper::solve_stage(const System& system, const Step& step, std::size_t s) {
  const auto num_columns = static_cast<Eigen::Index>(columns_.size());
  const Eigen::Index n = step.before.q.size();
  const Instant instant = step.instant(s);
  std::vector<Vector> d = step.d;
  sensitivity::stage_motion(system, base_, step.before, step.table, s, step.dt, d, motion_);
  Matrix of_parameters = Matrix::Zero(n, static_cast<Eigen::Index>(values_.size()));
  slopes_.add(system, base_, step.before.internal_variables, motion_, instant, of_parameters);
  const StageState motion = motion_;
  if (factorize(system, base_, step.before, motion, instant, step.a1(s), step.v1(s)) != SolveStatus::ok) return false;
  const auto reduce = [&system](Matrix& columns) {
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      Vector sum = columns.col(k);
      system.reduce(sum);
      columns.col(k) = sum;
    }
  };
  Matrix known = Matrix::Zero(n, num_columns);
  if (system.ties().empty()) {  // a tangent of tied nodes is condensed, and no more what multiplies columns
    known.leftCols(of_parameters.cols()) = of_parameters;
    gather_columns(step, s);
    add_by_matrices(system, step, s, known);
    add_held(system, step, s, known);
    reduce(known);
    Matrix solutions(n, num_columns);
    for (Eigen::Index k = 0; k < num_columns; ++k)
      if (!all_finite(system, known.col(k))) return false;
    if (!solve(system, -known, solutions)) return false;
    for (std::size_t k = 0; k < columns_.size(); ++k) d_[k][s] = solutions.col(static_cast<Eigen::Index>(k));
    const double residual = check_stage(system, step, s, of_parameters, known);
    if (residual <= accepted_residual) {
      worst_residual_ = std::max(worst_residual_, residual);
      return true;
    }
  }
  ++num_refined_;
  known.setZero();
  known.leftCols(of_parameters.cols()) = of_parameters;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Vector sum = Vector::Zero(n);
    add_by_differences(system, step, k, s, sum);
    known.col(static_cast<Eigen::Index>(k)) += sum;
  }
  reduce(known);
  return refine_stage(system, step, s, known);
}

bool SensitivityStepper::refine_stage(const System& system, const Step& step, std::size_t s, const Matrix& known) {
  const auto num_columns = static_cast<Eigen::Index>(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) d_[k][s].setZero(step.before.q.size());
  Matrix right = -known, correction(right.rows(), num_columns);
  Vector first = Vector::Zero(num_columns);  // norms of the right sides
  for (Eigen::Index k = 0; k < num_columns; ++k) first[k] = free_norm(system, known.col(k));
  Vector last = first;
  std::vector<std::uint8_t> done(columns_.size(), 0);
  for (int round = 0; round < max_refinements; ++round) {
    if (!solve(system, right, correction)) return false;
    bool all_done = true;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      if (done[k] != 0 || first[column] == 0) continue;
      const Vector before = d_[k][s];
      d_[k][s] += correction.col(column);
      Vector sum = known.col(column);
      const double shift = scale_along(system, step.before, step.dt, d_[k][s], step.v1(s) * d_[k][s], nullptr);
      if (std::isfinite(shift)) {
        Vector slope = Vector::Zero(sum.size());
        for (const double sign : {1.0, -1.0}) {
          std::vector<Vector> d = step.d;
          d[s] += sign * shift * d_[k][s];
          stage_residual(system, base_, step.before, step.table, s, step.dt, d, motion_, balance_);
          slope += sign / (2 * shift) * balance_.residual;
        }
        system.reduce(slope);
        sum += slope;
      }
      const double residual = free_norm(system, sum);
      if (!std::isfinite(residual)) return false;
      const bool is_worse = residual > last[column];
      if (is_worse) d_[k][s] = before;
      // Differences are exact to some 1e-10 of the forces: what no longer falls is as good as it gets.
      done[k] = residual <= wanted_residual * first[column] || residual > 0.5 * last[column];
      last[column] = std::min(residual, last[column]);
      right.col(column) = -sum;
      all_done &= done[k] != 0;
    }
    if (all_done) break;
  }
  for (Eigen::Index k = 0; k < num_columns; ++k) {
    if (first[k] == 0) continue;
    worst_residual_ = std::max(worst_residual_, last[k] / first[k]);
    if (last[k] > tolerated_residual * first[k]) return false;
  }
  return true;
}

}  // namespace dashpot
