#include "dashpot/dissipation/law_kelvin_voigt.hpp"

#include "dashpot/element/tet_gather.hpp"

namespace dashpot {

using formula::Viscosities;
using math::Matrix3;
using math::Pack4;
using math::Symmetric3;

KelvinVoigtLaw::KelvinVoigtLaw(std::shared_ptr<const TetBatch> batch, const std::vector<Viscosities<double>>& of_tet)
    : batch_(std::move(batch)) {
  for (int pack = 0; pack < batch_->num_packs(); ++pack) {
    Viscosities<Pack4> here{};
    for (int l = 0; l < kernel::lanes_in_use(*batch_, pack); ++l) {
      const Viscosities<double>& m = of_tet[at(batch_->original(4 * pack + l))];
      here.eta.set(l, m.eta);
      here.lambda.set(l, m.lambda);
    }
    viscosities_.push_back(here);
  }
}

void KelvinVoigtLaw::respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P,
                             GreenTangent<Pack4>& green, StiffnessPacks) const {
  const Viscosities<Pack4>& m = viscosities_[at(here.pack)];
  const Matrix3<Pack4>&F = *here.F, &Fdot = *here.Fdot;
  const Symmetric3<Pack4> S = formula::viscous_stress(m, formula::green_strain_rate(F, Fdot));
  P = multiply(F, S);
  if (request.tangent == nullptr) return;
  const Pack4 dv(request.dv_scale), dq(request.dq_scale);
  for (int k = 0; k < 9; ++k) {
    const Pack4 G = dv * F.m[k] + dq * Fdot.m[k];
    green.G_lambda.m[k] += m.lambda * G;
    green.G_mu.m[k] += m.eta * G;
  }
  for (int k = 0; k < 6; ++k) green.S.m[k] += dq * S.m[k];
}

}  // namespace dashpot
