#pragma once
// The element loop: gather four tets, ask the material, assemble, scatter. For .cpp files of energy/ only.

#include "dashpot/element/tet_pass.hpp"
#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot {

/// What a pass over the elements shall compute.
struct PassTask {
  const double* q = nullptr;              ///< null: F = I everywhere
  double* gradient = nullptr;             ///< null: not wanted
  BlockMatrix* stiffness = nullptr;       ///< null: not wanted
  const double* element_scale = nullptr;  ///< factor of each stiffness, by mesh element; null: all 1
  double stiffness_scale = 1;
  formula::TangentKind kind = formula::TangentKind::none;
  const Company* company = nullptr;  ///< dampings that go along; null: none

  /// Where the blocks of one pack are collected.
  StiffnessPacks stiffness_packs(math::Pack4* upper, math::Pack4* lower) const {
    if (stiffness == nullptr) return {};
    return {upper, company == nullptr || company->has_symmetric_tangent() ? nullptr : lower};
  }
};

struct TetElasticity::Task : PassTask {};

namespace kernel {

using formula::FrameTangent;
using math::Matrix3;
using math::Pack4;

/// Upper blocks (a, b), 1 <= a <= b, of w times the stiffness of one quadrature point are added to K (9 packs a block).
template <int N>
void add_stiffness(const FrameTangent<Pack4>& tangent, const double* g, Pack4 w, Pack4* K);
extern template void add_stiffness<4>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);
extern template void add_stiffness<10>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);

/// respond(F, kind, response) is the material of one pack.
template <int N, class Respond>
double run_pack(const TetBatch& batch, const PassTask& task, int pack, const Respond& respond) {
  const int lanes = lanes_in_use(batch, pack);
  Pack4 x[3 * N], f[3 * N], K[9 * num_upper<N>], lower[9 * num_upper<N>], energy(0.0), scale(task.stiffness_scale);
  PackMotion<N> motion;
  if (task.q != nullptr) gather<N>(batch, task.q, pack, lanes, x);
  if (task.gradient != nullptr)
    for (Pack4& component : f) component = Pack4(0.0);
  if (task.stiffness != nullptr) {
    for (Pack4& entry : K) entry = Pack4(0.0);
    if (task.element_scale != nullptr) scale *= pack_scale(batch, task.element_scale, pack, lanes);
  }
  formula::PointResponse<Pack4> response;
  for (int p = 0; p < num_points<N>; ++p) {
    const double* g = batch.pack_gradients(pack, p);
    const Pack4 w = Pack4::load(batch.pack_weights(pack, p));
    Matrix3<Pack4>& F = motion.F[p];
    F = task.q != nullptr ? deformation_gradient<N>(x, g) : math::identity3<Pack4>();
    respond(F, task.kind, response);
    energy += w * response.psi;
    if (task.gradient != nullptr) add_force<N>(response.P, g, w, f);
    if (task.stiffness != nullptr) add_stiffness<N>(response.tangent, g, w * scale, K);
  }
  if (task.gradient != nullptr) scatter_force<N>(batch, pack, lanes, f, task.gradient);
  const StiffnessPacks both = task.stiffness_packs(K, lower);
  if (task.company != nullptr) join_all<N>(*task.company, batch, pack, lanes, motion, both);
  if (task.stiffness != nullptr) scatter_stiffness<N>(batch, pack, lanes, K, both.lower, task.stiffness->origin());
  double sum = 0;
  for (int l = 0; l < lanes; ++l) sum += energy[l];
  return sum;
}

}  // namespace kernel
}  // namespace dashpot
