#include "dashpot/gradients/adjoint.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/gradients/adjoint_stage.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

StateAdjoint StateAdjoint::zero(const State& state, int num_objectives) {
  const Matrix none = Matrix::Zero(state.q.size(), num_objectives);
  StateAdjoint adjoint{none, none, none, none, none, {}};
  for (const Vector& xi : state.internal_variables)
    adjoint.internal_variables.push_back(Matrix::Zero(xi.size(), num_objectives));
  return adjoint;
}

AdjointSweep::AdjointSweep(const Integrator& integrator, const LinearSolverOptions& linear, std::vector<int> values)
    : integrator_(integrator), linear_(linear), values_(std::move(values)) {}

std::vector<Problem> AdjointSweep::refusals(const System& system, const Integrator& integrator) {
  std::vector<Problem> problems;
  if (integrator.is_explicit())
    problems.push_back({"stepper", fmt::format("{} is explicit", integrator.name()),
                        "an implicit integrator, whose stages can be differentiated",
                        "choose backward_euler, midpoint, bdf2 or bathe"});
  for (const auto& filter : system.filters())
    problems.push_back({filter->body(), fmt::format("damping '{}'", filter->model()),
                        "dampings that act as forces: gradients do not go through velocity filters",
                        "leave it out, or replace it by Rayleigh or strain-rate damping"});
  for (const auto& term : system.dissipations())
    if (term->num_internal_variables() > 0 && !MemoryProducts::are_offered_by(*term))
      problems.push_back({term->body(), fmt::format("damping '{}', which remembers", term->model()),
                          "internal variables of elements: the adjoint follows no others back",
                          "take forward sensitivities, which do"});
  return problems;
}

void AdjointSweep::begin(const System& system, const State& end, int num_objectives) {
  if (std::vector<Problem> problems = refusals(system, integrator_); !problems.empty())
    throw Error(std::move(problems));
  slopes_ = ParameterSlopes(system, values_);
  base_ = system.make_workspace();
  probe_ = system.make_workspace();
  for (BlockMatrix* matrix : {&matrix_, &damping_matrix_, &mass_matrix_, &held_q_, &held_v_})
    *matrix = BlockMatrix(system.pattern());
  mirrored_ = mirrored_slots(*system.pattern());
  solver_.reset();
  has_stand_in_ = has_held_ = false;
  treatments_.clear();
  memories_.clear();
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    const DissipationTraits traits = term.traits();
    Treatment& treatment = treatments_.emplace_back();
    const ViscousOperator* viscous = term.capabilities().viscous;
    const bool holds = base_.dissipation[j] && !traits.constant;
    treatment.has_slope = holds && viscous != nullptr && viscous->has_held_slope();
    treatment.is_held = holds && !treatment.has_slope;
    treatment.is_stand_in = !traits.exact_in_place;
    has_held_ |= treatment.has_slope || treatment.is_held;
    has_stand_in_ |= treatment.is_stand_in;
    const bool remembers = term.num_internal_variables() > 0;
    memories_.push_back(remembers ? std::optional<MemoryProducts>(term) : std::nullopt);
    if ((treatment.is_held || treatment.is_stand_in || remembers) && !colors_.is_ready())
      colors_ = ColoredJacobian(system.pattern());
  }
  is_transposed_ = !system.is_symmetric() || has_stand_in_;
  length_ = sensitivity::size_of(system, end.q);
  adjoint_ = StateAdjoint::zero(end, num_objectives);
  gradient_ = Matrix::Zero(num_objectives, static_cast<Eigen::Index>(values_.size()));
  worst_mismatch_ = 0;
  num_steps_ = 0;
}

void AdjointSweep::reduce(const System& system, Matrix& columns) const {
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    Vector sum = columns.col(k);
    system.reduce(sum);
    columns.col(k) = sum;
  }
}

void AdjointSweep::step_back(const System& system, const StepRecord& record) {
  const State& before = record.before;
  system.begin_step(before, base_);
  slopes_.begin_step(before);
  const StageTable table = integrator_.table(record.dt, before.last_dt);
  const Eigen::Index n = before.q.size(), count = adjoint_.q.cols();
  Bars bars;
  bars.of_known.assign(static_cast<std::size_t>(stage_unknown(table.stages.size())), Matrix::Zero(n, count));
  bars.of_q = Matrix::Zero(n, count);
  back_through_memory(system, record, table, bars);
  for (Matrix* part : {&adjoint_.q, &adjoint_.v, &adjoint_.a, &adjoint_.q_previous, &adjoint_.v_previous})
    reduce(system, *part);
  bars.spread(table.displacement_end, 1, adjoint_.q);
  bars.spread(table.v_end, 1, adjoint_.v);
  bars.spread(table.a_end, 1, adjoint_.a);
  bars.of_q += adjoint_.q + adjoint_.q_previous;
  bars[Known::v_n] += adjoint_.v_previous;
  for (std::size_t s = table.stages.size(); s-- > 0;) {
    Stage stage{before, {before.time + table.stages[s].time * record.dt, table.stages[s].time * record.dt}, {}};
    stage.v1 = table.stages[s].v[stage_unknown(s)];
    stage.a1 = table.stages[s].a[stage_unknown(s)];
    stage.table = &table;
    stage.s = s;
    stage.record = &record;
    std::vector<Vector> d = record.d;
    sensitivity::stage_motion(system, base_, before, table, s, record.dt, d, stage.motion);
    back_through(system, stage, bars);
  }
  adjoint_.q = bars.of_q - bars[Known::d_previous];  // d_previous = q_{n-1} - q_n
  adjoint_.v = bars[Known::v_n];
  adjoint_.a = bars[Known::a_n];
  adjoint_.q_previous = bars[Known::d_previous];
  adjoint_.v_previous = bars[Known::v_previous];
  adjoint_.internal_variables = std::move(bars.of_internal_variables);
  ++num_steps_;
}

void AdjointSweep::finish(const System& system, const State& start, SensitivityStepper::Start kind) {
  for (Matrix* part : {&adjoint_.q, &adjoint_.v, &adjoint_.a}) reduce(system, *part);
  system.begin_step(start, base_);
  slopes_.begin_step(start);
  Stage stage{start, {start.time, 0}, {start.q, start.v, start.a}};
  const Eigen::Index n = start.q.size(), count = adjoint_.q.cols();
  Matrix mu(n, count), C_mu, M_mu;
  bool is_any = false;
  for (Eigen::Index k = 0; k < count; ++k) {
    Vector response = Vector::Zero(n);
    if (!mass_.correct(system, start.q, -adjoint_.a.col(k), response))
      throw Error(Problem{"start", "the mass matrix is singular", "mass at every free node", ""});
    sensitivity::constrain(system, response);
    mu.col(k) = response;
    is_any |= largest(system, response) > 0;
  }
  if (is_any) {  // M a + f(q, v) = f_ext
    add_to_gradient(system, stage, mu);
    assemble(system, stage, 0, 0);
    adjoint_.q -= transposed_product(matrix_, low_rank_, couplings_, mu);
    transposed_products(system, stage, mu, C_mu, M_mu);
    adjoint_.v -= C_mu;
    const std::vector<Matrix> of_xi = memory_products(system, stage, mu);
    for (std::size_t j = 0; j < of_xi.size(); ++j)
      if (of_xi[j].size() > 0) adjoint_.internal_variables[j] -= of_xi[j];
    if (has_held_) {
      Matrix of_q, of_v;
      held_products(system, stage, mu, of_q, of_v);
      adjoint_.q -= of_q;
      if (of_v.size() > 0) adjoint_.v -= of_v;
    }
    for (Matrix* part : {&adjoint_.q, &adjoint_.v}) reduce(system, *part);
  }
  adjoint_.a.setZero();
  if (kind != SensitivityStepper::Start::equilibrium) return;
  stage.motion.a.setZero();  // balanced by forces alone
  assemble(system, stage, 0, 0);
  solve(system, adjoint_.q, mu, "at the equilibrium of the start");
  add_to_gradient(system, stage, mu);
}

}  // namespace dashpot
