#include "dashpot/element/tet_pass.hpp"

namespace dashpot {

Company::Company(std::span<const LawCall> calls) : CompanyOf<TetLaw>(calls) {
  for (const Call& call : laws()) (call.law->tangent_form() == TangentForm::green ? has_green_ : has_blocks_) = true;
}

namespace kernel {
namespace {

/// The lower triangle begins as the upper one.
template <int N>
[[gnu::always_inline]] inline void mirror(StiffnessPacks K) {
  for (int a = 1; a < N; ++a)
    for (int b = a + 1; b < N; ++b)
      for (int e = 0; e < 9; ++e) K.lower[9 * upper<N>(a, b) + e] = K.upper[9 * upper<N>(a, b) + e];
}

template <int N>
[[gnu::always_inline]] inline void gather_rates(const Company& company, const TetBatch& batch, int pack, int lanes,
                                                PackMotion<N>& motion) {
  Pack4 v[3 * N];
  gather<N>(batch, company.velocities(), pack, lanes, v);
  for (int p = 0; p < num_points<N>; ++p) motion.Fdot[p] = deformation_gradient<N>(v, batch.pack_gradients(pack, p));
}

template <int N>
[[gnu::always_inline]] inline Pack4 one_law(const Company::Call& call, const TetBatch& batch, int pack, int lanes,
                                            PackMotion<N>& motion, StiffnessPacks K) {
  constexpr bool add = num_points < N >> 1;
  Pack4 f[3 * N], power(0.0);
  if (add)
    for (Pack4& component : f) component = Pack4(0.0);
  PackPoint at{pack, 0, N, nullptr, {}, nullptr, nullptr, call.pass_numbers};
  for (int p = 0; p < num_points<N>; ++p) {
    at.point = p;
    at.g = batch.pack_gradients(pack, p);
    at.w = Pack4::load(batch.pack_weights(pack, p));
    at.F = motion.F + p;
    at.Fdot = motion.Fdot + p;
    Matrix3<Pack4> P;
    call.law->respond(*call.request, at, P, motion.green[p], K);
    Pack4 density(0.0);
    for (int k = 0; k < 9; ++k) density += P.m[k] * at.Fdot->m[k];
    power += at.w * density;
    if (call.request->force != nullptr) add_force<N, add>(P, at.g, at.w, f);
  }
  if (call.request->force != nullptr) scatter_force<N>(batch, pack, lanes, f, call.request->force->data());
  return power;
}

template <int N>
[[gnu::always_inline]] inline void add_green(bool symmetric, const TetBatch& batch, int pack,
                                             const PackMotion<N>& motion, StiffnessPacks K) {
  for (int p = 0; p < num_points<N>; ++p) {
    const double* g = batch.pack_gradients(pack, p);
    const Pack4 w = Pack4::load(batch.pack_weights(pack, p));
    if (symmetric)
      green_blocks<N, true, Store::add>(motion.F[p], motion.green[p], g, w, K);
    else
      green_blocks<N, false, Store::add>(motion.F[p], motion.green[p], g, w, K);
  }
}

}  // namespace

template <int N>
Pack4 join(const Company& company, TangentForm form, const TetBatch& batch, int pack, int lanes, PackMotion<N>& motion,
           StiffnessPacks K) {
  Pack4 power(0.0);
  if (form == TangentForm::green) gather_rates<N>(company, batch, pack, lanes, motion);
  for (const Company::Call& call : company.laws()) {
    if (call.law->tangent_form() != form) continue;
    power += lanes == 4 ? one_law<N>(call, batch, pack, 4, motion, K) : one_law<N>(call, batch, pack, lanes, motion, K);
  }
  return power;
}

template <int N>
Pack4 join_all(const Company& company, const TetBatch& batch, int pack, int lanes, PackMotion<N>& motion,
               StiffnessPacks K) {
  if (K.lower != nullptr) mirror<N>(K);
  if (K.upper != nullptr)
    for (GreenTangent<Pack4>& green : motion.green) green = GreenTangent<Pack4>{};
  Pack4 power = join<N>(company, TangentForm::green, batch, pack, lanes, motion, K);
  if (K.upper != nullptr && company.has(TangentForm::green)) add_green<N>(K.lower == nullptr, batch, pack, motion, K);
  if (company.has(TangentForm::blocks)) power += join<N>(company, TangentForm::blocks, batch, pack, lanes, motion, K);
  return power;
}

template Pack4 join<4>(const Company&, TangentForm, const TetBatch&, int, int, PackMotion<4>&, StiffnessPacks);
template Pack4 join<10>(const Company&, TangentForm, const TetBatch&, int, int, PackMotion<10>&, StiffnessPacks);
template Pack4 join_all<4>(const Company&, const TetBatch&, int, int, PackMotion<4>&, StiffnessPacks);
template Pack4 join_all<10>(const Company&, const TetBatch&, int, int, PackMotion<10>&, StiffnessPacks);

namespace {

template <int N>
double run_alone(const Company& company, const DissipationRequest& request, const TetBatch& batch, int begin, int end) {
  Pack4 x[3 * N], upper[9 * num_upper<N>], lower[9 * num_upper<N>];
  PackMotion<N> motion;
  StiffnessPacks K;
  if (request.tangent != nullptr) {
    K.upper = upper;
    K.lower = company.has_symmetric_tangent() ? nullptr : lower;
  }
  double sum = 0;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    gather<N>(batch, request.q.data(), pack, lanes, x);
    for (int p = 0; p < num_points<N>; ++p) motion.F[p] = deformation_gradient<N>(x, batch.pack_gradients(pack, p));
    if (request.tangent != nullptr)
      for (Pack4& entry : upper) entry = Pack4(0.0);
    const Pack4 power = join_all<N>(company, batch, pack, lanes, motion, K);
    if (request.tangent != nullptr) scatter_stiffness<N>(batch, pack, lanes, upper, K.lower, request.tangent->origin());
    for (int l = 0; l < lanes; ++l) sum += power[l];
  }
  return sum;
}

}  // namespace
}  // namespace kernel

double run_alone(const TetLaw& law, const DissipationRequest& request) {
  const LawCall call{&law, &request};
  const Company company(std::span<const LawCall>(&call, 1));
  const TetBatch& batch = law.batch();
  return batch.sum_over_chunks([&](int begin, int end) {
    return batch.nodes_per_tet() == 4 ? kernel::run_alone<4>(company, request, batch, begin, end)
                                      : kernel::run_alone<10>(company, request, batch, begin, end);
  });
}

}  // namespace dashpot
