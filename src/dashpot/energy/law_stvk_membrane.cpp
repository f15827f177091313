// The passes of StvkMembrane, four triangles at a time.

#include "dashpot/element/green_sheet.hpp"
#include "dashpot/element/sheet_pass.hpp"
#include "dashpot/energy/stvk_membrane.hpp"

namespace dashpot {
namespace {

using math::Matrix32;
using math::Pack4;

/// A C of four triangles, row by row.
void load_stiffness(const double* pack, Pack4 C[9]) {
  Pack4 c[6];
  for (int k = 0; k < 6; ++k) c[k] = Pack4::load(pack + 4 * k);
  const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  for (int k = 0; k < 9; ++k) C[k] = c[entry[k]];
}

/// S of the Green strain of F [J, with the area]; returns the energies.
Pack4 membrane_stress(const Pack4 C[9], const Matrix32<Pack4>& F, Pack4 S[3]) {
  Pack4 E[3];
  green_sheet_rate(F, F, E);
  E[0] = Pack4(0.5) * (E[0] - Pack4(1.0));
  E[1] = Pack4(0.5) * (E[1] - Pack4(1.0));
  E[2] *= Pack4(0.5);  // f1 . f2 + f2 . f1 is twice 2 E12
  Pack4 energy(0.0);
  for (int i = 0; i < 3; ++i) {
    S[i] = C[3 * i] * E[0] + C[3 * i + 1] * E[1] + C[3 * i + 2] * E[2];
    energy += S[i] * E[i];
  }
  return Pack4(0.5) * energy;
}

}  // namespace

double StvkMembrane::run(const SheetTask<Tangent>& task) const {
  const auto elastic = [&](int p, const Matrix32<Pack4>& F, Matrix32<Pack4>& P) {
    Pack4 C[9], S[3];
    load_stiffness(packs_.data() + 24 * p, C);
    const Pack4 energy = membrane_stress(C, F, S);
    green_sheet_stress(F, S, P);
    return energy;
  };
  const auto blocks = [&](int p, const Matrix32<Pack4>& F, Pack4 scale, Pack4* K) {
    Pack4 C[9], S[3];
    load_stiffness(packs_.data() + 24 * p, C);
    membrane_stress(C, F, S);
    if (task.kind == Tangent::projected) clamp_sheet_stress(S);
    if (task.kind == Tangent::gauss_newton) S[0] = S[1] = S[2] = Pack4(0.0);
    const StiffnessPacks upper{K};
    for (int a = 1; a < 3; ++a)
      for (int e = 0; e < 9 * (3 - a); ++e) K[9 * kernel::upper<3>(a, a) + e] = Pack4(0.0);
    add_green_sheet_blocks(F, F, C, scale, batch_->pack_gradients(p), upper);
    add_sheet_stress_blocks(S, scale, batch_->pack_gradients(p), upper);
  };
  return batch_->sum_over_chunks(
      [&](int begin, int end) { return kernel::run_sheets(*batch_, task, begin, end, elastic, blocks); });
}

double StvkMembrane::evaluate(const EnergyRequest& request) const {
  SheetTask<Tangent> task;
  task.q = request.q.data();
  task.gradient = request.gradient != nullptr ? request.gradient->data() : nullptr;
  task.stiffness = request.hessian;
  task.stiffness_scale = request.hessian_scale;
  task.kind = request.projection == Projection::none ? Tangent::exact : Tangent::projected;
  const SheetCompany company(request.companions);
  if (!company.is_empty()) task.company = &company;
  return run(task);
}

void StvkMembrane::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                 BlockMatrix& K) const {
  SheetTask<Tangent> task;
  task.q = part == StiffnessPart::rest ? rest_.data() : q.data();
  task.stiffness = &K;
  task.element_scale = element_scale.data();
  task.kind = part == StiffnessPart::gauss_newton ? Tangent::gauss_newton : Tangent::projected;
  run(task);
}

}  // namespace dashpot
