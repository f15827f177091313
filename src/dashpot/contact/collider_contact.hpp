#pragma once
// Contact of material points (model/kinematics.hpp) with a collider as an energy:
//
//     Psi(q, t) = sum_i k_i psi(g_i),   g_i = d(x_i, t) - thickness,   psi of penalty_law.hpp
//     dPsi/dx_i = k_i psi' n,   d2Psi/dx_i2 = k_i (psi'' n n^T + psi' H)
//
// with k_i = (stiffness [Pa/m]) x (surface area of point i [m^2]), so that pressure, not the number of points, resists;
// for points and springs, which have no surface, k_i is given in N/m. The coordinates feel J_i^T dPsi/dx_i; a node
// writes its own diagonal block only.
// psi' <= 0, so a convex collider (H >= 0) bends the energy downwards along the surface: exact, and dropped by
// Projection::positive_semidefinite. A moving collider works on the body: driven_power.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/contact/collider.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Points that may touch a collider, and how.
struct ColliderPair {
  std::string name;  ///< of the collider
  std::shared_ptr<const Collider> collider;
  double thickness = 0;  ///< distance kept from the surface [m]
  std::shared_ptr<const Kinematics> kinematics;
  std::vector<int> points;        ///< each once; nodes come first
  std::vector<double> stiffness;  ///< k_i [N/m], > 0
  std::vector<double> onset;      ///< width w of the smooth onset [m], > 0
  /// Where one was given for all, k_i = pressure_stiffness areas[i], it is a parameter; 0: it is not.
  double pressure_stiffness = 0;  ///< [Pa/m]
  std::vector<double> areas;      ///< [m^2]; 0: that point has a stiffness of its own
  int size() const { return static_cast<int>(points.size()); }
  BlockRange touched_blocks() const { return kinematics->block_range(points); }
  void couple(PatternBuilder& pattern) const {
    for (const int point : points) kinematics->couple(&point, 1, pattern);
  }
  /// "stiffness", of all terms of the pair; none where it was not given.
  ParameterList parameters() const;
  /// With another value of it, and moves the pointer behind it.
  std::shared_ptr<const ColliderPair> with(const double*& values) const;
};

class ColliderContact final : public EnergyTerm {
 public:
  /// Throws Error when the lists differ in length, nodes do not come first, or a number is not positive and finite.
  explicit ColliderContact(std::shared_ptr<const ColliderPair> pair);

  EnergyKind kind() const override { return EnergyKind::contact; }
  /// All penalties share the ledger's column "elastic.contact".
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return pair_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { pair_->couple(pattern); }
  void bind(const BlockPattern&) override {}
  /// Where the collider moves: the instant last evaluated.
  std::unique_ptr<TermScratch> make_scratch() const override;
  double evaluate(const EnergyRequest& request) const override;
  double driven_power(const Vector& q, double time, TermScratch* scratch) const override;
  ParameterList parameters() const override { return pair_->parameters(); }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::shared_ptr<const ColliderPair> pair_;
  std::string body_ = "contact";
  int num_nodes_ = 0;  ///< the first points of the pair, whose blocks are their own: they can be taken in parallel
};

/// Total force and torque about the origin that a pair exerts on its points at (q, t) [N], [N m].
LinearAngular contact_force(const ColliderPair& pair, const Vector& q, double time);
/// Deepest overlap -min g_i at (q, t) [m]; 0 when nothing overlaps.
double deepest_overlap(const ColliderPair& pair, const Vector& q, double time);

}  // namespace dashpot
