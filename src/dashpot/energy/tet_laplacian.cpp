#include "dashpot/energy/tet_laplacian.hpp"

#include <cassert>

#include "dashpot/energy/tet_kernel.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Pack4;
using math::select;

/// det / trace^3 of tr(B) I - B below which F counts as of rank one. Then the rate about its axis is not defined, and
/// the smallest one is taken.
constexpr double rank_one = 1e-14;

/// The rate omega that turns F as Fdot does: (tr(B) I - B) omega = ax(Fdot F^T - F Fdot^T), B = F F^T.
[[gnu::always_inline]] inline void spin(const Matrix3<Pack4>& F, const Matrix3<Pack4>& Fdot, Pack4 omega[3]) {
  const Matrix3<Pack4> B = math::multiply_transposed(F, F), M = math::multiply_transposed(Fdot, F);
  const Pack4 r0 = M(2, 1) - M(1, 2), r1 = M(0, 2) - M(2, 0), r2 = M(1, 0) - M(0, 1);
  const Pack4 h00 = B(1, 1) + B(2, 2), h11 = B(0, 0) + B(2, 2), h22 = B(0, 0) + B(1, 1);
  const Pack4 h01 = -B(0, 1), h02 = -B(0, 2), h12 = -B(1, 2);
  const Pack4 c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
  const Pack4 c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
  const Pack4 det = h00 * c00 + h01 * c01 + h02 * c02, trace = h00 + h11 + h22;
  const auto regular = det > Pack4(rank_one) * trace * trace * trace;
  const Pack4 inverse = Pack4(1.0) / select(regular, det, Pack4(1.0));
  const Pack4 mean = Pack4(2.0) / select(trace > Pack4(0.0), trace, Pack4(1.0));
  omega[0] = select(regular, inverse * (c00 * r0 + c01 * r1 + c02 * r2), mean * r0);
  omega[1] = select(regular, inverse * (c01 * r0 + c11 * r1 + c12 * r2), mean * r1);
  omega[2] = select(regular, inverse * (c02 * r0 + c12 * r1 + c22 * r2), mean * r2);
}

}  // namespace

TetLaplacian::TetLaplacian(std::shared_ptr<const TetBatch> batch, std::vector<double> modulus)
    : batch_(std::move(batch)), modulus_(std::move(modulus)) {
  assert(static_cast<int>(modulus_.size()) == batch_->num_tets());
  modulus_.resize(static_cast<std::size_t>(batch_->num_packs() * TetBatch::lanes), 0.0);
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

template <int N>
void TetLaplacian::add_spin_force(const double* q, const double* v, const double* element_scale, int pack,
                                  double* f) const {
  const int lanes = kernel::lanes_in_use(*batch_, pack);
  Pack4 x[3 * N], xdot[3 * N], force[3 * N];
  kernel::gather<N>(*batch_, q, pack, lanes, x);
  kernel::gather<N>(*batch_, v, pack, lanes, xdot);
  for (Pack4& component : force) component = Pack4(0.0);
  const Pack4 modulus =
      Pack4::load(modulus_.data() + 4 * pack) * kernel::pack_scale(*batch_, element_scale, pack, lanes);
  for (int p = 0; p < batch_->num_points(); ++p) {
    const double* g = batch_->pack_gradients(pack, p);
    const Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, g), Fdot = kernel::deformation_gradient<N>(xdot, g);
    Pack4 omega[3];
    spin(F, Fdot, omega);
    Matrix3<Pack4> turning;  // omega x F
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        turning(i, j) = omega[k] * F(l, j) - omega[l] * F(k, j);
      }
    kernel::add_force<N>(turning, g, modulus * Pack4::load(batch_->pack_weights(pack, p)), force);
  }
  kernel::scatter_force<N>(*batch_, pack, lanes, force, f);
}

void TetLaplacian::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                  Vector& f) const {
  assert(static_cast<int>(element_scale.size()) == batch_->num_tets());
  batch_->for_each_chunk([&](int begin, int end) {
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack)
      if (batch_->nodes_per_tet() == 4)
        add_spin_force<4>(q.data(), v.data(), element_scale.data(), pack, f.data());
      else
        add_spin_force<10>(q.data(), v.data(), element_scale.data(), pack, f.data());
  });
}

}  // namespace dashpot
