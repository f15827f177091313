// D-strategies: ways to solve the space-time problem [WangEtAl2020, fig. 4]. The paper's alternation between trajectory
// and weights, over all dofs and in few modes, from nodes and from point clouds; the joint estimator that replaces it;
// and the search through the simulator.

#include <algorithm>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "learning_trials.hpp"
#include "measures.hpp"
#include "rubber_bar.hpp"

namespace dashpot::cli::d_strategies {
namespace {

using learn::Estimator;

struct Setup {
  double end = 0.25;                         ///< [s]
  int iterations = 5;                        ///< of the alternation
  std::vector<int> modes = {0, 80, 40, 20};  ///< 0: all dofs
  bool is_quick = false;
};

Setup setup_of(ReproductionVariant variant) {
  if (variant == ReproductionVariant::quick) return {0.1, 2, {40}, true};
  return {};
}

struct Strategy {
  LearnedTrial learned;
  Estimator estimator = Estimator::levenberg;
  int modes = 0;
  bool sees_nodes = true;
  std::vector<double> errors;  ///< after each iteration [%]

  /// After the first iteration; the one before is the believed law.
  double first_error() const { return errors.size() > 1 ? errors[1] : not_measured; }
  double largest_error() const {
    return errors.size() > 1 ? largest({errors.begin() + 1, errors.end()}) : not_measured;
  }
};

Strategy try_strategy(const ReproductionRequest& request, const LearningTrial& trial,
                      const std::shared_ptr<const learn::Observation>& seen, Estimator estimator, int modes,
                      bool sees_nodes, const Setup& setup) {
  Strategy strategy{{}, estimator, modes, sees_nodes, {}};
  learn::LearnTask task = task_of({{&trial, seen}});
  task.estimator.kind = estimator;
  task.estimator.alternation.num_modes = task.estimator.space_time.num_modes = modes;
  task.estimator.alternation.iterations = setup.iterations;
  if (!sees_nodes) {
    // Clouds are noisy, do not say where a node went, and are not there in every step.
    task.estimator.alternation.tracking_stiffness = task.estimator.space_time.tracking_stiffness = 1;
    task.estimator.space_time.rounds = 5;
  }
  const std::string kind = estimator == Estimator::levenberg    ? "through the simulator"
                           : estimator == Estimator::space_time ? "joint"
                                                                : "alternation";
  const std::string space = estimator == Estimator::levenberg ? ""
                            : modes == 0                      ? ", full"
                                                              : fmt::format(", {} modes", modes);
  strategy.learned =
      learn_trial(request, fmt::format("{}{}, {}", kind, space, sees_nodes ? "nodes" : "clouds"), task, trial);
  strategy.errors = errors_by_iteration(trial, strategy.learned);
  return strategy;
}

/// Ends early when interrupted.
std::vector<Strategy> try_all(const ReproductionRequest& request, const LearningTrial& trial, const Setup& setup) {
  const auto nodes = see_nodes(trial, surface_points(trial), 1e-4 * trial.size);
  learn::ScanSettings scan;
  scan.cameras = {{"left", {}, Vec3(0.3, -1, 0.5).normalized()}, {"right", {}, Vec3(0.5, 1, 0.4).normalized()}};
  scan.points = 1000;
  scan.noise = 1e-3 * trial.size;
  const auto clouds = see_clouds(trial, scan);
  std::vector<Strategy> all;
  const auto add = [&](Estimator estimator, int modes, bool sees_nodes) {
    if (!interrupted())
      all.push_back(try_strategy(request, trial, sees_nodes ? nodes : clouds, estimator, modes, sees_nodes, setup));
  };
  for (const int modes : setup.modes) add(Estimator::alternation, modes, true);
  add(Estimator::alternation, 40, false);
  add(Estimator::space_time, 40, true);
  add(Estimator::space_time, 40, false);
  add(Estimator::levenberg, 0, true);
  return all;
}

const Strategy& strategy_of(const std::vector<Strategy>& all, Estimator estimator, int modes, bool sees_nodes) {
  for (const Strategy& strategy : all)
    if (strategy.estimator == estimator && strategy.modes == modes && strategy.sees_nodes == sees_nodes)
      return strategy;
  return all.front();
}

std::vector<Claim> make_claims(const std::vector<Strategy>& all, const LearningTrial& trial, const Setup& setup) {
  const double nominal = 100 * trial.error_of(trial.nominal).worst;
  const Strategy &joint = strategy_of(all, Estimator::space_time, 40, true),
                 &joint_clouds = strategy_of(all, Estimator::space_time, 40, false),
                 &alternation = strategy_of(all, Estimator::alternation, 40, true),
                 &clouds = strategy_of(all, Estimator::alternation, 40, false),
                 &full = strategy_of(all, Estimator::alternation, 0, true);
  std::vector<Claim> claims;
  claims.push_back(claim_at_most("alternation_converges",
                                 "alternation, 40 modes, nodes: best error over the believed law's", "converges",
                                 alternation.learned.worst() / nominal, "1", 0.5));
  claims.push_back(claim_at_most("alternation_converges_cloud", "the same from clouds", "good convergence",
                                 clouds.learned.worst() / nominal, "1", 0.5));
  claims.push_back(
      on_our_body(claim_at_least("full_overshoots", "largest error on the way over all dofs, over that in 40 modes",
                                 "node constraints in full space overshoot, reduced ones do not",
                                 full.largest_error() / alternation.largest_error(), "1", 1),
                  "the bar has few dofs: 40 modes are a quarter of them"));
  claims.push_back(claim_at_most("joint_nodes", "joint estimator, nodes: error", {}, joint.learned.worst(), "%", 0.1));
  claims.push_back(
      claim_at_most("joint_clouds", "joint estimator, clouds: error", {}, joint_clouds.learned.worst(), "%", 1));
  claims.push_back(claim_at_most("joint_over_alternation",
                                 "error of the joint estimator over that of the alternation, nodes", {},
                                 joint.learned.worst() / alternation.learned.worst(), "1", 0.1));
  claims.push_back(reported(
      "joint_seconds_over_simulator", "time of the joint estimator over that of the search through the simulator", {},
      joint.learned.seconds / strategy_of(all, Estimator::levenberg, 0, true).learned.seconds, "1"));
  if (setup.is_quick)
    for (Claim& claim : claims) claim = not_judged(claim, "a short motion and few iterations");
  return claims;
}

render::Table table_of(const std::vector<Strategy>& all) {
  render::Table table{
      "Ways to learn the same law from the same motion",
      {"strategy", "error after the first iteration %", "largest on the way %", "best %", "rms of it %", "seconds"},
      {},
      "Largest error of any node in a forward simulation. Best: the law that fits what was seen best, "
      "which is the one that is kept."};
  for (const Strategy& strategy : all)
    table.rows.push_back({strategy.learned.name, percent_text(strategy.first_error()),
                          percent_text(strategy.largest_error()), percent_text(strategy.learned.worst()),
                          percent_text(strategy.learned.rms()), fmt::format("{:.1f}", strategy.learned.seconds)});
  return table;
}

render::Figure figure_of(const std::vector<Strategy>& all) {
  render::Figure figure;
  figure.title = "Error after each iteration";
  figure.description = "Largest error of a node in a forward simulation, logarithmic, over iterations.";
  render::Panel panel;
  panel.x = {"iteration", ""};
  panel.y = {"largest error of a node", "%", true};
  for (const Strategy& strategy : all) {
    if (strategy.estimator == Estimator::levenberg) continue;  // its iterations are far cheaper
    render::Series series{strategy.learned.name, {}, strategy.errors, {}, render::Mark::line_and_points};
    for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i));
    panel.series.push_back(series);
  }
  figure.panels = {panel};
  return figure;
}

render::Report make_report(const ReproductionRequest& request, const LearningTrial& trial,
                           const std::vector<Strategy>& all) {
  const Strategy &joint = strategy_of(all, Estimator::space_time, 40, true),
                 &alternation = strategy_of(all, Estimator::alternation, 40, true);
  render::Report report;
  report.title = "D-strategies: ways to solve the space-time problem";
  report.subtitle = "Wang et al. 2020, section 7.1, figure 4";
  report.summary = fmt::format(
      "With the believed law the bar is up to {:.0f} % of its size away from the truth. The paper's alternation in 40 "
      "modes brings this to {} %, the joint estimator with the same data and modes to {} %.",
      100 * trial.error_of(trial.nominal).worst, percent_text(alternation.learned.worst()),
      percent_text(joint.learned.worst()));
  report.sections.push_back({"Errors", {table_of(all), write_figure(request, "convergence", figure_of(all))}});
  report.sections.push_back({"Motion",
                             {write_figure(request, "error",
                                           error_figure(trial, {{"believed", &trial.nominal},
                                                                {"alternation", &alternation.learned.motion},
                                                                {"joint", &joint.learned.motion}})),
                              write_figure(request, "path",
                                           path_figure(trial, {{"believed", &trial.nominal},
                                                               {"alternation", &alternation.learned.motion},
                                                               {"joint", &joint.learned.motion}}))}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Setup setup = setup_of(request.variant);
  const RubberBar bar{.end = setup.end};
  const LearningTrial trial =
      make_trial(request, "rubber bar", bar.scene(neo_hookean_rubber()), bar.scene(believed_rubber()), {});
  const std::vector<Strategy> all = try_all(request, trial, setup);
  if (interrupted()) return {};
  std::vector<Claim> claims = make_claims(all, trial, setup);
  write_report(request, make_report(request, trial, all), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-strategies", "Wang et al. 2020, fig. 4",
          "the paper's alternation, full and reduced, from nodes and clouds, against the joint estimator", reproduce};
}

}  // namespace dashpot::cli::d_strategies
