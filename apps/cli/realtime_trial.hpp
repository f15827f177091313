#pragma once
// A scene played at wall-clock pace, with one live change of its damping half way: does it hold the rate?
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/projective/realtime_loop.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::cli {

struct TrialOptions {
  double rate = 60;    ///< frames a second
  double seconds = 5;  ///< of the scene and of the clock on the wall
  double budget = 0;   ///< of a frame [s]; 0: what the scene says
  double factor = 2;   ///< on the parameters of the first damping, half way
};

/// The frame with the changed damping.
struct LiveChange {
  std::vector<std::string> parameters;  ///< their names
  int frame = 0;                        ///< counted from 0
  double work = 0;                      ///< [s], the new factor included
  double latency = 0;                   ///< from the request to the end of that frame [s]
  int factorizations = 0;
};

struct TrialResult {
  int frames_wanted = 0, steps_per_frame = 1;
  double step = 0;         ///< [s]
  double budget = 0;       ///< that was in force [s]; 0: none
  double preparation = 0;  ///< of a first frame before the clock was started: analysis and first factor [s]
  RealtimeTimings timings;
  int missed = 0;                             ///< frames that were late, cut short or both
  std::vector<double> iterations, residuals;  ///< of each frame
  double simulated = 0, wall = 0;             ///< [s]
  std::optional<LiveChange> change;
  std::string failure;  ///< why no step went on; empty: none failed

  int frames() const { return static_cast<int>(timings.work.size()); }
  double rate() const { return wall > 0 ? frames() / wall : 0; }
  bool is_held(double allowed_share) const { return failure.empty() && missed <= allowed_share * frames(); }
};

/// Steps a frame takes so that none is longer than the scene's own.
int steps_per_frame(double dt, double rate);
/// Plays until it is done, a step fails or `should_stop`; `on_frame` hears how many frames are done.
TrialResult play(const CompiledScene& scene, const TrialOptions& options, const std::function<bool()>& should_stop,
                 const std::function<void(int frames)>& on_frame);

}  // namespace dashpot::cli
