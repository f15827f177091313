#include "dashpot/projective/contact_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

constexpr double most_overshoot = 1.5;  // stiffness over its bound: 2 would swing for ever, 1.5 halves what is left
constexpr int max_free_steps = 2;       // outgrown steps after which rigid motion is held: normals turn under it

/// Sum of the absolute values of a block, a bound of its norm.
double block_size(const double* block) {
  double sum = 0;
  for (int i = 0; i < 9; ++i) sum += std::abs(block[i]);
  return sum;
}
double trace(const double* block) { return block[0] + block[4] + block[8]; }

/// The three entries of a block.
auto part(const Vector& x, std::size_t block) { return x.segment<3>(3 * static_cast<Eigen::Index>(block)); }

/// Bounds of a matrix by Gershgorin: row sums, traces of diagonal blocks and sizes of the others.
void add_row_sums(const BlockMatrix& matrix, const BlockPattern& pattern, const DynamicBlocks& couplings,
                  std::vector<double>& sum) {
  for (std::size_t row = 0; row < sum.size(); ++row)
    for (int s = pattern.row_start()[row]; s < pattern.row_start()[row + 1]; ++s) {
      const bool diagonal = s == pattern.diagonal_slot(static_cast<int>(row));
      sum[row] += diagonal ? trace(matrix.block(s)) : block_size(matrix.block(s));
    }
  for (int pair = 0; pair < couplings.num_pairs(); ++pair)
    for (const int block : {couplings.row(pair), couplings.column(pair)})
      sum[static_cast<std::size_t>(block)] += block_size(couplings.block(pair));
}

}  // namespace

void assemble_damping_tangent(const StageProblem& problem, std::size_t damping, const Vector& v, BlockMatrix& C) {
  C.set_zero();
  DissipationRequest request{problem.start.q, v, problem.start.internal_variables[damping], problem.instant.elapsed,
                             problem.workspace.dissipation[damping].get()};
  request.tangent = &C;
  request.dv_scale = 1;
  request.time = problem.instant.time;
  problem.system.dissipations()[damping]->evaluate(request);
}

void ContactBounds::attach(const ProjectiveTerms& terms, const System& system) {
  terms_ = &terms;
  pattern_ = system.pattern();
  touches_ = !terms.contacts.empty() || std::any_of(terms.dampings.begin(), terms.dampings.end(),
                                                    [](const auto& damping) { return damping.is_contact; });
  bound_.clear();
  if (!touches_) return;
  stiffness_ = BlockMatrix(pattern_);
  sliding_.attach(system);
}

void ContactBounds::begin(const StageProblem& problem, const Vector& q, const Vector& v) {
  for (std::vector<double>* bounds : {&bound_, &bound_force_, &friction_bound_})
    bounds->assign(static_cast<std::size_t>(pattern_->num_blocks()), 0.0);
  raise_.clear();
  num_outgrown_steps_ = 0;
  renew(problem, q, v);
}

void ContactBounds::renew(const StageProblem& problem, const Vector& q, const Vector& v) {
  stiffness_.set_zero();
  gradient_.setZero(q.size());
  DynamicBlocks couplings;
  couplings.clear(3);
  for (const std::size_t i : terms_->contacts) {
    EnergyRequest request{q};
    request.gradient = &gradient_;
    request.hessian = &stiffness_;
    request.projection = Projection::positive_semidefinite;
    request.time = problem.instant.time;
    request.scratch = problem.workspace.of_energy(i);
    request.couplings = &couplings;
    problem.system.energies()[i]->evaluate(request);
  }
  couplings.finish();
  std::vector<double> sum(bound_.size(), 0.0);
  add_row_sums(stiffness_, *pattern_, couplings, sum);
  sliding_.begin(q, sum, stiffness_, couplings);
  std::fill(friction_bound_.begin(), friction_bound_.end(), 0.0);
  for (const ProjectiveTerms::Damping& damping : terms_->dampings) {
    if (!damping.is_contact) continue;
    assemble_damping_tangent(problem, damping.index, v, stiffness_);
    for (std::size_t row = 0; row < sum.size(); ++row)
      friction_bound_[row] += problem.v1 * trace(stiffness_.block(pattern_->diagonal_slot(static_cast<int>(row))));
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    bound_[i] = std::max(bound_[i], sum[i] + friction_bound_[i]);
    if (!raise_.empty()) bound_[i] = std::max(bound_[i], raise_[i]);
    bound_force_[i] = std::max(bound_force_[i], part(gradient_, i).norm());
  }
  raise_.clear();
  sliding_.finish(bound_, friction_bound_);
  if (num_outgrown_steps_ > max_free_steps) sliding_.hold();
}

void ContactBounds::evaluate(const StageProblem& problem, const Vector& q, Vector& gradient) const {
  gradient.setZero(q.size());
  for (const std::size_t i : terms_->contacts) {
    EnergyRequest request{q};
    request.gradient = &gradient;
    request.time = problem.instant.time;
    request.scratch = problem.workspace.of_energy(i);
    problem.system.energies()[i]->evaluate(request);
  }
}

bool ContactBounds::is_outgrown_by(const Vector& gradient) const {
  for (std::size_t block = 0; block < bound_.size(); ++block)
    if (part(gradient, block).norm() > 2 * bound_force_[block]) return true;
  return false;
}

bool ContactBounds::is_outgrown_by_friction(double v1, const Vector& friction, const Vector& v) const {
  for (std::size_t block = 0; block < friction_bound_.size(); ++block) {
    const double power = part(friction, block).dot(part(v, block));  // |f|^2 / power is force over slip
    if (power > 0 && v1 * part(friction, block).squaredNorm() > 2 * friction_bound_[block] * power) return true;
  }
  return false;
}

bool ContactBounds::is_outgrown_by_step(const System& system, const Vector& s, const Vector& y,
                                        const std::function<double()>& inertia) {
  const double change = dot(system, s, y);
  if (!(change > 0)) return false;
  double allowed = 0;
  for (std::size_t block = 0; block < bound_.size(); ++block)
    if (bound_[block] > 0) allowed += bound_[block] * part(s, block).squaredNorm();
  if (const LowRank* free = sliding_.part()) {
    Vector along = Vector::Zero(free->U->cols());
    for (std::size_t block = 0; block < bound_.size(); ++block)
      if (bound_[block] > 0)
        along += free->U->middleRows<3>(3 * static_cast<Eigen::Index>(block)).transpose() * part(s, block);
    allowed += along.dot(free->S * along);
  }
  if (change <= most_overshoot * allowed || change <= most_overshoot * allowed + 0.5 * inertia()) return false;
  ++num_outgrown_steps_;
  raise_ = bound_;
  bool is_local = false;
  for (std::size_t block = 0; block < bound_.size(); ++block) {
    const double size = part(s, block).squaredNorm();
    if (!(size > 0)) continue;
    const double stiffness = part(s, block).dot(part(y, block)) / size, old = bound_[block];
    if (!(stiffness > most_overshoot * old)) continue;
    raise_[block] = old > 0 ? 2 * old : stiffness;  // no more: a node may feel its neighbor's step
    is_local = true;
  }
  if (!is_local)
    for (double& raised : raise_) raised *= 2;
  return true;
}

void ContactBounds::tighten() {
  raise_ = bound_;
  for (double& raised : raise_) raised *= 2;
  num_outgrown_steps_ = max_free_steps + 1;
}

void ContactBounds::add_to_diagonal(std::vector<double>& of_slot) const {
  for (std::size_t row = 0; row < bound_.size(); ++row)
    of_slot[static_cast<std::size_t>(pattern_->diagonal_slot(static_cast<int>(row)))] += bound_[row];
}

void ContactBounds::add_product(const Vector& d, Vector& right) const {
  for (std::size_t block = 0; block < bound_.size(); ++block)
    right.segment<3>(3 * static_cast<Eigen::Index>(block)) += bound_[block] * part(d, block);
}

}  // namespace dashpot
