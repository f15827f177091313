#pragma once
// A damping as a law at a point: a stress P(F, Fdot, xi) [Pa] and its tangents, at each quadrature point of a batch of
// tets, four tets at a time. The pass over the batch (tet_pass.hpp) gathers F and Fdot once for all the laws it is
// given, and scatters forces and one tangent. For .cpp files of kernels only.

#include "dashpot/element/block_scatter.hpp"
#include "dashpot/math/matrix3.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Four tets at one of their quadrature points.
struct PackPoint {
  int pack = 0, point = 0;
  int nodes = 4;              ///< of a tet: 4 or 10
  const double* g = nullptr;  ///< rest gradients of the shape functions [1/m], as TetBatch::pack_gradients
  math::Pack4 w;              ///< weights [m^3]
  math::Matrix3<math::Pack4> F, Fdot;
};

/// Stiffness of four tets between their nodes 1 .. N-1 (node 0 follows from sums being zero), nine packs a block at
/// kernel::upper<N>(a, b), a <= b.
struct StiffnessPacks {
  math::Pack4* upper = nullptr;  ///< K_ab; null: no tangent is wanted
  math::Pack4* lower = nullptr;  ///< transpose of K_ba; null: the tangent is symmetric
};

class PointLaw {
 public:
  virtual ~PointLaw() = default;
  virtual const TetBatch& batch() const = 0;
  /// Whether dv_scale df/dv + dq_scale df/dq is symmetric; then only upper blocks are filled.
  virtual bool has_symmetric_tangent(const DissipationRequest& request) const = 0;
  /// Sets P. With K.upper, adds w (dv_scale dP/dFdot + dq_scale dP/dF) to both its triangles where it has two. With
  /// request.new_memory, writes xi of these tets.
  virtual void respond(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
                       StiffnessPacks K) const = 0;
};

}  // namespace dashpot
