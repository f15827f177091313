#pragma once
// The mouse's grip on a body: a patch of points, weighted, that a damped spring pulls to a target.
//
//     x_p = sum_i w_i x_i,   f_i = w_i f,   f = k (t - x_p) - c v_p
//
// The pull acts between steps, as the change of velocity that an implicit step of length h would give,
//
//     dv = (M + h^2 K)^-1 W p,   W p = sum_i J_i^T w_i p,   p = h f,
//
// with the stiffness K at rest: fast parts of the body follow statically and are not struck, so that the integrator has
// nothing to take away. Implicit in what it does to the patch, so that no spring is too stiff for the step: with
// A = W^T (M + h^2 K)^-1 W [1/kg], the mobility of the patch,
//
//     (1 + h (c + h k) A) p = h [k (t - x_p - h v_p) - c v_p].
//
// This works for nodes, reduced bodies and every stepper, and needs nothing of the System. Limits: first order in the
// step; bodies with attachments, and of more than 60000 coordinates, are struck with M alone.

#include <optional>
#include <vector>

#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::studio {

struct Patch {
  std::vector<int> points;      ///< of the System
  std::vector<double> weights;  ///< sum to one
  double radius = 0;            ///< [m]
  Vec3 position(const Kinematics& kinematics, const Vector& q) const;
  Vec3 velocity(const Kinematics& kinematics, const Vector& q, const Vector& v) const;
};

/// Points of the body of `point` within `radius` [m] of it at rest, heaviest in the middle; 0: a twelfth of the body's
/// size. dashpot::Error where there is no such point.
Patch patch_around(const std::vector<CompiledBody>& bodies, int point, double radius);
/// The body that has a point; null: none.
const CompiledBody* body_of(const std::vector<CompiledBody>& bodies, int point);

/// What an impulse on the patch does to the velocities of a System at one state.
class PatchResponse {
 public:
  /// Nothing where the patch cannot move: all of it is held.
  static std::optional<PatchResponse> of(const System& system, const Vector& q, const Patch& patch, double dt,
                                         MassSolver& mass);
  /// v += columns * p, p [N s].
  const Matrix& columns() const { return columns_; }
  /// A [1/kg].
  const Mat3& mobility() const { return mobility_; }
  /// Mass that answers a push, averaged over directions [kg].
  double mass() const { return 3 / mobility_.trace(); }

 private:
  Matrix columns_;
  Mat3 mobility_ = Mat3::Zero();
};

struct Pull {
  Vec3 target = Vec3::Zero();  ///< [m]
  double stiffness = 0;        ///< k [N/m]
  double damping = 0;          ///< c [N s/m]
};

/// The impulse of a step of length dt [s], bounded so that the patch is not moved further than `reach` [m] by it.
Vec3 pull_impulse(const PatchResponse& response, const Pull& pull, const Vec3& x, const Vec3& v, double dt,
                  double reach);

}  // namespace dashpot::studio
