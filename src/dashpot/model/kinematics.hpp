#pragma once
// Kinematics: coordinates q -> material points in space,
//
//     x_i(q),    xdot_i = J_i(q) v,    J_i^T f (a force f [N] at the point, seen by the coordinates),    J_i^T K J_j.
//
// Contact, friction, impulses, filters, momentum columns, attachments, pictures and exporters see only this, so that
// they work for nodes, reduced coordinates (x = X + Phi z), moving frames and yarns with sliding coordinates alike.
//
// A point depends on a few blocks, always the same ones. The first num_nodes() points are nodes: point i is block i of
// the System, three numbers, J the identity. That case is inline and costs what reading q costs.

#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_range.hpp"

namespace dashpot {

class PatternBuilder;

/// Linear and angular momentum about the origin [kg m/s], [kg m^2/s]; also a total force and torque [N], [N m].
struct LinearAngular {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  LinearAngular& operator+=(const LinearAngular& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
};

/// J = dx/dq of one point: the blocks it depends on, and for each 3 x size(block) numbers, side by side.
struct PointJacobian {
  struct Part {
    int block, first_dof, size;
  };
  std::vector<Part> parts;
  Eigen::Matrix3Xd columns;

  /// First column of part k.
  int column(std::size_t k) const {
    int first = 0;
    for (std::size_t i = 0; i < k; ++i) first += parts[i].size;
    return first;
  }
};

class Kinematics {
 public:
  explicit Kinematics(int num_nodes = 0) : num_nodes_(num_nodes) {}
  virtual ~Kinematics() = default;
  virtual int num_points() const = 0;
  int num_nodes() const { return num_nodes_; }
  /// Whether the point is block `point`, three coordinates.
  bool is_node(int point) const { return point < num_nodes_; }

  /// Where the three coordinates of a node begin.
  Eigen::Index node_dof(int point) const { return 3 * Eigen::Index{point}; }

  /// Of all points [m], [m/s].
  virtual void positions(const Vector& q, std::vector<Vec3>& x) const;
  virtual void velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const;
  /// Total force and torque about the origin of a generalized force f.
  LinearAngular wrench(const Vector& q, const Vector& f) const { return wrench(q, f, BlockRange::all()); }
  /// The same of the part of f on some blocks alone.
  virtual LinearAngular wrench(const Vector& q, const Vector& f, BlockRange blocks) const = 0;

  /// x_i [m].
  Vec3 position(const Vector& q, int point) const {
    return is_node(point) ? Vec3(Vec3::Map(q.data() + node_dof(point))) : point_position(q.data(), point);
  }
  /// J_i v [m/s].
  Vec3 velocity(const Vector& q, const Vector& v, int point) const {
    return is_node(point) ? Vec3(Vec3::Map(v.data() + node_dof(point))) : point_velocity(q.data(), v.data(), point);
  }
  /// out += J_i^T f.
  void add_force(const Vector& q, int point, const Vec3& f, Vector& out) const {
    if (is_node(point))
      Vec3::Map(out.data() + node_dof(point)) += f;
    else
      add_point_force(q.data(), point, f, out.data());
  }
  PointJacobian jacobian(const Vector& q, int point) const;
  /// The blocks a point depends on.
  std::vector<int> blocks_of(int point) const;
  BlockRange block_range(int point) const;
  /// Blocks of all these points.
  BlockRange block_range(const std::vector<int>& points) const;
  /// Couples the blocks of points that move together in one tangent.
  void couple(const int* points, int count, PatternBuilder& pattern) const;
  /// True when J_i does not depend on q.
  virtual bool is_linear(int point) const { return static_cast<void>(point), true; }

  // What a kinematics knows of a point that is not a node; q, v and f begin at its own first dof, and blocks and dofs
  // are its own. Velocities and forces follow from J unless there is a quicker way.
  virtual Vec3 point_position(const double* q, int point) const = 0;
  virtual void point_jacobian(const double* q, int point, PointJacobian& J) const = 0;
  virtual Vec3 point_velocity(const double* q, const double* v, int point) const;
  virtual void add_point_force(const double* q, int point, const Vec3& f, double* out) const;
  virtual std::vector<int> point_blocks(int point) const = 0;
  /// H = f . d2x/dq2 over the coordinates of J, part after part; false: it is zero.
  virtual bool point_curvature(const double* q, int point, const Vec3& f, Matrix& H) const {
    return static_cast<void>(q), static_cast<void>(point), static_cast<void>(f), static_cast<void>(H), false;
  }

 private:
  int num_nodes_;
};

/// Positions, or velocities, of points at one state, for those who read them one by one.
class PointPositions {
 public:
  PointPositions(const Kinematics& kinematics, const Vector& q) : kinematics_(kinematics), q_(q) {}
  Vec3 operator[](int point) const { return kinematics_.position(q_, point); }

 private:
  const Kinematics& kinematics_;
  const Vector& q_;
};

class PointVelocities {
 public:
  PointVelocities(const Kinematics& kinematics, const Vector& q, const Vector& v)
      : kinematics_(kinematics), q_(q), v_(v) {}
  Vec3 operator[](int point) const { return kinematics_.velocity(q_, v_, point); }

 private:
  const Kinematics& kinematics_;
  const Vector &q_, &v_;
};

}  // namespace dashpot
