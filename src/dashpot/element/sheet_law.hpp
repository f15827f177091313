#pragma once
// A damping of triangles as a law at a point: a stress P(F, Fdot) (3 x 2, [N/m]: of the sheet, thickness included) and
// its tangents, four triangles at a time (sheet_pass.hpp). Laws in the Green strain have green_sheet.hpp. For .cpp
// files of kernels only.

#include "dashpot/element/block_scatter.hpp"
#include "dashpot/element/point_law.hpp"
#include "dashpot/element/stiffness_packs.hpp"
#include "dashpot/math/matrix32.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/math/scalar.hpp"
#include "dashpot/model/triangle_batch.hpp"

namespace dashpot {

/// Four triangles.
struct SheetPoint {
  int pack = 0;
  const double* g = nullptr;  ///< rest gradients of the shape functions [1/m], as TriangleBatch::pack_gradients
  math::Pack4 area;           ///< [m^2]
  const math::Matrix32<math::Pack4>*F = nullptr, *Fdot = nullptr;
  const double* pass_numbers = nullptr;  ///< of the law that is asked (PointLaw::write_pass_numbers)
};

class SheetLaw : public PointLaw {
 public:
  const TriangleBatch& batch() const override = 0;
  const SheetLaw* sheet_law() const final { return this; }
  /// Sets P. Adds dv_scale df/dv + dq_scale df/dq of the nodes 1 and 2 to `blocks`, in both triangles where there are
  /// two, where request.tangent is given. With request.new_internal_variables, writes xi.
  virtual void respond(const DissipationRequest& request, const SheetPoint& at, math::Matrix32<math::Pack4>& P,
                       StiffnessPacks blocks) const = 0;
};

}  // namespace dashpot
