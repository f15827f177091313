#pragma once
// Constant mass of bodies whose coordinates are node positions in space (3 per block): M = sum over elements of m_e (x)
// I_3, with c(q, v) = 0. Lumped bodies give a diagonal; consistent ones couple the nodes of an element.

#include <memory>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Masses of the elements of one body. Lumped: n numbers per element; consistent: an n x n matrix, row-major [kg].
class ElementMass final : public MassSource {
 public:
  ElementMass(int nodes_per_element, std::vector<int> blocks, std::vector<double> masses, bool lumped);

  int num_elements() const override { return static_cast<int>(blocks_.size()) / nodes_per_element_; }
  BlockRange mass_blocks() const override { return touched_; }
  void add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const override;

  bool add_element_products(const Vector& w, const Vector& v, double* products) const override;
  bool add_element_forces(const Vector& v, const ElementShare* shares, int per_element, Matrix& columns) const override;
  bool is_lumped() const { return lumped_; }
  /// Says that its masses were made with these densities [kg/m^3], which become parameters `place`/density.
  void set_density(PartwiseValue density, std::string place);
  ParameterList parameters() const;
  /// The same elements with other densities, taken from a list whose pointer moves on; bound as this is.
  std::shared_ptr<ElementMass> with_density(const double*& values) const;
  void couple(PatternBuilder& pattern) const;
  void bind(const BlockPattern& pattern);
  /// mass_of_slot[s] += scale * m for every scalar mass m that falls into slot s.
  void add_scalar_mass(std::vector<double>& mass_of_slot) const;
  /// Mv += M v, element by element, without a pattern; v and Mv have 3 numbers per block.
  void add_product(const Vector& v, Vector& Mv) const;
  /// Lumped (row-sum) mass per block [kg], added.
  void add_nodal_mass(Vector& mass_of_block) const;

 private:
  int nodes_per_element_;
  std::vector<int> blocks_;
  BlockRange touched_;
  std::vector<double> masses_;
  bool lumped_;
  std::vector<int> slots_;  ///< lumped: n per element (diagonal); consistent: n*n per element
  PartwiseValue density_;
  std::string place_;
  bool has_density_ = false;
};

/// What stands for a mass after a change of densities. The System owns it, through its inertia.
std::shared_ptr<const ElementMass> successor_of(const std::shared_ptr<const ElementMass>& mass,
                                                const Replacements& replacements);

class NodalInertia final : public Inertia {
 public:
  explicit NodalInertia(std::vector<std::shared_ptr<ElementMass>> bodies);

  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  bool is_constant() const override { return true; }
  bool is_diagonal() const override { return diagonal_; }
  void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const override;
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override;
  double kinetic_energy(const Vector& q, const Vector& v) const override;
  LinearAngular momentum(const Vector& q, const Vector& v) const override;
  ParameterList parameters() const override;
  std::shared_ptr<const Inertia> remade(const double* values, Replacements& replacements) const override;

 private:
  void add_up();  ///< the masses of the elements
  std::vector<std::shared_ptr<ElementMass>> bodies_;
  bool diagonal_;
  const BlockPattern* pattern_ = nullptr;
  int num_nodes_ = 0;         ///< the leading blocks of the System
  std::vector<int> row_end_;  ///< of each node's slots with other nodes; what a node shares with other blocks is behind
  std::vector<double> mass_of_slot_;  ///< scalar mass per slot (consistent) or per block (diagonal) [kg]
};

/// Points in space are the blocks themselves.
class NodalKinematics final : public Kinematics {
 public:
  explicit NodalKinematics(int num_points) : Kinematics(num_points) {}
  int num_points() const override { return num_nodes(); }
  void positions(const Vector& q, std::vector<Vec3>& x) const override;
  void velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const override;
  using Kinematics::wrench;
  LinearAngular wrench(const Vector& q, const Vector& f, BlockRange blocks) const override;
  // Of nodes of a body that does not come first in its System.
  Vec3 point_position(const double* q, int point) const override { return Vec3::Map(q + node_dof(point)); }
  void point_jacobian(const double* q, int point, PointJacobian& J) const override;
  std::vector<int> point_blocks(int point) const override { return {point}; }
};

}  // namespace dashpot
