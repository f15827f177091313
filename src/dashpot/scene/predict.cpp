// A cost model from counts alone. Times are those of one factorization, solve and assembly measured on linear tets of a
// cube (CHOLMOD with METIS, one thread), as powers of the number of tets; memory is what the parts hold.
#include <algorithm>
#include <cmath>

#include "dashpot/integrate/table_analysis.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/registry.hpp"

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

/// Steps, precomputation and memory of a body with r coordinates; `newton` iterations a solve. Measured on the koala,
/// 11 000 tets and r = 74: 0.55 ms to evaluate, 2.7e11 multiply-adds to precompute in 20 s.
void reduce(Prediction& result, const SceneSpec& spec, const Counts& counts, int newton, double assembly) {
  const BodySpec& body = spec.bodies.front();
  const double r = body.reduced->size, pairs = (r + 1) * (r + 2) / 2;
  const double coefficients = (r + 1) * (r + 2) * (r + 3) * (r + 4) / 24;
  const bool polynomial = body.springs.empty() && body.material && body.material->name() == "stvk";
  const double evaluation = polynomial ? 0.4e-9 * coefficients : assembly + 3 * counts.nodes * r * r / 4e9;
  const int solves = std::max(1, solves_per_step(spec.time.stepper));
  result.reduced = body.reduced->size;
  result.seconds_per_step = solves * (newton * (evaluation + r * r * r / 3e9 + 20e-6) + (newton > 1 ? evaluation : 0));
  result.seconds = result.seconds_per_step * static_cast<double>(result.steps);
  const double modes = body.reduced->is_pod ? 0 : body.reduced->num_modes;
  result.precompute_seconds = 20 * direct_seconds(counts.linear_tets) +
                              modes * (2 * assembly + modes / 2 * 1e-3 * std::pow(counts.linear_tets / 1e4, 1.5)) +
                              (polynomial ? pairs * pairs * 3 * counts.linear_tets / 1.4e10 : 0);
  result.bytes += 2 * 8 * 3 * counts.nodes * r + 8 * 3 * counts.nodes * modes * modes / 2;
  if (polynomial) result.bytes += 8 * (2 * pairs * pairs + 1.13 * coefficients);
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
  result.seconds_per_step = assembly + solves_per_step(spec.time.stepper) * newton * (assembly + linear_step * solve);
  // 0.2 us for the ledger and 25 ns an iteration for each tet (dashpot bench projective); to a tolerance some 40 of
  // them.
  if (spec.projective)
    result.seconds_per_step = solves_per_step(spec.time.stepper) * size *
                              (0.2e-6 + 25e-9 * (spec.projective->iterations > 0 ? spec.projective->iterations : 40));
  result.seconds = result.seconds_per_step * static_cast<double>(result.steps);
  // 14 blocks a node of 72 bytes in three matrices, 600 bytes a tet, 40 vectors; the factor fills in as n^(4/3).
  result.bytes = 20e6 + counts.nodes * (3 * 14 * 72 + 40 * 24) + counts.linear_tets * 600;
  if (solves_per_step(spec.time.stepper) > 0 && !iterative)
    result.bytes += 8 * 40 * std::pow(3 * counts.nodes, 4.0 / 3.0);
  if (spec.bodies.size() == 1 && spec.bodies.front().reduced) reduce(result, spec, counts, newton, assembly);
  return result;
}

}  // namespace dashpot
