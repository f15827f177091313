#include "dropped_penguin.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace dashpot::cli {

std::string penguin_scene(const DroppedPenguin& setup, const std::string& damping) {
  return scene_file("penguin_drop", {{"/time/dt", setup.dt},
                                     {"/time/end", setup.end},
                                     {"/bodies/0/mesh/tets", setup.tets},
                                     {"/bodies/0/place/translate/1", setup.height},
                                     {"/bodies/0/damping", list_of(damping)},
                                     {"/record/every", std::max(setup.dt, 0.02)}});
}

double energy_created(const DroppedPenguin& setup, const RecordedRun& motion) {
  if (motion.diverged) return std::numeric_limits<double>::infinity();
  const double fall = motion.scene.bodies.at(0).mass * 9.81 * setup.height;
  double most = 0;
  for (std::size_t i = 0; i < motion.energy.size(); ++i)
    most = larger(most, motion.energy[i] + motion.damped[i] - motion.energy[0]);
  return most / fall;
}

std::vector<double> heights(const DroppedPenguin& setup, const RecordedRun& motion) {
  std::vector<double> found = motion.coordinate(0, 1);
  for (double& y : found) y += setup.height;
  return found;
}

std::vector<double> bounces(const DroppedPenguin& setup, const RecordedRun& motion) {
  const double least = 0.02 * setup.height;
  std::vector<double> found;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  bool rises = false;
  for (const double y : heights(setup, motion)) {
    if (!rises) {
      low = std::min(low, y);
      if (y > low + least) rises = true, high = y;
    } else {
      high = std::max(high, y);
      if (y < high - least) found.push_back(high - low), rises = false, low = y;
    }
  }
  return found;
}

Attempt drop_penguin(const ReproductionRequest& request, const DroppedPenguin& setup, const std::string& name,
                     const std::string& damping) {
  Attempt attempt;
  attempt.motion = run_scene(request, name, penguin_scene(setup, damping));
  const double created = energy_created(setup, attempt.motion);
  attempt.is_stable = created <= allowed_creation;
  attempt.outcome = std::isfinite(created) ? fmt::format("{:.3g}", 100 * created) : "run failed";
  return attempt;
}

}  // namespace dashpot::cli
