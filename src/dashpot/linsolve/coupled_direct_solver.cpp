#include "dashpot/linsolve/coupled_direct_solver.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

// Nanoseconds; only the ratio matters. Fitted to touching balls of 2k to 20k tets (docs/theory/linsolve.md).
constexpr double analysis_per_slot = 900;       // ordering and symbolic analysis, per block of the pattern
constexpr double factor_entry_nanoseconds = 1;  // per factor entry and substitution
constexpr double product_nanoseconds = 1.5;     // per block and product
constexpr std::int64_t max_idle = 256;          // matrices without couplings before the extension is dropped

int row_of(std::int64_t pair) { return static_cast<int>(pair >> 32); }
int column_of(std::int64_t pair) { return static_cast<int>(pair & 0xffffffff); }
std::int64_t pair_of(int i, int j) { return i < j ? (std::int64_t{i} << 32) + j : (std::int64_t{j} << 32) + i; }

std::vector<int> slot_map(const BlockPattern& from, const BlockPattern& to) {
  std::vector<int> slots(at(from.num_slots()));
  for (int row = 0; row < from.num_blocks(); ++row)
    for (int s = from.row_start()[at(row)]; s < from.row_start()[at(row) + 1]; ++s)
      slots[at(s)] = to.slot(row, from.column()[at(s)]);
  return slots;
}

void copy_blocks(const BlockMatrix& from, const std::vector<int>& slots, BlockMatrix& to) {
  const BlockPattern& pattern = from.pattern();
  to.set_zero();
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int s = pattern.row_start()[at(row)]; s < pattern.row_start()[at(row) + 1]; ++s) {
      const int area = pattern.layout().size(row) * pattern.layout().size(pattern.column()[at(s)]);
      std::copy(from.block(s), from.block(s) + area, to.block(slots[at(s)]));
    }
}

/// Adds block (i, j) and its transpose; false when the pattern does not have them.
bool add_pair(const DynamicBlocks& couplings, int pair, BlockMatrix& matrix) {
  const int i = couplings.row(pair), j = couplings.column(pair);
  const int upper = matrix.pattern().slot(i, j);
  if (upper < 0) return false;
  const Eigen::Map<const Matrix> value = couplings.view(pair);
  matrix.view(i, upper) += value;
  matrix.view(j, matrix.pattern().slot(j, i)) += value.transpose();
  return true;
}

}  // namespace

std::shared_ptr<const BlockPattern> extended_pattern(const BlockPattern& pattern,
                                                     const std::vector<std::int64_t>& pairs) {
  std::vector<int> start{0}, couplings;
  const auto add = [&](int i, int j) {
    couplings.push_back(i);
    couplings.push_back(j);
    start.push_back(static_cast<int>(couplings.size()));
  };
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int s = pattern.row_start()[at(row)]; s < pattern.row_start()[at(row) + 1]; ++s)
      if (pattern.column()[at(s)] > row) add(row, pattern.column()[at(s)]);
  for (const std::int64_t pair : pairs) add(row_of(pair), column_of(pair));
  return std::make_shared<BlockPattern>(pattern.layout(), start, couplings);
}

BlockMatrix with_couplings(const BlockMatrix& A, const DynamicBlocks& couplings,
                           const std::shared_ptr<const BlockPattern>& pattern) {
  BlockMatrix sum(pattern);
  copy_blocks(A, slot_map(A.pattern(), sum.pattern()), sum);
  for (int pair = 0; pair < couplings.num_pairs(); ++pair) add_pair(couplings, pair, sum);
  return sum;
}

CoupledDirectSolver::CoupledDirectSolver(const LinearSolverOptions& options, std::unique_ptr<DirectSolver> direct)
    : options_(options), direct_(std::move(direct)) {
  if (!direct_->is_symmetric()) options_.couplings = CouplingStrategy::reanalyze;
}

void CoupledDirectSolver::analyze(std::shared_ptr<const BlockPattern> pattern,
                                  const std::vector<std::uint8_t>& is_free) {
  const FreeDofs checked(*pattern, is_free);
  base_ = pattern_ = std::move(pattern);
  is_free_ = is_free;
  extension_.clear();
  slot_of_.clear();
  outside_.clear(*base_);
  components_.reset();
  spent_ = idle_ = 0;
  is_prepared_ = false;
}

void CoupledDirectSolver::prepare() {
  if (is_prepared_ || !pattern_) return;
  direct_->analyze(pattern_, is_free_);
  is_prepared_ = true;
}

bool CoupledDirectSolver::accepts_low_rank(bool symmetric) const {
  return direct_->accepts_low_rank(symmetric) && (symmetric || outside_.empty());
}

std::vector<std::int64_t> CoupledDirectSolver::history() const {
  if (spent_ == 0 && idle_ == 0 && extension_.empty()) return {};
  std::vector<std::int64_t> all = {spent_, idle_};
  all.insert(all.end(), extension_.begin(), extension_.end());
  return all;
}

void CoupledDirectSolver::set_history(const std::vector<std::int64_t>& history) {
  spent_ = history.size() >= 2 ? history[0] : 0;
  idle_ = history.size() >= 2 ? history[1] : 0;
  std::vector<std::int64_t> pairs;
  if (history.size() > 2) pairs.assign(history.begin() + 2, history.end());
  if (pairs == extension_ || !base_) return;
  const auto is_pair = [&](std::int64_t p) {
    return p >= 0 && row_of(p) < column_of(p) && column_of(p) < base_->num_blocks();
  };
  if (std::all_of(pairs.begin(), pairs.end(), is_pair)) set_extension(std::move(pairs));
}

void CoupledDirectSolver::set_extension(std::vector<std::int64_t> pairs) {
  extension_ = std::move(pairs);
  pattern_ = extension_.empty() ? base_ : extended_pattern(*base_, extension_);
  slot_of_ = extension_.empty() ? std::vector<int>() : slot_map(*base_, *pattern_);
  matrix_ = BlockMatrix();
  components_.reset();
  is_prepared_ = false;
}

double CoupledDirectSolver::analysis_nanoseconds() const { return analysis_per_slot * pattern_->num_slots(); }

bool CoupledDirectSolver::must_reanalyze() const {
  if (options_.couplings != CouplingStrategy::automatic) return options_.couplings == CouplingStrategy::reanalyze;
  return static_cast<double>(spent_) >= analysis_nanoseconds();
}

bool CoupledDirectSolver::has_outside(const DynamicBlocks& couplings) const {
  for (int pair = 0; pair < couplings.num_pairs(); ++pair)
    if (pattern_->slot(couplings.row(pair), couplings.column(pair)) < 0) return true;
  return false;
}

void CoupledDirectSolver::extend(const DynamicBlocks& couplings) {
  std::vector<std::int64_t> pairs = couplings.pairs();
  const auto add_neighbors = [&](int i, int j) {
    for (int s = base_->row_start()[at(j)]; s < base_->row_start()[at(j) + 1]; ++s)
      if (const int n = base_->column()[at(s)]; n != i && base_->slot(i, n) < 0) pairs.push_back(pair_of(i, n));
  };
  for (int pair = 0; pair < couplings.num_pairs(); ++pair) {
    add_neighbors(couplings.row(pair), couplings.column(pair));
    add_neighbors(couplings.column(pair), couplings.row(pair));
  }
  const auto tidy = [&] {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  };
  tidy();
  // Bodies that bounce come back to the same pairs; bodies that slide leave them for good.
  std::vector<std::int64_t> fresh = pairs;
  pairs.insert(pairs.end(), extension_.begin(), extension_.end());
  tidy();
  set_extension(pairs.size() <= 2 * fresh.size() ? std::move(pairs) : std::move(fresh));
  spent_ = 0;
  ++num_reanalyses_;
}

void CoupledDirectSolver::assemble(const BlockMatrix& A, const DynamicBlocks& couplings) {
  if (!matrix_.shared_pattern()) matrix_ = BlockMatrix(pattern_);
  if (slot_of_.empty())
    matrix_.copy_values(A);
  else
    copy_blocks(A, slot_of_, matrix_);
  for (int pair = 0; pair < couplings.num_pairs(); ++pair)
    if (!add_pair(couplings, pair, matrix_))
      outside_.add(couplings.row(pair), couplings.column(pair), couplings.block(pair));
  outside_.finish();
  if (!outside_.empty()) components_.reset();
}

const BlockComponents* CoupledDirectSolver::components() {
  if (!components_) components_.emplace(pattern_, outside_);
  return &*components_;
}

SolveStatus CoupledDirectSolver::factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) {
  check_pattern(base_, matrix);
  if (!outside_.empty()) components_.reset();
  outside_.clear(*base_);
  idle_ = couplings.empty() && !extension_.empty() ? idle_ + 1 : 0;
  if (idle_ > max_idle) {
    set_extension({});
    idle_ = 0;
    ++num_reanalyses_;
  }
  if (has_outside(couplings) && must_reanalyze()) extend(couplings);
  prepare();
  if (couplings.empty() && slot_of_.empty()) return direct_->factorize(matrix);
  assemble(matrix, couplings);
  return direct_->factorize(matrix_);
}

SolveReport CoupledDirectSolver::solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  if (outside_.empty()) return direct_->solve(b, x);
  SolveReport report;
  for (Eigen::Index k = 0; k < b.cols(); ++k) {
    const SolveReport column = iterate(b.col(k), x.col(k));
    report.iterations = std::max(report.iterations, column.iterations);
    report.residual = std::max(report.residual, column.residual);
    if (report.status == SolveStatus::ok || report.status == SolveStatus::not_converged)
      if (column.status != SolveStatus::ok) report.status = column.status;
  }
  return report;
}

/// y = (A + B) x over the free dofs.
void CoupledDirectSolver::multiply(const Vector& x, Vector& y) const {
  y.resize(x.size());
  matrix_.multiply(x, y);
  outside_.multiply_add(x, y);
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (!is_free_[static_cast<std::size_t>(i)]) y[i] = 0;
}

void CoupledDirectSolver::solve_inside(const Vector& b, Vector& x) {
  x.setZero(b.size());
  direct_->solve(b, x);
  spent_ += std::llround(direct_->factor_entries() * 2 * factor_entry_nanoseconds +
                         pattern_->num_slots() * product_nanoseconds);
}

SolveReport CoupledDirectSolver::iterate(const ConstVectorRef& b, VectorRef x) {
  SolveReport report;
  r_ = b;
  for (Eigen::Index i = 0; i < r_.size(); ++i)
    if (!is_free_[static_cast<std::size_t>(i)]) r_[i] = 0;
  x.setZero();
  // The first substitution also says whether the factor is usable at all.
  z_.setZero(r_.size());
  const SolveReport first = direct_->solve(r_, z_);
  const double norm_b = r_.norm();
  if (first.status != SolveStatus::ok || norm_b == 0) return first;
  p_ = z_;
  double rz = r_.dot(z_);
  for (report.residual = 1; report.residual > options_.cg_tolerance;) {
    if (report.iterations == options_.cg_max_iterations) {
      report.status = SolveStatus::not_converged;
      return report;
    }
    ++report.iterations;
    multiply(p_, Ap_);
    const double curvature = p_.dot(Ap_);
    if (!(curvature > 0)) {
      x.setZero();
      report.status = SolveStatus::not_positive_definite;
      return report;
    }
    const double alpha = rz / curvature;
    x += alpha * p_;
    r_ -= alpha * Ap_;
    report.residual = r_.norm() / norm_b;
    solve_inside(r_, z_);
    const double rz_new = r_.dot(z_);
    p_ = z_ + (rz_new / rz) * p_;
    rz = rz_new;
  }
  return report;
}

}  // namespace dashpot
