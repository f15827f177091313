#pragma once
// A damping of triangles as a law at a point: a stress P(F, Fdot) (3 x 2, [N/m]: of the sheet, thickness included) and
// its tangents, four triangles at a time (sheet_pass.hpp). Laws in the rate of the Green strain have green_sheet.hpp.
// For .cpp files of kernels only.

#include "dashpot/element/point_law.hpp"
#include "dashpot/math/matrix32.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/model/triangle_batch.hpp"

namespace dashpot {

/// Four triangles.
struct SheetPoint {
  int pack = 0;
  const math::Matrix32<math::Pack4>*F = nullptr, *Fdot = nullptr;
};

/// dP: entry (r, c) of block[k][l] is the derivative of P(r, k) with respect to F(c, l); 3 x 3, column-major.
template <class T>
struct SheetTangent {
  T block[2][2][9];
};

class SheetLaw : public PointLaw {
 public:
  const TriangleBatch& batch() const override = 0;
  const SheetLaw* sheet_law() const final { return this; }
  /// Sets P. Adds dv_scale dP/dFdot + dq_scale dP/dF where request.tangent is given. With
  /// request.new_internal_variables, writes xi.
  virtual void respond(const DissipationRequest& request, const SheetPoint& at, math::Matrix32<math::Pack4>& P,
                       SheetTangent<math::Pack4>& tangent) const = 0;
};

}  // namespace dashpot
