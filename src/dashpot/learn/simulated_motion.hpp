#pragma once
// Where the points of a scene are at given instants, for given values of its parameters, and how far two motions are
// apart: what a learned law is judged by [reference D, section 8].

#include <functional>
#include <string>
#include <vector>

#include "dashpot/scene/compile.hpp"

namespace dashpot::learn {

struct SimulatedMotion {
  bool finished = false;
  std::string explanation;                   ///< why it ended early
  std::vector<std::vector<Vec3>> positions;  ///< by instant: of all points of the System [m]; as far as it went
};

/// `values`: of all parameters; empty: the scene's own. Instants [s] increase; none may lie before the start.
SimulatedMotion simulated_motion(const CompiledScene& scene, const std::vector<double>& values,
                                 const std::vector<double>& times, const std::function<bool()>& should_stop = {});

/// Distances between the same points of two motions.
struct MotionError {
  double worst = 0, rms = 0;  ///< over all points and instants, share of `size`
  std::vector<double> worst_by_instant;
};
/// `size` [m]: the diagonal of the body's bounding box at rest. Not a number where a motion has not been finished.
MotionError motion_error(const SimulatedMotion& a, const SimulatedMotion& b, double size);

/// The diagonal of the bounding box of all bodies at rest [m].
double rest_diagonal(const CompiledScene& scene);

}  // namespace dashpot::learn
