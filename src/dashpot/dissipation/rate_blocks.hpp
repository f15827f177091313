#pragma once
// The tangent of strain-rate laws on tets, whatever their metric and density (docs/design/0016). For .cpp files of
// kernels only.

#include "dashpot/dissipation/formula/strain_metric.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/element/tet_law.hpp"
#include "dashpot/math/positive_part3.hpp"

namespace dashpot::rate_kernel {

using math::Matrix3;
using math::Pack4;
using math::Symmetric3;

/// How Z varies with the motion: dZ = M_1 : dA + M_2 : dE (docs/design/0016), in the basis where Z and e are given.
template <bool corotational, class Stiffness>
struct StressVariation {
  Stiffness D;                         ///< apply(D, de) is the change of T
  formula::StretchSolve<Pack4> solve;  ///< corotational only, as the rest
  Symmetric3<Pack4> e, Z;

  Symmetric3<Pack4> operator()(const Symmetric3<Pack4>& dA, const Symmetric3<Pack4>& dE, bool moves) const {
    if constexpr (!corotational) {
      return apply(D, dA);
    } else {
      Symmetric3<Pack4> right = dA, dU{};
      if (moves) {
        dU = solve(dE);
        const Symmetric3<Pack4> turned = formula::symmetric_product(e, dU);
        for (int k = 0; k < 6; ++k) right.m[k] -= turned.m[k];
      }
      Symmetric3<Pack4> dT = apply(D, solve(right));
      if (moves) {
        const Symmetric3<Pack4> turned = formula::symmetric_product(Z, dU);
        for (int k = 0; k < 6; ++k) dT.m[k] -= turned.m[k];
      }
      return solve(dT);
    }
  }
};

/// sym(a g^T).
inline Symmetric3<Pack4> symmetric_dyad(const Pack4 a[3], const Pack4 g[3]) {
  Symmetric3<Pack4> X;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) X(i, j) = Pack4(0.5) * (a[i] * g[j] + a[j] * g[i]);
  return X;
}

/// K_ab = w [ B_a (M_1 C_b^T + dq M_2 B_b^T) + dq (g_a . Z g_b) I ]; F, G and g in the basis of Z. G = dv F + dq Fdot,
/// or dv F alone where the tangent is to be symmetric; `stress` is dq Z, or what is left of it there.
template <int N, class Variation>
void add_blocks(const Matrix3<Pack4>& F, const Matrix3<Pack4>& G, const Pack4* g, Pack4 w, Pack4 dq, bool moves,
                const Symmetric3<Pack4>& stress, const Variation& variation, StiffnessPacks K) {
  for (int b = 1; b < N; ++b) {
    const Pack4* gb = g + 3 * b;
    Pack4 Sg[3];
    for (int i = 0; i < 3; ++i) Sg[i] = w * (stress(i, 0) * gb[0] + stress(i, 1) * gb[1] + stress(i, 2) * gb[2]);
    for (int j = 0; j < 3; ++j) {
      const Pack4 row_of_G[3] = {G(j, 0), G(j, 1), G(j, 2)}, row_of_F[3] = {dq * F(j, 0), dq * F(j, 1), dq * F(j, 2)};
      const Symmetric3<Pack4> dZ = variation(symmetric_dyad(row_of_G, gb), symmetric_dyad(row_of_F, gb), moves);
      for (int a = 1; a < (K.lower != nullptr ? N : b + 1); ++a) {
        const Pack4* ga = g + 3 * a;
        Pack4 Zg[3];
        for (int i = 0; i < 3; ++i) Zg[i] = w * (dZ(i, 0) * ga[0] + dZ(i, 1) * ga[1] + dZ(i, 2) * ga[2]);
        // Column j of K_ab: in the upper triangle by columns; below, K_ab is kept transposed at (b, a).
        Pack4* out = a <= b ? K.upper + 9 * kernel::upper<N>(a, b) + 3 * j : K.lower + 9 * kernel::upper<N>(b, a) + j;
        const int stride = a <= b ? 1 : 3;
        for (int i = 0; i < 3; ++i) out[stride * i] += F(i, 0) * Zg[0] + F(i, 1) * Zg[1] + F(i, 2) * Zg[2];
        out[stride * j] += ga[0] * Sg[0] + ga[1] * Sg[1] + ga[2] * Sg[2];
      }
    }
  }
}

/// Of a stress S in the Green strain E itself, with dS = apply(D, dE): adds dq dP/dF.
template <class Stiffness>
void add_strain_blocks(const PackPoint& here, Pack4 dq, const Symmetric3<Pack4>& S, const Stiffness& D,
                       StiffnessPacks K) {
  const StressVariation<false, Stiffness> variation{D, {}, {}, {}};
  Matrix3<Pack4> G;
  for (int k = 0; k < 9; ++k) G.m[k] = dq * here.F->m[k];
  Symmetric3<Pack4> scaled;
  for (int k = 0; k < 6; ++k) scaled.m[k] = dq * S.m[k];
  Pack4 g[30];
  for (int a = 1; a < here.nodes; ++a)
    for (int c = 0; c < 3; ++c) g[3 * a + c] = Pack4::load(here.g + 12 * a + 4 * c);
  if (here.nodes == 4)
    add_blocks<4>(*here.F, G, g, here.w, dq, false, scaled, variation, K);
  else
    add_blocks<10>(*here.F, G, g, here.w, dq, false, scaled, variation, K);
}

/// The motion of four tets in a metric: in the eigenbasis of U where it is corotational.
template <bool corotational>
struct MovingTets {
  Matrix3<Pack4> F, Fdot, V;
  formula::StretchSolve<Pack4> solve;
  Symmetric3<Pack4> e;  ///< the strain rate

  explicit MovingTets(const PackPoint& here) : F(*here.F), Fdot(*here.Fdot) {
    if constexpr (corotational) {
      solve = formula::stretch_solve(F, V);
      F = multiply(F, V), Fdot = multiply(Fdot, V);
    }
    const Symmetric3<Pack4> A = formula::green_strain_rate(F, Fdot);
    e = corotational ? solve(A) : A;
  }
};

/// Of a stress T in the metric and its stiffness D: sets P, and where a tangent is wanted adds its blocks, exact or
/// semidefinite.
template <bool corotational, class Stiffness>
void respond_in_blocks(const DissipationRequest& request, const PackPoint& here, const MovingTets<corotational>& moving,
                       const Symmetric3<Pack4>& T, const Stiffness& D, RateTangent tangent, Matrix3<Pack4>& P,
                       StiffnessPacks K) {
  const Symmetric3<Pack4> Z = corotational ? moving.solve(T) : T;
  P = multiply(moving.F, Z);
  if constexpr (corotational) P = multiply_transposed(P, moving.V);
  if (request.tangent == nullptr) return;

  const StressVariation<corotational, Stiffness> variation{D, moving.solve, moving.e, Z};
  const bool exact = tangent == RateTangent::exact;
  const bool moves = request.dq_scale != 0 && tangent != RateTangent::velocity;
  const Pack4 dv(request.dv_scale), dq(request.dq_scale), of_rate(exact ? request.dq_scale : 0.0);
  Matrix3<Pack4> G;
  for (int k = 0; k < 9; ++k) G.m[k] = dv * moving.F.m[k] + of_rate * moving.Fdot.m[k];
  Symmetric3<Pack4> stress{};
  if (moves) stress = exact ? Z : positive_part3(Z);
  for (Pack4& s : stress.m) s *= dq;
  Pack4 g[30];
  for (int a = 1; a < here.nodes; ++a) {
    Pack4 rest[3];
    for (int c = 0; c < 3; ++c) rest[c] = Pack4::load(here.g + 12 * a + 4 * c);
    for (int c = 0; c < 3; ++c)
      g[3 * a + c] =
          corotational ? moving.V(0, c) * rest[0] + moving.V(1, c) * rest[1] + moving.V(2, c) * rest[2] : rest[c];
  }
  if (here.nodes == 4)
    add_blocks<4>(moving.F, G, g, here.w, dq, exact && moves, stress, variation, K);
  else
    add_blocks<10>(moving.F, G, g, here.w, dq, exact && moves, stress, variation, K);
}

}  // namespace dashpot::rate_kernel
