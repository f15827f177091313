// A cost model from counts alone. Times are those of one factorisation, solve and assembly measured on linear tets of a
// cube (CHOLMOD with METIS, one thread), as powers of the number of tets; memory is what the parts hold.
#include <algorithm>
#include <cmath>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/registry.hpp"
#include "dashpot/scene/scene_checks.hpp"

namespace dashpot {
namespace {

/// Factor and solve of n tets [s]: 28 ms and 1 ms at 10 000, growing as n^1.8 and n^1.5; a linear part rules small
/// bodies.
double direct_seconds(double tets) {
  return 1.5e-6 * tets + 28e-3 * std::pow(tets / 1e4, 1.8) + 1e-3 * std::pow(tets / 1e4, 1.5);
}
/// Block CG to 1e-6 [s]: 8 ms at 10 000 tets, growing as n^1.6.
double cg_seconds(double tets) { return 8e-3 * std::pow(tets / 1e4, 1.6); }

struct Counts {
  double nodes = 0, linear_tets = 0;  ///< 10-node tets count as the 8 linear ones they resemble
  std::int64_t tets = 0;
  bool nonlinear = false;
};

Counts count(const SceneSpec& spec) {
  Counts counts;
  for (const BodySpec& body : spec.bodies) {
    const std::shared_ptr<const Mesh> built = build_mesh(body);
    const Mesh& mesh = *built;
    counts.nodes += mesh.num_nodes();
    counts.nonlinear |= !body.springs.empty() || (body.material && body.material->name() != "linear");
    if (mesh.tets() == nullptr) continue;
    counts.tets += mesh.tets()->size();
    counts.linear_tets += mesh.tets()->size() * (mesh.tets()->kind == ElementKind::tet10 ? 8.0 : 1.0);
  }
  return counts;
}

int solves_per_step(StepperKind kind) {
  if (kind == StepperKind::symplectic_euler || kind == StepperKind::leapfrog) return 0;
  return kind == StepperKind::bathe ? 2 : 1;
}

}  // namespace

Prediction predict(const SceneSpec& spec) {
  const Counts counts = count(spec);
  Prediction result;
  result.nodes = static_cast<std::int64_t>(counts.nodes);
  result.tets = counts.tets;
  result.dofs = 3 * result.nodes;
  result.steps = static_cast<std::int64_t>(std::ceil(spec.time.end / spec.time.dt * (1 - 1e-12)));
  const double size = std::max(counts.linear_tets, counts.nodes);
  const double assembly = size / 8e6;
  const bool iterative = spec.linear.kind == LinearSolverKind::conjugate_gradient;
  const double solve = iterative ? cg_seconds(size) : direct_seconds(size);
  const int newton = counts.nonlinear ? (spec.newton.fixed_iterations > 0 ? spec.newton.fixed_iterations : 3) : 1;
  const double linear_step = counts.nonlinear ? 1 : 0.1;  // a linear body reuses its factor
  result.seconds_per_step =
      assembly + solves_per_step(spec.time.stepper.kind) * newton * (assembly + linear_step * solve);
  result.seconds = result.seconds_per_step * static_cast<double>(result.steps);
  // 14 blocks a node of 72 bytes in three matrices, 600 bytes a tet, 40 vectors; the factor fills in as n^(4/3).
  result.bytes = 20e6 + counts.nodes * (3 * 14 * 72 + 40 * 24) + counts.linear_tets * 600;
  if (solves_per_step(spec.time.stepper.kind) > 0 && !iterative)
    result.bytes += 8 * 40 * std::pow(3 * counts.nodes, 4.0 / 3.0);
  return result;
}

}  // namespace dashpot
