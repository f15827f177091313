#include "dashpot/element/tet_pass.hpp"

#include <algorithm>

namespace dashpot {

Company::Company(std::span<const LawCall> laws) : laws_(laws) {
  for (const LawCall& call : laws_) symmetric_ = symmetric_ && call.law->has_symmetric_tangent(*call.request);
}

namespace kernel {

template <int N>
Pack4 join(const Company& company, const TetBatch& batch, int pack, int lanes, const Matrix3<Pack4>* F,
           StiffnessPacks K) {
  constexpr int points = N == 4 ? 1 : 4;
  Pack4 v[3 * N], f[3 * N], power(0.0);
  gather<N>(batch, company.velocities(), pack, lanes, v);
  if (K.lower != nullptr) std::copy_n(K.upper, 9 * num_upper<N>, K.lower);
  PackPoint at;
  at.pack = pack;
  at.nodes = N;
  Matrix3<Pack4> P;
  for (const LawCall& call : company.laws()) {
    for (Pack4& component : f) component = Pack4(0.0);
    for (int p = 0; p < points; ++p) {
      at.point = p;
      at.g = batch.pack_gradients(pack, p);
      at.w = Pack4::load(batch.pack_weights(pack, p));
      at.F = F[p];
      at.Fdot = deformation_gradient<N>(v, at.g);
      call.law->respond(*call.request, at, P, K);
      Pack4 density(0.0);
      for (int k = 0; k < 9; ++k) density += P.m[k] * at.Fdot.m[k];
      power += at.w * density;
      if (call.request->force != nullptr) add_force<N>(P, at.g, at.w, f);
    }
    if (call.request->force != nullptr) scatter_force<N>(batch, pack, lanes, f, call.request->force->data());
  }
  return power;
}

template Pack4 join<4>(const Company&, const TetBatch&, int, int, const Matrix3<Pack4>*, StiffnessPacks);
template Pack4 join<10>(const Company&, const TetBatch&, int, int, const Matrix3<Pack4>*, StiffnessPacks);

namespace {

template <int N>
double run_alone(const Company& company, const DissipationRequest& request, const TetBatch& batch, int begin, int end) {
  constexpr int points = N == 4 ? 1 : 4;
  Pack4 x[3 * N], upper[9 * num_upper<N>], lower[9 * num_upper<N>];
  Matrix3<Pack4> F[points];
  StiffnessPacks K;
  if (request.tangent != nullptr) {
    K.upper = upper;
    K.lower = company.has_symmetric_tangent() ? nullptr : lower;
  }
  double sum = 0;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    gather<N>(batch, request.q.data(), pack, lanes, x);
    for (int p = 0; p < points; ++p) F[p] = deformation_gradient<N>(x, batch.pack_gradients(pack, p));
    if (request.tangent != nullptr)
      for (Pack4& entry : upper) entry = Pack4(0.0);
    const Pack4 power = join<N>(company, batch, pack, lanes, F, K);
    if (request.tangent != nullptr) scatter_stiffness<N>(batch, pack, lanes, upper, K.lower, request.tangent->origin());
    for (int l = 0; l < lanes; ++l) sum += power[l];
  }
  return sum;
}

}  // namespace
}  // namespace kernel

double evaluate_alone(const PointLaw& law, const DissipationRequest& request) {
  const LawCall call{&law, &request};
  const Company company(std::span<const LawCall>(&call, 1));
  const TetBatch& batch = law.batch();
  return batch.sum_over_chunks([&](int begin, int end) {
    return batch.nodes_per_tet() == 4 ? kernel::run_alone<4>(company, request, batch, begin, end)
                                      : kernel::run_alone<10>(company, request, batch, begin, end);
  });
}

}  // namespace dashpot
