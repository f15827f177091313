#pragma once
// Forces of many stresses at one configuration. A stress that an isotropic law has at principal stretches is
// P = U diag(r) V^T, so with gamma_a = w V^T g_a the force on node a is U (r o gamma_a): frames are found once, and
// each further stress costs little more than its three numbers r. For .cpp files of energy/ only.

#include "dashpot/element/tet_pass.hpp"
#include "dashpot/math/svd3.hpp"

namespace dashpot::kernel {

/// One quadrature point of four tets.
template <int N>
struct PointFrames {
  Pack4 s[3], gamma[3 * N];  ///< of nodes 1 .. N-1
  Matrix3<Pack4> U;

  PointFrames() = default;
  PointFrames(const Pack4 x[3 * N], const double* g, Pack4 w) {
    const math::Svd3<Pack4> svd = math::svd3(deformation_gradient<N>(x, g));
    U = svd.U;
    for (int i = 0; i < 3; ++i) s[i] = svd.s[i];
    for (int a = 1; a < N; ++a) {
      const Pack4 g0 = Pack4::load(g + 12 * a), g1 = Pack4::load(g + 12 * a + 4), g2 = Pack4::load(g + 12 * a + 8);
      for (int i = 0; i < 3; ++i) gamma[3 * a + i] = w * (svd.V(0, i) * g0 + svd.V(1, i) * g1 + svd.V(2, i) * g2);
    }
  }

  /// f += forces of the stresses r.
  void add_force(const Pack4 r[3], Pack4 f[3 * N]) const {
    for (int a = 1; a < N; ++a) {
      const Pack4 r0 = r[0] * gamma[3 * a], r1 = r[1] * gamma[3 * a + 1], r2 = r[2] * gamma[3 * a + 2];
      for (int i = 0; i < 3; ++i) f[3 * a + i] += U(i, 0) * r0 + U(i, 1) * r1 + U(i, 2) * r2;
    }
  }

  /// d with d . r = weights . (forces of the stresses r), for weights on all nodes.
  void pull_back(const Pack4 weights[3 * N], Pack4 d[3]) const {
    for (int i = 0; i < 3; ++i) d[i] = Pack4(0.0);
    for (int a = 1; a < N; ++a) {
      Pack4 w[3];
      for (int i = 0; i < 3; ++i) w[i] = weights[3 * a + i] - weights[i];
      for (int i = 0; i < 3; ++i) d[i] += gamma[3 * a + i] * (U(0, i) * w[0] + U(1, i) * w[1] + U(2, i) * w[2]);
    }
  }
};

}  // namespace dashpot::kernel
