// Strain-rate laws of tets: isotropic and anisotropic, in either metric.

#include <utility>
#include <vector>

#include "dashpot/dissipation/law_rate.hpp"
#include "dashpot/dissipation/rate_blocks.hpp"
#include "dashpot/dissipation/rate_factor.hpp"
#include "dashpot/element/tet_gather.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Pack4;
using math::Symmetric3;
using rate_kernel::MovingTets;

/// The numbers of four tets, lane by lane; zero in surplus lanes.
template <class Numbers>
std::vector<Numbers> packed(const ElementBatch& batch, const Moduli& moduli) {
  std::vector<Numbers> packs(at(batch.num_packs()));
  for (int pack = 0; pack < batch.num_packs(); ++pack) {
    Pack4* out = reinterpret_cast<Pack4*>(&packs[at(pack)]);
    for (int k = 0; k < Moduli::numbers(moduli.kind); ++k) {
      out[k] = Pack4(0.0);
      for (int l = 0; l < kernel::lanes_in_use(batch, pack); ++l)
        out[k].set(l, moduli.of(batch.original(4 * pack + l))[k]);
    }
  }
  return packs;
}

class TetRateLaw : public TetLaw {
 public:
  TetRateLaw(std::shared_ptr<const TetBatch> batch, const StrainRateOptions& options)
      : batch_(std::move(batch)), options_(options) {}
  const TetBatch& batch() const override { return *batch_; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override {
    return request.dq_scale == 0 || !exact();
  }

 protected:
  bool exact() const { return options_.tangent == RateTangent::exact; }
  std::shared_ptr<const TetBatch> batch_;
  StrainRateOptions options_;
};

/// lambda, mu of four tets.
struct LamePack {
  Pack4 lambda, mu;
};

class IsotropicRateLaw final : public TetRateLaw {
 public:
  IsotropicRateLaw(std::shared_ptr<const TetBatch> batch, const Moduli& viscosities, const StrainRateOptions& options)
      : TetRateLaw(std::move(batch), options), viscosities_(packed<LamePack>(*batch_, viscosities)) {}
  /// Newtonian laws in the Green strain are as cheap as elasticity's own tangent.
  TangentForm tangent_form() const override {
    return options_.metric == StrainMetric::green && options_.is_newtonian() ? TangentForm::green : TangentForm::blocks;
  }
  void respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, GreenTangent<Pack4>& green,
               StiffnessPacks blocks) const override {
    if (options_.metric == StrainMetric::corotational) return respond_in<true>(request, here, P, blocks);
    if (tangent_form() == TangentForm::blocks) return respond_in<false>(request, here, P, blocks);
    const LamePack& m = viscosities_[at(here.pack)];
    const Symmetric3<Pack4> S =
        formula::isotropic_stress(m.lambda, m.mu, formula::green_strain_rate(*here.F, *here.Fdot));
    P = multiply(*here.F, S);
    if (request.tangent != nullptr) add_green(request, here, S, green);
  }

 private:
  void add_green(const DissipationRequest& request, const PackPoint& here, const Symmetric3<Pack4>& S,
                 GreenTangent<Pack4>& green) const {
    const LamePack& m = viscosities_[at(here.pack)];
    const Pack4 dv(request.dv_scale), dq(request.dq_scale), of_rate(exact() ? request.dq_scale : 0.0);
    for (int k = 0; k < 9; ++k) {
      const Pack4 G = dv * here.F->m[k] + of_rate * here.Fdot->m[k];
      green.G_lambda.m[k] += m.lambda * G;
      green.G_mu.m[k] += m.mu * G;
    }
    if (request.dq_scale == 0 || options_.tangent == RateTangent::velocity) return;
    const Symmetric3<Pack4> stress = exact() ? S : positive_part3(S);
    for (int k = 0; k < 6; ++k) green.S.m[k] += dq * stress.m[k];
  }
  template <bool corotational>
  void respond_in(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, StiffnessPacks K) const {
    const MovingTets<corotational> moving(here);
    const LamePack& m = viscosities_[at(here.pack)];
    formula::IsotropicRateStiffness<Pack4> D;
    const Symmetric3<Pack4> T = formula::isotropic_rate_stress(
        {m.mu, m.lambda}, rate_factor(options_, Pack4(2.0) * formula::contract(moving.e, moving.e)), moving.e, D);
    rate_kernel::respond_in_blocks<corotational>(request, here, moving, T, D, options_.tangent, P, K);
  }

  std::vector<LamePack> viscosities_;
};

class AnisotropicRateLaw final : public TetRateLaw {
 public:
  AnisotropicRateLaw(std::shared_ptr<const TetBatch> batch, const Moduli& viscosities, const StrainRateOptions& options)
      : TetRateLaw(std::move(batch), options),
        viscosities_(packed<formula::SolidViscosity<Pack4>>(*batch_, viscosities)) {}
  TangentForm tangent_form() const override { return TangentForm::blocks; }
  void respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, GreenTangent<Pack4>&,
               StiffnessPacks blocks) const override {
    if (options_.metric == StrainMetric::corotational)
      respond_in<true>(request, here, P, blocks);
    else
      respond_in<false>(request, here, P, blocks);
  }

 private:
  template <bool corotational>
  void respond_in(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, StiffnessPacks K) const {
    const MovingTets<corotational> moving(here);
    formula::SolidRateStiffness<Pack4> D{};
    D.D = &viscosities_[at(here.pack)];
    D.is_turned = corotational;
    if constexpr (corotational) D.V = moving.V;
    D.De = formula::multiply_turned(D, moving.e);
    // Entries (4, 4), (5, 5) and (6, 6) of the matrix; tets without shear viscosity have no rate of their own.
    const Pack4 shear = (D.D->m[15] + D.D->m[18] + D.D->m[20]) / Pack4(3.0);
    const auto has_shear = shear > Pack4(0.0);
    const Pack4 over = select(has_shear, Pack4(1.0) / select(has_shear, shear, Pack4(1.0)), Pack4(0.0));
    const formula::RateFactor<Pack4> a =
        rate_factor(options_, max(over * formula::contract(moving.e, D.De), Pack4(0.0)));
    D.factor = a.factor;
    D.along = Pack4(2.0) * a.slope * over;
    Symmetric3<Pack4> T = D.De;
    for (Pack4& t : T.m) t *= a.factor;
    rate_kernel::respond_in_blocks<corotational>(request, here, moving, T, D, options_.tangent, P, K);
  }

  std::vector<formula::SolidViscosity<Pack4>> viscosities_;
};

}  // namespace

std::shared_ptr<const PointLaw> tet_rate_law(std::shared_ptr<const TetBatch> batch, const Moduli& viscosities,
                                             const StrainRateOptions& options) {
  if (viscosities.kind == Moduli::Kind::lame)
    return std::make_shared<IsotropicRateLaw>(std::move(batch), viscosities, options);
  return std::make_shared<AnisotropicRateLaw>(std::move(batch), viscosities, options);
}

}  // namespace dashpot
