#pragma once
// Bodies of every kind of element with a damping that remembers, on its way through steps: q_n and its memory there.

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <vector>

#include "dashpot/energy/hinge_bending.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/stvk_membrane.hpp"
#include "support/rolled_cloth.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing {

enum class MemoryElement { triangles, springs, hinges, solids, wide_solids, woody_solids };
constexpr MemoryElement all_memory_elements[] = {MemoryElement::triangles,   MemoryElement::springs,
                                                 MemoryElement::hinges,      MemoryElement::solids,
                                                 MemoryElement::wide_solids, MemoryElement::woody_solids};

struct RememberingBody {
  using MakeDamping = std::function<std::unique_ptr<DissipationTerm>(const ModuliSource&)>;
  RolledCloth cloth;
  std::shared_ptr<const BlockPattern> pattern;
  std::shared_ptr<EnergyTerm> energy;
  std::unique_ptr<DissipationTerm> damping;
  State state;
  std::unique_ptr<TermScratch> scratch;
  Vector q, rest, direction;  ///< deformed; at rest; something to move along
  int first = 3 * RolledCloth::first_block;

  RememberingBody(MemoryElement element, const MakeDamping& make) {
    q = cloth.q;
    rest = Vector::Zero(q.size());
    for (int i = 0; i < cloth.mesh.num_nodes(); ++i)
      rest.segment<3>(3 * (RolledCloth::first_block + i)) = cloth.X()[static_cast<std::size_t>(i)];
    energy = make_energy(element);
    damping = make(*energy->capabilities().moduli);
    PatternBuilder couplings;
    energy->couple(couplings);
    pattern = couplings.build(3, static_cast<int>(q.size()) / 3);
    energy->bind(*pattern);
    damping->bind(*pattern);
    direction = Vector::Zero(q.size());
    for (Eigen::Index i = first; i < q.size(); ++i) direction[i] = 0.02 * rnd(5000 + static_cast<int>(i));
    scratch = damping->make_scratch();
    state.internal_variables = {Vector::Zero(damping->num_internal_variables())};
    begin(q, Vector::Zero(q.size()));
  }
  void begin(const Vector& q_n, const Vector& v_n) {
    state.q = q_n;
    state.v = v_n;
    damping->begin_step(state, scratch.get());
  }
  Vector force(const Vector& at, double dt) const {
    Vector f = Vector::Zero(q.size());
    const Vector v = dt > 0 ? Vector((at - state.q) / dt) : Vector::Zero(q.size());
    DissipationRequest request{at, v, state.internal_variables[0], dt, scratch.get()};
    request.force = &f;
    damping->evaluate(request);
    return f;
  }
  Matrix tangent(const Vector& at, double dt) const {
    BlockMatrix K(pattern);
    const Vector v = Vector::Zero(q.size());
    DissipationRequest request{at, v, state.internal_variables[0], dt, scratch.get()};
    request.tangent = &K;
    request.dq_scale = 1;
    damping->evaluate(request);
    return K.dense();
  }
  /// Goes on to `next` in dt; returns the force there.
  Vector advance(const Vector& next, double dt) {
    const Vector f = force(next, dt), start = state.internal_variables[0], v = (next - state.q) / dt;
    DissipationRequest request{next, v, start, dt, scratch.get()};
    request.new_internal_variables = &state.internal_variables[0];
    damping->evaluate(request);
    begin(next, v);
    return f;
  }
  double stored() const { return damping->stored_energy(state.internal_variables[0]); }
  /// Stiffness of the energy at q.
  Matrix stiffness(const Vector& at) const {
    BlockMatrix K(pattern);
    EnergyRequest request{at};
    request.hessian = &K;
    energy->evaluate(request);
    return K.dense();
  }

 private:
  std::shared_ptr<EnergyTerm> make_energy(MemoryElement element) {
    constexpr int block = RolledCloth::first_block;
    if (element == MemoryElement::triangles)
      return std::make_shared<StvkMembrane>(
          "body", std::make_shared<TriangleBatch>(cloth.X(), cloth.triangles(), block),
          std::vector<SheetStiffness>(cloth.num_triangles(), isotropic_sheet(2000, 0.3, 0.01)), cloth.X(), block);
    if (element == MemoryElement::springs)
      return std::make_shared<Springs>("body", Springs::along_edges(cloth.edges, cloth.X(), 40), cloth.X(), block);
    if (element == MemoryElement::hinges)
      return std::make_shared<HingeBending>(
          "body", hinges(cloth.triangles(), cloth.X(), std::vector<double>(cloth.num_triangles(), 0.02)), cloth.X(),
          block, RestBend::as_mesh);
    const bool wide = element == MemoryElement::wide_solids;
    const TinyMesh mesh = wide ? with_mid_nodes(kuhn_bar(1, 1, 1, 0.3)) : kuhn_bar(2, 1, 1, 0.3);
    const auto tets = std::make_shared<TetBatch>(mesh.X, mesh.nodes, wide ? 10 : 4, 0);
    first = 0;
    rest = q = mesh.rest();
    for (int i = 0; i < q.size(); ++i) q[i] += 0.02 * rnd(i);
    if (element != MemoryElement::woody_solids) return make_isotropic("body", tets, IsotropicLaw::stvk, {{2000, 0.3}});
    Orthotropic wood{4000, 900, 1500, 0.25, 0.2, 0.1, 500, 300, 700};
    wood.axes = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    return make_orthotropic("body", tets, {wood});
  }
};

}  // namespace dashpot::testing
