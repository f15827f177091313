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

/// Four elements in motion. n is zero where there is no direction.
struct MovingLines {
  Pack4 n[3], turning[3], over_size;  ///< n, ydot - sdot n, 1/s
};

/// How much a blended law damps the turning of y, and how that changes with s.
struct Blending {
  Pack4 share = Pack4(0.0), slope = Pack4(0.0);
};
Blending blending(const Blend& blend, Pack4 size) {
  if (!(blend.end > 0)) return {};
  const Pack4 width(blend.end - blend.begin), t = min(max((size - Pack4(blend.begin)) / width, Pack4(0.0)), Pack4(1.0));
  return {Pack4(1.0) - t * t * (Pack4(3.0) - Pack4(2.0) * t), Pack4(-6.0) * t * (Pack4(1.0) - t) / width};
}

/// Adds dv df/dv + dq df/dq of one law, as of line_law.hpp.
void add_line_tangent(const MeasureResponse& r, const MovingLines& m, const Blending& b, bool exact, Pack4 dv, Pack4 dq,
                      Pack4 D[9]) {
  const Pack4 zero(0.0), unblended = Pack4(1.0) - b.share, of_turning = dv * b.share * r.by_rate;
  const Pack4 across = of_turning + (exact ? dq * unblended * r.tension * m.over_size : zero);
  const Pack4 along = dv * r.by_rate + dq * (exact ? r.by_measure : max(r.by_measure, zero)) - across;
  const Pack4 turned = exact ? dq * unblended * r.by_rate * m.over_size : zero;
  const Pack4 fading = exact ? dq * b.slope * r.by_rate : zero;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      const Pack4 entry = m.n[k] * (along * m.n[c] + turned * m.turning[c]) + fading * m.turning[k] * m.n[c];
      D[3 * c + k] += k == c ? entry + across : entry;
    }
}

}  // namespace

template <int N>
Pack4 join_lines(const LineCompany& company, const LineBatch& batch, int pack, int lanes, const LinePack& line,
                 Pack4* D) {
  Pack4 rate[3];
  gather_differences<N>(batch, company.velocities(), pack, lanes, rate);
  MovingLines m;
  m.over_size = select(line.is_directed, Pack4(1.0) / select(line.is_directed, line.size, Pack4(1.0)), 0.0);
  for (int i = 0; i < 3; ++i) m.n[i] = m.over_size * line.y[i];
  MeasurePoint at{pack, line.size, m.n[0] * rate[0] + m.n[1] * rate[1] + m.n[2] * rate[2], nullptr};
  for (int i = 0; i < 3; ++i) m.turning[i] = rate[i] - at.rate * m.n[i];
  const Pack4 across_square = m.turning[0] * m.turning[0] + m.turning[1] * m.turning[1] + m.turning[2] * m.turning[2];
  Pack4 power(0.0);
  for (const LineCompany::Call& call : company.laws()) {
    MeasureResponse response;
    at.pass_numbers = call.pass_numbers;
    call.law->respond(*call.request, at, response);
    const Blending blend = blending(call.law->blend(), line.size);
    const Pack4 tension = select(line.is_directed, response.tension, Pack4(0.0)),
                across = blend.share * response.by_rate;
    power += tension * at.rate + across * across_square;
    if (call.request->force != nullptr) {
      Pack4 force[3];
      for (int i = 0; i < 3; ++i) force[i] = tension * m.n[i] + across * m.turning[i];
      scatter_line_force<N>(batch, pack, lanes, force, call.request->force->data());
    }
    if (D != nullptr)
      add_line_tangent(response, m, blend, call.law->has_exact_tangent(), Pack4(call.request->dv_scale),
                       Pack4(call.request->dq_scale), D);
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
