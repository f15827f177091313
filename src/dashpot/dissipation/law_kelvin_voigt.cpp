#include "dashpot/dissipation/law_kelvin_voigt.hpp"

#include <algorithm>

#include "dashpot/element/green_blocks.hpp"
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
                             StiffnessPacks K) const {
  const Viscosities<Pack4>& m = viscosities_[at(here.pack)];
  Symmetric3<Pack4> S = formula::viscous_stress(m, formula::green_strain_rate(here.F, here.Fdot));
  P = multiply(here.F, S);
  if (K.upper == nullptr) return;
  const Pack4 dv(request.dv_scale), dq(request.dq_scale), w_dq = here.w * dq;
  for (Pack4& x : S.m) x *= w_dq;
  Matrix3<Pack4> G;
  for (int k = 0; k < 9; ++k) G.m[k] = dv * here.F.m[k] + dq * here.Fdot.m[k];
  const Pack4 lambda = here.w * m.lambda, mu = here.w * m.eta;
  if (here.nodes == 4 && K.lower != nullptr)
    kernel::add_green_blocks<4, false>(here.F, G, lambda, mu, S, here.g, K);
  else if (here.nodes == 4)
    kernel::add_green_blocks<4, true>(here.F, G, lambda, mu, S, here.g, K);
  else if (K.lower != nullptr)
    kernel::add_green_blocks<10, false>(here.F, G, lambda, mu, S, here.g, K);
  else
    kernel::add_green_blocks<10, true>(here.F, G, lambda, mu, S, here.g, K);
}

}  // namespace dashpot
