#include "dashpot/dissipation/law_variational.hpp"

#include "dashpot/dissipation/formula/step_strain.hpp"
#include "dashpot/element/tet_gather.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Pack4;
using math::Symmetric3;

constexpr double least_volume_ratio = 1e-6;  // of an element at x_n, below which it has no rest pose

/// [t]x A, or A [t]x with a sign: columns of the result are t x (columns of A).
[[gnu::always_inline]] inline Matrix3<Pack4> cross(const Pack4 t[3], const Matrix3<Pack4>& A) {
  Matrix3<Pack4> B;
  for (int c = 0; c < 3; ++c) {
    B(0, c) = t[1] * A(2, c) - t[2] * A(1, c);
    B(1, c) = t[2] * A(0, c) - t[0] * A(2, c);
    B(2, c) = t[0] * A(1, c) - t[1] * A(0, c);
  }
  return B;
}

/// Upper blocks K_ab += w ((g_a . g_b) I + [t_a]x spin_inverse [t_b]x), t = R g, with gradients g in x_n.
template <int N>
void add_blocks(const formula::StepStrain<Pack4>& step, const Matrix3<Pack4>& inverse, const double* rest, Pack4 w,
                Pack4* K) {
  Pack4 g[3 * N], t[3 * N];
  for (int a = 1; a < N; ++a) {
    const Pack4 g0 = Pack4::load(rest + 12 * a), g1 = Pack4::load(rest + 12 * a + 4),
                g2 = Pack4::load(rest + 12 * a + 8);
    for (int j = 0; j < 3; ++j) g[3 * a + j] = inverse(0, j) * g0 + inverse(1, j) * g1 + inverse(2, j) * g2;
    for (int i = 0; i < 3; ++i)
      t[3 * a + i] = step.R(i, 0) * g[3 * a] + step.R(i, 1) * g[3 * a + 1] + step.R(i, 2) * g[3 * a + 2];
  }
  const Symmetric3<Pack4>& D = step.spin_inverse;
  for (int b = 1; b < N; ++b) {
    const Pack4* tb = t + 3 * b;
    Matrix3<Pack4> right;  // w D [t_b]x
    for (int i = 0; i < 3; ++i) {
      right(i, 0) = w * (D(i, 1) * tb[2] - D(i, 2) * tb[1]);
      right(i, 1) = w * (D(i, 2) * tb[0] - D(i, 0) * tb[2]);
      right(i, 2) = w * (D(i, 0) * tb[1] - D(i, 1) * tb[0]);
    }
    for (int a = 1; a <= b; ++a) {
      const Matrix3<Pack4> block = cross(t + 3 * a, right);
      const Pack4* ga = g + 3 * a;
      const Pack4 overlap = w * (ga[0] * g[3 * b] + ga[1] * g[3 * b + 1] + ga[2] * g[3 * b + 2]);
      Pack4* out = K + 9 * kernel::upper<N>(a, b);
      for (int e = 0; e < 9; ++e) out[e] += e % 4 == 0 ? block.m[e] + overlap : block.m[e];
    }
  }
}

}  // namespace

VariationalLaw::VariationalLaw(std::shared_ptr<const TetBatch> batch, const std::vector<double>& viscosity)
    : batch_(std::move(batch)) {
  for (int pack = 0; pack < batch_->num_packs(); ++pack)
    twice_viscosity_.push_back(
        Pack4(2.0) * kernel::pack_scale(*batch_, viscosity.data(), pack, kernel::lanes_in_use(*batch_, pack)));
}

std::unique_ptr<TermScratch> VariationalLaw::make_scratch() const { return std::make_unique<Scratch>(); }

template <int N>
void VariationalLaw::hold(const double* q, int begin, int end, std::vector<Held>& held) const {
  Pack4 x[3 * N];
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    kernel::gather<N>(*batch_, q, pack, kernel::lanes_in_use(*batch_, pack), x);
    for (int p = 0; p < batch_->num_points(); ++p) {
      const Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, batch_->pack_gradients(pack, p));
      Held& here = held[at(pack * batch_->num_points() + p)];
      const Pack4 J = determinant(F);
      const auto usable = J > Pack4(least_volume_ratio);
      const Pack4 reciprocal = select(usable, Pack4(1.0) / select(usable, J, Pack4(1.0)), Pack4(0.0));
      here.volume = select(usable, J, Pack4(0.0));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
          here.inverse(i, j) = reciprocal * (F(j1, i1) * F(j2, i2) - F(j1, i2) * F(j2, i1));
        }
    }
  }
}

void VariationalLaw::begin_step(const Vector& q, TermScratch& scratch) const {
  std::vector<Held>& held = static_cast<Scratch&>(scratch).held;
  held.resize(at(batch_->num_packs() * batch_->num_points()));
  batch_->for_each_chunk([&](int begin, int end) {
    if (batch_->nodes_per_tet() == 4)
      hold<4>(q.data(), begin, end, held);
    else
      hold<10>(q.data(), begin, end, held);
  });
}

void VariationalLaw::respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P,
                             GreenTangent<Pack4>&, StiffnessPacks K) const {
  const Held& held =
      static_cast<const Scratch&>(*request.scratch).held[at(here.pack * batch_->num_points() + here.point)];
  const Pack4 scale = twice_viscosity_[at(here.pack)] * held.volume;  // [Pa s]
  const formula::StepStrain<Pack4> step = formula::step_strain(multiply(*here.Fdot, held.inverse), request.dt);
  P = multiply_transposed(step.strain, held.inverse);
  for (Pack4& x : P.m) x *= scale;
  if (request.tangent == nullptr || request.dv_scale == 0) return;
  const Pack4 w = here.w * scale * Pack4(request.dv_scale);
  for (Pack4* triangle : {K.upper, K.lower}) {
    if (triangle == nullptr) continue;
    if (here.nodes == 4)
      add_blocks<4>(step, held.inverse, here.g, w, triangle);
    else
      add_blocks<10>(step, held.inverse, here.g, w, triangle);
  }
}

}  // namespace dashpot
