#pragma once
// The element loop: gather four tets, ask the material, assemble, scatter. For .cpp files of energy/ only.

#include "dashpot/energy/block_scatter.hpp"
#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot {

struct TetElasticity::Task {
  const double* q = nullptr;              ///< null: F = I everywhere
  double* gradient = nullptr;             ///< null: not wanted
  BlockMatrix* stiffness = nullptr;       ///< null: not wanted
  const double* element_scale = nullptr;  ///< factor of each stiffness, by mesh element; null: all 1
  double stiffness_scale = 1;
  formula::TangentKind kind = formula::TangentKind::none;
};

namespace kernel {

using formula::FrameTangent;
using math::Matrix3;
using math::Pack4;

/// Number of elements of a pack that exist.
inline int lanes_in_use(const TetBatch& batch, int pack) {
  const int left = batch.num_tets() - pack * TetBatch::lanes;
  return left < TetBatch::lanes ? left : TetBatch::lanes;
}

/// Positions of the nodes of four tets, node by node (3 packs each). Unused lanes repeat the last tet.
template <int N>
[[gnu::always_inline]] inline void gather(const TetBatch& batch, const double* q, int pack, int lanes, Pack4 x[3 * N]) {
  const int* blocks[4];
  for (int l = 0; l < 4; ++l) blocks[l] = batch.blocks(pack * 4 + (l < lanes ? l : lanes - 1));
  for (int a = 0; a < N; ++a) {
    const double *x0 = q + 3 * blocks[0][a], *x1 = q + 3 * blocks[1][a], *x2 = q + 3 * blocks[2][a],
                 *x3 = q + 3 * blocks[3][a];
    for (int c = 0; c < 3; ++c) x[3 * a + c] = Pack4(x0[c], x1[c], x2[c], x3[c]);
  }
}

/// F = sum_a (x_a - x_0) (x) g_a: differences first, so that a body far from the origin loses no digits.
template <int N>
[[gnu::always_inline]] inline Matrix3<Pack4> deformation_gradient(const Pack4 x[3 * N], const double* g) {
  Matrix3<Pack4> F;
  for (int a = 1; a < N; ++a)
    for (int j = 0; j < 3; ++j) {
      const Pack4 gj = Pack4::load(g + 12 * a + 4 * j);
      for (int i = 0; i < 3; ++i) {
        const Pack4 d = x[3 * a + i] - x[i];
        F(i, j) = a == 1 ? d * gj : F(i, j) + d * gj;
      }
    }
  return F;
}

/// f_a += w P g_a for a >= 1; node 0 follows from the sum being zero.
template <int N>
[[gnu::always_inline]] inline void add_force(const Matrix3<Pack4>& P, const double* g, Pack4 w, Pack4 f[3 * N]) {
  Matrix3<Pack4> wP;
  for (int k = 0; k < 9; ++k) wP.m[k] = w * P.m[k];
  for (int a = 1; a < N; ++a) {
    const Pack4 g0 = Pack4::load(g + 12 * a), g1 = Pack4::load(g + 12 * a + 4), g2 = Pack4::load(g + 12 * a + 8);
    for (int i = 0; i < 3; ++i) f[3 * a + i] += wP(i, 0) * g0 + wP(i, 1) * g1 + wP(i, 2) * g2;
  }
}

template <int N>
[[gnu::always_inline]] inline void scatter_force(const TetBatch& batch, int pack, int lanes, Pack4 f[3 * N],
                                                 double* gradient) {
  for (int i = 0; i < 3; ++i) {
    f[i] = -f[3 + i];
    for (int a = 2; a < N; ++a) f[i] -= f[3 * a + i];
  }
  for (int l = 0; l < lanes; ++l) {
    const int* blocks = batch.blocks(pack * 4 + l);
    for (int a = 0; a < N; ++a) {
      double* out = gradient + 3 * blocks[a];
      for (int i = 0; i < 3; ++i) out[i] += f[3 * a + i][l];
    }
  }
}

/// Upper blocks (a, b), 1 <= a <= b, of w times the stiffness of one quadrature point are added to K (9 packs a block).
template <int N>
void add_stiffness(const FrameTangent<Pack4>& tangent, const double* g, Pack4 w, Pack4* K);
extern template void add_stiffness<4>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);
extern template void add_stiffness<10>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);

/// Fills row 0 of K (rows sum to zero) and adds all N x N blocks to the matrix.
template <int N>
void scatter_stiffness(const TetBatch& batch, int pack, int lanes, Pack4* K, double* values);
extern template void scatter_stiffness<4>(const TetBatch&, int, int, Pack4*, double*);
extern template void scatter_stiffness<10>(const TetBatch&, int, int, Pack4*, double*);

/// element_scale of the tets of a pack.
inline Pack4 pack_scale(const TetBatch& batch, const double* element_scale, int pack, int lanes) {
  Pack4 scale(0.0);
  for (int l = 0; l < lanes; ++l) scale.set(l, element_scale[batch.original(pack * 4 + l)]);
  return scale;
}

/// respond(F, kind, response) is the material of one pack.
template <int N, class Respond>
double run_pack(const TetBatch& batch, const double* q, double* gradient, BlockMatrix* stiffness,
                const double* element_scale, double stiffness_scale, formula::TangentKind kind, int pack,
                const Respond& respond) {
  const int lanes = lanes_in_use(batch, pack);
  Pack4 x[3 * N], f[3 * N], K[9 * num_upper<N>], energy(0.0), scale(stiffness_scale);
  if (q != nullptr) gather<N>(batch, q, pack, lanes, x);
  if (gradient != nullptr)
    for (Pack4& component : f) component = Pack4(0.0);
  if (stiffness != nullptr) {
    for (Pack4& entry : K) entry = Pack4(0.0);
    if (element_scale != nullptr) scale *= pack_scale(batch, element_scale, pack, lanes);
  }
  formula::PointResponse<Pack4> response;
  for (int p = 0; p < batch.num_points(); ++p) {
    const double* g = batch.pack_gradients(pack, p);
    const Pack4 w = Pack4::load(batch.pack_weights(pack, p));
    respond(q != nullptr ? deformation_gradient<N>(x, g) : math::identity3<Pack4>(), kind, response);
    energy += w * response.psi;
    if (gradient != nullptr) add_force<N>(response.P, g, w, f);
    if (stiffness != nullptr) add_stiffness<N>(response.tangent, g, w * scale, K);
  }
  if (gradient != nullptr) scatter_force<N>(batch, pack, lanes, f, gradient);
  if (stiffness != nullptr) scatter_stiffness<N>(batch, pack, lanes, K, stiffness->origin());
  double sum = 0;
  for (int l = 0; l < lanes; ++l) sum += energy[l];
  return sum;
}

}  // namespace kernel
}  // namespace dashpot
