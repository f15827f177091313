#pragma once
// The pass over hinges (model/hinge_batch.hpp): gather four of them, ask the energy that leads and the dampings that go
// along (hinge_law.hpp), scatter. For .cpp files of kernels only.

#include "dashpot/element/block_scatter.hpp"
#include "dashpot/element/company.hpp"
#include "dashpot/element/dihedral_angle.hpp"
#include "dashpot/element/gather.hpp"
#include "dashpot/element/hinge_law.hpp"
#include "dashpot/element/tet_law.hpp"

namespace dashpot {

using HingeCompany = CompanyOf<HingeLaw>;

/// Whether the tangents of some of these laws have T H in them.
inline bool needs_curvature(const HingeCompany& company) {
  for (const HingeCompany::Call& call : company.laws())
    if (call.law->has_exact_tangent() && call.request->dq_scale != 0) return true;
  return false;
}

/// What a pass over the hinges shall compute.
struct HingeTask {
  const double* q = nullptr;
  double* gradient = nullptr;             ///< null: not wanted
  BlockMatrix* stiffness = nullptr;       ///< null: not wanted
  const double* element_scale = nullptr;  ///< factor of each stiffness, by mesh element; null: all 1
  double stiffness_scale = 1;
  bool with_curvature = true;             ///< psi' H too, which is indefinite; otherwise psi'' g g^T alone
  const HingeCompany* company = nullptr;  ///< dampings that go along; null: none
};

namespace kernel {

/// What an energy psi(theta) answers: psi, psi' and psi''.
struct HingeElastic {
  Pack4 psi, slope, curvature;
};

/// Four hinges: angle, gradient by the nodes 1, 2, 3 (nine numbers), and where wanted the second derivatives.
struct HingePack {
  HingeEdges<Pack4> edges;
  Pack4 angle, g[9];
  HingeCurvature<Pack4> H;
};

[[gnu::always_inline]] inline HingeEdges<Pack4> gather_hinges(const HingeBatch& batch, const double* q, int pack,
                                                              int lanes) {
  Pack4 x[12];
  gather<4>(batch, q, pack, lanes, x);
  const auto from_first = [&](int a) -> math::Vector3<Pack4> {
    return {x[3 * a] - x[0], x[3 * a + 1] - x[1], x[3 * a + 2] - x[2]};
  };
  return {from_first(1), from_first(2), from_first(3)};
}

[[gnu::always_inline]] inline void measure_hinges(const HingeBatch& batch, const double* q, int pack, int lanes,
                                                  bool with_curvature, HingePack& hinge) {
  hinge.edges = gather_hinges(batch, q, pack, lanes);
  const HingeAngle<Pack4> a = hinge_angle(hinge.edges);
  hinge.angle = a.angle;
  for (int i = 0; i < 3; ++i) {
    hinge.g[i] = a.by_e[i];
    hinge.g[3 + i] = a.by_p[i];
    hinge.g[6 + i] = a.by_r[i];
  }
  if (with_curvature) hinge_curvature(hinge.edges, hinge.H);
}

/// f = T g.
[[gnu::always_inline]] inline void scatter_hinge_force(const HingeBatch& batch, int pack, int lanes,
                                                       const HingePack& hinge, Pack4 tension, double* out) {
  Pack4 f[12];
  for (int i = 0; i < 9; ++i) f[3 + i] = tension * hinge.g[i];
  if (lanes == 4)
    scatter_force<4>(batch, pack, 4, f, out);
  else
    scatter_force<4>(batch, pack, lanes, f, out);
}

/// K_ab += along g_a g_b^T + bent H_ab of the nodes 1, 2, 3, in the upper blocks; bent null: nothing.
void add_hinge_blocks(const HingePack& hinge, Pack4 along, const Pack4* bent, Pack4* upper);

/// The dampings of a company on a pack: scatters their forces, adds their tangents to K (where wanted). K.lower, where
/// given, is first set to a copy of K.upper. Returns their power [W].
Pack4 join_hinges(const HingeCompany& company, const HingeBatch& batch, int pack, int lanes, const HingePack& hinge,
                  StiffnessPacks K);

/// Does hinges [begin, end); elastic(pack, theta) is the energy that leads. Returns its energy [J]; surplus lanes must
/// have none.
template <class Elastic>
double run_hinges(const HingeBatch& batch, const HingeTask& task, int begin, int end, const Elastic& elastic) {
  const bool stiff = task.stiffness != nullptr;
  const bool symmetric = task.company == nullptr || task.company->has_symmetric_tangent();
  const bool bends = task.company != nullptr && needs_curvature(*task.company);
  Pack4 sum(0.0);
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = lanes_in_use(batch, pack);
    HingePack hinge;
    measure_hinges(batch, task.q, pack, lanes, stiff && (task.with_curvature || bends), hinge);
    const HingeElastic e = elastic(pack, hinge.angle);
    sum += e.psi;
    if (task.gradient != nullptr) scatter_hinge_force(batch, pack, lanes, hinge, e.slope, task.gradient);
    Pack4 upper[9 * num_upper<4>], lower[9 * num_upper<4>];
    StiffnessPacks K;
    if (stiff) {
      Pack4 scale(task.stiffness_scale);
      if (task.element_scale != nullptr) scale *= pack_scale(batch, task.element_scale, pack, lanes);
      for (Pack4& entry : upper) entry = Pack4(0.0);
      const Pack4 bent = scale * e.slope;
      add_hinge_blocks(hinge, scale * e.curvature, task.with_curvature ? &bent : nullptr, upper);
      K = {upper, symmetric ? nullptr : lower};
    }
    if (task.company != nullptr) join_hinges(*task.company, batch, pack, lanes, hinge, K);
    if (stiff) scatter_stiffness<4>(batch, pack, lanes, upper, K.lower, task.stiffness->origin());
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace kernel

/// A damping of hinges alone.
double run_alone(const HingeLaw& law, const DissipationRequest& request);

}  // namespace dashpot
