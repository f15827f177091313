// D-tracking: a mesh is drawn onto a point cloud from far off [WangEtAl2020, fig. 3]. The cloud is a bent rubber bar,
// turned and moved away; the mesh is the straight bar, nearly twice as stiff. Springs pull it towards what was measured
// while it moves as its own law says; the paper's patches, patches without their bias, and heights over planes.

#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "dashpot/learn/space_time_tracking.hpp"
#include "interrupt.hpp"
#include "learning_trials.hpp"
#include "measures.hpp"
#include "rubber_bar.hpp"

namespace dashpot::cli::d_tracking {
namespace {

using learn::CloudResidual;

constexpr double turn = 0.35, shift = 0.3;        // of the cloud [rad], and [of the size of the bar]
constexpr double noise = 0.005, outliers = 0.02;  // [of the size], share of the points
constexpr double pull = 0.1;                      // of a spring (TrackingOptions::stiffness)
constexpr double settled = 0.005;                 // of the last error: as good as arrived

struct Setup {
  int steps = 120;
  int points = 500;  ///< of a camera
  bool is_quick = false;
};

Setup setup_of(ReproductionVariant variant) {
  if (variant == ReproductionVariant::quick) return {30, 300, true};
  return {};
}

/// The pose of a held bar that hangs farthest down, turned and moved, as a trial that stays there.
LearningTrial still_pose(const ReproductionRequest& request, const Setup& setup) {
  const RubberBar hanging{.end = 0.2};
  const LearningTrial swing = make_trial(request, "swing", hanging.scene(neo_hookean_rubber()),
                                         hanging.scene(neo_hookean_rubber()), {}, 1, false);
  const std::vector<Vec3>* lowest = &swing.truth_motion.positions[0];
  for (const std::vector<Vec3>& frame : swing.truth_motion.positions)
    if (frame.back().z() < lowest->back().z()) lowest = &frame;
  const RubberBar free{.end = 0.0025 * setup.steps,
                       .gravity = "[0, 0, 0]",
                       .is_held = false,
                       .damping = R"([{"model": "rayleigh", "alpha": 60}])"};
  LearningTrial trial =
      make_trial(request, "bar", free.scene(believed_rubber()), free.scene(believed_rubber()), {}, 1, false);
  const Eigen::AngleAxisd rotation(turn, Vec3(0.3, 1, 0.5).normalized());
  const Vec3 away = shift * trial.size * Vec3(0.5, 0.6, 0.6).normalized();
  std::vector<Vec3> pose;
  for (const Vec3& x : *lowest) pose.push_back(rotation * x + away);
  trial.truth_motion.positions.assign(trial.times.size(), pose);
  trial.seen = trial.truth_motion;
  return trial;
}

struct Followed {
  std::string name;
  learn::SimulatedMotion motion;
  learn::MotionError error;

  double last() const { return error.worst_by_instant.empty() ? not_measured : 100 * error.worst_by_instant.back(); }
  /// Steps until the error stays within a little of where it ends.
  int steps_needed() const {
    int step = static_cast<int>(error.worst_by_instant.size());
    while (step > 1 && error.worst_by_instant[static_cast<std::size_t>(step) - 1] <= 0.01 * last() + settled) --step;
    return step;
  }
};

Followed follow(const LearningTrial& trial, const std::string& name, CloudResidual residual, const Setup& setup) {
  learn::ScanSettings scan;
  for (const Vec3& direction : {Vec3(1, -1, 0.5), Vec3(-1, 1, 0.4), Vec3(0.2, 0.1, -1), Vec3(-0.3, -0.2, 1)})
    scan.cameras.push_back({fmt::format("camera{}", scan.cameras.size()), {}, direction.normalized()});
  scan.points = setup.points;
  scan.noise = noise * trial.size;
  scan.outliers = outliers;
  learn::CloudOptions options;
  options.residual = residual;
  const learn::ObservedRun observed{name, trial.scene, {see_clouds(trial, scan, options)}};
  const learn::SpaceTimeRun run(observed);
  learn::TrackingOptions tracking;
  tracking.stiffness = pull;
  if (residual == CloudResidual::point_to_plane) tracking.robust_scales = {HUGE_VAL, 30, 10, 5};
  tracking.should_stop = [] { return interrupted(); };
  const learn::TrackedRun tracked = learn::track(run, *trial.scene->system, tracking);
  Followed followed{name, {tracked.finished, tracked.explanation, {}}, {}};
  for (int i = 0; tracked.finished && i < run.num_steps(); ++i)
    trial.scene->system->kinematics().positions(tracked.frames.col(i), followed.motion.positions.emplace_back());
  followed.error = trial.error_of(followed.motion);
  return followed;
}

std::vector<Claim> make_claims(const LearningTrial& trial, const std::vector<Followed>& all, const Setup& setup) {
  std::vector<Claim> claims;
  const double first = 100 * trial.error_of(trial.nominal).worst;
  claims.push_back(claim_at_least("starts_far_off", "largest distance of a node from its place before tracking", {},
                                  first, "%", 20));
  claims.push_back(claim_at_most("tracked_error", "the same after tracking by heights over planes",
                                 "tracks correctly even with large discrepancies", all[0].last(), "%", 5));
  claims.push_back(claim_at_most("patch_error", "the same by the paper's patches",
                                 "tracks correctly even with large discrepancies", all[2].last(), "%", 10));
  claims.back() =
      on_our_body(claims.back(), "a square bar with few nodes; the paper prints neither sigma nor threshold");
  claims.push_back(claim_at_least("planes_over_patches",
                                  "error of the paper's patches over that of heights over planes", {},
                                  all[2].last() / all[0].last(), "1", 1));
  if (setup.is_quick)
    for (Claim& claim : claims) claim = not_judged(claim, "a quarter of the steps and a third of the points");
  return claims;
}

render::Report make_report(const ReproductionRequest& request, const LearningTrial& trial,
                           const std::vector<Followed>& all) {
  render::Report report;
  report.title = "D-tracking: a mesh is drawn onto a point cloud";
  report.subtitle = "Wang et al. 2020, section 5.3, figure 3";
  report.summary = fmt::format(
      "The straight bar starts with nodes up to {:.0f} % of its size away from their places in the cloud of a bent, "
      "turned and moved one. Springs towards planes bring this to {} %, unbiased patches to {} %, the paper's patches "
      "to "
      "{} %.",
      100 * trial.error_of(trial.nominal).worst, percent_text(all[0].last()), percent_text(all[1].last()),
      percent_text(all[2].last()));
  render::Table table{"Tracking", {"residual", "largest error at the end %", "steps until it stays"}, {}, {}};
  std::vector<NamedMotion> motions;
  for (const Followed& followed : all) {
    table.rows.push_back({followed.name, percent_text(followed.last()), fmt::format("{}", followed.steps_needed())});
    motions.push_back({followed.name, &followed.motion});
  }
  const double end = trial.times.back();
  report.sections.push_back({"Errors", {table, write_figure(request, "error", error_figure(trial, motions))}});
  report.sections.push_back(
      {"Pictures",
       {trial_picture(request, trial, motions, {trial.times[0], 0.1 * end, 0.3 * end, end}, {}, "bars.png")}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Setup setup = setup_of(request.variant);
  const LearningTrial trial = still_pose(request, setup);
  std::vector<Followed> all;
  for (const auto& [name, residual] : {std::pair("heights over planes", CloudResidual::point_to_plane),
                                       std::pair("unbiased patches", CloudResidual::differential_patch),
                                       std::pair("the paper's patches", CloudResidual::patch)}) {
    Progress progress(request.console, name, 1, "");
    all.push_back(follow(trial, name, residual, setup));
    if (interrupted()) return {};
  }
  std::vector<Claim> claims = make_claims(trial, all, setup);
  write_report(request, make_report(request, trial, all), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-tracking", "Wang et al. 2020, fig. 3", "a mesh is drawn onto a point cloud from far off", reproduce};
}

}  // namespace dashpot::cli::d_tracking
