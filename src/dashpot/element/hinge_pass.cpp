#include "dashpot/element/hinge_pass.hpp"

namespace dashpot {
namespace kernel {
namespace {

/// H_ab of nodes a <= b among 1, 2, 3 (e, p, r); null: zero.
const Pack4* curvature_block(const HingeCurvature<Pack4>& H, int a, int b) {
  if (a == 1) return b == 1 ? H.ee : b == 2 ? H.ep : H.er;
  return a != b ? nullptr : a == 2 ? H.pp : H.rr;
}

/// H v of the nodes 1, 2, 3, given their velocities against node 0.
void curvature_times(const HingeCurvature<Pack4>& H, const Pack4 v[9], Pack4 out[9]) {
  for (int i = 0; i < 9; ++i) out[i] = Pack4(0.0);
  for (int a = 1; a < 4; ++a)
    for (int b = a; b < 4; ++b) {
      const Pack4* block = curvature_block(H, a, b);
      if (block == nullptr) continue;
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          out[3 * a - 3 + r] += block[3 * c + r] * v[3 * b - 3 + c];
          if (a != b) out[3 * b - 3 + c] += block[3 * c + r] * v[3 * a - 3 + r];
        }
    }
}

/// K_ab += g_a t_b^T, in both triangles.
void add_turned(const Pack4 g[9], const Pack4 t[9], StiffnessPacks K) {
  for (int a = 1; a < 4; ++a)
    for (int b = a; b < 4; ++b)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const int block = 9 * upper<4>(a, b) + 3 * c + r;
          K.upper[block] += g[3 * a - 3 + r] * t[3 * b - 3 + c];
          if (a != b) K.lower[block] += g[3 * b - 3 + c] * t[3 * a - 3 + r];  // the transpose of K_ba
        }
}

}  // namespace

void add_hinge_blocks(const HingePack& hinge, Pack4 along, const Pack4* bent, Pack4* K) {
  for (int a = 1; a < 4; ++a)
    for (int b = a; b < 4; ++b) {
      Pack4* out = K + 9 * upper<4>(a, b);
      const Pack4* block = bent != nullptr ? curvature_block(hinge.H, a, b) : nullptr;
      for (int c = 0; c < 3; ++c) {
        const Pack4 right = along * hinge.g[3 * b - 3 + c];
        for (int r = 0; r < 3; ++r) {
          out[3 * c + r] += hinge.g[3 * a - 3 + r] * right;
          if (block != nullptr) out[3 * c + r] += *bent * block[3 * c + r];
        }
      }
    }
}

Pack4 join_hinges(const HingeCompany& company, const HingeBatch& batch, int pack, int lanes, const HingePack& hinge,
                  StiffnessPacks K) {
  const HingeEdges<Pack4> moves = gather_hinges(batch, company.velocities(), pack, lanes);
  Pack4 v[9];
  MeasurePoint at{pack, hinge.angle, Pack4(0.0), nullptr};
  for (int i = 0; i < 3; ++i) v[i] = moves.e[i], v[3 + i] = moves.p[i], v[6 + i] = moves.r[i];
  for (int i = 0; i < 9; ++i) at.rate += hinge.g[i] * v[i];
  Pack4 power(0.0), along(0.0), bent(0.0), turning(0.0);
  bool is_exact = false;
  for (const HingeCompany::Call& call : company.laws()) {
    MeasureResponse r;
    at.pass_numbers = call.pass_numbers;
    call.law->respond(*call.request, at, r);
    power += r.tension * at.rate;
    if (call.request->force != nullptr)
      scatter_hinge_force(batch, pack, lanes, hinge, r.tension, call.request->force->data());
    if (K.upper == nullptr) continue;
    const Pack4 dv(call.request->dv_scale), dq(call.request->dq_scale);
    const bool exact = call.law->has_exact_tangent();
    along += dv * r.by_rate + dq * (exact ? r.by_measure : max(r.by_measure, Pack4(0.0)));
    if (!exact || call.request->dq_scale == 0) continue;
    is_exact = true;
    bent += dq * r.tension;
    turning += dq * r.by_rate;
  }
  if (K.upper == nullptr) return power;
  add_hinge_blocks(hinge, along, is_exact ? &bent : nullptr, K.upper);
  if (K.lower == nullptr) return power;
  for (int a = 1; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      for (int e = 0; e < 9; ++e) K.lower[9 * upper<4>(a, b) + e] = K.upper[9 * upper<4>(a, b) + e];
  Pack4 t[9];
  curvature_times(hinge.H, v, t);
  for (Pack4& entry : t) entry *= turning;
  add_turned(hinge.g, t, K);
  return power;
}

namespace {

double hinges_alone(const HingeCompany& company, const DissipationRequest& request, const HingeBatch& batch, int begin,
                    int end) {
  Pack4 upper[9 * num_upper<4>], lower[9 * num_upper<4>];
  const bool stiff = request.tangent != nullptr, symmetric = company.has_symmetric_tangent();
  const bool bends = stiff && needs_curvature(company);
  StiffnessPacks K;
  if (stiff) K = {upper, symmetric ? nullptr : lower};
  double sum = 0;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    HingePack hinge;
    measure_hinges(batch, request.q.data(), pack, lanes, bends, hinge);
    if (stiff)
      for (Pack4& entry : upper) entry = Pack4(0.0);
    const Pack4 power = join_hinges(company, batch, pack, lanes, hinge, K);
    if (stiff) scatter_stiffness<4>(batch, pack, lanes, upper, K.lower, request.tangent->origin());
    for (int l = 0; l < lanes; ++l) sum += power[l];
  }
  return sum;
}

}  // namespace
}  // namespace kernel

double run_alone(const HingeLaw& law, const DissipationRequest& request) {
  const LawCall call{&law, &request};
  const HingeCompany company(std::span<const LawCall>(&call, 1));
  const HingeBatch& batch = law.batch();
  return batch.sum_over_chunks(
      [&](int begin, int end) { return kernel::hinges_alone(company, request, batch, begin, end); });
}

}  // namespace dashpot
