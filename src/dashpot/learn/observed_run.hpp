#pragma once
// A scene, what was measured of its motion, and how far the two are apart for given values of its parameters:
//
//     chi2(theta) = sum of r^2,     dchi2/dtheta = 2 J^T r,     J = dr/dx dx/dtheta,
//
// with the residuals r of the observations (observation.hpp) and dx/dtheta by forward sensitivities through the
// integrator (gradients/sensitivity.hpp). Only J^T J and J^T r are kept, so memory does not grow with what was
// measured.
//
// The run starts as the scene says; a start in equilibrium is found anew for the values (and that is differentiated),
// every other start stays where it is. Between steps positions are interpolated by cubics through positions and
// velocities at both ends.

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/gradients/sensitivity.hpp"
#include "dashpot/learn/observation.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::learn {

struct ObservedRun {
  std::string name;  ///< "pull.json", for messages and reports
  std::shared_ptr<const CompiledScene> scene;
  std::vector<std::shared_ptr<const Observation>> observations;

  /// The last instant that was measured [s], on the scene's clock.
  double last_instant() const;
};

/// What a comparison shall do.
struct CompareOptions {
  std::vector<double> values;   ///< of all parameters of the System; empty: the scene's own
  std::vector<int> parameters;  ///< indices of those to differentiate with respect to; none: only chi2
  /// What was measured later is left out [s].
  double until = std::numeric_limits<double>::infinity();
  double robust_scale = std::numeric_limits<double>::infinity();  ///< as of Observation::add_residuals
  /// The run is ended once chi2 is above: a trial that is worse already needs no end.
  double give_up_above = std::numeric_limits<double>::infinity();
  std::function<bool()> should_stop;         ///< polled before each step; true: the comparison is worth nothing
  std::function<void(double time)> on_step;  ///< simulated time [s], for progress
  /// Is told every measured instant: which observation, which of its instants, the simulated points, the residuals.
  std::function<void(std::size_t, int, const std::vector<Vec3>&, const ResidualRows&)> on_instant;
};

struct Comparison {
  enum class End {
    reached,  ///< all that was measured (until `until`) has been compared
    worse,    ///< above give_up_above
    failed,   ///< a step failed, or there is no equilibrium to start from
    stopped
  };
  End end = End::reached;
  std::string explanation;  ///< why it failed
  double chi2 = 0;
  int num_residuals = 0;
  Matrix JtJ;  ///< with options.parameters
  Vector Jtr;
  double worst_residual = 0;  ///< of the linear equations of the sensitivities

  bool reached() const { return end == End::reached; }
  /// Adds what another run says; ends are the worse of both.
  void add(const Comparison& other);
};

/// dashpot::Error where the scene cannot be differentiated (gradients/sensitivity.hpp).
Comparison compare(const ObservedRun& run, const CompareOptions& options);

/// Whether the bodies of a scene start in equilibrium; dashpot::Error for a mixture, which is not differentiated.
SensitivityStepper::Start start_kind(const CompiledScene& scene);
/// The start of the scene for a System with other values; dashpot::Error where there is no equilibrium.
State start_with(const CompiledScene& scene, const System& system);

}  // namespace dashpot::learn
