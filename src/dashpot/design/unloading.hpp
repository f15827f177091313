#pragma once
// Inverse design by unloading tests [XuBarbic2017, sec. 4.3]: "let go from a times this example, b of it shall be left
// after one cycle", for several amplitudes and examples. The gain of each example becomes a curve with a knot at each
// amplitude, straight in log10 gamma and constant below the first knot. A release from a passes only amplitudes up to
// a, so knots are found in ascending order, one search each; where there are several examples, whose swings feel each
// other's gains, the sweep over them is repeated until every target holds.
//
// Each swing also passes the small amplitudes, whose gains earlier targets have fixed: with a curve that is constant
// below its first knot, (0.8 to 0.2, 1.6 to 0.75) is out of reach of an oscillator (reference ABCE, 1.9). So where the
// weakest gain at a knot takes too much, a knee is placed below the first knot: the gain that meets the first target is
// constant up to the knee only, and weak at the knot. All the energy of a small swing may be taken in its last
// millimeter, and a large swing passes that millimeter fast. The knee goes down by halves until the targets can be met.
// Where none is low enough, the bound of the gain is kept, and what was reached and why is said.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "dashpot/design/release.hpp"

namespace dashpot::design {

struct UnloadingTarget {
  int example = 0;
  double amplitude = 1;  ///< a > 0, in units of the example
  double residual = 0;   ///< b, 0 <= b < a
};

struct UnloadingOptions {
  double tolerance = 0.01;   ///< of |reached / b - 1|; of |reached| / a where b = 0
  int max_simulations = 15;  ///< per target and sweep
  int max_sweeps = 6;
  double low = 1e-3, high = 1e3;  ///< bounds of gains
  int max_halvings = 6;           ///< of the first knot's amplitude, down to the knee; 0: no knee
  /// Told after each simulation: what is searched, how many simulations so far, the present gain and what it leaves.
  std::function<void(const UnloadingTarget&, int simulations, double gain, double left)> on_simulation;
  std::function<bool()> should_stop;
};

struct UnloadingReached {
  UnloadingTarget target;
  double gain = 1;  ///< at the knot; below a first knot with the weakest gain the curve has a knee
  double left =
      std::numeric_limits<double>::quiet_NaN();  ///< after one cycle with the final gains; NaN: stopped before
  double error = std::numeric_limits<double>::quiet_NaN();  ///< as the tolerance measures it
  int simulations = 0;                                      ///< in the last sweep's search
  bool reached = false;
  std::string explanation;  ///< of a target that was not reached
};

struct UnloadingDesign {
  Gains gains;
  std::vector<UnloadingReached> targets;  ///< by example, then amplitude
  int simulations = 0, sweeps = 0;
  bool reached = false;  ///< all of them
  bool stopped = false;  ///< should_stop said so; gains are the best so far
};

/// Examples without a target keep the gain in `start`. dashpot::Error naming every target that makes no sense.
UnloadingDesign design_unloading(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                 const UnloadingOptions& options);

/// One constant gain per example with targets that comes nearest to all its targets (least squares of the relative
/// errors): the best that linear damping can do.
UnloadingDesign best_constant_gains(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                    const UnloadingOptions& options);

}  // namespace dashpot::design
