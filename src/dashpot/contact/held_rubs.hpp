#pragma once
// Coulomb friction where deformable bodies touch, with everything but velocities held over a step: where they touch,
// how strongly they press (N) and in which direction n. With the relative velocity
//
//     u = (I - n n^T) (sum w_k v_k - omega x s n),      omega: rotation of the triangle that is touched, s: the gap,
//
// the force is J^T u mu N phi(|u| / v_eps) / |u| (penalty_law.hpp): symmetric, never feeding, zero under rigid motion
// of what touches, equal and opposite.

#include <span>
#include <vector>

#include "dashpot/contact/held_jacobian.hpp"
#include "dashpot/model/impulsive_loss.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot::contact {

/// One rubbing contact: slip velocity u = sum J_k xdot_k.
struct Rub {
  int count = 0;
  int points[5] = {};
  Mat3 J[5] = {Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
  double force = 0;  ///< mu N [N]
};

struct RubScratch : TermScratch {
  std::vector<Rub> rubs;
  HeldJacobian held;
};

/// Where two things touch: points and weights of the gap's gradient, and the triangle that is touched.
struct RubPlace {
  std::span<const int> points;
  std::span<const double> weights;
  Vec3 gap = Vec3::Zero();                       ///< s n [m]
  const std::array<int, 3>* triangle = nullptr;  ///< points; null: omega is taken as zero
};

/// `pressing`: N n [N], not zero. At most five different points.
Rub make_rub(const PointPositions& x, double mu, const Vec3& pressing, const RubPlace& place);

/// DissipationTerm::evaluate of all of them; v_eps > 0: below this speed [m/s] friction grows with speed.
double evaluate_rubs(const Kinematics& kinematics, const RubScratch& scratch, double v_eps,
                     const DissipationRequest& request);
/// ImpulsiveLoss::add_impulse of all of them.
bool add_rub_impulses(const Kinematics& kinematics, const RubScratch& scratch, double v_eps,
                      const ImpulseRequest& request);

}  // namespace dashpot::contact
