// D-baseline: a learned law against the usual fit of plain material parameters [WangEtAl2020, fig. 8]. The true rubber
// is neo-Hookean with an edited compression region. Fitted to the same nodes: Young's modulus and Poisson's ratio of a
// corotational law and of a neo-Hookean one, by the simplex of [WangEtAl2015] and by an evolution strategy; and the
// weights of a correction of the corotational law. All have to predict a motion that none has seen.

#include <algorithm>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "learning_trials.hpp"
#include "measures.hpp"
#include "rubber_bar.hpp"

namespace dashpot::cli::d_baseline {
namespace {

// The curves of the learned law cannot be the edited one exactly: sigma is that of laws that do not fit (reference D,
// sections 7 and 8).
constexpr double sigma = 1e-3;                        // of the size of the bar
constexpr const char* unseen_gravity = "[2, 12, 3]";  // of another direction, and a quarter larger

struct Setup {
  double end = 0.4;       ///< [s]
  int evaluations = 150;  ///< of searches without derivatives
  bool is_quick = false;
};

Setup setup_of(ReproductionVariant variant) {
  if (variant == ReproductionVariant::quick) return {0.15, 40, true};
  return {};
}

/// A way to find the material, and what came of it.
struct Contender {
  std::string name;
  LearnedTrial learned;
  learn::SimulatedMotion unseen_motion;
  double unseen = not_measured;  ///< largest error in the motion that was not seen [%]
  std::size_t trial = 0;         ///< whose scene was fitted
};

struct Contest {
  std::vector<LearningTrial> seen, unseen;  ///< corotational and neo-Hookean, then the one that can learn
  std::vector<Contender> plain;
  Contender ours;

  /// The plain fit that is best where it was fitted: what one would use.
  const Contender& best_plain() const {
    const Contender* best = &plain.front();
    for (const Contender& contender : plain)
      if (contender.learned.worst() < best->learned.worst()) best = &contender;
    return *best;
  }
};

double training_error(const Contender& contender) { return contender.learned.worst(); }
double unseen_error(const Contender& contender) { return contender.unseen; }

void predict_unseen(const Contest& contest, Contender& contender) {
  const LearningTrial& trial = contest.unseen[contender.trial];
  contender.unseen_motion = trial.motion_with(contender.learned.values_for(trial));
  contender.unseen = 100 * trial.error_of(contender.unseen_motion).worst;
}

learn::LearnTask task_for(const Contest& contest, std::size_t k) {
  const LearningTrial& trial = contest.seen[k];
  return task_of({{&trial, see_nodes(trial, surface_points(trial), sigma * trial.size)}});
}

Contender learn_ours(const ReproductionRequest& request, const Contest& contest) {
  Contender ours;
  ours.trial = 2;
  ours.name = "learned law";
  ours.learned = learn_trial(request, ours.name, task_for(contest, 2), contest.seen[2]);
  predict_unseen(contest, ours);
  return ours;
}

Contender plain_fit(const ReproductionRequest& request, const Contest& contest, std::size_t k, const std::string& law,
                    learn::Estimator estimator, const Setup& setup) {
  Contender contender;
  contender.trial = k;
  contender.name = fmt::format("{}, {}", law, estimator == learn::Estimator::cma ? "evolution strategy" : "simplex");
  learn::LearnTask task = task_for(contest, k);
  task.learns_law = false;
  task.parameters = {"/bodies/0/material/young", "/bodies/0/material/poisson"};
  task.estimator.kind = estimator;
  task.estimator.plain.reach = 1;  // a factor of 2.7 in both
  task.estimator.plain.budget.first_size = 0.15;
  task.estimator.plain.budget.max_evaluations =
      estimator == learn::Estimator::cma ? 2 * setup.evaluations : setup.evaluations;
  task.estimator.plain.budget.max_restarts = estimator == learn::Estimator::cma ? 0 : 2;
  contender.learned = learn_trial(request, contender.name, task, contest.seen[k]);
  predict_unseen(contest, contender);
  return contender;
}

/// Ends early when interrupted.
Contest hold_contest(const ReproductionRequest& request, const Setup& setup) {
  const RubberBar seen{.end = setup.end}, unseen{.end = std::min(setup.end, 0.3), .gravity = unseen_gravity};
  Contest contest;
  const std::string believed = believed_rubber(), neo = rubber("neo_hookean", 3.5e4, 0.43);
  const auto add = [&](const std::string& name, const std::string& material, bool learnable) {
    contest.seen.push_back(
        make_trial(request, name, seen.scene(edited_rubber()), seen.scene(material), {}, 1, learnable));
    contest.unseen.push_back(
        make_trial(request, name + " unseen", unseen.scene(edited_rubber()), unseen.scene(material), {}, 1, learnable));
  };
  add("corotational", believed, false);
  add("neo-Hookean", neo, false);
  add("learned law", learnable_rubber(), true);
  for (const learn::Estimator estimator : {learn::Estimator::nelder_mead, learn::Estimator::cma})
    for (const std::size_t k : {0, 1})
      if (!interrupted())
        contest.plain.push_back(plain_fit(request, contest, k, contest.seen[k].name, estimator, setup));
  if (interrupted()) return contest;
  contest.ours = learn_ours(request, contest);
  return contest;
}

std::vector<Claim> make_claims(const Contest& contest, const Setup& setup) {
  std::vector<Claim> claims;
  const Contender& best = contest.best_plain();
  claims.push_back(claim_at_most("ours_over_parameter_fit",
                                 "largest error with the learned law over that of the best plain fit, training motion",
                                 "clearly superior", training_error(contest.ours) / training_error(best), "1", 0.5));
  claims.push_back(claim_at_most("ours_over_parameter_fit_unseen",
                                 "the same two laws in a motion that neither has seen", "clearly superior",
                                 unseen_error(contest.ours) / unseen_error(best), "1", 0.5));
  claims.push_back(claim_at_least(
      "better_model_helps", "error of the fitted corotational law over that of the fitted neo-Hookean one (simplex)",
      "superior especially when the default model is simple",
      training_error(contest.plain[0]) / training_error(contest.plain[1]), "1", 1));
  double apart = 0;
  for (const std::size_t k : {0, 1})
    apart = larger(
        apart, std::abs(contest.plain[k].learned.outcome.fit.chi2 / contest.plain[k + 2].learned.outcome.fit.chi2 - 1));
  claims.push_back(
      claim_at_most("searches_agree", "chi2 of simplex and evolution strategy, apart at most", {}, apart, "1", 0.02));
  if (setup.is_quick)
    for (Claim& claim : claims) claim = not_judged(claim, "a third of the motion and of the evaluations");
  return claims;
}

render::Table table_of(const Contest& contest) {
  render::Table table{
      "What was fitted, and how far forward simulations are from the truth",
      {"fit", "unknowns", "simulations", "largest error %", "rms error %", "largest error, unseen %", "seconds"},
      {},
      "The unseen motion is that under a gravity of another direction, a quarter larger. A simulation "
      "of the learned law carries a sensitivity of each weight along."};
  for (const LearningTrial* trial : {&contest.seen[0], &contest.seen[1]})
    table.rows.push_back({trial->name + ", as believed", "0", "0",
                          percent_text(100 * trial->error_of(trial->nominal).worst),
                          percent_text(100 * trial->error_of(trial->nominal).rms),
                          percent_text(100 * contest.unseen[trial == &contest.seen[0] ? 0 : 1]
                                                 .error_of(contest.unseen[trial == &contest.seen[0] ? 0 : 1].nominal)
                                                 .worst),
                          "0"});
  std::vector<const Contender*> all;
  for (const Contender& contender : contest.plain) all.push_back(&contender);
  all.push_back(&contest.ours);
  for (const Contender* contender : all)
    table.rows.push_back({contender->name, fmt::format("{}", contender->learned.outcome.fit.x.size()),
                          fmt::format("{}", contender->learned.outcome.fit.num_simulations),
                          percent_text(contender->learned.worst()), percent_text(contender->learned.rms()),
                          percent_text(contender->unseen), fmt::format("{:.0f}", contender->learned.seconds)});
  return table;
}

render::Table value_table(const Contest& contest) {
  render::Table table{"Parameters that were found", {"fit", "Young's modulus kPa", "Poisson's ratio"}, {}, {}};
  for (const Contender& contender : contest.plain)
    table.rows.push_back({contender.name, fmt::format("{:.2f}", contender.learned.outcome.fit.values[0] / 1000),
                          fmt::format("{:.4f}", contender.learned.outcome.fit.values[1])});
  return table;
}

render::Report make_report(const ReproductionRequest& request, const Contest& contest) {
  LearningTrial seen = contest.seen[0], unseen = contest.unseen[0];
  seen.name = "the motion that was fitted";
  unseen.name = "a motion that was not seen";
  const Contender &corotational = contest.plain[0], &neo = contest.plain[1], &ours = contest.ours;
  render::Report report;
  report.title = "D-baseline: a learned law against fits of plain parameters";
  report.subtitle = "Wang et al. 2020, section 7.2.2, figure 8";
  report.summary = fmt::format(
      "The true rubber is neo-Hookean with an edited compression region. The best fit of Young's modulus and Poisson's "
      "ratio leaves an error of {} % in the motion it was fitted to and of {} % in one it has not seen; the learned "
      "law {} and {} %.",
      percent_text(training_error(contest.best_plain())), percent_text(unseen_error(contest.best_plain())),
      percent_text(training_error(ours)), percent_text(unseen_error(ours)));
  report.sections.push_back({"Errors", {table_of(contest), value_table(contest)}});
  report.sections.push_back({"The motion that was fitted",
                             {write_figure(request, "seen",
                                           error_figure(seen, {{"corotational, fitted", &corotational.learned.motion},
                                                               {"neo-Hookean, fitted", &neo.learned.motion},
                                                               {"learned law", &ours.learned.motion}}))}});
  report.sections.push_back({"The motion that was not seen",
                             {write_figure(request, "unseen",
                                           error_figure(unseen, {{"corotational, fitted", &corotational.unseen_motion},
                                                                 {"neo-Hookean, fitted", &neo.unseen_motion},
                                                                 {"learned law", &ours.unseen_motion}})),
                              write_figure(request, "unseen_path",
                                           path_figure(unseen, {{"corotational, fitted", &corotational.unseen_motion},
                                                                {"neo-Hookean, fitted", &neo.unseen_motion},
                                                                {"learned law", &ours.unseen_motion}})),
                              trial_picture(request, unseen,
                                            {{"learned law", &ours.unseen_motion},
                                             {"corotational, fitted", &corotational.unseen_motion},
                                             {"neo-Hookean, fitted", &neo.unseen_motion}},
                                            {0.5 * unseen.times.back(), unseen.times.back()}, {}, "bars.png")}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Setup setup = setup_of(request.variant);
  const Contest contest = hold_contest(request, setup);
  if (interrupted()) return {};
  std::vector<Claim> claims = make_claims(contest, setup);
  write_report(request, make_report(request, contest), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-baseline", "Wang et al. 2020, fig. 8",
          "a learned law against fits of Young's modulus and Poisson's ratio, on seen and unseen motions", reproduce};
}

}  // namespace dashpot::cli::d_baseline
