#pragma once
// The local step of projective dynamics for 4-node tets (model/projective_form.hpp):
//
//     f += sum_j G_j^T (w_j p_j),    w p = 3 bulk F + (shear - bulk tr(R^T F - I)) R,    w = shear + 3 bulk
//
// with R(F) the nearest rotation, shear = 2 mu V and bulk = lambda V [J]. bulk = 0 is ARAP, and p = R the projection
// onto the rotations. Otherwise it is the corotational law: p = F - P/w, whose gradient is exact for every F. w bounds
// the curvature as long as tr(S - I) <= 3 (s_i + s_j)/2 for every two stretches, which fails only when a tet is drawn
// out to a needle.
//
// Four tets at a time in double precision, eight in single. Single precision concerns what happens inside a tet; edges
// are subtracted and forces are summed in double, so a body far from the origin loses nothing and forces of a tet sum
// to zero. Rotations are found by Newton from those of the call before (math/rotation_search.hpp), the first ones from
// the tets beside. [Bouaziz2014, Kugelstadt2018]

#include <memory>
#include <vector>

#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

/// Moduli of a tet times its volume [J].
struct TetShearBulk {
  double shear = 0, bulk = 0;
};

class TetProjection : public TermScratch {
 public:
  /// Forgets the rotations.
  virtual void begin() = 0;
  virtual void add(const Vector& q, Vector& f) = 0;
};

/// of_element: by element of the batch (its own order). The batch must have 4-node tets; it is not referred to later.
std::unique_ptr<TetProjection> make_tet_projection(const TetBatch& batch, const std::vector<TetShearBulk>& of_element,
                                                   ProjectionPrecision precision);

}  // namespace dashpot
