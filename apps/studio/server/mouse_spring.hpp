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
// K and M are those of the grabbed body: what touches it or hangs on it is pulled along by the steps. This works for
// nodes, reduced bodies and every stepper, and needs nothing of the System. Limits: first order in the step; bodies
// with attachments, and of more than 60000 coordinates, are struck with M alone.
//
// How stiff a body is under a patch is asked of the same matrices: with e an axis, its compliance is
//
//     C_e = e^T W^T (K + omega^2 M)^-1 W e,
//
// omega far below any vibration, so that a body that nothing holds has C = 1 / (omega^2 m) and is known by it.

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

/// 1 for each free coordinate of a body, 0 for all others; of a System whose coordinates belong to no points (a reduced
/// body) all that are free.
std::vector<std::uint8_t> free_dofs_of(const System& system, const CompiledBody& body);

/// Stiffness of a body under a patch of it, at rest, in the direction in which it is least [N/m]. Nothing: the body can
/// move as a whole, or its stiffness is not to be had (too many coordinates, none at rest).
std::optional<double> stiffness_under(const System& system, const CompiledBody& body, const Patch& patch);

/// What an impulse on the patch does to the velocities of a System at one state.
class PatchResponse {
 public:
  /// Nothing where the patch cannot move: all of it is held. `body`: whose patch it is.
  static std::optional<PatchResponse> of(const System& system, const CompiledBody& body, const Vector& q,
                                         const Patch& patch, double dt, MassSolver& mass);
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
