#include "dashpot/dissipation/law_maxwell.hpp"

#include "dashpot/dissipation/formula/maxwell_strain.hpp"
#include "dashpot/element/tet_gather.hpp"

namespace dashpot {

using math::Matrix3;
using math::Pack4;
using math::Symmetric3;

namespace {

Symmetric3<Pack4> load_strain(const double* memory) {
  Symmetric3<Pack4> xi;
  for (int k = 0; k < 6; ++k) xi.m[k] = Pack4::load(memory + 4 * k);
  return xi;
}

}  // namespace

MaxwellLaw::MaxwellLaw(std::shared_ptr<const TetBatch> batch, const PartwiseValue& modulus, double tau)
    : batch_(std::move(batch)), tau_(tau) {
  for (int pack = 0; pack < batch_->num_packs(); ++pack) {
    Pack4 G(0.0);
    for (int l = 0; l < kernel::lanes_in_use(*batch_, pack); ++l) G.set(l, modulus.of(batch_->original(4 * pack + l)));
    modulus_.push_back(G);
  }
}

std::unique_ptr<TermScratch> MaxwellLaw::make_scratch() const { return std::make_unique<Scratch>(); }

template <int N>
void MaxwellLaw::hold(const double* q, int begin, int end, std::vector<Symmetric3<Pack4>>& deviator) const {
  Pack4 x[3 * N];
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    kernel::gather<N>(*batch_, q, pack, kernel::lanes_in_use(*batch_, pack), x);
    for (int p = 0; p < batch_->num_points(); ++p)
      deviator[at(pack * batch_->num_points() + p)] =
          formula::green_deviator(kernel::deformation_gradient<N>(x, batch_->pack_gradients(pack, p)));
  }
}

void MaxwellLaw::begin_step(const Vector& q, TermScratch& scratch) const {
  std::vector<Symmetric3<Pack4>>& deviator = static_cast<Scratch&>(scratch).deviator;
  deviator.resize(at(batch_->num_packs() * batch_->num_points()));
  batch_->for_each_chunk([&](int begin, int end) {
    if (batch_->nodes_per_tet() == 4)
      hold<4>(q.data(), begin, end, deviator);
    else
      hold<10>(q.data(), begin, end, deviator);
  });
}

void MaxwellLaw::respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P,
                         GreenTangent<Pack4>& green, StiffnessPacks) const {
  const int point = here.pack * batch_->num_points() + here.point;
  const formula::Relaxation step = formula::relaxation(request.dt, tau_);
  const Pack4 keep(step.keep), take(step.take), G = modulus_[at(here.pack)], twice_G = Pack4(2.0) * G;
  const Matrix3<Pack4>& F = *here.F;
  Symmetric3<Pack4> xi = load_strain(request.internal_variables.data() + 24 * static_cast<Eigen::Index>(point));
  if (step.take != 0) {
    const Symmetric3<Pack4> now = formula::green_deviator(F);
    const Symmetric3<Pack4>& before = static_cast<const Scratch&>(*request.scratch).deviator[at(point)];
    for (int k = 0; k < 6; ++k) xi.m[k] = keep * xi.m[k] + take * (now.m[k] - before.m[k]);
  }
  if (request.new_internal_variables != nullptr)
    for (int k = 0; k < 6; ++k)
      xi.m[k].store(request.new_internal_variables->data() + 24 * static_cast<Eigen::Index>(point) + 4 * k);
  Symmetric3<Pack4> S;
  for (int k = 0; k < 6; ++k) S.m[k] = twice_G * xi.m[k];
  P = multiply(F, S);
  if (request.tangent == nullptr || request.dq_scale == 0) return;
  // dS = 2 G take dev(dE): as elasticity with mu = G take, lambda = -2/3 mu.
  const Pack4 dq(request.dq_scale), mu = dq * G * take, lambda = Pack4(-2.0 / 3) * mu;
  for (int k = 0; k < 9; ++k) {
    green.G_lambda.m[k] += lambda * F.m[k];
    green.G_mu.m[k] += mu * F.m[k];
  }
  for (int k = 0; k < 6; ++k) green.S.m[k] += dq * S.m[k];
}

double MaxwellLaw::stored_energy(const Vector& internal_variables) const {
  double energy = 0;
  for (int pack = 0; pack < batch_->num_packs(); ++pack)
    for (int p = 0; p < batch_->num_points(); ++p) {
      const Symmetric3<Pack4> xi =
          load_strain(internal_variables.data() + 24 * static_cast<Eigen::Index>(pack * batch_->num_points() + p));
      const Pack4 here = Pack4::load(batch_->pack_weights(pack, p)) * modulus_[at(pack)] * formula::squared(xi);
      for (int l = 0; l < 4; ++l) energy += here[l];
    }
  return energy;
}

}  // namespace dashpot
