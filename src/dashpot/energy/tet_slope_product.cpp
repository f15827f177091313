// w . d(K_e(q) v)/dq and w . K_e v of near laws, for tets: what tet_slope.cpp makes of vectors and blocks, contracted
// with one right side w. At a point with W = sum_a w_a (x) g_a all of it is one number, phi(F) = W : dP/dF : Fdot, so a
// law of the stretches is asked the fewest times, and of near values of its parameters without making any tangent
// (formula/tangent_form.hpp).

#include <type_traits>
#include <utility>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/tet_elasticity.hpp"
#include "dashpot/energy/tet_kernel.hpp"
#include "dashpot/energy/tet_slope.hpp"
#include "dashpot/math/svd3.hpp"

namespace dashpot {
namespace {

using formula::TangentKind;
using math::Matrix3;
using math::Pack4;

/// phi at F, and dphi/dF.
struct PointProduct {
  Pack4 phi;
  Matrix3<Pack4> slope;
};

/// Along all nine entries.
template <class Respond>
void slope_by_entries(PackResponse& at, const Matrix3<Pack4>& W, const Matrix3<Pack4>& Fdot, const Respond& respond,
                      PointProduct& product) {
  respond(at);
  product.phi = formula::contract(at.out.tangent, W, Fdot);
  for (int k = 0; k < 9; ++k) {
    const Pack4 here = at.F.m[k];
    Pack4 moved[2];
    for (int side = 0; side < 2; ++side) {
      at.F.m[k] = here + Pack4(side == 0 ? stretch_difference : -stretch_difference);
      respond(at);
      moved[side] = formula::contract(at.out.tangent, W, Fdot);
    }
    at.F.m[k] = here;
    product.slope.m[k] = (moved[0] - moved[1]) / Pack4(2 * stretch_difference);
  }
}

/// In the frames of F, as in tet_slope.cpp.
template <class AtStretches>
bool slope_in_frames(PackResponse& at, const Matrix3<Pack4>& W, const Matrix3<Pack4>& Fdot,
                     const AtStretches& at_stretches, PointProduct& product) {
  const math::Svd3<Pack4> f = math::svd3(at.F);
  const auto in_frames = [&](const Matrix3<Pack4>& A) { return transposed_multiply(f.U, multiply(A, f.V)); };
  const Matrix3<Pack4> w = in_frames(W), v = in_frames(Fdot);
  formula::FrameTangent<Pack4>& tangent = at.out.tangent;
  Matrix3<Pack4> slope;  // along l_k r_l^T
  for (int i = 0; i < 3; ++i) {
    const Pack4 e = step_of(f.s[i]);
    Pack4 moved[2];
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 3; ++k) at.s[k] = f.s[k];
      at.s[i] += side == 0 ? e : -e;
      if (!at_stretches(at)) return false;
      moved[side] = formula::contract_in_frames(tangent, w, v);
    }
    slope(i, i) = Pack4(0.5) * (moved[0] - moved[1]) / e;
  }
  Pack4 both[3];  // along E_ij + E_ji, by i + j - 1
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const Pack4 e = min(step_of(f.s[i]), step_of(f.s[j]));
      Matrix3<Pack4> R = plane_rotation(f.s, i, j, e, at.s);
      at_stretches(at);
      Pack4 moved[2];
      for (Pack4& one : moved) {
        one = formula::contract_in_frames(tangent, transposed_multiply(R, multiply(w, R)),
                                          transposed_multiply(R, multiply(v, R)));
        std::swap(R(i, j), R(j, i));
      }
      both[i + j - 1] = Pack4(0.5) * (moved[0] - moved[1]) / e;
    }
  for (int k = 0; k < 3; ++k) at.s[k] = f.s[k];
  at_stretches(at);
  const Matrix3<Pack4> Tw = apply_in_frames(tangent, w), Tv = apply_in_frames(tangent, v);
  product.phi = formula::contract_in_frames(tangent, w, v);
  // Along a rotation, A F with A = E_ij - E_ji: w : (A Tv) - Tw : (A v).
  const Matrix3<Pack4> wTv = multiply_transposed(w, Tv), Twv = multiply_transposed(Tw, v);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const Pack4 turned = wTv(i, j) - wTv(j, i) - Twv(i, j) + Twv(j, i), along = both[i + j - 1];
      const Pack4 inverse = Pack4(1.0) / formula::away_from_zero(f.s[i] + f.s[j], least_sum);
      slope(i, j) = inverse * (turned + f.s[i] * along);
      slope(j, i) = inverse * (f.s[j] * along - turned);
    }
  product.slope = multiply_transposed(multiply(f.U, slope), f.V);
  return true;
}

/// Where the scale of an element follows its stretches: of scale(F) phi(F).
void scale_slope(const Matrix3<Pack4>& F, Pack4 scale, const Pack4 by_stretch[3], PointProduct& product) {
  const math::Svd3<Pack4> f = math::svd3(F);
  const Matrix3<Pack4> of_scale = multiply_transposed(math::scale_columns(f.U, by_stretch), f.V);
  for (int k = 0; k < 9; ++k) product.slope.m[k] = scale * product.slope.m[k] + product.phi * of_scale.m[k];
}

}  // namespace

template <int N>
void TetElasticity::slope_product(const double* q, const double* v, const double* w, PackResponse& at,
                                  const double* element_scale, const double* by_stretches, int begin, int end,
                                  double* g) const {
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = kernel::lanes_in_use(*batch_, pack);
    const Pack4 scale = kernel::pack_scale(*batch_, element_scale, pack, lanes);
    Pack4 x[3 * N], rates[3 * N], weights[3 * N], f[3 * N];
    kernel::gather<N>(*batch_, q, pack, lanes, x);
    kernel::gather<N>(*batch_, v, pack, lanes, rates);
    kernel::gather<N>(*batch_, w, pack, lanes, weights);
    for (Pack4& component : f) component = Pack4(0.0);
    for (int p = 0; p < kernel::num_points<N>; ++p) {
      const double* gradients = batch_->pack_gradients(pack, p);
      at.F = kernel::deformation_gradient<N>(x, gradients);
      const Matrix3<Pack4> Fdot = kernel::deformation_gradient<N>(rates, gradients),
                           W = kernel::deformation_gradient<N>(weights, gradients);
      PointProduct product;
      const auto at_stretches = [&](PackResponse& response) { return respond_at_stretches(pack, response); };
      if (!slope_in_frames(at, W, Fdot, at_stretches, product))
        slope_by_entries(
            at, W, Fdot, [&](PackResponse& response) { respond(pack, response); }, product);
      Pack4 volume = Pack4::load(batch_->pack_weights(pack, p));
      if (by_stretches == nullptr) {
        volume *= scale;
      } else {
        Pack4 by_stretch[3] = {Pack4(0.0), Pack4(0.0), Pack4(0.0)};
        for (int l = 0; l < lanes; ++l)
          for (int i = 0; i < 3; ++i)
            by_stretch[i].set(l, by_stretches[3 * static_cast<std::ptrdiff_t>(batch_->original(4 * pack + l)) + i]);
        scale_slope(at.F, scale, by_stretch, product);
      }
      kernel::add_force<N>(product.slope, gradients, volume, f);
    }
    kernel::scatter_force<N>(*batch_, pack, lanes, f, g);
  }
}

bool TetElasticity::add_slope_product(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                                      const std::vector<double>& element_scale, const double* by_stretches,
                                      Vector& g) const {
  if (part == StiffnessPart::rest) return true;
  batch_->for_each_chunk([&](int begin, int end) {
    PackResponse at;
    at.kind = kind_of(part);
    const auto run = [&](auto nodes) {
      slope_product<nodes()>(q.data(), v.data(), w.data(), at, element_scale.data(), by_stretches, begin, end,
                             g.data());
    };
    batch_->nodes_per_tet() == 4 ? run(std::integral_constant<int, 4>()) : run(std::integral_constant<int, 10>());
  });
  return true;
}

template <int N>
void TetElasticity::near_products(const double* q, const double* v, const double* w, TangentKind kind,
                                  std::span<const NearStiffness> neighbors, int pack, double* products) const {
  const int lanes = kernel::lanes_in_use(*batch_, pack);
  Pack4 x[3 * N], rates[3 * N], weights[3 * N];
  kernel::gather<N>(*batch_, q, pack, lanes, x);
  kernel::gather<N>(*batch_, v, pack, lanes, rates);
  kernel::gather<N>(*batch_, w, pack, lanes, weights);
  for (int p = 0; p < kernel::num_points<N>; ++p) {
    const double* g = batch_->pack_gradients(pack, p);
    const Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, g), Fdot = kernel::deformation_gradient<N>(rates, g),
                         W = kernel::deformation_gradient<N>(weights, g);
    const Pack4 volume = Pack4::load(batch_->pack_weights(pack, p));
    const math::Svd3<Pack4> f = math::svd3(F);
    PackResponse at;
    at.kind = kind;
    for (int k = 0; k < 3; ++k) at.s[k] = f.s[k];
    PackForm form;
    const bool is_of_stretches = stresses_at_stretches(pack, at);
    if (is_of_stretches) {
      form.w = transposed_multiply(f.U, multiply(W, f.V));
      form.v = transposed_multiply(f.U, multiply(Fdot, f.V));
      form_at_stretches(at, form);
    }
    for (const NearStiffness& near : neighbors) {
      const auto& law = static_cast<const TetElasticity&>(*near.source);
      Pack4 product;
      if (is_of_stretches) {
        law.stresses_at_stretches(pack, at);
        product = form.of_response(at.p, at.out.tangent.H);
      } else {
        at.F = F;
        law.respond(pack, at);
        product = formula::contract(at.out.tangent, W, Fdot);
      }
      product *= Pack4(near.weight) * volume * kernel::pack_scale(*batch_, near.element_scale->data(), pack, lanes);
      for (int l = 0; l < lanes; ++l) products[near.column] += product[l];
    }
  }
}

bool TetElasticity::add_near_products(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                                      std::span<const NearStiffness> neighbors, int num_columns,
                                      double* products) const {
  if (part == StiffnessPart::rest) return false;
  // Of each pack by itself, so that the sums do not depend on who made them.
  Matrix of_pack = Matrix::Zero(num_columns, batch_->num_packs());
  parallel_for(batch_->num_packs(), 64, [&](int begin, int end) {
    for (int pack = begin; pack < end; ++pack)
      batch_->nodes_per_tet() == 4
          ? near_products<4>(q.data(), v.data(), w.data(), kind_of(part), neighbors, pack, of_pack.col(pack).data())
          : near_products<10>(q.data(), v.data(), w.data(), kind_of(part), neighbors, pack, of_pack.col(pack).data());
  });
  Vector::Map(products, num_columns) += of_pack.rowwise().sum();
  return true;
}

}  // namespace dashpot
