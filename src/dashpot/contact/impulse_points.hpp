#pragma once
// Impulses at contacts that share points. For each contact lambda = L f(u+), with L = dt times the largest force,
// u = sum J_k xdot_k - given, f the gradient of a convex potential (friction) or a rising function of the normal speed
// (impact damping). All points together maximize
//
//     D(lambda) = lambda . u* - lambda . W lambda/2 - sum R*(lambda),     W = J diag(w) J^T,   R* >= 0, R*(0) = 0.
//
// Points are visited in turn, each with the largest eigenvalue of its own block of W: D never falls from D(0) = 0, so
// lambda . u* - lambda . W lambda/2, the kinetic energy taken, is >= 0 after any number of visits. A single point on a
// node of its own is exact at once. Sweeps go forwards and backwards until velocities settle to 1e-6 (or 40 sweeps).

#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/model/impulsive_loss.hpp"
#include "dashpot/model/kinematics.hpp"

namespace dashpot::contact {

struct ImpulsePoint {
  int count = 0;
  int points[5] = {};  ///< of the kinematics
  Mat3 J[5] = {Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
  Vec3 given = Vec3::Zero();  ///< the part of u that is prescribed (a moving collider) [m/s]
  double limit = 0;           ///< L [N s]
  Vec3 direction = Vec3::Zero();
  Vec3 lambda = Vec3::Zero();  ///< [N s]
  /// Where some of the points are no nodes: du/dv of every coordinate they depend on.
  struct Column {
    int dof;
    Vec3 value;
  };
  std::vector<Column> columns;
};

/// lambda with lambda = L f(u - w lambda); w = 0: L f(u).
using ImpulseLaw = FunctionRef<Vec3(const ImpulsePoint& point, const Vec3& u, double w)>;

/// Finds all lambda and applies them as the request says; Jacobians are those of `kinematics` at q. False: there are no
/// points.
bool add_point_impulses(const Kinematics& kinematics, const Vector& q, std::vector<ImpulsePoint>& points,
                        ImpulseLaw law, const ImpulseRequest& request);

/// Friction, |lambda| = L phi(|u+|/v_eps) along u: the root of a quadratic equation.
Vec3 friction_impulse(const Vec3& u, double w, double limit, double v_eps);
/// Impact damping, L chi(c u+) for the speed of separation u [m/s]; c [s/m].
double rate_impulse(double u, double w, double limit, double c);

}  // namespace dashpot::contact
