#pragma once
// The pass over springs, bends and hinges (model/line_batch.hpp): gather four elements, ask the energy that leads and
// the dampings that go along (line_law.hpp), scatter. For .cpp files of kernels only.

#include "dashpot/element/block_scatter.hpp"
#include "dashpot/element/company.hpp"
#include "dashpot/element/gather.hpp"
#include "dashpot/element/line_law.hpp"

namespace dashpot {

using LineCompany = CompanyOf<LineLaw>;

/// What becomes of the stiffness T/s across the direction of an element: as it is, without negative values, left out.
enum class Lateral { exact, clamped, none };

/// What a pass over the elements shall compute.
struct LineTask {
  const double* q = nullptr;
  double* gradient = nullptr;             ///< null: not wanted
  BlockMatrix* stiffness = nullptr;       ///< null: not wanted
  const double* element_scale = nullptr;  ///< factor of each stiffness, by mesh element; null: all 1
  double stiffness_scale = 1;
  Lateral lateral = Lateral::exact;
  const LineCompany* company = nullptr;  ///< dampings that go along; null: none
};

namespace kernel {

using math::Mask4;

/// Four elements: y, and what follows from it.
struct LinePack {
  Pack4 y[3], square, size;
  Mask4 is_directed;
};

/// What an energy psi(s) of the size answers: psi, psi'/s and psi''. Without a direction, psi'/s is what the force
/// along y shall be (in most laws 0).
struct LineElastic {
  Pack4 psi, pull, slope;
};

/// y of four elements, or its rate. Differences are summed element by element and transposed once.
template <int N>
[[gnu::always_inline]] inline void gather_differences(const LineBatch& batch, const double* q, int pack, int lanes,
                                                      Pack4 y[3]) {
  const double* c = batch.pack_coefficients(pack);
  Pack4 of_lane[4];
  for (int l = 0; l < 4; ++l) {
    const int* blocks = batch.blocks(pack * 4 + (l < lanes ? l : lanes - 1));
    const Pack4 first = Pack4::load3(q + 3 * blocks[0]);
    of_lane[l] = Pack4(c[4 + l]) * (Pack4::load3(q + 3 * blocks[1]) - first);
    for (int a = 2; a < N; ++a) of_lane[l] += Pack4(c[4 * a + l]) * (Pack4::load3(q + 3 * blocks[a]) - first);
  }
  transpose3(of_lane[0], of_lane[1], of_lane[2], of_lane[3], y[0], y[1], y[2]);
}

template <int N>
[[gnu::always_inline]] inline void gather_lines(const LineBatch& batch, const double* q, int pack, int lanes,
                                                LinePack& line) {
  gather_differences<N>(batch, q, pack, lanes, line.y);
  line.square = line.y[0] * line.y[0] + line.y[1] * line.y[1] + line.y[2] * line.y[2];
  line.size = sqrt(line.square);
  line.is_directed = line.square > Pack4::load(batch.pack_least_squares(pack));
}

/// Adds the first three of four numbers.
[[gnu::always_inline]] inline void add_three(Pack4 more, double* out) {
  math::Pair xy;
  __builtin_memcpy(&xy, out, sizeof xy);
  xy += __builtin_shufflevector(more.v, more.v, 0, 1);
  __builtin_memcpy(out, &xy, sizeof xy);
  out[2] += more[2];
}

/// f_a = c_a force. Forces are transposed once, and multiplied element by element.
template <int N>
[[gnu::always_inline]] inline void scatter_line_force(const LineBatch& batch, int pack, int lanes, const Pack4 force[3],
                                                      double* out) {
  const double* c = batch.pack_coefficients(pack);
  Pack4 of_lane[4] = {force[0], force[1], force[2], Pack4(0.0)};
  transpose(of_lane[0], of_lane[1], of_lane[2], of_lane[3]);
#pragma GCC unroll 4
  for (int l = 0; l < lanes; ++l) {
    const int* blocks = batch.blocks(pack * 4 + l);
    Pack4 sum = Pack4(c[4 + l]) * of_lane[l];
    add_three(sum, out + 3 * blocks[1]);
    for (int a = 2; a < N; ++a) {
      const Pack4 part = Pack4(c[4 * a + l]) * of_lane[l];
      add_three(part, out + 3 * blocks[a]);
      sum += part;
    }
    add_three(-sum, out + 3 * blocks[0]);
  }
}

/// K_ab += c_a c_b D.
template <int N>
void scatter_line_stiffness(const LineBatch& batch, int pack, int lanes, const Pack4 D[9], double* values);
extern template void scatter_line_stiffness<2>(const LineBatch&, int, int, const Pack4*, double*);
extern template void scatter_line_stiffness<3>(const LineBatch&, int, int, const Pack4*, double*);
extern template void scatter_line_stiffness<4>(const LineBatch&, int, int, const Pack4*, double*);

/// The dampings of a company on a pack: scatters their forces, adds their tangents to D (where wanted). Returns their
/// power [W].
template <int N>
Pack4 join_lines(const LineCompany& company, const LineBatch& batch, int pack, int lanes, const LinePack& line,
                 Pack4* D);
extern template Pack4 join_lines<2>(const LineCompany&, const LineBatch&, int, int, const LinePack&, Pack4*);
extern template Pack4 join_lines<3>(const LineCompany&, const LineBatch&, int, int, const LinePack&, Pack4*);
extern template Pack4 join_lines<4>(const LineCompany&, const LineBatch&, int, int, const LinePack&, Pack4*);

/// scale (psi'' n n^T + psi'/s (I - n n^T)); without a direction psi'' I.
[[gnu::always_inline]] inline void line_tangent(const LinePack& line, const LineElastic& e, Lateral lateral,
                                                Pack4 scale, Pack4 D[9]) {
  Pack4 across = e.pull;
  if (lateral == Lateral::clamped) across = max(across, Pack4(0.0));
  if (lateral == Lateral::none) across = Pack4(0.0);
  across = scale * select(line.is_directed, across, e.slope);
  const Pack4 along = (scale * e.slope - across) / select(line.is_directed, line.square, Pack4(1.0));
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      const Pack4 entry = along * (line.y[r] * line.y[c]);
      D[3 * c + r] = r == c ? entry + across : entry;
    }
}

/// Does one pack; elastic(pack, line) is the energy that leads. Returns its energies [J].
template <int N, class Elastic>
[[gnu::always_inline]] inline Pack4 run_line_pack(const LineBatch& batch, const LineTask& task, int pack, int lanes,
                                                  const Elastic& elastic) {
  LinePack line;
  gather_lines<N>(batch, task.q, pack, lanes, line);
  const LineElastic e = elastic(pack, line);
  if (task.gradient != nullptr) {
    const Pack4 force[3] = {e.pull * line.y[0], e.pull * line.y[1], e.pull * line.y[2]};
    scatter_line_force<N>(batch, pack, lanes, force, task.gradient);
  }
  Pack4 D[9];
  if (task.stiffness != nullptr) {
    Pack4 scale(task.stiffness_scale);
    if (task.element_scale != nullptr) scale *= pack_scale(batch, task.element_scale, pack, lanes);
    line_tangent(line, e, task.lateral, scale, D);
  }
  if (task.company != nullptr)
    join_lines<N>(*task.company, batch, pack, lanes, line, task.stiffness != nullptr ? D : nullptr);
  if (task.stiffness != nullptr) scatter_line_stiffness<N>(batch, pack, lanes, D, task.stiffness->origin());
  return e.psi;
}

/// Does elements [begin, end). Returns the energy [J] of the term that leads; surplus lanes must have none.
template <int N, class Elastic>
double run_lines(const LineBatch& batch, const LineTask& task, int begin, int end, const Elastic& elastic) {
  Pack4 sum(0.0);
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    sum += lanes == 4 ? run_line_pack<N>(batch, task, pack, 4, elastic)
                      : run_line_pack<N>(batch, task, pack, lanes, elastic);
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace kernel

/// A damping of lines alone.
double run_alone(const LineLaw& law, const DissipationRequest& request);

}  // namespace dashpot
