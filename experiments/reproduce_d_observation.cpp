// D-observation: how much of a body has to be seen for its law to be learned [WangEtAl2020, fig. 5]. A bar of a rubber
// that is stiffened under compression swings under gravity; the law that is believed is corotational and much stiffer.
// Seen are all nodes of the surface, 13 % and 6 % of them, and point clouds of two cameras, with noise and outliers.

#include <algorithm>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "learning_trials.hpp"
#include "measures.hpp"
#include "rubber_bar.hpp"

namespace dashpot::cli::d_observation {
namespace {

constexpr double few = 0.06, some = 0.13;        // of the nodes of the surface [fig. 5]
constexpr double noise = 0.01, outliers = 0.02;  // of the size of the bar; share of the points

struct Setup {
  double end = 0.4;       ///< [s]
  int seeds = 5;          ///< of clouds
  int points = 1000;      ///< of a frame and camera
  bool is_quick = false;  ///< too short and too few points for a verdict
};

Setup setup_of(ReproductionVariant variant) {
  if (variant == ReproductionVariant::quick) return {0.1, 1, 300, true};
  return {};
}

learn::ScanSettings two_cameras(const LearningTrial& trial, const Setup& setup, int seed) {
  learn::ScanSettings scan;
  scan.cameras = {{"left", {}, Vec3(0.3, -1, 0.5).normalized()}, {"right", {}, Vec3(0.5, 1, 0.4).normalized()}};
  scan.points = setup.points;
  scan.every = 2;
  scan.noise = noise * trial.size;
  scan.outliers = outliers;
  scan.seed = static_cast<std::uint64_t>(seed);
  return scan;
}

/// What was learned of a bar, from each way to look at it.
struct Seen {
  LearningTrial trial;
  LearnedTrial all, some_nodes, few_nodes;
  std::vector<LearnedTrial> clouds;  ///< by seed

  double worst_cloud() const {
    double worst = 0;
    for (const LearnedTrial& one : clouds) worst = larger(worst, one.worst());
    return clouds.empty() ? not_measured : worst;
  }
  /// The cloud in the middle.
  double median_cloud() const {
    std::vector<double> errors;
    for (const LearnedTrial& one : clouds) errors.push_back(one.worst());
    if (errors.empty() || std::isnan(largest(errors))) return not_measured;
    std::sort(errors.begin(), errors.end());
    return errors[errors.size() / 2];
  }
  const LearnedTrial& shown_cloud() const {
    for (const LearnedTrial& one : clouds)
      if (one.worst() == median_cloud()) return one;
    return clouds.front();
  }
};

LearnedTrial from_nodes(const ReproductionRequest& request, const LearningTrial& trial, const std::string& name,
                        double share) {
  const auto seen = see_nodes(trial, surface_points(trial, share), 1e-4 * trial.size);
  return learn_trial(request, fmt::format("{}: {}", trial.name, name), task_of({{&trial, seen}}), trial);
}

LearnedTrial from_clouds(const ReproductionRequest& request, const LearningTrial& trial, const Setup& setup, int seed) {
  learn::LawRequest law;
  law.ridge = 1, law.smoothness = 3;  // clouds are noisy (reference D, section 6)
  const auto seen = see_clouds(trial, two_cameras(trial, setup, seed));
  return learn_trial(request, fmt::format("{}: clouds, seed {}", trial.name, seed), task_of({{&trial, seen}}, law),
                     trial);
}

/// Ends early when interrupted.
Seen look_at(const ReproductionRequest& request, const std::string& name, const std::string& material,
             const Setup& setup, bool with_nodes) {
  const RubberBar bar{.end = setup.end};
  Seen seen{make_trial(request, name, bar.scene(material), bar.scene(learnable_rubber()), {}), {}, {}, {}, {}};
  if (with_nodes) {
    seen.all = from_nodes(request, seen.trial, "all nodes of the surface", 1);
    if (!interrupted()) seen.some_nodes = from_nodes(request, seen.trial, "13 % of them", some);
    if (!interrupted()) seen.few_nodes = from_nodes(request, seen.trial, "6 % of them", few);
  }
  for (int seed = 1; seed <= setup.seeds && !interrupted(); ++seed)
    seen.clouds.push_back(from_clouds(request, seen.trial, setup, seed));
  return seen;
}

std::vector<Claim> make_claims(const Seen& edited, const Seen& plain, const Setup& setup) {
  std::vector<Claim> claims;
  claims.push_back(claim_at_most("max_error_6_percent",
                                 "largest error of a node where 6 % of the surface nodes were seen", "converges",
                                 edited.few_nodes.worst(), "%", 1));
  claims.push_back(claim_at_most("max_error_13_percent", "the same where 13 % were seen", "converges",
                                 edited.some_nodes.worst(), "%", 0.1));
  claims.push_back(
      claim_at_most("max_error_all", "the same where all were seen", "converges", edited.all.worst(), "%", 0.1));
  claims.push_back(claim_at_most(
      "max_error_cloud",
      fmt::format("the same with clouds of two cameras, worst of {} seeds of noise and outliers", edited.clouds.size()),
      "only mildly worse than all nodes", edited.worst_cloud(), "%", 1));
  claims.push_back(claim_at_most("median_error_cloud_neo_hookean",
                                 "clouds of two cameras looking at neo-Hookean rubber: median of the seeds", {},
                                 plain.median_cloud(), "%", 0.6));
  claims.push_back(claim_at_least("cloud_against_few_nodes", "error with 6 % of the nodes over that with clouds",
                                  "clouds perform better than sparse nodes",
                                  edited.few_nodes.worst() / edited.median_cloud(), "1", 1));
  claims.back() = on_our_body(claims.back(),
                              "the nodes are seen without noise, the clouds with 1 %: the paper's nodes and clouds "
                              "are both perfect, and its patches are fitted by an estimator that stays far from both");
  claims.push_back(claim_at_least("improvement", "largest error with the believed law over that with all nodes seen",
                                  {}, 100 * edited.trial.error_of(edited.trial.nominal).worst / edited.all.worst(), "1",
                                  10));
  if (setup.is_quick)
    for (Claim& claim : claims) claim = not_judged(claim, "a quarter of the motion and a third of the points");
  return claims;
}

render::Table table_of(const Seen& edited, const Seen& plain) {
  render::Table table{
      "What was learned from what was seen",
      {"seen", "residuals", "simulations", "largest error %", "rms error %", "seconds"},
      {},
      fmt::format("Errors are those of forward simulations with the learned law, of all nodes, hidden ones too. The "
                  "law has {} weights.",
                  edited.all.outcome.fit.x.size())};
  const auto add_nominal = [&](const LearningTrial& trial) {
    const learn::MotionError error = trial.error_of(trial.nominal);
    table.rows.push_back(
        {trial.name + ": nothing", "0", "0", percent_text(100 * error.worst), percent_text(100 * error.rms), "0"});
  };
  const auto add = [&](const LearnedTrial& learned) {
    table.rows.push_back({learned.name, fmt::format("{}", learned.outcome.fit.num_residuals),
                          fmt::format("{}", learned.outcome.fit.num_simulations), percent_text(learned.worst()),
                          percent_text(learned.rms()), fmt::format("{:.0f}", learned.seconds)});
  };
  add_nominal(edited.trial);
  for (const LearnedTrial* learned : {&edited.all, &edited.some_nodes, &edited.few_nodes}) add(*learned);
  for (const LearnedTrial& learned : edited.clouds) add(learned);
  add_nominal(plain.trial);
  for (const LearnedTrial& learned : plain.clouds) add(learned);
  return table;
}

render::Report make_report(const ReproductionRequest& request, const Seen& edited, const Seen& plain) {
  const LearningTrial& trial = edited.trial;
  const LearnedTrial& cloud = edited.shown_cloud();
  render::Report report;
  report.title = "D-observation: how much has to be seen";
  report.subtitle = "Wang et al. 2020, section 7.1, figure 5";
  report.summary = fmt::format(
      "A bar of edited neo-Hookean rubber moves up to {:.0f} % of its size away from what the believed law predicts. "
      "With the law learned from all nodes of its surface the largest error of any node is {} %, from 13 % of them {} "
      "%, from 6 % {} %, and from noisy point clouds of two cameras {} % (the median of {} seeds).",
      100 * trial.error_of(trial.nominal).worst, percent_text(edited.all.worst()),
      percent_text(edited.some_nodes.worst()), percent_text(edited.few_nodes.worst()),
      percent_text(edited.median_cloud()), edited.clouds.size());
  report.sections.push_back({"Errors", {table_of(edited, plain)}});
  report.sections.push_back(
      {"Convergence",
       {write_figure(request, "convergence",
                     convergence_figure("Error after each iteration", trial,
                                        {&edited.all, &edited.some_nodes, &edited.few_nodes, &cloud})),
        render::Paragraph{"The search first fits the beginning of the motion, then more of it: as long as it does, the "
                          "error over the whole motion can grow."}}});
  report.sections.push_back(
      {"Motion",
       {write_figure(request, "error",
                     error_figure(trial, {{"believed", &trial.nominal},
                                          {"all nodes", &edited.all.motion},
                                          {"13 %", &edited.some_nodes.motion},
                                          {"6 %", &edited.few_nodes.motion},
                                          {"clouds", &cloud.motion}})),
        write_figure(request, "path",
                     path_figure(trial, {{"believed", &trial.nominal}, {"learned from clouds", &cloud.motion}})),
        trial_picture(request, trial, {{"learned from clouds", &cloud.motion}, {"believed", &trial.nominal}},
                      {0.25 * trial.times.back(), 0.5 * trial.times.back(), trial.times.back()}, {}, "bars.png")}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Setup setup = setup_of(request.variant);
  const Seen edited = look_at(request, "edited rubber", edited_rubber(), setup, true);
  if (interrupted()) return {};
  const Seen plain = look_at(request, "neo-Hookean rubber", neo_hookean_rubber(), setup, false);
  if (interrupted()) return {};
  std::vector<Claim> claims = make_claims(edited, plain, setup);
  write_report(request, make_report(request, edited, plain), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-observation", "Wang et al. 2020, fig. 5",
          "a law learned from all, 13 % and 6 % of the surface nodes, and from point clouds", reproduce};
}

}  // namespace dashpot::cli::d_observation
