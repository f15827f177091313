#include "dashpot/element/line_pass.hpp"

namespace dashpot {
namespace kernel {

template <int N>
void scatter_line_stiffness(const LineBatch& batch, int pack, int lanes, const Pack4 D[9], double* values) {
  const double* c = batch.pack_coefficients(pack);
  const int* slots[4];
  for (int l = 0; l < 4; ++l) slots[l] = batch.slots(pack * 4 + (l < lanes ? l : lanes - 1));
  double* out[4];
  for (int a = 0; a < N; ++a)
    for (int b = a; b < N; ++b) {
      const Pack4 w = Pack4::load(c + 4 * a) * Pack4::load(c + 4 * b);
      Pack4 k[9];
      for (int e = 0; e < 9; ++e) k[e] = w * D[e];
      for (int side = 0; side < (a == b ? 1 : 2); ++side) {  // K_ab and K_ba are the same matrix
        const int place = side == 0 ? a * N + b : b * N + a;
        for (int l = 0; l < 4; ++l) out[l] = values + 9 * static_cast<std::ptrdiff_t>(slots[l][place]);
        add_blocks(k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], out, lanes);
      }
    }
}
template void scatter_line_stiffness<2>(const LineBatch&, int, int, const Pack4*, double*);
template void scatter_line_stiffness<3>(const LineBatch&, int, int, const Pack4*, double*);
template void scatter_line_stiffness<4>(const LineBatch&, int, int, const Pack4*, double*);

namespace {

/// Adds dv df/dv + dq df/dq of one law, as of line_law.hpp. n is zero where there is no direction.
void add_line_tangent(const LineResponse& r, const Pack4 n[3], const Pack4 turning[3], Pack4 over_size, Pack4 dv,
                      Pack4 dq, Pack4 D[9]) {
  const Pack4 across = dq * r.tension * over_size, along = dv * r.by_rate + dq * r.by_size - across,
              turned = dq * r.by_rate * over_size;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      const Pack4 entry = n[k] * (along * n[c] + turned * turning[c]);
      D[3 * c + k] += k == c ? entry + across : entry;
    }
}

}  // namespace

template <int N>
Pack4 join_lines(const LineCompany& company, const LineBatch& batch, int pack, int lanes, const LinePack& line,
                 Pack4* D) {
  Pack4 rate[3];
  gather_differences<N>(batch, company.velocities(), pack, lanes, rate);
  const Pack4 over_size = select(line.is_directed, Pack4(1.0) / select(line.is_directed, line.size, Pack4(1.0)), 0.0);
  const Pack4 n[3] = {over_size * line.y[0], over_size * line.y[1], over_size * line.y[2]};
  const LinePoint at{pack, line.size, n[0] * rate[0] + n[1] * rate[1] + n[2] * rate[2]};
  const Pack4 turning[3] = {rate[0] - at.rate * n[0], rate[1] - at.rate * n[1], rate[2] - at.rate * n[2]};
  Pack4 power(0.0);
  for (const LineCompany::Call& call : company.laws()) {
    LineResponse response;
    call.law->respond(*call.request, at, response);
    const Pack4 tension = select(line.is_directed, response.tension, Pack4(0.0));
    power += tension * at.rate;
    if (call.request->force != nullptr) {
      const Pack4 force[3] = {tension * n[0], tension * n[1], tension * n[2]};
      scatter_line_force<N>(batch, pack, lanes, force, call.request->force->data());
    }
    if (D != nullptr)
      add_line_tangent(response, n, turning, over_size, Pack4(call.request->dv_scale), Pack4(call.request->dq_scale),
                       D);
  }
  return power;
}
template Pack4 join_lines<2>(const LineCompany&, const LineBatch&, int, int, const LinePack&, Pack4*);
template Pack4 join_lines<3>(const LineCompany&, const LineBatch&, int, int, const LinePack&, Pack4*);
template Pack4 join_lines<4>(const LineCompany&, const LineBatch&, int, int, const LinePack&, Pack4*);

namespace {

template <int N>
double lines_alone(const LineCompany& company, const DissipationRequest& request, const LineBatch& batch, int begin,
                   int end) {
  double sum = 0;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    LinePack line;
    gather_lines<N>(batch, request.q.data(), pack, lanes, line);
    Pack4 D[9];
    for (Pack4& entry : D) entry = Pack4(0.0);
    const Pack4 power = join_lines<N>(company, batch, pack, lanes, line, request.tangent != nullptr ? D : nullptr);
    if (request.tangent != nullptr) scatter_line_stiffness<N>(batch, pack, lanes, D, request.tangent->origin());
    for (int l = 0; l < lanes; ++l) sum += power[l];
  }
  return sum;
}

}  // namespace
}  // namespace kernel

double run_alone(const LineLaw& law, const DissipationRequest& request) {
  const LawCall call{&law, &request};
  const LineCompany company(std::span<const LawCall>(&call, 1));
  const LineBatch& batch = law.batch();
  return batch.sum_over_chunks([&](int begin, int end) {
    const int n = batch.nodes_per_element();
    return n == 2   ? kernel::lines_alone<2>(company, request, batch, begin, end)
           : n == 3 ? kernel::lines_alone<3>(company, request, batch, begin, end)
                    : kernel::lines_alone<4>(company, request, batch, begin, end);
  });
}

}  // namespace dashpot
