#include "dashpot/energy/tet_laplacian.hpp"

#include <algorithm>
#include <cassert>

#include "dashpot/energy/element_rows.hpp"
#include "dashpot/energy/tet_kernel.hpp"
#include "dashpot/math/best_spin.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Pack4;
using math::select;

/// det / trace^3 of tr(B) I - B below which F counts as of rank one. Then the rate about its axis is not defined, and
/// the smallest one is taken.
constexpr double rank_one = 1e-14;

/// w omega x F with the rate omega that turns F as Fdot does: (tr(B) I - B) omega = ax(Fdot F^T - F Fdot^T), B = F F^T.
[[gnu::always_inline]] inline Matrix3<Pack4> turning_part(const Matrix3<Pack4>& F, const Matrix3<Pack4>& Fdot,
                                                          Pack4 w) {
  const auto rows = [](const Matrix3<Pack4>& A, int i, const Matrix3<Pack4>& C, int k) {
    return A(i, 0) * C(k, 0) + A(i, 1) * C(k, 1) + A(i, 2) * C(k, 2);
  };
  const Pack4 r0 = rows(Fdot, 2, F, 1) - rows(Fdot, 1, F, 2), r1 = rows(Fdot, 0, F, 2) - rows(Fdot, 2, F, 0),
              r2 = rows(Fdot, 1, F, 0) - rows(Fdot, 0, F, 1);
  const Pack4 b00 = rows(F, 0, F, 0), b11 = rows(F, 1, F, 1), b22 = rows(F, 2, F, 2);
  const Pack4 h00 = b11 + b22, h11 = b00 + b22, h22 = b00 + b11;
  const Pack4 h01 = -rows(F, 0, F, 1), h02 = -rows(F, 0, F, 2), h12 = -rows(F, 1, F, 2);
  const Pack4 c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
  const Pack4 c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
  const Pack4 det = h00 * c00 + h01 * c01 + h02 * c02, trace = h00 + h11 + h22;
  const auto regular = det > Pack4(rank_one) * trace * trace * trace;
  // Of rank one, the matrix is trace/2 across the axis, where the right-hand side lies.
  const Pack4 scale = w / select(regular, det, select(trace > Pack4(0.0), Pack4(0.5) * trace, Pack4(1.0)));
  const Pack4 omega[3] = {scale * select(regular, c00 * r0 + c01 * r1 + c02 * r2, r0),
                          scale * select(regular, c01 * r0 + c11 * r1 + c12 * r2, r1),
                          scale * select(regular, c02 * r0 + c12 * r1 + c22 * r2, r2)};
  Matrix3<Pack4> turning;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      const int k = (i + 1) % 3, l = (i + 2) % 3;
      turning(i, j) = omega[k] * F(l, j) - omega[l] * F(k, j);
    }
  return turning;
}

/// sum_a d_a (x) g_a over nodes 1..3 from edges d and gradients g.
[[gnu::always_inline]] inline void combine(const Pack4 d[9], const Pack4 g[9], Matrix3<Pack4>& F) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) F(i, j) = d[i] * g[j] + d[3 + i] * g[3 + j] + d[6 + i] * g[6 + j];
}

}  // namespace

TetLaplacian::TetLaplacian(std::shared_ptr<const TetBatch> batch, std::vector<double> modulus)
    : batch_(std::move(batch)), modulus_(std::move(modulus)) {
  assert(static_cast<int>(modulus_.size()) == batch_->num_tets());
  modulus_.resize(static_cast<std::size_t>(batch_->num_packs() * TetBatch::lanes), 0.0);
  if (batch_->nodes_per_tet() != 4) return;
  // Packs of the ranges are packs of the batch, in the order of the curve.
  ranges_ =
      std::make_shared<const ElementRanges>(4, batch_->all_blocks(), batch_->elements_along_curve(), TetBatch::lanes);
  range_packs_.resize(static_cast<std::size_t>(ranges_->num_packs()));
  ranges_->for_each_lane([&](int p, int lane, int element, bool) {
    if (lane == 0) range_packs_[static_cast<std::size_t>(p)] = element / TetBatch::lanes;
  });
}

void TetLaplacian::add(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  assert(static_cast<int>(element_scale.size()) == batch_->num_tets());
  const int n = batch_->nodes_per_tet();
  batch_->for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double w =
          modulus_[static_cast<std::size_t>(i)] * element_scale[static_cast<std::size_t>(batch_->original(i))];
      const int* slots = batch_->slots(i);
      for (int p = 0; p < batch_->num_points(); ++p)
        for (int a = 0; a < n; ++a) {
          const Vec3 g = w * batch_->weight(i, p) * batch_->gradient(i, p, a);
          for (int b = 0; b < n; ++b)
            of_slot[static_cast<std::size_t>(slots[a * n + b])] += g.dot(batch_->gradient(i, p, b));
        }
    }
  });
}

void TetLaplacian::add_linear(const Vector& q, const Vector& v, const double* element_scale, Vector& f) const {
  using element_rows::Four;
  ranges_->run(q, &v, &f, [&](int first, int end, const Four* x, const Four* xdot, Four* force) {
    for (int p = first; p < end; ++p) {
      const int pack = range_packs_[static_cast<std::size_t>(p)], last = batch_->num_tets() - 1;
      const int* nodes = ranges_->nodes(p);
      const double* rest = batch_->pack_gradients(pack, 0) + 12;
      Pack4 d[9], g[9];
      for (int k = 0; k < 9; ++k) g[k] = Pack4::load(rest + 4 * k);
      Matrix3<Pack4> F, Fdot;
      element_rows::edges<4>(nodes, x, d);
      combine(d, g, F);
      element_rows::edges<4>(nodes, xdot, d);
      combine(d, g, Fdot);
      const auto scale = [&](int l) { return element_scale[batch_->original(std::min(4 * pack + l, last))]; };
      const Pack4 w = Pack4::load(modulus_.data() + 4 * pack) * Pack4::load(batch_->pack_weights(pack, 0)) *
                      Pack4(scale(0), scale(1), scale(2), scale(3));
      const Matrix3<Pack4> turning = turning_part(F, Fdot, w);
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i)
          d[3 * a + i] = turning(i, 0) * g[3 * a] + turning(i, 1) * g[3 * a + 1] + turning(i, 2) * g[3 * a + 2];
      element_rows::scatter<4>(nodes, d, force);
    }
  });
}

void TetLaplacian::add_quadratic(const double* q, const double* v, const double* element_scale, int pack,
                                 double* f) const {
  constexpr int n = 10;
  const int lanes = kernel::lanes_in_use(*batch_, pack);
  Pack4 x[3 * n], xdot[3 * n], force[3 * n];
  kernel::gather<n>(*batch_, q, pack, lanes, x);
  kernel::gather<n>(*batch_, v, pack, lanes, xdot);
  for (Pack4& component : force) component = Pack4(0.0);
  const Pack4 modulus =
      Pack4::load(modulus_.data() + 4 * pack) * kernel::pack_scale(*batch_, element_scale, pack, lanes);
  for (int p = 0; p < batch_->num_points(); ++p) {
    const double* g = batch_->pack_gradients(pack, p);
    const Matrix3<Pack4> turning =
        turning_part(kernel::deformation_gradient<n>(x, g), kernel::deformation_gradient<n>(xdot, g),
                     modulus * Pack4::load(batch_->pack_weights(pack, p)));
    kernel::add_force<n>(turning, g, Pack4(1.0), force);
  }
  kernel::scatter_force<n>(*batch_, pack, lanes, force, f);
}

void TetLaplacian::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                  Vector& f) const {
  assert(static_cast<int>(element_scale.size()) == batch_->num_tets());
  if (ranges_) return add_linear(q, v, element_scale.data(), f);
  batch_->for_each_chunk([&](int begin, int end) {
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack)
      add_quadratic(q.data(), v.data(), element_scale.data(), pack, f.data());
  });
}

void TetLaplacian::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                    double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  assert(static_cast<int>(element_scale.size()) == batch_->num_tets());
  const int n = batch_->nodes_per_tet();
  batch_->for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for (int p = 0; p < batch_->num_points(); ++p) {
        const int* blocks = batch_->blocks(i);
        Mat3 F = Mat3::Zero(), Fdot = Mat3::Zero();
        for (int a = 0; a < n; ++a) {
          const Vec3 g = batch_->gradient(i, p, a);
          F += q.segment<3>(3 * blocks[a]) * g.transpose();
          Fdot += v.segment<3>(3 * blocks[a]) * g.transpose();
        }
        const math::ElementSpin spin = math::element_spin(F, Fdot);
        const Mat3 strain_rate = Fdot - math::cross_matrix(spin.omega) * F;
        const double w = modulus_[static_cast<std::size_t>(i)] * batch_->weight(i, p) *
                         element_scale[static_cast<std::size_t>(batch_->original(i))];
        for (int a = 0; a < n; ++a)
          for (int b = 0; b < n; ++b) {
            const Vec3 ga = batch_->gradient(i, p, a), gb = batch_->gradient(i, p, b);
            Mat3::Map(tangent.block(batch_->slots(i)[a * n + b])) +=
                w * (dv_scale * math::spin_force_dv(spin, F * ga, F * gb) +
                     dq_scale * math::spin_force_dq(spin, F * ga, F * gb, strain_rate * gb, ga.dot(gb)));
          }
      }
  });
}

}  // namespace dashpot
