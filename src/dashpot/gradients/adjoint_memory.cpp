// AdjointSweep: what dampings remember (memory_products.hpp).
#include <algorithm>
#include <cmath>
#include <random>

#include "dashpot/gradients/adjoint_stage.hpp"
#include "dashpot/integrate/reductions.hpp"
#include "dashpot/integrate/table_analysis.hpp"

namespace dashpot {

using sensitivity::constrain;
using sensitivity::Knowns;
using sensitivity::relative_shift;

std::vector<Matrix> AdjointSweep::memory_products(const System& system, const Stage& stage, const Matrix& mu) {
  std::vector<Matrix> products(memories_.size());
  for (std::size_t j = 0; j < memories_.size(); ++j) {
    if (!memories_[j]) continue;
    const Vector& xi = stage.before.internal_variables[j];
    products[j].setZero(xi.size(), mu.cols());
    memories_[j]->add_force_product(
        xi, relative_shift * memory_scale(xi),
        [&](const Vector& moved, Vector& force) {
          DissipationRequest request{stage.motion.q, stage.motion.v, moved, stage.instant.elapsed,
                                     base_.dissipation[j].get()};
          request.time = stage.instant.time;
          request.force = &force;
          system.dissipations()[j]->evaluate(request);
        },
        system.pattern()->layout(), mu, products[j]);
  }
  return products;
}

Vector AdjointSweep::memory_after(const System& system, std::size_t j, double dt, const Vector& q, const Vector& v,
                                  const State& before, Workspace& workspace) const {
  const Vector& xi = before.internal_variables[j];
  Vector next = xi;
  DissipationRequest request{q, v, xi, dt, workspace.dissipation[j].get()};
  request.time = before.time + dt;
  request.follows_rates = order(integrator_) > 2;
  request.new_internal_variables = &next;
  system.dissipations()[j]->evaluate(request);
  return next;
}

void AdjointSweep::back_through_memory(const System& system, const StepRecord& record, const StageTable& table,
                                       Bars& bars) {
  const State& before = record.before;
  bars.of_internal_variables.clear();
  for (const Matrix& of_next : adjoint_.internal_variables)
    bars.of_internal_variables.push_back(Matrix::Zero(of_next.rows(), of_next.cols()));
  if (std::none_of(memories_.begin(), memories_.end(), [](const auto& memory) { return memory.has_value(); })) return;
  State next = before;
  const Knowns knowns(before, record.d);
  knowns.vectors.combine(table.displacement_end, next.q);
  knowns.vectors.combine(table.v_end, next.v);
  next.q += before.q;
  next.time += record.dt;
  system.prescribe(next.time, &next.q, &next.v, nullptr);
  for (std::size_t j = 0; j < memories_.size(); ++j) {
    if (!memories_[j]) continue;
    const Matrix& of_next = adjoint_.internal_variables[j];
    double most = 0;
    for (Eigen::Index k = 0; k < of_next.cols(); ++k) most = std::max(most, largest(system, of_next.col(k)));
    if (most > 0) back_through_memory(system, record, next, j, bars);
  }
}

void AdjointSweep::back_through_memory(const System& system, const StepRecord& record, const State& next, std::size_t j,
                                       Bars& bars) {
  const State& before = record.before;
  const DissipationTerm& term = *system.dissipations()[j];
  const MemoryProducts& products = *memories_[j];
  const Matrix lambda = adjoint_.internal_variables[j];
  const DofLayout& layout = system.pattern()->layout();
  for (std::size_t k = 0; k < slopes_.num_columns(); ++k) {
    const std::vector<std::size_t>& remembering = slopes_.remembering(k);
    if (std::find(remembering.begin(), remembering.end(), j) == remembering.end()) continue;
    for (ParameterSlopes::Neighbor& near : slopes_.neighbors(k))
      gradient_.col(static_cast<Eigen::Index>(k)) +=
          near.weight * lambda.transpose() *
          memory_after(*near.system, j, record.dt, next.q, next.v, before, near.workspace);
  }
  State start = before;
  const auto from_here = [&](const Vector& q, const Vector& v) {
    return memory_after(system, j, record.dt, q, v, before, base_);
  };
  const auto from_there = [&] {
    term.begin_step(start, probe_.dissipation[j].get());
    return memory_after(system, j, record.dt, next.q, next.v, start, probe_);
  };
  const auto of_motion = [&](const Vector& x, double shift, const auto& memory) {
    Matrix product = Matrix::Zero(x.size(), lambda.cols());
    products.add_motion_product(x, shift, memory, colors_, layout, lambda, product);
    return product;
  };
  const double shift = relative_shift * length_, rate_shift = shift / record.dt;
  const Matrix of_q_end = of_motion(next.q, shift, [&](const Vector& q, Vector& xi) { xi = from_here(q, next.v); });
  const Matrix of_v_end =
      of_motion(next.v, rate_shift, [&](const Vector& v, Vector& xi) { xi = from_here(next.q, v); });
  const Matrix of_q = of_motion(before.q, shift, [&](const Vector& q, Vector& xi) {
    start.q = q;
    xi = from_there();
  });
  start = before;
  const Matrix of_v = of_motion(before.v, rate_shift, [&](const Vector& v, Vector& xi) {
    start.v = v;
    xi = from_there();
  });
  start = before;
  Matrix& of_xi = bars.of_internal_variables[j];
  const Vector& xi = before.internal_variables[j];
  products.add_memory_product(
      xi, relative_shift * memory_scale(xi),
      [&](const Vector& moved, Vector& after) {
        start.internal_variables[j] = moved;
        after = memory_after(system, j, record.dt, next.q, next.v, start, base_);
      },
      lambda, of_xi);
  adjoint_.q += of_q_end;
  adjoint_.v += of_v_end;
  bars.of_q += of_q;
  bars[Known::v_n] += of_v;
  if (!is_checked()) return;

  // Along one direction of everything at once, of the first objective.
  std::mt19937 random(static_cast<unsigned>(num_steps_));
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto direction = [&](const Vector& like, double scale) {
    Vector x(like.size());
    for (double& entry : x) entry = scale * uniform(random);
    return x;
  };
  const Vector q_end = direction(next.q, length_), v_end = direction(next.v, length_ / record.dt),
               q = direction(before.q, length_), v = direction(before.v, length_ / record.dt),
               memory = direction(xi, memory_scale(xi));
  double expected = 0, size = 0;
  const auto add = [&](const Matrix& product, const Vector& x) {
    const double part = dot(system, product.col(0), x);
    expected += part;
    size += std::abs(part);
  };
  add(of_q_end, q_end);
  add(of_v_end, v_end);
  add(of_q, q);
  add(of_v, v);
  add(of_xi, memory);
  if (size == 0) return;
  double slope = 0;
  for (const double by : {relative_shift, -relative_shift}) {
    start.q = before.q + by * q;
    start.v = before.v + by * v;
    start.internal_variables[j] = xi + by * memory;
    term.begin_step(start, probe_.dissipation[j].get());
    const Vector after = memory_after(system, j, record.dt, next.q + by * q_end, next.v + by * v_end, start, probe_);
    slope += dot(system, lambda.col(0), after) / (2 * by);
  }
  judge(system, std::abs(slope - expected) / size, next.time);
}

}  // namespace dashpot
