#pragma once
// Losses hold the Jacobians J_n of the step's start, as they hold its tangent planes: u = J_n v, f = J_n^T lambda. So
// their power is u . lambda >= 0, and their tangents are symmetric and exact. Where J does not depend on q this is J.

#include <algorithm>
#include <vector>

#include "dashpot/model/kinematics.hpp"

namespace dashpot::contact {

class HeldJacobian {
 public:
  /// At the start of a step; q is copied only where some of the points have a J that depends on it.
  void hold(const Kinematics& kinematics, const std::vector<int>& points, const Vector& q) {
    const bool changes = std::any_of(points.begin(), points.end(), [&](int point) {
      return !kinematics.is_node(point) && !kinematics.is_linear(point);
    });
    q_ = changes ? q : Vector();
  }
  /// Where Jacobians are taken during the step, which is now at q.
  const Vector& at(const Vector& q) const { return q_.size() > 0 ? q_ : q; }
  /// J_n (q - q_n): how far a point has gone that was at x [m].
  Vec3 travel(const Kinematics& kinematics, const Vector& q, int point, const Vec3& x) const {
    if (q_.size() == 0) return kinematics.position(q, point) - x;
    return kinematics.velocity(q_, q - q_, point);
  }

 private:
  Vector q_;  ///< empty: no J depends on it
};

}  // namespace dashpot::contact
