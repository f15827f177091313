// D-weight: how strongly the trajectory is bound to what was measured [WangEtAl2020, fig. 6, where eta of eq. 6 is
// called lambda]. The same motion is learned with eta over five decades, by the paper's alternation and by the joint
// estimator.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "learning_trials.hpp"
#include "measures.hpp"
#include "rubber_bar.hpp"

namespace dashpot::cli::d_weight {
namespace {

using learn::Estimator;

struct Setup {
  double end = 0.4;                                           ///< [s]
  std::vector<double> weights = {1, 10, 100, 1e3, 1e4, 1e5};  ///< eta [N/m]
  int iterations = 5;
  bool is_quick = false;
};

Setup setup_of(ReproductionVariant variant) {
  if (variant == ReproductionVariant::quick) return {0.1, {10, 1e3}, 2, true};
  return {};
}

struct Weighed {
  double eta = 0;
  LearnedTrial learned;
  std::vector<double> errors;  ///< after each iteration [%]; the first is the believed law
};

Weighed learn_with(const ReproductionRequest& request, const LearningTrial& trial, Estimator estimator, double eta,
                   const Setup& setup) {
  Weighed weighed{eta, {}, {}};
  learn::LearnTask task = task_of({{&trial, see_nodes(trial, surface_points(trial), 1e-4 * trial.size)}});
  task.estimator.kind = estimator;
  task.estimator.alternation.stiffness = task.estimator.space_time.stiffness = eta;
  task.estimator.alternation.iterations = setup.iterations;
  weighed.learned = learn_trial(
      request, fmt::format("{}, eta {:g} N/m", estimator == Estimator::space_time ? "joint" : "alternation", eta), task,
      trial);
  weighed.errors = errors_by_iteration(trial, weighed.learned);
  return weighed;
}

/// Both estimators with every weight, weakest first. Shorter when interrupted.
struct Sweep {
  std::vector<Weighed> alternation, joint;
};

Sweep sweep(const ReproductionRequest& request, const LearningTrial& trial, const Setup& setup) {
  Sweep result;
  for (const double eta : setup.weights) {
    if (!interrupted()) result.alternation.push_back(learn_with(request, trial, Estimator::alternation, eta, setup));
    if (!interrupted()) result.joint.push_back(learn_with(request, trial, Estimator::space_time, eta, setup));
  }
  return result;
}

double best_of(const std::vector<Weighed>& all, double from, double to, double (*pick)(double, double)) {
  double best = not_measured;
  for (const Weighed& one : all)
    if (one.eta >= from && one.eta <= to)
      best = std::isnan(best) ? one.learned.worst() : pick(best, one.learned.worst());
  return best;
}

double rise(const Weighed& weighed) {
  double most = 0;  // of an iteration, over the error before it
  for (std::size_t i = 1; i < weighed.errors.size(); ++i)
    most = larger(most, weighed.errors[i] / weighed.errors[i - 1]);
  return weighed.errors.size() > 1 ? most : not_measured;
}

std::vector<Claim> make_claims(const Sweep& found, const Setup& setup) {
  std::vector<Claim> claims;
  claims.push_back(claim_at_most("joint_worst", "joint estimator, worst of eta from 10 to 1000 N/m: error", {},
                                 best_of(found.joint, 10, 1000, larger), "%", 0.1));
  claims.push_back(claim_at_most("alternation_best", "alternation, best of all eta: error", "converges for all weights",
                                 best_of(found.alternation, 0, 1e9, smaller), "%", 4));
  const auto largest_rise = [&](double from, double to) {
    double most = 0;
    for (const Weighed& one : found.alternation)
      if (one.eta >= from && one.eta <= to) most = larger(most, rise(one));
    return most;
  };
  claims.push_back(claim_at_least(
      "strong_weights_vibrate",
      "alternation: largest rise of the error in an iteration with eta of 1000 N/m and more, "
      "over that with 10 N/m and less",
      "larger weights vibrate, smaller ones are much smoother", largest_rise(1000, 1e9) / largest_rise(0, 10), "1", 1));
  claims.push_back(
      claim_at_most("joint_over_alternation", "best of the joint estimator over best of the alternation", {},
                    best_of(found.joint, 0, 1e9, smaller) / best_of(found.alternation, 0, 1e9, smaller), "1", 0.1));
  if (setup.is_quick)
    for (Claim& claim : claims) claim = not_judged(claim, "a quarter of the motion, two weights, few iterations");
  return claims;
}

render::Table table_of(const Sweep& found) {
  render::Table table{"Errors over the weight of what was measured",
                      {"eta N/m", "alternation: first %", "alternation: best %", "alternation: last %",
                       "joint: first %", "joint: best %", "joint: last %"},
                      {},
                      "Largest error of any node in forward simulations after the first iteration, of the law that is "
                      "kept, and after the last one."};
  for (std::size_t i = 0; i < found.joint.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:g}", found.joint[i].eta)};
    for (const Weighed* one : {&found.alternation[i], &found.joint[i]}) {
      row.push_back(percent_text(one->errors.size() > 1 ? one->errors[1] : not_measured));
      row.push_back(percent_text(one->learned.worst()));
      row.push_back(percent_text(one->errors.empty() ? not_measured : one->errors.back()));
    }
    table.rows.push_back(row);
  }
  return table;
}

render::Figure figure_of(const std::string& title, const std::vector<Weighed>& all) {
  render::Figure figure;
  figure.title = title;
  figure.description = "Largest error of a node in a forward simulation after each iteration, for each weight.";
  render::Panel panel;
  panel.x = {"iteration", ""};
  panel.y = {"largest error of a node", "%", true};
  for (const Weighed& one : all) {
    render::Series series{fmt::format("eta {:g} N/m", one.eta), {}, one.errors, {}, render::Mark::line_and_points};
    for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i));
    panel.series.push_back(series);
  }
  figure.panels = {panel};
  return figure;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Setup setup = setup_of(request.variant);
  const RubberBar bar{.end = setup.end};
  const LearningTrial trial =
      make_trial(request, "rubber bar", bar.scene(neo_hookean_rubber()), bar.scene(believed_rubber()), {});
  const Sweep found = sweep(request, trial, setup);
  if (interrupted()) return {};
  std::vector<Claim> claims = make_claims(found, setup);
  render::Report report;
  report.title = "D-weight: how much the measurements weigh against the law";
  report.subtitle = "Wang et al. 2020, section 7.1, figure 6";
  report.summary = fmt::format(
      "With the believed law the bar is up to {:.0f} % of its size away from the truth. The paper's alternation comes "
      "to {} % with the best weight and depends strongly on it; the joint estimator comes to {} % or less for eta from "
      "10 to 1000 N/m.",
      100 * trial.error_of(trial.nominal).worst, percent_text(best_of(found.alternation, 0, 1e9, smaller)),
      percent_text(best_of(found.joint, 10, 1000, larger)));
  report.sections.push_back(
      {"Errors",
       {table_of(found), write_figure(request, "alternation", figure_of("The paper's alternation", found.alternation)),
        write_figure(request, "joint", figure_of("Joint estimator", found.joint))}});
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-weight", "Wang et al. 2020, fig. 6", "the weight of what was measured against the law, over five decades",
          reproduce};
}

}  // namespace dashpot::cli::d_weight
