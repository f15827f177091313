#include "dashpot/integrate/mass_solver.hpp"

#include <limits>

#include "dashpot/math/largest_eigenvalue.hpp"

namespace dashpot {
namespace {

// A consistent mass matrix of linear tets, scaled by its diagonal, has eigenvalues from 1/2 to 5/2 whatever the mesh
// [Wathen1987]: few iterations give all digits, where a factor of a large body costs minutes and gigabytes. Small ones
// are factorized: a factor is quicker where it is used in every step.
constexpr int most_factorized_dofs = 60000;

LinearSolverOptions mass_solver_options(const BlockPattern& pattern) {
  LinearSolverOptions options;
  if (pattern.num_dofs() <= most_factorized_dofs || !pattern.is_uniform()) return options;
  options.kind = LinearSolverKind::conjugate_gradient;
  options.cg_tolerance = 1e-13;
  return options;
}

}  // namespace

void MassSolver::prepare(const System& system, const Vector& q) {
  const bool is_new = pattern_ != system.pattern();
  if (inertia_id_ == system.inertia_id() && system.inertia().is_constant()) return;
  const Vector zero = Vector::Zero(system.num_dofs());
  mobility_.resize(0);
  if (system.inertia().is_diagonal()) {
    Vector diagonal = zero;
    system.inertia().add_force(q, zero, Vector::Ones(system.num_dofs()), diagonal);
    usable_ = true;
    inverse_diagonal_ = Vector::Zero(system.num_dofs());
    for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
      if (!system.is_free()[static_cast<std::size_t>(i)]) continue;
      usable_ &= diagonal[i] > 0;
      inverse_diagonal_[i] = 1 / diagonal[i];
    }
    if (!system.ties().empty()) usable_ = factorize_masters(system, diagonal);
  } else {
    if (is_new) {
      solver_ = make_linear_solver(mass_solver_options(*system.pattern()), system.num_dofs(), false, true);
      solver_->analyze(system.pattern(), system.is_free());
    }
    BlockMatrix mass(system.pattern());
    system.inertia().add_tangent(q, zero, zero, 1.0, 0.0, 0.0, mass);
    if (!system.ties().empty()) system.ties().condense(mass);
    usable_ = solver_->factorize(mass) == SolveStatus::ok;
  }
  pattern_ = system.pattern();
  inertia_id_ = system.inertia_id();
}

bool MassSolver::factorize_masters(const System& system, const Vector& diagonal) {
  const Ties& ties = system.ties();
  const DofLayout& layout = system.pattern()->layout();
  const int num_masters = static_cast<int>(ties.masters().size());
  DofLayout of_masters;
  for (const int master : ties.masters()) of_masters.append(layout.size(master), 1);
  std::vector<int> start{0}, groups;
  for (int i = 0; i < ties.size(); ++i) {
    for (const Ties::Link& link : ties.links(i)) groups.push_back(link.master);
    start.push_back(static_cast<int>(groups.size()));
  }
  const auto pattern = std::make_shared<const BlockPattern>(of_masters, start, groups);
  BlockMatrix mass(pattern);
  std::vector<std::uint8_t> is_free;
  for (int m = 0; m < num_masters; ++m)
    for (int c = 0; c < of_masters.size(m); ++c) {
      const int dof = layout.offset(ties.masters()[at(m)]) + c;
      is_free.push_back(system.is_free()[at(dof)]);
      mass.view(m, pattern->diagonal_slot(m))(c, c) = diagonal[dof];
    }
  for (int i = 0; i < ties.size(); ++i)
    for (const Ties::Link& row : ties.links(i))
      for (const Ties::Link& column : ties.links(i)) {
        const int tied = ties.blocks()[at(i)];
        const Vector masses = diagonal.segment(layout.offset(tied), layout.size(tied));
        mass.view(row.master, pattern->slot(row.master, column.master)) +=
            ties.condensed(row, masses.asDiagonal().toDenseMatrix(), column);
      }
  solver_ = make_linear_solver({}, of_masters.num_dofs(), false, true);
  solver_->analyze(pattern, is_free);
  return solver_->factorize(mass) == SolveStatus::ok;
}

bool MassSolver::solve(const System& system, const Vector& right_side, Vector& solution) {
  const Ties& ties = system.ties();
  if (!system.inertia().is_diagonal()) {
    if (solver_->solve(right_side, solution).status != SolveStatus::ok) return false;
  } else {
    const DofLayout& layout = system.pattern()->layout();
    const std::vector<int>& first = ties.master_start();
    solution = inverse_diagonal_.cwiseProduct(right_side);
    Vector force(first.back()), answer = Vector::Zero(first.back());
    for (std::size_t m = 0; m < ties.masters().size(); ++m)
      force.segment(first[m], first[m + 1] - first[m]) =
          right_side.segment(layout.offset(ties.masters()[m]), first[m + 1] - first[m]);
    if (solver_->solve(force, answer).status != SolveStatus::ok) return false;
    for (std::size_t m = 0; m < ties.masters().size(); ++m)
      solution.segment(layout.offset(ties.masters()[m]), first[m + 1] - first[m]) =
          answer.segment(first[m], first[m + 1] - first[m]);
  }
  if (!ties.empty()) ties.follow(solution);
  return true;
}

bool MassSolver::correct(const System& system, const Vector& q, const Vector& residual, Vector& a) {
  prepare(system, q);
  if (!usable_) return false;
  if (system.inertia().is_diagonal() && system.ties().empty()) {
    a -= inverse_diagonal_.cwiseProduct(residual);
    return true;
  }
  Vector right_side = -residual, correction = Vector::Zero(a.size());
  system.reduce(right_side);
  if (!solve(system, right_side, correction)) return false;
  a += correction;
  return true;
}

const Vector& MassSolver::mobility_bound(const System& system, const Vector& q) {
  prepare(system, q);
  if (mobility_.size() > 0) return mobility_;
  const Vector zero = Vector::Zero(system.num_dofs());
  Vector diagonal = zero;
  double largest = 1;
  if (system.inertia().is_diagonal()) {
    system.inertia().add_force(q, zero, Vector::Ones(system.num_dofs()), diagonal);
  } else {
    BlockMatrix mass(system.pattern());
    system.inertia().add_tangent(q, zero, zero, 1.0, 0.0, 0.0, mass);
    const DofLayout& layout = system.pattern()->layout();
    for (int i = 0; i < layout.num_blocks(); ++i)
      diagonal.segment(layout.offset(i), layout.size(i)) = mass.view(i, system.pattern()->diagonal_slot(i)).diagonal();
    const math::LargestEigenvalue found = math::largest_eigenvalue(
        math::lanczos_start(diagonal.size()), [&](const Vector& x, Vector& y) { y = diagonal.cwiseProduct(x); },
        [&](const Vector& p, Vector& x) {
          x.setZero(p.size());
          correct(system, q, -p, x);
        },
        {.tolerance = 1e-3, .max_steps = 60});
    largest = found.value + found.residual;
  }
  mobility_.resize(diagonal.size());
  for (Eigen::Index i = 0; i < diagonal.size(); ++i)
    mobility_[i] = diagonal[i] > 0 ? largest / diagonal[i] : std::numeric_limits<double>::infinity();
  for (const auto& constraint : system.constraints())
    for (const int dof : constraint->dofs()) mobility_[dof] = 0;
  return mobility_;
}

bool accelerate(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                const Instant& instant, MassSolver& mass, StageState& motion, Balance& balance,
                DissipationSubset subset) {
  motion.a.setZero(system.num_dofs());
  system.prescribe(instant.time, nullptr, nullptr, &motion.a);
  evaluate_balance(system, workspace, internal_variables, motion, instant, nullptr, balance, subset);
  if (!balance.is_admissible() || !mass.correct(system, motion.q, balance.residual, motion.a)) return false;
  // With the new accelerations the free part is balanced; what remains are the reactions.
  balance.inertial.setZero(system.num_dofs());
  system.inertia().add_force(motion.q, motion.v, motion.a, balance.inertial);
  balance.residual = balance.inertial + balance.internal - balance.external;
  for (const Vector& force : balance.damping) balance.residual += force;
  if (!system.ties().empty()) system.ties().condense(balance.residual);
  return all_finite(system, motion.a);
}

}  // namespace dashpot
