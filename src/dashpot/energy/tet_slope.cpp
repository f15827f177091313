// d(K_e(q) v)/dq of tets: of the stress rate Q(F) = dP/dF : Fdot, Fdot held, the derivative dQ/dF by central
// differences. Laws are smooth functions of F (projected tangents but for their kinks), so differences of size e are
// exact to e^2 and to round-off / e of the tangent.
//
// Laws of the stretches need one singular value decomposition a tet: in the frames of F = U diag(s) V^T, Q is moved
// along diag(s) + e E_ii, which is diagonal, and along diag(s) + e (E_ij + E_ji), which one rotation of a plane
// diagonalizes. The third direction of each plane is a rotation W, where objectivity gives dQ[W F] = W Q - dP/dF : (W
// Fdot). Other laws are moved along all nine entries of F.

#include "dashpot/energy/tet_slope.hpp"

#include <utility>

#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/tet_elasticity.hpp"
#include "dashpot/energy/tet_kernel.hpp"
#include "dashpot/math/svd3.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Pack4;

/// dQ along each entry of F, in frames: of(k, l) is the slope along l_k r_l^T.
struct PointSlope {
  Matrix3<Pack4> L, R;  ///< frames of stresses and gradients
  Matrix3<Pack4> Q;     ///< the stress rate itself, in frames
  Matrix3<Pack4> along[9];
  Matrix3<Pack4>& of(int row, int column) { return along[3 * column + row]; }
};

Matrix3<Pack4> half_difference(const Matrix3<Pack4>& above, const Matrix3<Pack4>& below, Pack4 e) {
  Matrix3<Pack4> slope;
  const Pack4 inverse = Pack4(0.5) / e;
  for (int k = 0; k < 9; ++k) slope.m[k] = inverse * (above.m[k] - below.m[k]);
  return slope;
}

/// Along all nine entries.
template <class Respond>
void slope_by_entries(PackResponse& at, const Matrix3<Pack4>& Fdot, const Respond& respond, PointSlope& slope) {
  slope.L = slope.R = math::identity3<Pack4>();
  respond(at);
  slope.Q = formula::apply(at.out.tangent, Fdot);
  for (int k = 0; k < 9; ++k) {
    const Pack4 here = at.F.m[k];
    Matrix3<Pack4> moved[2];
    for (int side = 0; side < 2; ++side) {
      at.F.m[k] = here + Pack4(side == 0 ? stretch_difference : -stretch_difference);
      respond(at);
      moved[side] = formula::apply(at.out.tangent, Fdot);
    }
    at.F.m[k] = here;
    slope.along[k] = half_difference(moved[0], moved[1], Pack4(stretch_difference));
  }
}

/// In the frames of F. `at_stretches(at)` answers for at.s; false where the law does not.
template <class AtStretches>
bool slope_in_frames(PackResponse& at, const Matrix3<Pack4>& Fdot, const AtStretches& at_stretches, PointSlope& slope) {
  const math::Svd3<Pack4> f = math::svd3(at.F);
  const Matrix3<Pack4> v = transposed_multiply(f.U, multiply(Fdot, f.V));
  formula::FrameTangent<Pack4>& tangent = at.out.tangent;
  const auto stress_rate = [&](const Pack4 s[3], const Matrix3<Pack4>& frame, Matrix3<Pack4>& Q) {
    for (int k = 0; k < 3; ++k) at.s[k] = s[k];
    if (!at_stretches(at)) return false;
    tangent.L = tangent.R = frame;
    Q = formula::apply(tangent, v);
    return true;
  };
  slope.L = f.U;
  slope.R = f.V;
  const Matrix3<Pack4> identity = math::identity3<Pack4>();
  Matrix3<Pack4>&Q = slope.Q, moved[2];
  Pack4 s[3];
  for (int i = 0; i < 3; ++i) {
    const Pack4 e = step_of(f.s[i]);
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 3; ++k) s[k] = f.s[k];
      s[i] += side == 0 ? e : -e;
      if (!stress_rate(s, identity, moved[side])) return false;
    }
    slope.of(i, i) = half_difference(moved[0], moved[1], e);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const Pack4 e = min(step_of(f.s[i]), step_of(f.s[j]));
      Matrix3<Pack4> R = plane_rotation(f.s, i, j, e, s);
      stress_rate(s, R, moved[0]);
      std::swap(R(i, j), R(j, i));
      tangent.L = tangent.R = R;
      moved[1] = formula::apply(tangent, v);
      slope.of(i, j) = half_difference(moved[0], moved[1], e);  // along E_ij + E_ji
    }
  stress_rate(f.s, identity, Q);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      // W = E_ij - E_ji: W diag(s) = s_j E_ij - s_i E_ji.
      Matrix3<Pack4> Wv, turned;
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) Wv(r, c) = r == i ? v(j, c) : r == j ? -v(i, c) : Pack4(0.0);
      const Matrix3<Pack4> back = formula::apply(tangent, Wv);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) turned(r, c) = (r == i ? Q(j, c) : r == j ? -Q(i, c) : Pack4(0.0)) - back(r, c);
      const Pack4 inverse = Pack4(1.0) / formula::away_from_zero(f.s[i] + f.s[j], least_sum);
      const Matrix3<Pack4> both = slope.of(i, j);
      for (int k = 0; k < 9; ++k) {
        slope.of(i, j).m[k] = inverse * (turned.m[k] + f.s[i] * both.m[k]);
        slope.of(j, i).m[k] = inverse * (f.s[j] * both.m[k] - turned.m[k]);
      }
    }
  return true;
}

/// slope = scale slope + Q dscale/dF, dscale/dF = sum_i by_stretch_i u_i v_i^T with F = U diag(s) V^T.
void scale_slope(const Matrix3<Pack4>& F, Pack4 scale, const Pack4 by_stretch[3], PointSlope& slope) {
  const math::Svd3<Pack4> f = math::svd3(F);
  const Matrix3<Pack4> U = transposed_multiply(slope.L, f.U), V = transposed_multiply(slope.R, f.V);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      const Pack4 along =
          by_stretch[0] * U(r, 0) * V(c, 0) + by_stretch[1] * U(r, 1) * V(c, 1) + by_stretch[2] * U(r, 2) * V(c, 2);
      for (int k = 0; k < 9; ++k) slope.of(r, c).m[k] = scale * slope.of(r, c).m[k] + along * slope.Q.m[k];
    }
}

/// Blocks of one quadrature point: G_ab = w L Ghat_ab L^T, Ghat_ab(i, k) = sum_jl r_a,j slope.of(k, l)(i, j) r_b,l with
/// gradients in the right frame.
template <int N>
void add_point(const double* g, Pack4 w, PointSlope& slope, Pack4* upper, Pack4* lower) {
  Pack4 r[3 * N];
  for (int a = 1; a < N; ++a)
    for (int j = 0; j < 3; ++j)
      r[3 * a + j] = slope.R(0, j) * Pack4::load(g + 12 * a) + slope.R(1, j) * Pack4::load(g + 12 * a + 4) +
                     slope.R(2, j) * Pack4::load(g + 12 * a + 8);
  for (int b = 1; b < N; ++b) {
    Matrix3<Pack4> stress[3];  // by k: stress along motion of node b
    for (int k = 0; k < 3; ++k)
      for (int e = 0; e < 9; ++e)
        stress[k].m[e] = w * (slope.of(k, 0).m[e] * r[3 * b] + slope.of(k, 1).m[e] * r[3 * b + 1] +
                              slope.of(k, 2).m[e] * r[3 * b + 2]);
    for (int a = 1; a < N; ++a) {
      Matrix3<Pack4> in_frame;
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
          in_frame(i, k) = stress[k](i, 0) * r[3 * a] + stress[k](i, 1) * r[3 * a + 1] + stress[k](i, 2) * r[3 * a + 2];
      const Matrix3<Pack4> block = multiply_transposed(multiply(slope.L, in_frame), slope.L);
      Pack4* out = a <= b ? upper + 9 * kernel::upper<N>(a, b) : lower + 9 * kernel::upper<N>(b, a);
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 3; ++i) out[a <= b ? 3 * c + i : 3 * i + c] += block(i, c);
    }
  }
}

}  // namespace

template <int N>
void TetElasticity::add_slope(const double* q, const double* v, PackResponse& at, const double* element_scale,
                              const double* by_stretches, int begin, int end, BlockMatrix& G) const {
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = kernel::lanes_in_use(*batch_, pack);
    const Pack4 scale = kernel::pack_scale(*batch_, element_scale, pack, lanes);
    Pack4 x[3 * N], rates[3 * N], upper[9 * kernel::num_upper<N>], lower[9 * kernel::num_upper<N>];
    kernel::gather<N>(*batch_, q, pack, lanes, x);
    kernel::gather<N>(*batch_, v, pack, lanes, rates);
    for (Pack4& entry : upper) entry = Pack4(0.0);
    for (Pack4& entry : lower) entry = Pack4(0.0);
    PointSlope slope;
    for (int p = 0; p < kernel::num_points<N>; ++p) {
      const double* g = batch_->pack_gradients(pack, p);
      at.F = kernel::deformation_gradient<N>(x, g);
      const Matrix3<Pack4> Fdot = kernel::deformation_gradient<N>(rates, g);
      const auto at_stretches = [&](PackResponse& response) { return respond_at_stretches(pack, response); };
      if (!slope_in_frames(at, Fdot, at_stretches, slope))
        slope_by_entries(
            at, Fdot, [&](PackResponse& response) { respond(pack, response); }, slope);
      Pack4 w = Pack4::load(batch_->pack_weights(pack, p));
      if (by_stretches == nullptr) {
        w *= scale;
      } else {
        Pack4 by_stretch[3] = {Pack4(0.0), Pack4(0.0), Pack4(0.0)};
        for (int l = 0; l < lanes; ++l)
          for (int i = 0; i < 3; ++i)
            by_stretch[i].set(l, by_stretches[3 * static_cast<std::ptrdiff_t>(batch_->original(4 * pack + l)) + i]);
        scale_slope(at.F, scale, by_stretch, slope);
      }
      add_point<N>(g, w, slope, upper, lower);
    }
    kernel::scatter_stiffness<N>(*batch_, pack, lanes, upper, lower, G.origin());
  }
}

void TetElasticity::add_stiffness_slope(const Vector& q, StiffnessPart part, const Vector& v,
                                        const std::vector<double>& element_scale, const double* by_stretches,
                                        BlockMatrix& G) const {
  if (part == StiffnessPart::rest) return;
  batch_->for_each_chunk([&](int begin, int end) {
    PackResponse at;
    at.kind = kind_of(part);
    batch_->nodes_per_tet() == 4
        ? add_slope<4>(q.data(), v.data(), at, element_scale.data(), by_stretches, begin, end, G)
        : add_slope<10>(q.data(), v.data(), at, element_scale.data(), by_stretches, begin, end, G);
  });
}

template <int N>
void TetElasticity::add_near(const double* q, const double* v, PackResponse& at,
                             std::span<const NearStiffness> neighbors, int begin, int end, Matrix& columns) const {
  constexpr int num_points = kernel::num_points<N>;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = kernel::lanes_in_use(*batch_, pack);
    Pack4 x[3 * N], rates[3 * N], f[3 * N];
    kernel::gather<N>(*batch_, q, pack, lanes, x);
    kernel::gather<N>(*batch_, v, pack, lanes, rates);
    Matrix3<Pack4> F[num_points], Fdot[num_points];
    math::Svd3<Pack4> svd[num_points];
    for (int p = 0; p < num_points; ++p) {
      F[p] = kernel::deformation_gradient<N>(x, batch_->pack_gradients(pack, p));
      Fdot[p] = kernel::deformation_gradient<N>(rates, batch_->pack_gradients(pack, p));
      svd[p] = math::svd3(F[p]);
    }
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      const NearStiffness& near = neighbors[i];
      const auto& law = static_cast<const TetElasticity&>(*near.source);
      if (i == 0 || near.column != neighbors[i - 1].column)
        for (Pack4& component : f) component = Pack4(0.0);
      const Pack4 scale = Pack4(near.weight) * kernel::pack_scale(*batch_, near.element_scale->data(), pack, lanes);
      for (int p = 0; p < num_points; ++p) {
        formula::FrameTangent<Pack4>& tangent = at.out.tangent;
        for (int k = 0; k < 3; ++k) at.s[k] = svd[p].s[k];
        if (law.respond_at_stretches(pack, at)) {
          tangent.L = svd[p].U;
          tangent.R = svd[p].V;
        } else {
          at.F = F[p];
          law.respond(pack, at);
        }
        kernel::add_force<N>(formula::apply(tangent, Fdot[p]), batch_->pack_gradients(pack, p),
                             scale * Pack4::load(batch_->pack_weights(pack, p)), f);
      }
      if (i + 1 == neighbors.size() || neighbors[i + 1].column != near.column)
        kernel::scatter_force<N>(*batch_, pack, lanes, f, columns.col(near.column).data());
    }
  }
}

bool TetElasticity::add_near_forces(const Vector& q, StiffnessPart part, const Vector& v,
                                    std::span<const NearStiffness> neighbors, Matrix& columns) const {
  if (part == StiffnessPart::rest) return false;
  batch_->for_each_chunk([&](int begin, int end) {
    PackResponse at;
    at.kind = kind_of(part);
    batch_->nodes_per_tet() == 4 ? add_near<4>(q.data(), v.data(), at, neighbors, begin, end, columns)
                                 : add_near<10>(q.data(), v.data(), at, neighbors, begin, end, columns);
  });
  return true;
}

}  // namespace dashpot
