#pragma once
// What the files of SensitivityStepper share: a step that was taken, and the residual of one of its stages elsewhere.

#include <vector>

#include "dashpot/gradients/sensitivity.hpp"
#include "dashpot/integrate/known_vectors.hpp"

namespace dashpot {

/// One step that was taken.
struct SensitivityStepper::Step {
  const State& before;
  const StageTable& table;
  double dt;
  std::vector<Vector> d;  ///< displacements of its stages

  Instant instant(std::size_t s) const { return {before.time + table.stages[s].time * dt, table.stages[s].time * dt}; }
  double v1(std::size_t s) const { return table.stages[s].v[stage_unknown(s)]; }
  double a1(std::size_t s) const { return table.stages[s].a[stage_unknown(s)]; }
};

namespace sensitivity {

/// Central differences: of the size of what is moved. Round-off leaves 1e-16 / 1e-6 of a force.
inline constexpr double relative_shift = 1e-6;

/// Known vectors of a start, with the difference that forms are written with.
struct Knowns {
  Vector d_previous;
  KnownVectors vectors;
  Knowns(const State& state, const std::vector<Vector>& d);
  Knowns(const StateDirection& direction, const std::vector<Vector>& d);
};

/// The motion of stage s for displacements d of all stages so far; prescribed entries of d[s] become what they must be.
void stage_motion(const System& system, const Workspace& workspace, const State& start, const StageTable& table,
                  std::size_t s, double dt, std::vector<Vector>& d, StageState& motion);
/// And its residual.
void stage_residual(const System& system, const Workspace& workspace, const State& start, const StageTable& table,
                    std::size_t s, double dt, std::vector<Vector>& d, StageState& motion, Balance& balance);

/// Diagonal of the box around all material points [m]; 1 where there are none.
double size_of(const System& system, const Vector& q);

/// Prescribed dofs do not depend on parameters; tied ones follow.
void constrain(const System& system, Vector& x);

}  // namespace sensitivity
}  // namespace dashpot
