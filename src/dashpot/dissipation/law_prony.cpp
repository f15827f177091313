// Prony series on each kind of element: the branches are the same, elastic moduli and tangents differ.

#include "dashpot/dissipation/formula/rate_density.hpp"
#include "dashpot/dissipation/law_prony_branches.hpp"
#include "dashpot/dissipation/rate_blocks.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Matrix32;
using math::Pack4;
using math::Symmetric3;

Symmetric3<Pack4> as_symmetric(const Pack4* x) {
  Symmetric3<Pack4> result;
  for (int k = 0; k < 6; ++k) result.m[k] = x[k];
  return result;
}

class IsotropicProny final : public PronyOf<GreenTets, 2> {
 public:
  using PronyOf::PronyOf;
  TangentForm tangent_form() const override { return TangentForm::green; }
  void respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, GreenTangent<Pack4>& green,
               StiffnessPacks) const override {
    Symmetric3<Pack4> xi;
    const Pack4 slope = advance(request, here, xi.m);
    const Pack4 *m = moduli(here.pack), dq(request.dq_scale);
    const Symmetric3<Pack4> S = formula::isotropic_stress(m[0], m[1], xi);
    P = multiply(*here.F, S);
    if (request.tangent == nullptr || request.dq_scale == 0) return;
    const Pack4 lambda = dq * slope * m[0], mu = dq * slope * m[1];
    for (int k = 0; k < 9; ++k) {
      green.G_lambda.m[k] += lambda * here.F->m[k];
      green.G_mu.m[k] += mu * here.F->m[k];
    }
    for (int k = 0; k < 6; ++k) green.S.m[k] += dq * S.m[k];
  }

 protected:
  void multiply_moduli(int pack, const Pack4* x, Pack4* S) const override {
    const Symmetric3<Pack4> stress = formula::isotropic_stress(moduli(pack)[0], moduli(pack)[1], as_symmetric(x));
    for (int k = 0; k < 6; ++k) S[k] = stress.m[k];
  }
};

class AnisotropicProny final : public PronyOf<GreenTets, 21> {
 public:
  using PronyOf::PronyOf;
  TangentForm tangent_form() const override { return TangentForm::blocks; }
  void respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, GreenTangent<Pack4>&,
               StiffnessPacks K) const override {
    Pack4 xi[6], S[6];
    formula::SolidRateStiffness<Pack4> D{};
    D.factor = advance(request, here, xi);
    multiply_moduli(here.pack, xi, S);
    const Symmetric3<Pack4> stress = as_symmetric(S);
    P = multiply(*here.F, stress);
    if (request.tangent == nullptr || request.dq_scale == 0) return;
    formula::SolidViscosity<Pack4> C;
    for (int k = 0; k < 21; ++k) C.m[k] = moduli(here.pack)[k];
    D.D = &C;
    rate_kernel::add_strain_blocks(here, Pack4(request.dq_scale), stress, D, K);
  }

 protected:
  void multiply_moduli(int pack, const Pack4* x, Pack4* S) const override {
    formula::SolidViscosity<Pack4> C;
    for (int k = 0; k < 21; ++k) C.m[k] = moduli(pack)[k];
    const Symmetric3<Pack4> stress = formula::multiply(C, as_symmetric(x));
    for (int k = 0; k < 6; ++k) S[k] = stress.m[k];
  }
};

class SheetProny final : public PronyOf<GreenSheets, 6> {
 public:
  using PronyOf::PronyOf;
  void respond(const DissipationRequest& request, const SheetPoint& here, Matrix32<Pack4>& P,
               StiffnessPacks K) const override {
    Pack4 xi[3], S[3];
    const Pack4 slope = advance(request, here, xi), dq(request.dq_scale);
    multiply_moduli(here.pack, xi, S);
    green_sheet_stress(*here.F, S, P);
    if (request.tangent == nullptr || request.dq_scale == 0) return;
    const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    Pack4 C[9];
    for (int k = 0; k < 9; ++k) C[k] = dq * slope * moduli(here.pack)[entry[k]];
    add_green_sheet_blocks(*here.F, *here.F, C, here.area, here.g, K);
    add_sheet_stress_blocks(S, dq * here.area, here.g, K);
  }

 protected:
  void multiply_moduli(int pack, const Pack4* x, Pack4* S) const override {
    const Pack4* d = moduli(pack);
    S[0] = d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
    S[1] = d[1] * x[0] + d[3] * x[1] + d[4] * x[2];
    S[2] = d[2] * x[0] + d[4] * x[1] + d[5] * x[2];
  }
};

template <class Metric>
class MeasureProny final : public PronyOf<Metric, 1> {
 public:
  using PronyOf<Metric, 1>::PronyOf;
  void respond(const DissipationRequest& request, const MeasurePoint& here, MeasureResponse& out) const override {
    const Pack4 slope = this->advance(request, here, &out.tension), c = this->moduli(here.pack)[0];
    out.tension *= c;
    out.by_measure = c * slope;
    out.by_rate = Pack4(0.0);
  }

 protected:
  void multiply_moduli(int pack, const Pack4* x, Pack4* S) const override { S[0] = this->moduli(pack)[0] * x[0]; }
};

}  // namespace

std::shared_ptr<const PronyLaw> make_prony_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                               const std::vector<PronyBranch>& branches) {
  switch (moduli.kind) {
    case Moduli::Kind::lame:
      return std::make_shared<IsotropicProny>(std::static_pointer_cast<const TetBatch>(batch), moduli, branches);
    case Moduli::Kind::solid:
      return std::make_shared<AnisotropicProny>(std::static_pointer_cast<const TetBatch>(batch), moduli, branches);
    case Moduli::Kind::sheet:
      return std::make_shared<SheetProny>(std::static_pointer_cast<const TriangleBatch>(batch), moduli, branches);
    case Moduli::Kind::line:
      return std::make_shared<MeasureProny<LineMeasure>>(std::static_pointer_cast<const LineBatch>(batch), moduli,
                                                         branches);
    case Moduli::Kind::hinge:
      return std::make_shared<MeasureProny<HingeMeasure>>(std::static_pointer_cast<const HingeBatch>(batch), moduli,
                                                          branches);
  }
  return nullptr;
}

}  // namespace dashpot
