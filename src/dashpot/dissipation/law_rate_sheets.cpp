// Strain-rate laws of triangles in their plane, in either metric.

#include <utility>
#include <vector>

#include "dashpot/dissipation/formula/sheet_metric.hpp"
#include "dashpot/dissipation/law_rate.hpp"
#include "dashpot/dissipation/rate_factor.hpp"
#include "dashpot/element/gather.hpp"
#include "dashpot/element/green_sheet.hpp"

namespace dashpot {
namespace {

using math::Matrix32;
using math::Pack4;

class SheetRateLaw final : public SheetLaw {
 public:
  SheetRateLaw(std::shared_ptr<const TriangleBatch> batch, const Moduli& viscosities, const StrainRateOptions& options)
      : batch_(std::move(batch)), options_(options), D_(at(6 * batch_->num_packs()), Pack4(0.0)) {
    for (int i = 0; i < batch_->num_elements(); ++i)
      for (int k = 0; k < 6; ++k) D_[at(6 * (i / 4) + k)].set(i % 4, viscosities.of(batch_->original(i))[k]);
  }
  const TriangleBatch& batch() const override { return *batch_; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override {
    return request.dq_scale == 0 || !exact();
  }
  void respond(const DissipationRequest& request, const SheetPoint& here, Matrix32<Pack4>& P,
               StiffnessPacks K) const override {
    const Matrix32<Pack4>&F = *here.F, &Fdot = *here.Fdot;
    const bool corotational = options_.metric == StrainMetric::corotational;
    Pack4 A[3], e[3], T[3], D[9], Lambda[9];
    green_sheet_rate(F, Fdot, A);
    for (int i = 0; i < 3; ++i) e[i] = A[i];
    if (corotational) {
      formula::sheet_stretch_solve(F, Lambda);
      for (int i = 0; i < 3; ++i) e[i] = Lambda[3 * i] * A[0] + Lambda[3 * i + 1] * A[1] + Lambda[3 * i + 2] * A[2];
    }
    rate_stress(here.pack, e, T, D);
    Pack4 Z[3] = {T[0], T[1], T[2]};
    if (corotational)
      for (int i = 0; i < 3; ++i) Z[i] = Lambda[i] * T[0] + Lambda[3 + i] * T[1] + Lambda[6 + i] * T[2];
    green_sheet_stress(F, Z, P);
    if (request.tangent == nullptr) return;
    if (corotational) {  // D becomes M_1 = Lambda^T D Lambda
      Pack4 right[9];
      formula::multiply3(D, Lambda, right);
      formula::multiply3_transposed(Lambda, right, D);
    }
    add_tangent(request, here, D, e, Z, corotational ? Lambda : nullptr, K);
  }

 private:
  bool exact() const { return options_.tangent == RateTangent::exact; }

  /// T = a D e and dT/de of a pack, row by row (formula/rate_density.hpp, with the one shear viscosity of the sheet).
  void rate_stress(int pack, const Pack4 e[3], Pack4 T[3], Pack4 D[9]) const {
    const Pack4* d = &D_[at(6 * pack)];
    const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int k = 0; k < 9; ++k) D[k] = d[entry[k]];
    for (int i = 0; i < 3; ++i) T[i] = D[3 * i] * e[0] + D[3 * i + 1] * e[1] + D[3 * i + 2] * e[2];
    if (options_.is_newtonian()) return;
    const auto has_shear = D[8] > Pack4(0.0);
    const Pack4 over = select(has_shear, Pack4(1.0) / select(has_shear, D[8], Pack4(1.0)), Pack4(0.0));
    const formula::RateFactor<Pack4> a =
        rate_factor(options_, max(over * (e[0] * T[0] + e[1] * T[1] + e[2] * T[2]), Pack4(0.0)));
    const Pack4 along = Pack4(2.0) * a.slope * over;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) D[3 * i + k] = a.factor * D[3 * i + k] + along * T[i] * T[k];
    for (int i = 0; i < 3; ++i) T[i] *= a.factor;
  }

  /// K = w [ B(F) M_1 B(G)^T + dq B(F) M_2 B(F)^T + dq g . Z g ].
  void add_tangent(const DissipationRequest& request, const SheetPoint& here, const Pack4 M1[9], const Pack4 e[3],
                   const Pack4 Z[3], const Pack4* Lambda, StiffnessPacks K) const {
    const Matrix32<Pack4>&F = *here.F, &Fdot = *here.Fdot;
    const Pack4 dv(request.dv_scale), dq(request.dq_scale), of_rate(exact() ? request.dq_scale : 0.0);
    Matrix32<Pack4> G;
    for (int k = 0; k < 6; ++k) G.m[k] = dv * F.m[k] + of_rate * Fdot.m[k];
    add_green_sheet_blocks(F, G, M1, here.area, here.g, K);
    if (request.dq_scale == 0 || options_.tangent == RateTangent::velocity) return;
    Pack4 stress[3] = {Z[0], Z[1], Z[2]};
    if (!exact()) clamp_sheet_stress(stress);
    add_sheet_stress_blocks(stress, dq * here.area, here.g, K);
    if (Lambda == nullptr || !exact()) return;
    Pack4 M2[9];
    formula::corotational_sheet_turning(Lambda, M1, e, Z, M2);
    add_green_sheet_blocks(F, F, M2, dq * here.area, here.g, K);
  }

  std::shared_ptr<const TriangleBatch> batch_;
  StrainRateOptions options_;
  std::vector<Pack4> D_;  ///< six numbers of four triangles [N s/m]
};

}  // namespace

std::shared_ptr<const PointLaw> sheet_rate_law(std::shared_ptr<const TriangleBatch> batch, const Moduli& viscosities,
                                               const StrainRateOptions& options) {
  return std::make_shared<SheetRateLaw>(std::move(batch), viscosities, options);
}

}  // namespace dashpot
