#pragma once
// How trunk and ears of the walking elephant (paper A, fig. 11) swing, seen from its head.

#include <optional>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "walking_elephant.hpp"

namespace dashpot::cli::elephant {

constexpr double measured_from = 2.4;  ///< [s]; the trunk is measured after two strides that start the walk
constexpr int side = 0, fore_aft = 2;  ///< axes of the head

struct Walk {
  RecordedRun motion;
  std::vector<Vec3> trunk, ear;  ///< in the frame of the head, from where they are at the start [m]
  /// About its mean, from a time [s] on [m].
  double rms(const std::vector<Vec3>& path, int axis, double from = measured_from) const;
};

/// Runs the scene and measures it; the scene is written to folder/scene_<file>.json.
Walk walk(const ReproductionRequest& request, const ElephantSize& size, const std::string& name,
          const std::string& file, const std::optional<ElephantGains>& gains);

/// Swing over that under Rayleigh damping [1]: of the trunk once the walk has begun, of the left ear from the start on.
struct Ratios {
  double side, fore_aft, ear;
};
Ratios ratios(const Walk& design, const Walk& rayleigh);

/// How far the tip of the trunk moves as the two trunk examples are named (1: only so).
double examples_as_named(const RecordedRun& motion);

/// When two motions of the trunk's tip are farthest apart along an axis, in a stride that begins at `from` [s].
double telling_time(const Walk& a, const Walk& b, int axis, double from);

}  // namespace dashpot::cli::elephant
