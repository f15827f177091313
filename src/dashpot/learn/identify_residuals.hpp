#pragma once
// What is minimized of one run (identify.hpp): residuals of its motion, or of its envelope.

#include "dashpot/learn/identify_run.hpp"

namespace dashpot::learn {

/// Residuals of the motion, a column a point; constant and drift of each are taken out.
class MotionResiduals {
 public:
  /// From the first turning point to `last` [s], of which only the share `horizon`, one cycle at least.
  MotionResiduals(const PreparedRun& run, double last, double horizon);
  Eigen::Index instants() const { return static_cast<Eigen::Index>(used_.size()); }
  /// Independent numbers: those of the constants and drifts are none.
  int count() const { return (static_cast<int>(used_.size()) - 2) * static_cast<int>(run_.run->points.size()); }
  Vector of(const SimulatedRing& ring) const;

 private:
  const PreparedRun& run_;
  std::vector<std::size_t> used_;
  Matrix Q_;  ///< orthonormal: constant and drift, each over sigma
};

/// Residuals of the envelope: of each swing, of the mean frequency, of the first turning point's phase.
class EnvelopeResiduals {
 public:
  /// Of the swings that were seen up to `end` [s]; `error`: of the model, relative.
  EnvelopeResiduals(const PreparedRun& run, double end, double error);
  int count() const { return static_cast<int>(time_.size()) + 2; }
  /// Not a number where the simulated body does not ring.
  Vector of(const SimulatedRing& ring) const;

 private:
  const PreparedRun& run_;
  double error_;
  std::vector<double> time_, size_;
  std::vector<analysis::Extremum> turns_;
};

/// How many residuals in a row say the same: 1 + 2 sum of the autocorrelation up to its first zero. Points that move
/// together are one: their number counts too where their residuals agree.
double correlation_of(const Vector& residuals, Eigen::Index instants);

}  // namespace dashpot::learn
