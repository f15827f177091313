#pragma once
// A damping of tets as a law at a point: a stress P(F, Fdot, xi) [Pa] and its tangents, at each quadrature point, four
// tets at a time (tet_pass.hpp). For .cpp files of kernels only.

#include "dashpot/element/block_scatter.hpp"
#include "dashpot/element/point_law.hpp"
#include "dashpot/element/stiffness_packs.hpp"
#include "dashpot/math/matrix3.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

/// Four tets at one of their quadrature points.
struct PackPoint {
  int pack = 0, point = 0;
  int nodes = 4;              ///< of a tet: 4 or 10
  const double* g = nullptr;  ///< rest gradients of the shape functions [1/m], as TetBatch::pack_gradients
  math::Pack4 w;              ///< weights [m^3]
  const math::Matrix3<math::Pack4>*F = nullptr, *Fdot = nullptr;
  const double* pass_numbers = nullptr;  ///< of the law that is asked (PointLaw::write_pass_numbers)
};

/// Tangent of laws whose stress P = F S depends on the motion through the Green strain alone, as elasticity with Lame
/// parameters does: dS = lambda tr(de) I + 2 mu de, de = sym(F^T dF) or sym(F^T dFdot) + sym(dF^T Fdot). Such laws sum
/// without cost. With the scales of the stage, G = dv_scale F + dq_scale Fdot, h = F g and w the weight,
///     K_ab = w [ h_a (G_lambda g_b)^T + h_b (G_mu g_a)^T + (g_a . g_b) F G_mu^T + (g_a . S g_b) I ],
/// G_lambda = sum lambda G, G_mu = sum mu G, S = sum dq_scale S. [reference ABCE, section 2.1]
template <class T>
struct GreenTangent {
  math::Matrix3<T> G_lambda, G_mu;
  math::Symmetric3<T> S;
};

/// How a law writes its tangent.
enum class TangentForm {
  green,   ///< as a GreenTangent, without the weight
  blocks,  ///< as stiffness blocks of the four tets, in both triangles where there are two
};

class TetLaw : public PointLaw {
 public:
  const TetBatch& batch() const override = 0;
  const TetLaw* tet_law() const final { return this; }
  virtual TangentForm tangent_form() const = 0;
  /// Sets P. Adds dv_scale dP/dFdot + dq_scale dP/dF in its own form where request.tangent is given; the argument of
  /// the other form is not read. With request.new_internal_variables, writes xi of these tets.
  virtual void respond(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
                       GreenTangent<math::Pack4>& green, StiffnessPacks blocks) const = 0;
};

}  // namespace dashpot
