#include "dashpot/integrate/mass_solver.hpp"

namespace dashpot {

void MassSolver::prepare(const System& system, const Vector& q) {
  const bool is_new = pattern_ != system.pattern();
  if (!is_new && system.inertia().is_constant()) return;
  const Vector zero = Vector::Zero(system.num_dofs());
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
  } else {
    if (is_new) {
      solver_ = make_linear_solver({}, system.num_dofs(), false, true);
      solver_->analyze(system.pattern(), system.is_free());
    }
    BlockMatrix mass(system.pattern());
    system.inertia().add_tangent(q, zero, zero, 1.0, 0.0, 0.0, mass);
    usable_ = solver_->factorize(mass) == SolveStatus::ok;
  }
  pattern_ = system.pattern();
}

bool MassSolver::correct(const System& system, const Vector& q, const Vector& imbalance, Vector& a) {
  prepare(system, q);
  if (!usable_) return false;
  if (system.inertia().is_diagonal()) {
    a -= inverse_diagonal_.cwiseProduct(imbalance);
    return true;
  }
  Vector right_side = -imbalance, correction = Vector::Zero(a.size());
  system.zero_prescribed(right_side);
  if (solver_->solve(right_side, correction).status != SolveStatus::ok) return false;
  a += correction;
  return true;
}

bool accelerate(const System& system, const Workspace& workspace, const std::vector<Vector>& memory,
                const Instant& instant, MassSolver& mass, Motion& motion, Balance& balance) {
  motion.a.setZero(system.num_dofs());
  system.prescribe(instant.time, nullptr, nullptr, &motion.a);
  evaluate_balance(system, workspace, memory, motion, instant, nullptr, balance);
  if (!balance.is_finite || !mass.correct(system, motion.q, balance.imbalance, motion.a)) return false;
  // With the new accelerations the free part is balanced; what remains are the reactions.
  balance.inertial.setZero(system.num_dofs());
  system.inertia().add_force(motion.q, motion.v, motion.a, balance.inertial);
  balance.imbalance = balance.inertial + balance.internal - balance.external;
  for (const Vector& force : balance.damping) balance.imbalance += force;
  return motion.a.allFinite();
}

}  // namespace dashpot
