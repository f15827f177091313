// St. Venant-Kirchhoff. Tets of 4 nodes have a kernel of their own, without frames and without singular values:
//     K_ab = w [ (g_a . S g_b) I + lambda h_a h_b^T + mu (h_b h_a^T + (g_a . g_b) F F^T) ],   h_a = F g_a,
// where the first term is the geometric one. 10-node tets and the projected tangent take the general path.

#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/formula/stretch_laws.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"
#include "dashpot/model/stvk_source.hpp"

namespace dashpot {
namespace {

using formula::TangentKind;
using math::Matrix3;
using math::Pack4;
using math::Symmetric3;

struct StvkLaw : LameLaw {
  static constexpr const char* name = "stvk";
  template <class T>
  [[gnu::noinline]] static void respond(const formula::Lame<T>& m, const Matrix3<T>& F, TangentKind kind,
                                        formula::PointResponse<T>& out) {
    if (kind == TangentKind::projected)
      formula::stretch_response<formula::StVenantKirchhoff>(m, F, kind, out);
    else
      formula::stvk_response(m, F, kind, out);
  }
};

/// Upper blocks (a, b), 1 <= a <= b, of w K. S is read only with the geometric term.
template <bool has_geometric>
[[gnu::always_inline]] inline void stvk_blocks(const formula::Lame<Pack4>& m, const Matrix3<Pack4>& F,
                                               const Symmetric3<Pack4>& S, const double* g, Pack4 w, Pack4* K) {
  Pack4 grad[4][3], h[4][3];
  for (int a = 1; a < 4; ++a) {
    for (int c = 0; c < 3; ++c) grad[a][c] = Pack4::load(g + 12 * a + 4 * c);
    for (int i = 0; i < 3; ++i) h[a][i] = F(i, 0) * grad[a][0] + F(i, 1) * grad[a][1] + F(i, 2) * grad[a][2];
  }
  const Pack4 mu = w * m.mu, lambda = w * m.lambda;
  Symmetric3<Pack4> FFt;
  for (int i = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k) FFt(i, k) = mu * (F(i, 0) * F(k, 0) + F(i, 1) * F(k, 1) + F(i, 2) * F(k, 2));
#pragma GCC unroll 3
  for (int b = 1; b < 4; ++b) {
    Pack4 lambda_h[3], mu_h[3], Sg[3];
    for (int i = 0; i < 3; ++i) {
      lambda_h[i] = lambda * h[b][i];
      mu_h[i] = mu * h[b][i];
      if (has_geometric) Sg[i] = w * (S(i, 0) * grad[b][0] + S(i, 1) * grad[b][1] + S(i, 2) * grad[b][2]);
    }
#pragma GCC unroll 3
    for (int a = 1; a <= b; ++a) {
      Pack4* out = K + 9 * kernel::upper<4>(a, b);
      const Pack4 overlap = grad[a][0] * grad[b][0] + grad[a][1] * grad[b][1] + grad[a][2] * grad[b][2];
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) out[3 * k + i] = h[a][i] * lambda_h[k] + mu_h[i] * h[a][k] + overlap * FFt(i, k);
      if (!has_geometric) continue;
      const Pack4 stress = grad[a][0] * Sg[0] + grad[a][1] * Sg[1] + grad[a][2] * Sg[2];
      for (int k = 0; k < 9; k += 4) out[k] += stress;
    }
  }
}

class StvkElasticity : public TetElasticityOf<StvkLaw>, public StvkSource {
 public:
  using TetElasticityOf<StvkLaw>::TetElasticityOf;

  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers = TetElasticityOf<StvkLaw>::capabilities();
    offers.stvk = this;
    return offers;
  }
  const TetBatch& stvk_batch() const override { return batch(); }
  std::vector<Lame> stvk_parameters() const override {
    std::vector<Lame> of_element(static_cast<std::size_t>(batch().num_tets()));
    for (int i = 0; i < batch().num_tets(); ++i) {
      const formula::Lame<Pack4>& m = parameters(i / 4);
      of_element[static_cast<std::size_t>(batch().original(i))] = {m.lambda[i % 4], m.mu[i % 4]};
    }
    return of_element;
  }

 protected:
  double run(const Task& task, int begin, int end) const override {
    if (batch().nodes_per_tet() != 4 || task.q == nullptr || task.kind == TangentKind::projected)
      return TetElasticityOf<StvkLaw>::run(task, begin, end);
    if (task.company != nullptr) return company_loop(task, begin, end);
    return task.kind == TangentKind::gauss_newton ? fast_loop<false>(task, begin, end)
                                                  : fast_loop<true>(task, begin, end);
  }

 private:
  template <bool has_geometric>
  double fast_loop(const Task& task, int begin, int end) const {
    double energy = 0;
    const bool is_large = task.stiffness != nullptr && task.stiffness->num_values() > kernel::prefetch_from_values;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      if (is_large && 4 * pack + 8 <= end) kernel::prefetch_blocks<4>(batch(), pack + 1, task.stiffness->origin());
      const int lanes = kernel::lanes_in_use(batch(), pack);
      energy += lanes == 4 ? fast_pack<has_geometric>(task, pack, 4) : fast_pack<has_geometric>(task, pack, lanes);
    }
    return energy;
  }

  template <bool has_geometric>
  [[gnu::always_inline]] inline double fast_pack(const Task& task, int pack, int lanes) const {
    const formula::Lame<Pack4>& m = parameters(pack);
    const double* g = batch().pack_gradients(pack, 0);
    const Pack4 w = Pack4::load(batch().pack_weights(pack, 0));
    Pack4 x[12];
    kernel::gather<4>(batch(), task.q, pack, lanes, x);
    const Matrix3<Pack4> F = kernel::deformation_gradient<4>(x, g);
    Symmetric3<Pack4> S;
    const Pack4 energy = w * formula::hooke(m, formula::green_strain(F), S);
    if (task.gradient != nullptr) {
      Pack4 f[12];
      kernel::add_force<4, false>(math::multiply(F, S), g, w, f);
      kernel::scatter_force<4>(batch(), pack, lanes, f, task.gradient);
    }
    if (task.stiffness != nullptr) {
      Pack4 scale(task.stiffness_scale), K[9 * kernel::num_upper<4>];
      if (task.element_scale != nullptr) scale *= kernel::pack_scale(batch(), task.element_scale, pack, lanes);
      stvk_blocks<has_geometric>(m, F, S, g, w * scale, K);
      kernel::scatter_symmetric<4>(batch(), pack, lanes, K, task.stiffness->origin());
    }
    double sum = 0;
    for (int l = 0; l < lanes; ++l) sum += energy[l];
    return sum;
  }

  /// The same with dampings that go along. Those in the Green strain are one tangent with the elasticity.
  double company_loop(const Task& task, int begin, int end) const {
    double energy = 0;
    const bool is_large = task.stiffness != nullptr && task.stiffness->num_values() > kernel::prefetch_from_values;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      if (is_large && 4 * pack + 8 <= end) kernel::prefetch_blocks<4>(batch(), pack + 1, task.stiffness->origin());
      const int lanes = kernel::lanes_in_use(batch(), pack);
      const Pack4 of_tet = lanes == 4 ? company_pack(task, pack, 4) : company_pack(task, pack, lanes);
      for (int l = 0; l < lanes; ++l) energy += of_tet[l];
    }
    return energy;
  }

  [[gnu::always_inline]] inline Pack4 company_pack(const Task& task, int pack, int lanes) const {
    const formula::Lame<Pack4>& m = parameters(pack);
    const double* g = batch().pack_gradients(pack, 0);
    const Pack4 w = Pack4::load(batch().pack_weights(pack, 0));
    Pack4 x[12], K[9 * kernel::num_upper<4>], lower[9 * kernel::num_upper<4>];
    kernel::PackMotion<4> motion;
    const Matrix3<Pack4>& F = motion.F[0];
    GreenTangent<Pack4>& green = motion.green[0];
    const StiffnessPacks both = task.stiffness_packs(K, lower);
    kernel::gather<4>(batch(), task.q, pack, lanes, x);
    motion.F[0] = kernel::deformation_gradient<4>(x, g);
    const Pack4 energy = w * formula::hooke(m, formula::green_strain(F), green.S);
    if (task.gradient != nullptr) {
      Pack4 f[12];
      kernel::add_force<4, false>(math::multiply(F, green.S), g, w, f);
      kernel::scatter_force<4>(batch(), pack, lanes, f, task.gradient);
    }
    if (task.stiffness != nullptr) {
      const Pack4 scale(task.stiffness_scale), lambda = scale * m.lambda, mu = scale * m.mu;
      for (Pack4& s : green.S.m) s *= scale;
      for (int k = 0; k < 9; ++k) green.G_lambda.m[k] = lambda * F.m[k], green.G_mu.m[k] = mu * F.m[k];
    }
    kernel::join<4>(*task.company, TangentForm::green, batch(), pack, lanes, motion, both);
    if (both.lower != nullptr)
      kernel::green_blocks<4, false, kernel::Store::write>(F, green, g, w, both);
    else if (both.upper != nullptr)
      kernel::green_blocks<4, true, kernel::Store::write>(F, green, g, w, both);
    if (task.company->has(TangentForm::blocks))
      kernel::join<4>(*task.company, TangentForm::blocks, batch(), pack, lanes, motion, both);
    if (task.stiffness != nullptr)
      kernel::scatter_stiffness<4>(batch(), pack, lanes, K, both.lower, task.stiffness->origin());
    return energy;
  }
};

}  // namespace

constinit const IsotropicLaw IsotropicLaw::stvk{StvkLaw::name, &maker::make_source<StvkElasticity>};

}  // namespace dashpot
