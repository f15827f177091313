// AdjointSweep: the linear equations of one stage, and their check.
#include "dashpot/gradients/adjoint_stage.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {
namespace {

using sensitivity::constrain;
using sensitivity::Knowns;
using sensitivity::relative_shift;
using sensitivity::stage_residual;

/// Of the terms that a check compares.
constexpr double accepted_mismatch = 1e-5;
/// One step of so many is checked; the first two always are.
constexpr std::uint64_t steps_a_check = 16;
/// Up to so many right sides may be solved by iterations, to this part of their size.
constexpr Eigen::Index few_objectives = 2;
constexpr double tolerance_of_iterations = 1e-10;
/// Random part of a direction, of the size of the System.
constexpr double roughness = 1e-3;

/// A becomes its transpose.
void transpose(const std::vector<int>& mirrored, BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern();
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int slot = pattern.row_start()[static_cast<std::size_t>(row)];
         slot < pattern.row_start()[static_cast<std::size_t>(row) + 1]; ++slot) {
      const int column = pattern.column()[static_cast<std::size_t>(slot)];
      if (column < row) continue;
      const Matrix here = A.view(row, slot);
      if (column == row) {
        A.view(row, slot) = here.transpose();
        continue;
      }
      const int other = mirrored[static_cast<std::size_t>(slot)];
      const Matrix there = A.view(column, other);
      A.view(row, slot) = there.transpose();
      A.view(column, other) = here.transpose();
    }
}

/// Y += A^T X.
void multiply_transposed(const BlockMatrix& A, const Matrix& X, Matrix& Y) {
  const BlockPattern& pattern = A.pattern();
  const DofLayout& layout = pattern.layout();
  const int *start = pattern.row_start().data(), *column = pattern.column().data();
  const bool has_nodes_only = pattern.is_uniform() && layout.leading_size() == 3;
  for (Eigen::Index k = 0; k < X.cols(); ++k)
    for (int row = 0; row < pattern.num_blocks(); ++row)
      for (int slot = start[row]; slot < start[row + 1]; ++slot) {
        if (has_nodes_only) {
          Vec3::Map(Y.col(k).data() + 3 * std::ptrdiff_t{column[slot]}) +=
              Mat3::Map(A.block(slot)).transpose() * Vec3::Map(X.col(k).data() + 3 * std::ptrdiff_t{row});
        } else {
          Y.col(k).segment(layout.offset(column[slot]), layout.size(column[slot])) +=
              A.view(row, slot).transpose() * X.col(k).segment(layout.offset(row), layout.size(row));
        }
      }
}

std::vector<LowRank> transposed(const std::vector<LowRank>& parts) {
  std::vector<LowRank> result;
  for (const LowRank& part : parts) result.push_back({part.V, part.S.transpose(), part.U, {}, part.first_dof});
  return result;
}

}  // namespace

Matrix AdjointSweep::transposed_product(const BlockMatrix& A, const std::vector<LowRank>& parts,
                                        const DynamicBlocks& couplings, const Matrix& x) const {
  Matrix y = Matrix::Zero(x.rows(), x.cols());
  const bool is_symmetric = !is_transposed_ && &A != &held_q_ && &A != &held_v_;
  if (is_symmetric)
    multiply_columns(A, x, y);
  else
    multiply_transposed(A, x, y);
  for (Eigen::Index k = 0; k < x.cols() && !(parts.empty() && couplings.empty()); ++k) {
    const Vector of_column = x.col(k);
    Vector sum = Vector::Zero(x.rows());
    for (const LowRank& part : transposed(parts)) add_product(part, of_column, sum);
    if (!couplings.empty()) couplings.multiply_add(of_column, sum);  // symmetric as a whole
    y.col(k) += sum;
  }
  return y;
}

void AdjointSweep::assemble(const System& system, const Stage& stage, double a1, double v1) {
  const TangentRequest request{a1, v1, Projection::none, &matrix_, &low_rank_, &couplings_};
  evaluate_tangent(system, base_, stage.before.internal_variables, stage.motion, stage.instant, request);
  if (has_stand_in_) add_in_place(system, stage);
}

void AdjointSweep::add_in_place(const System& system, const Stage& stage) {
  // df/dq as it is, in place of what stands for it in the tangent.
  for (std::size_t j = 0; j < treatments_.size(); ++j) {
    if (!treatments_[j].is_stand_in) continue;
    const DissipationTerm& term = *system.dissipations()[j];
    const auto request_at = [&](const Vector& q) {
      DissipationRequest request{q, stage.motion.v, stage.before.internal_variables[j], stage.instant.elapsed,
                                 base_.dissipation[j].get()};
      request.time = stage.instant.time;
      return request;
    };
    DissipationRequest stand_in = request_at(stage.motion.q);
    stand_in.tangent = &matrix_;
    stand_in.low_rank = &low_rank_;
    stand_in.dq_scale = -1;
    term.evaluate(stand_in);
    colors_.add(
        stage.motion.q, relative_shift * length_, 1, system.dissipation_blocks(j),
        [&](const Vector& q, Vector& force) {
          DissipationRequest request = request_at(q);
          request.force = &force;
          term.evaluate(request);
        },
        matrix_);
  }
}

bool AdjointSweep::add_held_products(const System& system, const Stage& stage, std::size_t j, const Matrix& mu,
                                     Matrix& of_q) const {
  if (mu.cols() > few_objectives) return false;
  const ViscousOperator* viscous = system.dissipations()[j]->capabilities().viscous;
  Vector w, g;
  for (Eigen::Index k = 0; k < mu.cols(); ++k) {
    w = mu.col(k);
    g.setZero(w.size());
    if (!viscous->add_held_product(base_.dissipation[j].get(), stage.motion.v, w, g)) return false;
    of_q.col(k) += g;
  }
  return true;
}

void AdjointSweep::held_products(const System& system, const Stage& stage, const Matrix& mu, Matrix& of_q,
                                 Matrix& of_v) {
  of_q.setZero(mu.rows(), mu.cols());
  of_v.resize(0, 0);
  bool has_matrix = false;
  has_held_v_ = false;
  for (std::size_t j = 0; j < treatments_.size(); ++j) {
    if (treatments_[j].has_slope ? add_held_products(system, stage, j, mu, of_q) : !treatments_[j].is_held) continue;
    if (!has_matrix) held_q_.set_zero();
    has_matrix = true;
    assemble_held(system, stage, j);
  }
  if (has_matrix) of_q += transposed_product(held_q_, {}, {}, mu);
  if (has_held_v_) of_v = transposed_product(held_v_, {}, {}, mu);
}

void AdjointSweep::assemble_held(const System& system, const Stage& stage, std::size_t j) {
  const DissipationTerm& term = *system.dissipations()[j];
  if (treatments_[j].has_slope)
    return term.capabilities().viscous->add_held_slope(base_.dissipation[j].get(), stage.motion.v, held_q_);
  State held = stage.before;
  const auto evaluate = [&](Vector& force) {
    term.begin_step(held, probe_.dissipation[j].get());
    DissipationRequest request{stage.motion.q, stage.motion.v, held.internal_variables[j], stage.instant.elapsed,
                               probe_.dissipation[j].get()};
    request.time = stage.instant.time;
    request.force = &force;
    term.evaluate(request);
  };
  const auto at_q = [&](const Vector& q, Vector& force) {
    held.q = q;
    evaluate(force);
  };
  const auto at_v = [&](const Vector& v, Vector& force) {
    held.v = v;
    evaluate(force);
  };
  colors_.add(stage.before.q, relative_shift * length_, 1, system.dissipation_blocks(j), at_q, held_q_);
  // Most hold nothing that depends on velocities.
  held = stage.before;
  const Vector other = stage.before.v + Vector::Random(stage.before.v.size()) * length_;
  Vector here = Vector::Zero(other.size()), there = here;
  at_v(stage.before.v, here);
  at_v(other, there);
  if (here == there) return;
  if (!has_held_v_) held_v_.set_zero();
  has_held_v_ = true;
  colors_.add(stage.before.v, relative_shift * length_, 1, system.dissipation_blocks(j), at_v, held_v_);
}

void AdjointSweep::solve(const System& system, Matrix& right_sides, Matrix& mu, const std::string& where) {
  const TangentRequest request{0, 0, Projection::none, &matrix_, &low_rank_, &couplings_};
  condense_tangent(system, request);
  if (is_transposed_) transpose(mirrored_, matrix_);
  const std::vector<LowRank> parts = is_transposed_ ? transposed(low_rank_) : low_rank_;
  reduce(system, right_sides);
  const auto make = [&](bool may_iterate, bool symmetric) {
    LinearSolverOptions options = linear_;
    options.kind = LinearSolverKind::automatic;
    options.cg_tolerance = std::min(options.cg_tolerance, tolerance_of_iterations);
    solver_ = make_linear_solver(options, system.num_dofs(), may_iterate, symmetric);
    solver_->analyze(system.pattern(), system.is_free());
  };
  const auto attempt = [&] {
    mu.setZero(right_sides.rows(), right_sides.cols());
    const SolveStatus status = solver_->factorize_coupled(matrix_, couplings_);
    if (status != SolveStatus::ok) return status;
    return (parts.empty() ? solver_->solve(right_sides, mu) : solve_with_low_rank(*solver_, parts, right_sides, mu))
        .status;
  };
  // A right side or two are not worth a factorization where conjugate gradients converge.
  if (!solver_) make(right_sides.cols() <= few_objectives && parts.empty(), !is_transposed_);
  SolveStatus status = attempt();
  if (status == SolveStatus::not_converged && !is_transposed_) {
    make(false, true);
    status = attempt();
  }
  if (status == SolveStatus::not_positive_definite) {
    make(false, false);
    status = attempt();
  }
  if (status != SolveStatus::ok)
    throw Error(Problem{"adjoint", fmt::format("its linear equations {}: {}", where, to_string(status)),
                        "a tangent that can be inverted", "take forward sensitivities, or a shorter time step"});
  if (!system.ties().empty()) system.ties().follow(mu);
}

void AdjointSweep::add_to_gradient(const System& system, const Stage& stage, const Matrix& mu) {
  if (values_.empty()) return;
  if (mu.cols() <= few_objectives) {
    Matrix products = Matrix::Zero(gradient_.rows(), gradient_.cols());
    slopes_.add_products(system, base_, stage.before.internal_variables, stage.motion, stage.instant, mu, products);
    gradient_ -= products;
    return;
  }
  slope_columns_.setZero(mu.rows(), static_cast<Eigen::Index>(values_.size()));
  slopes_.add(system, base_, stage.before.internal_variables, stage.motion, stage.instant, slope_columns_);
  for (Eigen::Index k = 0; k < gradient_.cols(); ++k)
    for (Eigen::Index i = 0; i < gradient_.rows(); ++i)
      gradient_(i, k) -= dot(system, mu.col(i), slope_columns_.col(k));
}

void AdjointSweep::transposed_products(const System& system, const Stage& stage, const Matrix& mu, Matrix& C_mu,
                                       Matrix& M_mu) {
  const StageState& motion = stage.motion;
  C_mu.setZero(mu.rows(), mu.cols());
  M_mu.setZero(mu.rows(), mu.cols());
  const Inertia& inertia = system.inertia();
  if (inertia.is_constant()) {
    Vector force, a;
    for (Eigen::Index k = 0; k < mu.cols(); ++k) {
      a = mu.col(k);
      force.setZero(a.size());
      inertia.add_force(motion.q, motion.v, a, force);
      M_mu.col(k) = force;
    }
  } else {
    mass_matrix_.set_zero();
    inertia.add_tangent(motion.q, motion.v, motion.a, 1, 0, 0, mass_matrix_);
    multiply_columns(mass_matrix_, mu, M_mu);
  }
  if (system.dissipations().empty() && inertia.is_constant()) return;
  damping_matrix_.set_zero();
  damping_low_rank_.clear();
  damping_couplings_.clear(*system.pattern());
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    DissipationRequest request{motion.q, motion.v, stage.before.internal_variables[j], stage.instant.elapsed,
                               base_.dissipation[j].get()};
    request.time = stage.instant.time;
    request.tangent = &damping_matrix_;
    request.low_rank = &damping_low_rank_;
    request.couplings = &damping_couplings_;
    request.dv_scale = 1;
    system.dissipations()[j]->evaluate(request);
  }
  damping_couplings_.finish();
  if (!inertia.is_constant()) inertia.add_tangent(motion.q, motion.v, motion.a, 0, 1, 0, damping_matrix_);
  C_mu = transposed_product(damping_matrix_, damping_low_rank_, damping_couplings_, mu);
}

void AdjointSweep::back_through(const System& system, const Stage& stage, Bars& bars) {
  const Known own = stage_unknown(stage.s);
  Matrix& right = bars[own];
  Products found;
  assemble(system, stage, stage.a1, stage.v1);
  solve(system, right, found.mu, fmt::format("at t = {:.6g} s", stage.instant.time));
  add_to_gradient(system, stage, found.mu);
  transposed_products(system, stage, found.mu, found.C_mu, found.M_mu);
  found.q = right - stage.v1 * found.C_mu - stage.a1 * found.M_mu;  // K^T mu
  if (has_held_) {
    Matrix of_q;
    held_products(system, stage, found.mu, of_q, found.v);
    found.q += of_q;
    if (found.v.size() > 0) bars[Known::v_n] -= found.v;
  }
  found.xi = memory_products(system, stage, found.mu);
  for (std::size_t j = 0; j < found.xi.size(); ++j)
    if (found.xi[j].size() > 0) bars.of_internal_variables[j] -= found.xi[j];
  bars.of_q -= found.q;
  bars.spread(stage.table->stages[stage.s].v, -1, found.C_mu, own);
  bars.spread(stage.table->stages[stage.s].a, -1, found.M_mu, own);
  if (is_checked()) check(system, stage, right, found);
}

std::string AdjointSweep::suspects(const System& system) const {
  std::vector<std::string> names;
  for (const auto& energy : system.energies())
    if (energy->kind() == EnergyKind::contact) names.push_back(fmt::format("the contact of '{}'", energy->body()));
  for (std::size_t j = 0; j < treatments_.size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    if (treatments_[j].is_held || treatments_[j].is_stand_in || term.is_contact())
      names.push_back(fmt::format("'{}' of '{}'", term.model(), term.body()));
  }
  return names.empty() ? "" : fmt::format("; look first at {}", fmt::join(names, ", "));
}

void AdjointSweep::check(const System& system, const Stage& stage, const Matrix& right, const Products& found) {
  // One combination of all objectives.
  Vector weights = Vector::Zero(right.cols());
  for (Eigen::Index k = 0; k < right.cols(); ++k) {
    const double size = free_norm(system, found.mu.col(k));
    if (size > 0) weights[k] = (k % 3 == 1 ? -1 : 1) / size;
  }
  const Vector mu = found.mu * weights;
  if (largest(system, mu) == 0) return;
  // A direction of everything the stage depends on: the motion itself, and something rough.
  const State& before = stage.before;
  const double dt = stage.record->dt;
  std::mt19937 random(static_cast<unsigned>(num_steps_ * 7 + stage.s));
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto direction = [&](double scale) {
    Vector x = dt * before.v;
    for (double& entry : x) entry = scale * (entry + roughness * length_ * uniform(random));
    constrain(system, x);
    return x;
  };
  StateDirection along = StateDirection::zero(before);
  along.q = direction(1);
  along.v = direction(1 / dt);
  along.a = direction(1 / (dt * dt));
  for (std::size_t j = 0; j < found.xi.size(); ++j)
    if (found.xi[j].size() > 0)
      for (double& entry : along.internal_variables[j])
        entry = largest(system, along.q) / length_ * memory_scale(before.internal_variables[j]) * uniform(random);
  if (before.q_previous.size() > 0) along.q_previous = direction(1), along.v_previous = direction(1 / dt);
  std::vector<Vector> d(stage.s + 1);
  for (Vector& one : d) one = direction(1);
  const LinearForm &of_v = stage.table->stages[stage.s].v, &of_a = stage.table->stages[stage.s].a;
  const Known own = stage_unknown(stage.s);
  const Knowns knowns(along, d);
  Vector v, a;
  knowns.vectors.combine(of_v, v, own);
  knowns.vectors.combine(of_a, a, own);
  double expected = 0, size = 0;
  const auto add = [&](const Matrix& product, const Vector& x) {
    if (product.size() == 0) return;
    const double term = dot(system, product * weights, x);
    expected += term;
    size += std::abs(term);
  };
  add(right, d[stage.s]);
  add(found.q, along.q);
  add(found.v, along.v);
  add(found.C_mu, v);
  add(found.M_mu, a);
  for (std::size_t j = 0; j < found.xi.size(); ++j) add(found.xi[j], along.internal_variables[j]);
  if (size == 0) return;
  const auto slope_with = [&](double shift) {
    double slope = 0;
    StageState motion;
    for (const double sign : {1.0, -1.0}) {
      const State moved = along.moved(before, sign * shift);
      system.begin_step(moved, probe_);
      std::vector<Vector> displaced = stage.record->d;
      for (std::size_t i = 0; i <= stage.s; ++i) displaced[i] += sign * shift * d[i];
      stage_residual(system, probe_, moved, *stage.table, stage.s, dt, displaced, motion, balance_);
      slope += sign / (2 * shift) * dot(system, mu, balance_.residual);
    }
    return slope;
  };
  // Where forces bend strongly (collapsed elements) only short differences tell the slope.
  double shift = relative_shift * length_ / std::max(largest(system, along.q), 1e-300);
  double mismatch = std::abs(slope_with(shift) - expected) / size;
  for (int shorter = 0; shorter < 2 && !(mismatch <= accepted_mismatch); ++shorter) {
    shift *= 0.1;
    mismatch = std::min(mismatch, std::abs(slope_with(shift) - expected) / size);
  }
  judge(system, mismatch, stage.instant.time);
}

bool AdjointSweep::is_checked() const { return num_steps_ < 2 || num_steps_ % steps_a_check == 0; }

void AdjointSweep::judge(const System& system, double mismatch, double time) {
  worst_mismatch_ = std::max(worst_mismatch_, mismatch);
  if (!(mismatch <= accepted_mismatch))
    throw Error(Problem{"adjoint",
                        fmt::format("at t = {:.6g} s the products with the tangent and a difference of the "
                                    "forces disagree by {:.2g}",
                                    time, mismatch),
                        fmt::format("less than {:g}: tangents that are the derivatives of their forces{}",
                                    accepted_mismatch, suspects(system)),
                        "take forward sensitivities, which do such models by differences"});
}

}  // namespace dashpot
