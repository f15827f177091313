#pragma once
// The koala in reduced coordinates with four damping examples, in real time (paper A, table 2): steps of 10 ms by
// Bathe's rule, with one Newton iteration a sub-step and converged; how long they take and how far they differ.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/record/recording.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "dashpot/scene/compile.hpp"
#include "reduced_cost.hpp"
#include "reproductions.hpp"

namespace dashpot::cli::realtime {

constexpr double dt = 0.01;  ///< [s]

struct Sizes {
  int tets = 11080, modes = 20, coordinates = 74, steps = 60, repeats = 20;
};

/// One motion of two seconds with its ledger.
struct Course {
  std::string label;
  std::vector<double> time, belly;  ///< [s]; sideways displacement of the belly [m]
  std::vector<Frame> frames;
  double initial = 0, damping = 0, solver = 0, numerical = 0;  ///< [J]
  double passes = 0;                                           ///< over the coefficients, a step
  bool failed = false;                                         ///< it ended before the two seconds
};

struct Measured {
  CompiledScene scene;
  std::optional<ReducedModel> model;
  double precompute_s = 0;       ///< [s]
  std::vector<double> captured;  ///< of each example, |Phi z|_M / |X|_M
  double start_error = 0;        ///< part of the start outside the subspace, in the norm of the mass
  EvaluationCost evaluation;
  double once_ms = 0, converged_ms = 0;  ///< a step; fastest repeats, not a number where a step failed
  double once_median_ms = 0, converged_median_ms = 0;
  double iterations = 0;  ///< of Newton, a converged step
  Course once, converged;

  /// Largest distance between the two motions of the belly over its largest displacement; not a number where one
  /// ended early or nothing moved.
  double deviation() const;
  double largest_displacement() const;  ///< of the belly, converged [m]
};

/// Nothing when interrupted. The scene is written to folder/scene.json.
std::optional<Measured> measure(const ReproductionRequest& request, const Sizes& sizes);

}  // namespace dashpot::cli::realtime
