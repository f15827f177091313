#include "dashpot/learn/learn_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/energy/learned.hpp"

namespace dashpot::learn {
namespace {

std::string held_out_text(const RunQuality& quality) { return quality.held_out ? " (held out)" : ""; }

std::string end_text(const FitResult& fit) {
  switch (fit.end) {
    case FitResult::End::converged:
      return "The search converged";
    case FitResult::End::out_of_iterations:
      return "The search used all its iterations";
    case FitResult::End::stopped:
      return "The search was stopped";
    case FitResult::End::failed:
      return "The search failed";
  }
  return "";
}

/// The known law alone.
LearnedParts without_correction(LearnedParts parts) {
  parts.correction.tail = {0, 0};
  for (WeightedCurve* curve : {&parts.correction.stretch, &parts.correction.area, &parts.correction.volume})
    std::fill(curve->weights.begin(), curve->weights.end(), 0.0);
  std::fill(parts.correction.kernels.weights.begin(), parts.correction.kernels.weights.end(), 0.0);
  return parts;
}

}  // namespace

render::Table unknowns_table(const LearnOutcome& outcome) {
  render::Table table{"What was learned", {"parameter", "value", "standard error", "determined by the data"}, {}, {}};
  const Matrix covariance = outcome.fit.covariance(outcome.problem);
  const Vector share = outcome.fit.determined(outcome.problem);
  for (std::size_t k = 0; k < outcome.problem.unknowns.size(); ++k) {
    const Unknown& unknown = outcome.problem.unknowns[k];
    const auto i = static_cast<Eigen::Index>(k);
    const double error = std::sqrt(std::max(0.0, covariance(i, i))) * std::abs(unknown.slope(outcome.fit.x[i]));
    table.rows.push_back({unknown.name(), fmt::format("{:.5g}", outcome.fit.values[k]), fmt::format("{:.2g}", error),
                          fmt::format("{:.0f} %", 100 * std::clamp(share[i], 0.0, 1.0))});
  }
  table.note =
      "Errors follow from the residuals, and are as good as the model is. What the data do not determine is prior: "
      "weights near zero, curves without bends.";
  return table;
}

render::Table quality_table(const LearnOutcome& outcome) {
  render::Table table{"Runs", {"run", "residuals", "nominal law", "learned law"}, {}, {}};
  for (const RunQuality& quality : outcome.quality)
    table.rows.push_back({quality.name + held_out_text(quality), fmt::format("{}", quality.num_residuals),
                          fmt::format("{:.4g}", quality.nominal_rms), fmt::format("{:.4g}", quality.learned_rms)});
  table.note =
      "Root mean square of the residuals, in standard deviations of the measurement: 1 is as good as the data.";
  return table;
}

render::Figure quality_figure(const LearnOutcome& outcome) {
  render::Figure figure{"Error over time", "Root mean square residual at each measured instant.", {}};
  for (const RunQuality& quality : outcome.quality) {
    render::Panel panel;
    panel.title = quality.name + held_out_text(quality);
    panel.x = {"time", "s"};
    panel.y = {"rms residual in standard deviations", ""};
    panel.y.is_logarithmic = true;
    render::Series nominal{"nominal law", quality.time, quality.nominal},
        learned{"learned law", quality.time, quality.learned};
    nominal.mark = render::Mark::dashed_line;
    panel.series = {nominal, learned};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

render::Figure law_figure(const LearnedBody& body) {
  render::Figure figure{"Law of " + body.name, "Stress along a stretch at constant volume.", {}};
  if (!body.law) return figure;
  const auto learned = stretch_response(*body.law), nominal = stretch_response(without_correction(*body.law));
  const double low = 1 - 1.3 * (1 - body.visited.range().least), high = 1 + 1.3 * (body.visited.range().largest - 1);
  render::Series before{"nominal law", {}, {}}, after{"learned law", {}, {}};
  before.mark = render::Mark::dashed_line;
  for (int i = 0; i <= 200; ++i) {
    const double s = std::max(0.05, low + (high - low) * i / 200), side = 1 / std::sqrt(s);
    // Free of pressure: the stress across is balanced by the one that keeps the volume.
    const auto along = [&](const Vec3& p) { return p[0] - side * p[1] / s; };
    for (auto* series : {&before, &after}) series->x.push_back(s);
    before.y.push_back(along(nominal(Vec3(s, side, side)).p));
    after.y.push_back(along(learned(Vec3(s, side, side)).p));
  }
  render::Panel panel;
  panel.title = body.name;
  panel.x = {"stretch", ""};
  panel.y = {"stress", "Pa"};
  panel.series = {before, after};
  panel.guides = {{body.visited.range().least, "", true}, {body.visited.range().largest, "visited", true}};
  figure.panels.push_back(std::move(panel));
  return figure;
}

render::Report learn_report(const LearnTask& task, const LearnOutcome& outcome) {
  render::Report report;
  report.title = "Learned from motion";
  report.subtitle = task.runs[0].scene->spec.title;
  double worst = 0, held_out = 0;
  for (const RunQuality& quality : outcome.quality)
    (quality.held_out ? held_out : worst) = std::max(quality.held_out ? held_out : worst, quality.learned_rms);
  report.summary = fmt::format(
      "{} after {} simulations. The runs it was learned from are met to {:.3g} standard deviations of the measurement "
      "(rms){}.",
      end_text(outcome.fit), outcome.fit.num_simulations, worst,
      task.held_out.empty() ? "; no run was held out, so nothing says how well it predicts"
                            : fmt::format(", those held out to {:.3g}", held_out));
  report.key_figures = {{"unknowns", fmt::format("{}", outcome.problem.unknowns.size())},
                        {"residuals", fmt::format("{}", outcome.fit.num_residuals)},
                        {"rms residual", fmt::format("{:.3g}", worst), "", "in standard deviations"}};
  if (outcome.fit.end == FitResult::End::failed) report.failure = outcome.fit.explanation;
  report.warnings = outcome.warnings;
  report.sections.push_back({"How well the runs are met", {quality_table(outcome), quality_figure(outcome)}});
  render::Section law{"The law", {}};
  for (const LearnedBody& body : outcome.bodies) {
    if (body.law) law.blocks.push_back(law_figure(body));
    if (body.definiteness)
      law.blocks.push_back(render::Paragraph{fmt::format(
          "'{}' visited stretches {:.3f} to {:.3f} and volume ratios {:.3f} to {:.3f}; there it is {}.", body.name,
          body.visited.range().least, body.visited.range().largest, body.visited.range().least_volume,
          body.visited.range().largest_volume, body.definiteness->text())});
  }
  law.blocks.push_back(unknowns_table(outcome));
  report.sections.push_back(std::move(law));
  return report;
}

}  // namespace dashpot::learn
