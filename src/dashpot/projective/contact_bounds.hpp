#pragma once
// Contact in a constant matrix. Penalties and friction push on the right-hand side of the global step; so that the
// iterations contract, the diagonal of its matrix holds a bound of their stiffness, node by node (Gershgorin), and the
// same bound times the displacement stands on the right. Bounds belong to a stage: they are made where its guess is and
// renewed where a node is pressed twice as hard as then (penalties stiffen) or slips so much less that friction is
// twice as steep. Across its direction the slope of friction is force over slip, the curvature of a parabola that lies
// above its potential and touches it at that slip; a bound at zero slip would glue nodes to the guess. Rigid motion is
// free of the bounds where the contacts themselves are (contact_sliding.hpp).
//
// Stiffness may grow without more force: normals turn, a node behind an edge at the distance e is held there with
// |f|/e. So every step s between iterates is looked at: where forces changed by y along it and s.y exceeds what the
// matrix allows for, B was no bound and is made again with twice its value there. Then the objective of the
// stage falls: by s.A s - s.H s / 2 a step, H the stiffness along it.

#include <functional>
#include <memory>
#include <vector>

#include "dashpot/integrate/stage_solver.hpp"
#include "dashpot/projective/contact_sliding.hpp"
#include "dashpot/projective/projective_terms.hpp"

namespace dashpot {

class ContactBounds {
 public:
  /// For the contacts and frictions among `terms` of a System; both must outlive this.
  void attach(const ProjectiveTerms& terms, const System& system);
  /// Whether nothing can touch; then nothing else need be called.
  bool empty() const { return !touches_; }
  /// Forgets the bounds of the last stage and makes those at (q, v).
  void begin(const StageProblem& problem, const Vector& q, const Vector& v);
  /// Raises the bounds where (q, v) asks for more.
  void renew(const StageProblem& problem, const Vector& q, const Vector& v);

  /// gradient = sum of the contact energies' gradients at q [N].
  void evaluate(const StageProblem& problem, const Vector& q, Vector& gradient) const;
  /// Whether a node is pressed twice as hard as when the bounds were made.
  bool is_outgrown_by(const Vector& gradient) const;
  /// Whether friction is twice as steep for a node that slips against something at rest.
  bool is_outgrown_by_friction(double v1, const Vector& friction, const Vector& v) const;
  /// Whether contact was stiffer along a step s [m], over which its forces changed by y [N], than the bounds and half
  /// of inertia() = s.a1 M s [J] allow for. The next renewal then raises the bounds of the nodes concerned.
  bool is_outgrown_by_step(const System& system, const Vector& s, const Vector& y,
                           const std::function<double()>& inertia);
  /// The next renewal doubles all bounds and lets them hold rigid motion too; for iterations that do not settle.
  void tighten();

  /// Bounds per block [N/m].
  const std::vector<double>& of_block() const { return bound_; }
  void add_to_diagonal(std::vector<double>& of_slot) const;
  /// What is taken out of the bounds again, so that rigid parts slide; null: nothing.
  const LowRank* sliding() const { return sliding_.part(); }
  /// right += bound * d.
  void add_product(const Vector& d, Vector& right) const;

 private:
  const ProjectiveTerms* terms_ = nullptr;
  std::shared_ptr<const BlockPattern> pattern_;
  bool touches_ = false;
  std::vector<double> bound_;           ///< [N/m]
  std::vector<double> bound_force_;     ///< contact force when they were made [N]
  std::vector<double> friction_bound_;  ///< the part of friction in them, of the last time [N/m]
  std::vector<double> raise_;           ///< what the next renewal makes them at least [N/m]; empty: none
  int num_outgrown_steps_ = 0;          ///< of this stage
  ContactSliding sliding_;
  BlockMatrix stiffness_;  ///< storage
  Vector gradient_;
};

/// C = df/dv of a damping at the start of the step, for velocities v.
void assemble_damping_tangent(const StageProblem& problem, std::size_t damping, const Vector& v, BlockMatrix& C);

}  // namespace dashpot
