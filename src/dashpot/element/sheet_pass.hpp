#pragma once
// The pass over triangles (model/triangle_batch.hpp): gather four of them, ask the energy that leads and the dampings
// that go along (sheet_law.hpp), scatter. For .cpp files of kernels only.

#include "dashpot/element/company.hpp"
#include "dashpot/element/gather.hpp"
#include "dashpot/element/sheet_law.hpp"

namespace dashpot {

using SheetCompany = CompanyOf<SheetLaw>;

/// What a pass over the triangles shall compute; Kind says which tangent the energy gives.
template <class Kind>
struct SheetTask {
  const double* q = nullptr;
  double* gradient = nullptr;             ///< null: not wanted
  BlockMatrix* stiffness = nullptr;       ///< null: not wanted
  const double* element_scale = nullptr;  ///< factor of each stiffness, by mesh element; null: all 1
  double stiffness_scale = 1;
  Kind kind = {};
  const SheetCompany* company = nullptr;  ///< dampings that go along; null: none
};

namespace kernel {

using math::Matrix32;

/// F = sum_a (x_a - x_0) (x) g_a of four triangles; of velocities it is Fdot.
[[gnu::always_inline]] inline Matrix32<Pack4> gather_sheet(const TriangleBatch& batch, const double* q, int pack,
                                                           int lanes) {
  const double* g = batch.pack_gradients(pack);
  Pack4 x[9];
  gather<3>(batch, q, pack, lanes, x);
  Matrix32<Pack4> F;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i)
      F(i, k) = Pack4::load(g + 4 * k) * (x[3 + i] - x[i]) + Pack4::load(g + 8 + 4 * k) * (x[6 + i] - x[i]);
  return F;
}

/// f_a = P g_a; P has the area in it.
[[gnu::always_inline]] inline void scatter_sheet_force(const TriangleBatch& batch, int pack, int lanes,
                                                       const Matrix32<Pack4>& P, double* out) {
  const double* g = batch.pack_gradients(pack);
  Pack4 f[9];
  for (int a = 1; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      f[3 * a + i] = Pack4::load(g + 8 * a - 8) * P(i, 0) + Pack4::load(g + 8 * a - 4) * P(i, 1);
  if (lanes == 4)
    scatter_force<3>(batch, pack, 4, f, out);
  else
    scatter_force<3>(batch, pack, lanes, f, out);
}

/// The dampings of a company on a pack, given F: scatters their forces, adds their tangents to the symmetric stiffness
/// in K.upper (where wanted). K.lower, where given, is first set to a copy of it. Returns their power [W].
Pack4 join_sheets(const SheetCompany& company, const TriangleBatch& batch, int pack, int lanes,
                  const Matrix32<Pack4>& F, StiffnessPacks K);

/// Does triangles [begin, end). Of the energy that leads, elastic(pack, F, P) sets P (with its weight) and returns the
/// energies [J]; blocks(pack, F, scale, K) writes the upper blocks (a, b), 1 <= a <= b, of its stiffness.
template <class Kind, class Elastic, class Blocks>
double run_sheets(const TriangleBatch& batch, const SheetTask<Kind>& task, int begin, int end, const Elastic& elastic,
                  const Blocks& blocks) {
  double sum = 0;
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    const Matrix32<Pack4> F = gather_sheet(batch, task.q, pack, lanes);
    Matrix32<Pack4> P;
    const Pack4 energy = elastic(pack, F, P);
    if (task.gradient != nullptr) scatter_sheet_force(batch, pack, lanes, P, task.gradient);
    Pack4 upper[9 * num_upper<3>], lower[9 * num_upper<3>];
    StiffnessPacks K;
    if (task.stiffness != nullptr) {
      Pack4 scale(task.stiffness_scale);
      if (task.element_scale != nullptr) scale *= pack_scale(batch, task.element_scale, pack, lanes);
      blocks(pack, F, scale, upper);
      K = {upper, task.company == nullptr || task.company->has_symmetric_tangent() ? nullptr : lower};
    }
    if (task.company != nullptr) join_sheets(*task.company, batch, pack, lanes, F, K);
    if (task.stiffness != nullptr) scatter_stiffness<3>(batch, pack, lanes, upper, K.lower, task.stiffness->origin());
    for (int l = 0; l < lanes; ++l) sum += energy[l];
  }
  return sum;
}

}  // namespace kernel

/// A damping of triangles alone.
double run_alone(const SheetLaw& law, const DissipationRequest& request);

}  // namespace dashpot
