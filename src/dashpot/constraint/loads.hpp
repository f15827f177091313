#pragma once
// Forces given in time: constant within a window (with optional linear ramps), or harmonic.

#include <memory>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Time course of a load: a window [start, end] with linear ramps, times 1 or sin(2 pi f t + phase).
struct TimeCourse {
  double start = 0;    ///< [s]
  double end = 1e300;  ///< [s]
  double ramp = 0;     ///< rise and fall within the window [s]
  bool harmonic = false;
  double frequency = 0;                ///< [Hz]
  double phase = 0;                    ///< [rad]
  double evaluate(double time) const;  ///< factor [1]
};

/// A force on nodes: `force` [N] is shared among `blocks` by `weights` (which sum to one).
class NodeForce final : public ExternalLoad {
 public:
  NodeForce(std::vector<int> blocks, std::vector<double> weights, Vec3 force, TimeCourse course);
  void add_force(double time, Vector& f) const override;
  ParameterList parameters() const override;
  std::shared_ptr<ExternalLoad> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::vector<int> blocks_;
  std::vector<double> weights_;
  Vec3 force_;
  TimeCourse course_;
};

}  // namespace dashpot
