#pragma once
// A damping of springs, bends and hinges as a law: a tension T(s, sdot) that works against changes of the size s = |y|
// of the element's difference (model/line_batch.hpp), four elements at a time. With the direction n = y/s and
// sdot = n . ydot, the pass (line_pass.hpp) makes of it
//     f_a = c_a T n,   D = dT/dsdot n n^T                                                         (df_a/dv_b = c_a c_b
//     D) D = dT/ds n n^T + dT/dsdot n (ydot - sdot n)^T / s + T/s (I - n n^T)                        (df_a/dq_b
//     likewise).
// No law acts where y has no direction. T is in [N] where s is a length; in general T sdot is a power [W]. The second
// term of df/dq is not symmetric. For .cpp files of kernels only.

#include "dashpot/element/point_law.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/model/line_batch.hpp"

namespace dashpot {

/// Four elements.
struct LinePoint {
  int pack = 0;
  math::Pack4 size, rate;  ///< s and sdot
};

struct LineResponse {
  math::Pack4 tension, by_size, by_rate;  ///< T, dT/ds, dT/dsdot
};

class LineLaw : public PointLaw {
 public:
  const LineBatch& batch() const override = 0;
  const LineLaw* line_law() const final { return this; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override { return request.dq_scale == 0; }
  /// Sets the response; derivatives are read only where request.tangent is given. With request.new_internal_variables,
  /// writes xi.
  virtual void respond(const DissipationRequest& request, const LinePoint& at, LineResponse& out) const = 0;
};

}  // namespace dashpot
