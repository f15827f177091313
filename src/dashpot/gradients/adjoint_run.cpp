#include "dashpot/gradients/adjoint_run.hpp"

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

void add_point_slope(const System& system, const State& state, int point, const Vec3& of_position,
                     const Vec3& of_velocity, int objective, StateAdjoint& adjoint) {
  const Kinematics& kinematics = system.kinematics();
  if (of_velocity != Vec3::Zero() && !kinematics.is_node(point) && !kinematics.is_linear(point))
    throw Error(Problem{"objective", fmt::format("the velocity of point {}, whose motion bends with q", point),
                        "positions, or points that are linear in the coordinates", ""});
  const auto add = [&](const Vec3& slope, Matrix& columns) {
    if (slope == Vec3::Zero()) return;
    Vector column = columns.col(objective);
    kinematics.add_force(state.q, point, slope, column);
    columns.col(objective) = column;
  };
  add(of_position, adjoint.q);
  add(of_velocity, adjoint.v);
}

RunGradient gradient_of_run(const System& system, const Integrator& integrator, RecordingStepper& run, const State& end,
                            const ObjectiveSlopes& objective, const GradientOptions& options) {
  AdjointSweep sweep(integrator, options.linear, options.values);
  sweep.begin(system, end, options.num_objectives);
  objective(end, sweep.adjoint());
  State start = end;
  RunGradient result;
  result.is_complete = run.go_back(system, [&](const StepRecord& record, std::int64_t step) {
    if (options.should_stop && options.should_stop()) return false;
    sweep.step_back(system, record);
    objective(record.before, sweep.adjoint());
    if (step == 0) start = record.before;
    if (options.on_step) options.on_step(step);
    return true;
  });
  if (result.is_complete) sweep.finish(system, start, options.start);
  result.of_parameters = sweep.gradient();
  result.of_start = sweep.adjoint();
  result.worst_mismatch = sweep.worst_mismatch();
  result.num_steps = run.num_steps();
  result.num_steps_again = run.num_steps_again();
  result.peak_bytes = run.peak_bytes();
  return result;
}

}  // namespace dashpot
