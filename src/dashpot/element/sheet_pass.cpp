#include "dashpot/element/sheet_pass.hpp"

namespace dashpot {
namespace kernel {
Pack4 join_sheets(const SheetCompany& company, const TriangleBatch& batch, int pack, int lanes,
                  const Matrix32<Pack4>& F, StiffnessPacks K) {
  if (K.lower != nullptr)
    for (int e = 0; e < 9; ++e) K.lower[9 * upper<3>(1, 2) + e] = K.upper[9 * upper<3>(1, 2) + e];
  const Matrix32<Pack4> Fdot = gather_sheet(batch, company.velocities(), pack, lanes);
  const Pack4 area = Pack4::load(batch.pack_areas(pack));
  SheetPoint at{pack, batch.pack_gradients(pack), area, &F, &Fdot, nullptr};
  Pack4 power(0.0);
  for (const SheetCompany::Call& call : company.laws()) {
    Matrix32<Pack4> P;
    at.pass_numbers = call.pass_numbers;
    call.law->respond(*call.request, at, P, K);
    Pack4 density(0.0);
    for (int k = 0; k < 6; ++k) {
      density += P.m[k] * Fdot.m[k];
      P.m[k] *= area;
    }
    power += area * density;
    if (call.request->force != nullptr) scatter_sheet_force(batch, pack, lanes, P, call.request->force->data());
  }
  return power;
}

namespace {

double sheets_alone(const SheetCompany& company, const DissipationRequest& request, const TriangleBatch& batch,
                    int begin, int end) {
  Pack4 upper[9 * num_upper<3>], lower[9 * num_upper<3>];
  StiffnessPacks K;
  if (request.tangent != nullptr) K = {upper, company.has_symmetric_tangent() ? nullptr : lower};
  double sum = 0;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    const Matrix32<Pack4> F = gather_sheet(batch, request.q.data(), pack, lanes);
    for (Pack4& entry : upper) entry = Pack4(0.0);
    const Pack4 power = join_sheets(company, batch, pack, lanes, F, K);
    if (request.tangent != nullptr) scatter_stiffness<3>(batch, pack, lanes, upper, K.lower, request.tangent->origin());
    for (int l = 0; l < lanes; ++l) sum += power[l];
  }
  return sum;
}

}  // namespace
}  // namespace kernel

double run_alone(const SheetLaw& law, const DissipationRequest& request) {
  const LawCall call{&law, &request};
  const SheetCompany company(std::span<const LawCall>(&call, 1));
  const TriangleBatch& batch = law.batch();
  return batch.sum_over_chunks(
      [&](int begin, int end) { return kernel::sheets_alone(company, request, batch, begin, end); });
}

}  // namespace dashpot
