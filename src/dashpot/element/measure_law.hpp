#pragma once
// A damping of elements that have one measure s of their deformation: the length of a spring, the size of a bend
// (line_law.hpp), the angle of a hinge (hinge_law.hpp). It is a tension T(s, sdot), four elements at a time; the pass
// makes forces f = T ds/dq and tangents of it. T is in [N] where s is a length, in [N m] where it is an angle; T sdot
// is a power [W]. For .cpp files of kernels only.

#include "dashpot/element/point_law.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {

/// Four elements.
struct MeasurePoint {
  int pack = 0;
  math::Pack4 measure, rate;             ///< s and sdot
  const double* pass_numbers = nullptr;  ///< of the law that is asked (PointLaw::write_pass_numbers)
};

struct MeasureResponse {
  math::Pack4 tension, by_measure, by_rate;  ///< T, dT/ds, dT/dsdot
};

class MeasureLaw : public PointLaw {
 public:
  /// Whether df/dq is the derivative, which is not symmetric; otherwise a positive semidefinite stand-in: without what
  /// comes of T dependent on direction, and without negative terms.
  virtual bool has_exact_tangent() const { return true; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override {
    return request.dq_scale == 0 || !has_exact_tangent();
  }
  /// Sets the response; derivatives are read only where request.tangent is given. With request.new_internal_variables,
  /// writes xi.
  virtual void respond(const DissipationRequest& request, const MeasurePoint& at, MeasureResponse& out) const = 0;
};

}  // namespace dashpot
