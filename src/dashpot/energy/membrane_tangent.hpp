#pragma once
// Stiffness of four triangles of a membrane (triangle_membrane.hpp) from the singular values of F. For law_membrane.cpp
// only.

#include "dashpot/element/block_scatter.hpp"
#include "dashpot/math/matrix3.hpp"
#include "dashpot/math/matrix32.hpp"
#include "dashpot/math/thin_svd.hpp"

namespace dashpot {

/// Parameters of four triangles.
struct MembranePack {
  explicit MembranePack(const double* p)
      : stretch(math::Pack4::load(p)),
        limit(math::Pack4::load(p + 4)),
        least(math::Pack4::load(p + 8)),
        most(math::Pack4::load(p + 12)) {}
  math::Pack4 stretch, limit;  ///< w, w' [J]
  math::Pack4 least, most;     ///< stretches
};

/// F = U diag(s) V^T.
struct MembraneFrame {
  math::Matrix3<math::Pack4> U;
  math::Pack4 s[2], V[2][2];
};

inline MembraneFrame membrane_frame(const math::Matrix32<math::Pack4>& F) {
  MembraneFrame frame;
  for (int l = 0; l < 4; ++l) {
    math::Mat32 of_lane;
    for (int k = 0; k < 6; ++k) of_lane(k % 3, k / 3) = F.m[k][l];
    const math::ThinSvd svd = math::thin_svd(of_lane);
    for (int k = 0; k < 9; ++k) frame.U.m[k].set(l, svd.U(k % 3, k / 3));
    for (int k = 0; k < 2; ++k) {
      frame.s[k].set(l, svd.s[k]);
      for (int j = 0; j < 2; ++j) frame.V[k][j].set(l, svd.V(k, j));
    }
  }
  return frame;
}

/// Entries of the tangent in the frame (u1, u2, n) x (v1, v2).
struct MembraneTangent {
  math::Pack4 h1, h2;         ///< u1 v1, u2 v2
  math::Pack4 m11, m12, m22;  ///< the plane of u1 v2 and u2 v1
  math::Pack4 out1, out2;     ///< n v1, n v2
};

/// Eigenvalues of triangle_membrane.hpp before they are put together.
struct MembraneSlopes {
  static constexpr double least_denominator = 1e-6;
  math::Pack4 slope[2], over[2];  ///< dp_i/ds_i, p_i/s_i
  math::Pack4 sum, flip, twist;

  MembraneSlopes(const MembranePack& m, const MembraneFrame& frame) {
    using math::Pack4;
    Pack4 p[2];
    for (int i = 0; i < 2; ++i) {
      const Pack4 s = frame.s[i], beyond = s - min(max(s, m.least), m.most);
      p[i] = m.stretch * (s - Pack4(1.0)) + m.limit * beyond;
      const math::Mask4 is_beyond = beyond > Pack4(0.0) || beyond < Pack4(0.0);
      slope[i] = m.stretch + select(is_beyond, m.limit, Pack4(0.0));
      over[i] = p[i] / max(s, Pack4(least_denominator));
    }
    const Pack4 gap = frame.s[0] - frame.s[1];
    sum = max(frame.s[0] + frame.s[1], Pack4(least_denominator));
    const math::Mask4 is_apart = gap > Pack4(1e-9) * sum;
    flip = select(is_apart, (p[0] - p[1]) / select(is_apart, gap, Pack4(1.0)), Pack4(0.5) * (slope[0] + slope[1]));
    twist = (p[0] + p[1]) / sum;
  }
};

inline MembraneTangent membrane_gauss_newton(const MembranePack& m, const MembraneFrame& frame) {
  using math::Pack4;
  const MembraneSlopes k(m, frame);
  const Pack4 zero(0.0), c = max(zero, (Pack4(2.0) * k.flip - k.over[0] - k.over[1]) / (k.sum * k.sum));
  const Pack4 &s1 = frame.s[0], &s2 = frame.s[1];
  return {max(zero, k.slope[0] - k.over[0]),
          max(zero, k.slope[1] - k.over[1]),
          c * s1 * s1,
          c * s1 * s2,
          c * s2 * s2,
          zero,
          zero};
}

inline MembraneTangent membrane_tangent(const MembranePack& m, const MembraneFrame& frame, bool is_projected) {
  using math::Pack4;
  const Pack4 half(0.5), zero(0.0);
  MembraneSlopes k(m, frame);
  if (is_projected) {
    k.twist = max(zero, k.twist);
    for (Pack4& over : k.over) over = max(zero, over);
  }
  const Pack4 mean = half * (k.flip + k.twist);
  return {k.slope[0], k.slope[1], mean, half * (k.flip - k.twist), mean, k.over[0], k.over[1]};
}

/// Upper blocks (a, b), 1 <= a <= b, of `scale` times the stiffness; g as of TriangleBatch::pack_gradients.
inline void membrane_blocks(const MembraneTangent& t, const MembraneFrame& frame, const double* g, math::Pack4 scale,
                            math::Pack4* K) {
  using math::Pack4;
  const math::Matrix3<Pack4>& U = frame.U;
  Pack4 r[3][2];  // gradients in the right frame
  for (int a = 1; a < 3; ++a)
    for (int j = 0; j < 2; ++j)
      r[a][j] = frame.V[0][j] * Pack4::load(g + 8 * a - 8) + frame.V[1][j] * Pack4::load(g + 8 * a - 4);
  for (int b = 1; b < 3; ++b)
    for (int a = 1; a <= b; ++a) {
      const Pack4 r1 = scale * r[b][0], r2 = scale * r[b][1], g11 = r[a][0] * r1, g22 = r[a][1] * r2;
      const Pack4 k00 = t.h1 * g11 + t.m11 * g22, k11 = t.h2 * g22 + t.m22 * g11, k22 = t.out1 * g11 + t.out2 * g22;
      const Pack4 k01 = t.m12 * (r[a][1] * r1), k10 = t.m12 * (r[a][0] * r2);
      Pack4* out = K + 9 * kernel::upper<3>(a, b);
      for (int row = 0; row < 3; ++row) {
        const Pack4 t0 = U(row, 0) * k00 + U(row, 1) * k10, t1 = U(row, 0) * k01 + U(row, 1) * k11,
                    t2 = U(row, 2) * k22;
        for (int c = 0; c < 3; ++c) out[3 * c + row] = t0 * U(c, 0) + t1 * U(c, 1) + t2 * U(c, 2);
      }
    }
}

}  // namespace dashpot
