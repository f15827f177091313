#include "stretch_damping.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

constexpr double last_stretch = 1.3;

/// Weights of a cubic spline through a function, of fourth order in the spacing of its knots.
std::vector<double> spline_through(const std::function<double(double)>& f, int count) {
  std::vector<double> weights;
  const double h = (last_stretch - 1) / (count - 3);
  for (int k = 0; k < count; ++k) {
    const double x = 1 + (k - 1) * h;
    weights.push_back(f(x) - (f(x + h) - 2 * f(x) + f(x - h)) / 6);
  }
  return weights;
}

std::string damping(double beta, double scale, const std::vector<double>& weights) {
  return fmt::format(
      R"([{{"model": "stretch_rayleigh", "stiffness": "projected_tangent", "beta": {:g}, "beta_scale": {:g},
           "beta_curve": [{:.10g}], "curve_range": [1, {:g}]}}])",
      beta, scale, fmt::join(weights, ", "), last_stretch);
}

/// Correlations between what was learned of elasticity and of damping.
struct CrossTalk {
  double largest = 0;  ///< magnitude over all pairs
  std::string pair;
  render::Table table{"Pairs of an elastic and a damping weight whose errors go together most",
                      {"elastic weight", "damping weight", "correlation"},
                      {},
                      {}};
};

CrossTalk cross_talk(const learn::LearnOutcome& outcome) {
  const Matrix covariance = outcome.fit.covariance(outcome.problem);
  const auto& unknowns = outcome.problem.unknowns;
  struct Pair {
    std::size_t elastic, damping;
    double correlation;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
      const auto a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(j);
      const bool is_pair = unknowns[i].parameter.find("/material/") != std::string::npos &&
                           unknowns[j].parameter.find("/damping/") != std::string::npos;
      if (is_pair) pairs.push_back({i, j, covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b))});
    }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return std::abs(a.correlation) > std::abs(b.correlation); });
  CrossTalk talk;
  talk.largest = pairs.empty() ? not_measured : std::abs(pairs[0].correlation);
  for (std::size_t k = 0; k < std::min<std::size_t>(8, pairs.size()); ++k)
    talk.table.rows.push_back({unknowns[pairs[k].elastic].name(), unknowns[pairs[k].damping].name(),
                               fmt::format("{:.2f}", pairs[k].correlation)});
  talk.table.note = "From the covariance of the fit, prior included. 1: the data cannot tell one from the other.";
  return talk;
}

}  // namespace

std::string stretch_damping(TrueDamping law) {
  if (law == TrueDamping::line) return damping(0.002, 1, spline_through([](double s) { return 0.15 * (s - 1); }, 8));
  return damping(0.003, 1, spline_through([](double s) { return 0.03 * std::exp(-std::pow((s - 1) / 0.06, 2)); }, 103));
}

std::string constant_damping() { return damping(0.01, 0.01, std::vector<double>(12, 0.0)); }

StudySpec bar_study(ReproductionVariant variant, TrueDamping law, bool learns_elasticity) {
  StudySpec spec;
  spec.scene = "falling_bar";
  const bool is_quick = variant == ReproductionVariant::quick;
  spec.size = {{"/bodies/0/mesh", fmt::format(R"({{"bar": {{"size": [0.12, 0.04, 0.04], "cells": [{}]}}}})",
                                              is_quick ? "6, 2, 2" : "16, 4, 4")},
               {"/time/end", is_quick                                                           ? 0.3
                             : law == TrueDamping::bump && variant == ReproductionVariant::full ? 2.0
                                                                                                : 0.75}};
  spec.truth = R"({"model": "corotational", "young": 4e4, "poisson": 0.43, "density": 1000})";
  spec.believed =
      learns_elasticity
          ? R"({"model": "learned", "nominal": "corotational", "young": 3e4, "poisson": 0.43, "density": 1000})"
          : spec.truth;
  spec.true_damping = stretch_damping(law);
  spec.believed_damping = constant_damping();
  spec.law.elasticity = learns_elasticity;
  spec.law.damping = true;
  spec.training = {{learns_elasticity ? "both" : "training", {}}};
  spec.unseen = {{learns_elasticity ? "both_harder" : "harder", {{"/gravity", "[3, 11, -6]"}}}};
  return spec;
}

std::vector<Claim> reproduce_damping(const ReproductionRequest& request, TrueDamping law, double bar) {
  const Study alone = run_study(request, bar_study(request.variant, law, false));
  if (interrupted()) return {};
  const Study both = run_study(request, bar_study(request.variant, law, true));
  if (interrupted()) return {};
  const CrossTalk talk = cross_talk(both.learned.outcome);
  const std::vector<Claim> claims = {
      claim_at_most("max_error", "largest error of a node in the motion it was learned from", bar, alone.max_error(),
                    "%", bar),
      claim_at_most("unseen_error", "a larger motion in another direction, which was not seen", {},
                    alone.unseen_error(), "%", 1),
      nominal_claim(request, alone, 1),
      claim_at_most("joint_error", "elasticity and damping learned together from one motion", {}, both.max_error(), "%",
                    bar),
      claim_at_most("joint_unseen_error", "the same in the motion that was not seen", {}, both.unseen_error(), "%", 2),
      reported("cross_talk", "largest correlation between an elastic and a damping weight", {}, talk.largest, "1"),
      definiteness_claim(request, both),
      learning_time_claim(alone)};
  render::Report report = study_report(
      request, alone, fmt::format("D-damping-{}: damping that follows the strain", law == TrueDamping::line ? 1 : 2),
      "Wang et al. 2020, figure 9 and table 1",
      fmt::format(
          "A bar falls under its own weight. Its stiffness damping depends on the largest stretch of each element: {}. "
          "The scene that has to learn it has constant damping. In a second experiment its elasticity is a "
          "quarter too soft as well, and both are learned from one motion. There the damping is that of a softer "
          "known law, so its coefficient is learned a third too large: their product is the truth's.",
          law == TrueDamping::line ? "2 ms and 150 ms for each unit of strain"
                                   : "3 ms, and 30 ms more near rest (a bell of half width 6 %)"));
  add_sections(request, both, "Elasticity and damping together", report);
  report.sections.push_back({"Cross-talk", {talk.table}});
  write_report(request, report, claims);
  return claims;
}

}  // namespace dashpot::cli
