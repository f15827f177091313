// Passes over the elements of cloth and strands, one thread: a square of 72 x 72 cells (10368 triangles, 15408 hinges,
// 15696 edges). Arguments: cells a side.
//
// Floors, per element on four lanes. Force of a triangle: 3 nodes read and added to (9 loads, 18 adds of pairs and
// singles with their stores), some 80 operations: 6 ns. Tangent of a triangle: four thin singular value decompositions
// in scalar code, 9 blocks of 72 bytes read and written. A hinge: 4 nodes, and 16 blocks.
#include <benchmark/benchmark.h>

#include <memory>

#include "dashpot/core/parallel.hpp"
#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

enum Kind { membrane, hinge, curved_hinge, spring };

struct Sheet {
  Mesh mesh;
  std::unique_ptr<EnergyTerm> term;
  const ProjectiveForm* form = nullptr;
  std::shared_ptr<const BlockPattern> pattern;
  Vector q, v, f;

  Sheet(Kind kind, int cells) : mesh(make_cloth(1, 1, {cells, cells})) {
    set_num_threads(1);
    for (Vec3& x : mesh.nodes) x = {0.5 * std::sin(2 * x.x()), 0.5 * (1 - std::cos(2 * x.x())), x.z()};
    make(kind);
    PatternBuilder couplings;
    term->couple(couplings);
    pattern = couplings.build(3, mesh.num_nodes());
    term->bind(*pattern);
    form = term->capabilities().projective;
    q.resize(pattern->num_dofs());
    for (int i = 0; i < mesh.num_nodes(); ++i) q.segment<3>(3 * i) = mesh.nodes[static_cast<std::size_t>(i)];
    v = Vector::Random(q.size());
    q += 1e-3 * Vector::Random(q.size());
    f = Vector::Zero(q.size());
  }
  void make(Kind kind) {
    const std::vector<int>& triangles = mesh.group(ElementKind::triangle)->nodes;
    const std::vector<double> stiffness(triangles.size() / 3, 0.02);
    if (kind == membrane) {
      term = std::make_unique<TriangleMembrane>("sheet", triangles, mesh.nodes, 0,
                                                std::vector<MembraneMaterial>{{2000, 0.01}},
                                                std::vector<int>(triangles.size() / 3, 0));
    } else if (kind == spring) {
      std::vector<int> edges;
      for (const auto& edge : unique_edges(mesh)) edges.insert(edges.end(), edge.begin(), edge.end());
      term = std::make_unique<Springs>("sheet", Springs::along_edges(edges, mesh.nodes, 40), mesh.nodes, 0);
    } else {
      const RestBend rest = kind == hinge ? RestBend::straight : RestBend::as_mesh;
      term = std::make_unique<Bending>("sheet", 4, hinges(triangles, mesh.nodes, stiffness, rest), mesh.nodes, 0);
    }
  }
};

void force(benchmark::State& state, Kind kind) {
  Sheet sheet(kind, static_cast<int>(state.range(0)));
  EnergyRequest request{sheet.q};
  request.gradient = &sheet.f;
  for (auto _ : state) benchmark::DoNotOptimize(sheet.term->evaluate(request));
  state.SetItemsProcessed(state.iterations() * sheet.form->num_elements());
}
void force_and_tangent(benchmark::State& state, Kind kind) {
  Sheet sheet(kind, static_cast<int>(state.range(0)));
  BlockMatrix K(sheet.pattern);
  EnergyRequest request{sheet.q};
  request.gradient = &sheet.f;
  request.hessian = &K;
  request.projection = Projection::positive_semidefinite;
  for (auto _ : state) benchmark::DoNotOptimize(sheet.term->evaluate(request));
  state.SetItemsProcessed(state.iterations() * sheet.form->num_elements());
}
void projection(benchmark::State& state, Kind kind) {
  Sheet sheet(kind, static_cast<int>(state.range(0)));
  const auto scratch = sheet.form->make_projection_scratch(ProjectionPrecision::double_precision);
  for (auto _ : state) sheet.form->add_projection(sheet.q, scratch.get(), sheet.f);
  state.SetItemsProcessed(state.iterations() * sheet.form->num_elements());
}
void sheet_spin(benchmark::State& state, Kind kind) {
  Sheet sheet(kind, static_cast<int>(state.range(0)));
  const std::vector<double> scale(static_cast<std::size_t>(sheet.form->num_elements()), 1.0);
  for (auto _ : state) sheet.form->add_spin_force(sheet.q, sheet.v, scale, sheet.f);
  state.SetItemsProcessed(state.iterations() * sheet.form->num_elements());
}

#define DASHPOT_SHEET_BENCH(pass)                               \
  BENCHMARK_CAPTURE(pass, membrane, membrane)->Arg(72);         \
  BENCHMARK_CAPTURE(pass, hinge, hinge)->Arg(72);               \
  BENCHMARK_CAPTURE(pass, curved_hinge, curved_hinge)->Arg(72); \
  BENCHMARK_CAPTURE(pass, spring, spring)->Arg(72)
DASHPOT_SHEET_BENCH(force);
DASHPOT_SHEET_BENCH(force_and_tangent);
DASHPOT_SHEET_BENCH(projection);
DASHPOT_SHEET_BENCH(sheet_spin);

}  // namespace
}  // namespace dashpot
