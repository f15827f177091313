#include "dashpot/linsolve/adaptive_solver.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/linsolve/low_rank_groups.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

// Fitted to bars and cubes of 1k to 48k tets (bench/bench_linsolve.cpp), nanoseconds; only the ratios matter.
constexpr double cg_nanoseconds = 1.5;           // per 3 x 3 block and iteration: 1.8 - 2.1 on one core, about 1 on two
constexpr double update_nanoseconds = 0.15;      // per entry of a low-rank update and iteration
constexpr double operation_nanoseconds = 0.022;  // per operation of a supernodal factorization
constexpr double entry_factor_nanoseconds = 9;   // per factor entry and factorization: assembly, memory
constexpr double entry_nanoseconds = 1;          // per factor entry and right-hand side

constexpr int probe_iterations = 64;    // CG may spend this before the symbolic analysis of Cholesky is paid for
constexpr int most_columns_of_cg = 48;  // of low-rank parts of several bodies
constexpr std::int64_t first_pause = 8, longest_pause = 256;

}  // namespace

AdaptiveSolver::AdaptiveSolver(const LinearSolverOptions& options, std::unique_ptr<DirectSolver> direct)
    : options_(options), cg_(options), direct_(std::make_unique<CoupledDirectSolver>(options, std::move(direct))) {}

std::string AdaptiveSolver::name() const { return "automatic (" + (uses_direct_ ? direct_->name() : cg_.name()) + ")"; }

void AdaptiveSolver::analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) {
  const FreeDofs checked(*pattern, is_free);
  pattern_ = std::move(pattern);
  direct_->analyze(pattern_, is_free);
  direct_analyzed_ = false;
  matrix_ = BlockMatrix();
  set_history({});
  cg_possible_ = SsorSystem::can_solve(*pattern_);
  uses_direct_ = !cg_possible_;
  if (cg_possible_) cg_.analyze(pattern_, is_free);
}

void AdaptiveSolver::set_history(const std::vector<std::int64_t>& history) {
  direct_left_ = history.size() >= 2 ? std::max<std::int64_t>(0, history[0]) : 0;
  pause_ = history.size() >= 2 ? std::clamp(history[1], first_pause, longest_pause) : first_pause;
  direct_->set_history(history.size() > 2 ? std::vector<std::int64_t>(history.begin() + 2, history.end())
                                          : std::vector<std::int64_t>());
}

std::vector<std::int64_t> AdaptiveSolver::history() const {
  std::vector<std::int64_t> all = {direct_left_, pause_};
  const std::vector<std::int64_t> direct = direct_->history();
  all.insert(all.end(), direct.begin(), direct.end());
  return all;
}

void AdaptiveSolver::analyze_direct() {
  direct_->prepare();
  direct_analyzed_ = true;
}

int AdaptiveSolver::iteration_budget(int num_rhs, int rank) {
  analyze_direct();
  const double operations = direct_->factor_operations(), entries = direct_->factor_entries();
  if (operations == 0) return options_.cg_max_iterations;  // a simplicial fallback: slower than any CG that converges
  const double direct =
      operations * operation_nanoseconds + entries * (entry_factor_nanoseconds + (num_rhs + rank) * entry_nanoseconds);
  const double blocks =
      static_cast<double>(cg_.system().num_blocks() + static_cast<std::size_t>(cg_.system().num_rows()));
  const double area = pattern_->block_size() * pattern_->block_size() / 9.0;
  const double rows = static_cast<double>(cg_.system().vector_size());
  const double iteration = blocks * std::max(area, 0.3) * cg_nanoseconds + rows * rank * update_nanoseconds;
  const double affordable = std::max<double>(probe_iterations, std::ceil(direct / (iteration * num_rhs)));
  return static_cast<int>(std::min<double>(options_.cg_max_iterations, affordable));
}

SolveStatus AdaptiveSolver::factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) {
  check_pattern(pattern_, matrix);
  spent_ = 0;
  uses_direct_ = !cg_possible_ || direct_left_ > 0;
  if (uses_direct_) {
    direct_left_ = std::max<std::int64_t>(0, direct_left_ - 1);
    analyze_direct();
    return direct_->factorize_coupled(matrix, couplings);
  }
  if (!matrix_.shared_pattern()) matrix_ = BlockMatrix(pattern_);
  matrix_.copy_values(matrix);
  couplings_ = couplings;
  return cg_.factorize_coupled(matrix, couplings);
}

SolveReport AdaptiveSolver::solve_direct(const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b,
                                         Eigen::Ref<Matrix> x) {
  if (!uses_direct_) {
    uses_direct_ = true;
    direct_left_ = pause_;
    pause_ = std::min(2 * pause_, longest_pause);
    analyze_direct();
    direct_->factorize_coupled(matrix_, couplings_);
  }
  return solve_by_woodbury(*direct_, parts, b, x);
}

SolveReport AdaptiveSolver::solve_low_rank(const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b,
                                           Eigen::Ref<Matrix> x) {
  if (uses_direct_) return solve_direct(parts, b, x);
  int rank = 0;
  for (const LowRank& part : parts) rank += static_cast<int>(part.U->cols());
  // Many bodies with an update each: CG would hold every column over all dofs, where Woodbury's identity lets bodies
  // that do not touch share them.
  if (rank > most_columns_of_cg && parts.size() > 1) {
    analyze_direct();
    if (PartGroups(direct_->components(), parts, b.rows()).num_columns() <= rank / 4) return solve_direct(parts, b, x);
  }
  const int num_rhs = static_cast<int>(std::max<Eigen::Index>(1, b.cols()));
  const Matrix guess = x;
  SolveReport report;
  // Without the analysis the budget is a guess; when it does not suffice the solve starts again with the true one, so
  // that the result does not depend on whether the analysis was there before.
  bool knows_budget = direct_analyzed_;
  for (;;) {
    const int budget =
        knows_budget ? iteration_budget(num_rhs, rank) : std::min(probe_iterations, options_.cg_max_iterations);
    const std::int64_t left = budget - spent_;
    cg_.set_max_iterations(static_cast<int>(std::max<std::int64_t>(left, 0)));
    report = cg_.solve_low_rank(parts, b, x);
    if (report.status != SolveStatus::not_converged || knows_budget) break;
    knows_budget = true;
    x = guess;
  }
  spent_ += report.iterations;
  if (report.status == SolveStatus::ok) {
    pause_ = first_pause;
    return report;
  }
  if (report.status == SolveStatus::not_finite) return report;
  const int iterations = report.iterations;
  report = solve_direct(parts, b, x);
  report.iterations = iterations;  // spent in vain, and worth knowing
  return report;
}

std::unique_ptr<LinearSolver> make_adaptive_solver(const LinearSolverOptions& options) {
  std::unique_ptr<DirectSolver> direct = has_suitesparse() ? make_cholmod_solver() : make_eigen_cholesky_solver();
  return std::make_unique<AdaptiveSolver>(options, std::move(direct));
}

}  // namespace dashpot
