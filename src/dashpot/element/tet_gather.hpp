#pragma once
// Between the nodes of four tets and a quadrature point. For .cpp files of kernels only.

#include "dashpot/element/gather.hpp"
#include "dashpot/math/matrix3.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::kernel {

using math::Matrix3;

/// F = sum_a (x_a - x_0) (x) g_a: differences first, so that a body far from the origin loses no digits. Of velocities
/// it is Fdot.
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

/// f_a = w P g_a for a >= 1, or += where `add`; node 0 follows from the sum being zero.
template <int N, bool add = true>
[[gnu::always_inline]] inline void add_force(const Matrix3<Pack4>& P, const double* g, Pack4 w, Pack4 f[3 * N]) {
  Matrix3<Pack4> wP;
  for (int k = 0; k < 9; ++k) wP.m[k] = w * P.m[k];
  for (int a = 1; a < N; ++a) {
    const Pack4 g0 = Pack4::load(g + 12 * a), g1 = Pack4::load(g + 12 * a + 4), g2 = Pack4::load(g + 12 * a + 8);
    for (int i = 0; i < 3; ++i) {
      const Pack4 here = wP(i, 0) * g0 + wP(i, 1) * g1 + wP(i, 2) * g2;
      f[3 * a + i] = add ? f[3 * a + i] + here : here;
    }
  }
}

}  // namespace dashpot::kernel
