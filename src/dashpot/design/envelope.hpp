#pragma once
// Fits the gain curve of one example to a measured decay: amplitudes A_i at times t_i after a release. Knots of the
// curve stand at given amplitudes; their log10 gamma minimize the sum of squares of (simulated - measured) / a by
// Gauss-Newton steps with differences for derivatives, damped after Levenberg where a step does not help. The simulated
// envelope joins its turning points by exponentials; a body that creeps back without turning is its own envelope.

#include "dashpot/design/unloading.hpp"

namespace dashpot::design {

struct EnvelopePoint {
  double time = 0;       ///< after the release [s]
  double amplitude = 0;  ///< > 0, in units of the example
};

struct EnvelopeTarget {
  int example = 0;
  double amplitude = 1;               ///< a at the release
  std::vector<EnvelopePoint> points;  ///< times ascending, at least two
  std::vector<double> knots;  ///< amplitudes of the curve's knots, ascending; empty: three, spread over the data
  double tolerance = 0;       ///< of the rms error: content below it; 0: on until no step helps
};

struct EnvelopeFit {
  Gains gains;
  std::vector<double> knots, knot_gains;
  double rms_error = 0;           ///< of (simulated - measured) / a
  std::vector<double> simulated;  ///< amplitudes at the points
  int simulations = 0;
  bool stopped = false;
};

/// `options.low`, `high` and callbacks are used. dashpot::Error for data that make no sense.
EnvelopeFit fit_envelope(const Designable& body, const Gains& start, const EnvelopeTarget& target,
                         const UnloadingOptions& options);

/// Amplitude of a swing at the times of the points.
std::vector<double> envelope_of(const Swing& swing, double amplitude, const std::vector<EnvelopePoint>& points);

}  // namespace dashpot::design
