#include "mouse_spring.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <numbers>

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

std::vector<std::uint8_t> free_dofs_of(const System& system, const CompiledBody& body) {
  const Kinematics& kinematics = system.kinematics();
  const int last = body.first_block + body.mesh.num_nodes();
  if (body.mesh.nodes.empty() || !kinematics.is_node(last - 1)) return system.is_free();
  std::vector<std::uint8_t> free(system.is_free().size(), 0);
  for (int point = body.first_block; point < last; ++point)
    for (Eigen::Index c = 0; c < 3; ++c) {
      const auto dof = static_cast<std::size_t>(kinematics.node_dof(point) + c);
      free[dof] = system.is_free()[dof];
    }
  return free;
}

namespace {

constexpr int most_implicit_dofs = 60000;
constexpr double slowest = 2 * std::numbers::pi * 0.1;       // [rad/s]: no vibration is as slow
constexpr double slowest_held = 2 * std::numbers::pi * 0.3;  // [rad/s]: what answers more slowly hangs on nothing

/// J^T of the patch: the force on the coordinates, for each axis.
Matrix patch_forces(const System& system, const Vector& q, const Patch& patch) {
  Matrix W = Matrix::Zero(system.num_dofs(), 3);
  for (int axis = 0; axis < 3; ++axis) {
    Vector force = Vector::Zero(system.num_dofs());
    for (std::size_t i = 0; i < patch.points.size(); ++i)
      system.kinematics().add_force(q, patch.points[i], patch.weights[i] * Vec3::Unit(axis), force);
    system.reduce(force);
    W.col(axis) = force;
  }
  return W;
}

/// (K + shift M)^-1 W at rest on the free coordinates of a body, zero on all others. False: it cannot be had.
bool solve_shifted(const System& system, const CompiledBody& body, double shift, const Matrix& W, Matrix& X) {
  const std::vector<std::uint8_t> is_free = free_dofs_of(system, body);
  if (std::count(is_free.begin(), is_free.end(), 1) > most_implicit_dofs) return false;
  const Vector zero = Vector::Zero(system.num_dofs());
  BlockMatrix K(system.pattern()), M(system.pattern());
  for (const auto& energy : system.energies()) energy->evaluate({.q = system.rest(), .hessian = &K});
  system.inertia().add_tangent(system.rest(), zero, zero, 1, 0, 0, M);
  ShiftInvert solver(K, M, is_free, -shift, true);
  if (solver.status() != SolveStatus::ok) return false;
  X = Matrix::Zero(system.num_dofs(), 3);
  const std::vector<int>& to_dof = solver.dofs().to_dof;
  Vector right(solver.num_free()), left(solver.num_free());
  for (int axis = 0; axis < 3; ++axis) {
    for (Eigen::Index k = 0; k < right.size(); ++k) right[k] = W(to_dof[static_cast<std::size_t>(k)], axis);
    solver.solve(right.data(), left.data());
    for (Eigen::Index k = 0; k < left.size(); ++k) X(to_dof[static_cast<std::size_t>(k)], axis) = left[k];
  }
  return X.allFinite();
}

}  // namespace

std::optional<double> stiffness_under(const System& system, const CompiledBody& body, const Patch& patch) {
  const Matrix W = patch_forces(system, system.rest(), patch);
  Matrix X;
  if (!solve_shifted(system, body, slowest * slowest, W, X)) return std::nullopt;
  const double compliance = (W.transpose() * X).diagonal().maxCoeff();
  if (!(compliance > 0) || compliance * body.mass * slowest_held * slowest_held > 1) return std::nullopt;
  return 1 / compliance;
}

std::optional<PatchResponse> PatchResponse::of(const System& system, const CompiledBody& body, const Vector& q,
                                               const Patch& patch, double dt, MassSolver& mass) {
  const Matrix W = patch_forces(system, q, patch);
  PatchResponse response;
  if (system.ties().empty() && solve_shifted(system, body, 1 / (dt * dt), W, response.columns_)) {
    response.columns_ /= dt * dt;
  } else {
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
