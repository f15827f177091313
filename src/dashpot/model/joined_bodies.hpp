#pragma once
// Bodies with coordinates of their own side by side in one System: their inertias add up, and their points follow each
// other in one numbering.

#include <memory>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Points of a body, where its coordinates begin in the System, and the number of its first point there.
struct PlacedPoints {
  std::shared_ptr<const Kinematics> kinematics;
  int first_block = 0, first_dof = 0, first_point = 0;
};

/// The points of several bodies; the nodes of the first one stay nodes.
class JoinedKinematics final : public Kinematics {
 public:
  explicit JoinedKinematics(std::vector<PlacedPoints> bodies);
  int num_points() const override { return num_points_; }
  void positions(const Vector& q, std::vector<Vec3>& x) const override;
  void velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const override;
  using Kinematics::wrench;
  LinearAngular wrench(const Vector& q, const Vector& f, BlockRange blocks) const override;
  bool is_linear(int point) const override;

  Vec3 point_position(const double* q, int point) const override;
  void point_jacobian(const double* q, int point, PointJacobian& J) const override;
  Vec3 point_velocity(const double* q, const double* v, int point) const override;
  void add_point_force(const double* q, int point, const Vec3& f, double* out) const override;
  std::vector<int> point_blocks(int point) const override;
  bool point_curvature(const double* q, int point, const Vec3& f, Matrix& H) const override;

 private:
  const PlacedPoints& body_of(int point) const;
  /// The coordinates of a body in a vector of the System.
  Vector own(std::size_t body, const Vector& x) const;
  std::vector<PlacedPoints> bodies_;
  int num_points_ = 0;
};

/// Inertias of bodies that share no blocks.
class InertiaSum final : public Inertia {
 public:
  explicit InertiaSum(std::vector<std::unique_ptr<Inertia>> parts);
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  bool is_constant() const override;
  bool has_symmetric_tangent() const override;
  bool is_diagonal() const override;
  void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const override;
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override;
  double kinetic_energy(const Vector& q, const Vector& v) const override;
  LinearAngular momentum(const Vector& q, const Vector& v) const override;
  ParameterList parameters() const override;
  std::shared_ptr<const Inertia> remade(const double* values, Replacements& replacements) const override;

 private:
  std::vector<std::shared_ptr<const Inertia>> parts_;
  std::vector<Inertia*> unbound_;  ///< the same, until they are bound
};

}  // namespace dashpot
