#include "mouse_spring.hpp"

#include <Eigen/LU>

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/modes/shift_invert.hpp"

namespace dashpot::studio {

Vec3 Patch::position(const Kinematics& kinematics, const Vector& q) const {
  Vec3 x = Vec3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) x += weights[i] * kinematics.position(q, points[i]);
  return x;
}

Vec3 Patch::velocity(const Kinematics& kinematics, const Vector& q, const Vector& v) const {
  Vec3 result = Vec3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) result += weights[i] * kinematics.velocity(q, v, points[i]);
  return result;
}

const CompiledBody* body_of(const std::vector<CompiledBody>& bodies, int point) {
  for (const CompiledBody& body : bodies)
    if (point >= body.first_block && point < body.first_block + body.mesh.num_nodes()) return &body;
  return nullptr;
}

Patch patch_around(const std::vector<CompiledBody>& bodies, int point, double radius) {
  const CompiledBody* body = body_of(bodies, point);
  if (body == nullptr)
    throw Error(Problem{"node", fmt::format("{}", point), "a point of a body", "take the node of a pick"});
  const std::vector<Vec3>& nodes = body->mesh.nodes;
  Patch patch;
  patch.radius = radius > 0 ? radius : bounding_box(nodes).diagonal() / 12;
  const Vec3 center = nodes[static_cast<std::size_t>(point - body->first_block)];
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double share = (nodes[i] - center).squaredNorm() / (patch.radius * patch.radius);
    if (!(share < 1)) continue;
    patch.points.push_back(body->first_block + static_cast<int>(i));
    patch.weights.push_back((1 - share) * (1 - share));
    sum += patch.weights.back();
  }
  for (double& weight : patch.weights) weight /= sum;
  return patch;
}

namespace {

constexpr int most_implicit_dofs = 60000;

/// (M + h^2 K)^-1 W, one column for each direction. False: it cannot be had this way.
bool implicit_columns(const System& system, const Matrix& W, double dt, Matrix& columns) {
  if (!system.ties().empty() || system.num_dofs() > most_implicit_dofs) return false;
  const Vector zero = Vector::Zero(system.num_dofs());
  BlockMatrix K(system.pattern()), M(system.pattern());
  for (const auto& energy : system.energies()) energy->evaluate({.q = system.rest(), .hessian = &K});
  system.inertia().add_tangent(system.rest(), zero, zero, 1, 0, 0, M);
  ShiftInvert solver(K, M, system.is_free(), -1 / (dt * dt), true);
  if (solver.status() != SolveStatus::ok) return false;
  columns = Matrix::Zero(system.num_dofs(), 3);
  Vector right(solver.num_free()), left(solver.num_free());
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::Index k = 0;
    for (Eigen::Index dof = 0; dof < W.rows(); ++dof)
      if (system.is_free()[static_cast<std::size_t>(dof)] != 0) right[k++] = W(dof, axis);
    solver.solve(right.data(), left.data());
    k = 0;
    for (Eigen::Index dof = 0; dof < W.rows(); ++dof)
      if (system.is_free()[static_cast<std::size_t>(dof)] != 0) columns(dof, axis) = left[k++] / (dt * dt);
  }
  return columns.allFinite();
}

}  // namespace

std::optional<PatchResponse> PatchResponse::of(const System& system, const Vector& q, const Patch& patch, double dt,
                                               MassSolver& mass) {
  Matrix W = Matrix::Zero(system.num_dofs(), 3);
  for (int axis = 0; axis < 3; ++axis) {
    Vector force = Vector::Zero(system.num_dofs());
    for (std::size_t i = 0; i < patch.points.size(); ++i)
      system.kinematics().add_force(q, patch.points[i], patch.weights[i] * Vec3::Unit(axis), force);
    system.reduce(force);
    W.col(axis) = force;
  }
  PatchResponse response;
  if (!implicit_columns(system, W, dt, response.columns_)) {
    response.columns_ = Matrix::Zero(system.num_dofs(), 3);
    for (int axis = 0; axis < 3; ++axis) {
      Vector a = Vector::Zero(system.num_dofs());
      if (!mass.correct(system, q, -W.col(axis), a)) return std::nullopt;
      response.columns_.col(axis) = a;
    }
  }
  for (int axis = 0; axis < 3; ++axis)
    response.mobility_.col(axis) = patch.velocity(system.kinematics(), q, response.columns_.col(axis));
  if (!response.mobility_.allFinite() || !(response.mobility_.trace() > 0)) return std::nullopt;
  return response;
}

Vec3 pull_impulse(const PatchResponse& response, const Pull& pull, const Vec3& x, const Vec3& v, double dt,
                  double reach) {
  Vec3 away = pull.target - x;
  if (away.norm() > reach) away *= reach / away.norm();
  const Mat3 matrix = Mat3::Identity() + dt * (pull.damping + dt * pull.stiffness) * response.mobility();
  Vec3 impulse = matrix.partialPivLu().solve(dt * (pull.stiffness * (away - dt * v) - pull.damping * v));
  const double moved = dt * (response.mobility() * impulse).norm();
  if (moved > reach) impulse *= reach / moved;
  return impulse.allFinite() ? impulse : Vec3(Vec3::Zero());
}

}  // namespace dashpot::studio
