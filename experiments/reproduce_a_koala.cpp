// A-koala: paper A, fig. 2. A sitting koala in 74 coordinates, damped along four examples: its belly to the side, its
// belly up and down, and each ear bent. Forward: curves drawn by hand. Inverse: four unloading targets, against the
// best that constant gains can do.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/design/design_report.hpp"
#include "dashpot/design/release.hpp"
#include "dashpot/render/png.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "pose_sheet.hpp"
#include "scene_files.hpp"
#include "sitting_koala.hpp"

namespace dashpot::cli::a_koala {
namespace {

using design::Gains;
using design::UnloadingDesign;
using design::UnloadingTarget;

constexpr int side = 0, up_down = 1;
const std::vector<UnloadingTarget> paper_targets = {
    {side, 0.8, 0.2}, {side, 1.6, 0.75}, {up_down, 0.8, 0.25}, {up_down, 1.6, 0.65}};
const std::vector<double> paper_linear_errors = {12, 37, 7, 19};  // [%], in the order of the targets

/// Hardly damped while small, strongly when large; up and down ten times as much as without examples.
Gains forward_gains() {
  const auto lively =
      math::GainCurve::through({{0, 0.1}, {0.4, 0.3}, {0.8, 2}, {1.4, 10}}, math::GainCurve::Kind::monotone);
  return {lively, math::GainCurve::constant(10), lively, lively};
}

struct Findings {
  UnloadingDesign nonlinear, linear;        ///< for the paper's four targets: curves, and the best constant gains
  double seconds = 0;                       ///< of the search for `nonlinear`
  double small_ratio = 0, large_ratio = 0;  ///< forward: left after a swing, over the default damping
  double up_down_ratio = 0;                 ///< forward: logarithmic decrement over the default damping
};

/// What is left after a swing; not a number where the body does not swing back.
double left(const design::Designable& body, const Gains& gains, int example, double amplitude) {
  const design::Swing swing = release(body, gains, {example, amplitude, 0, interrupted});
  return swing.end == design::Swing::End::turned ? swing.residual : not_measured;
}

Findings find(const design::DesignTask& task, const ReproductionRequest& request) {
  const design::Designable& body = task.designable;
  design::UnloadingOptions options = task.options;
  Progress progress(request.console, "designing", 100, "simulations");
  int before = 0;
  options.should_stop = interrupted;
  options.on_simulation = [&](const UnloadingTarget&, int simulations, double, double) {
    progress.update(std::min(99, before + simulations));
  };
  Findings found;
  const Gains plain(task.start.size(), math::GainCurve::constant(1)), forward = forward_gains();
  found.small_ratio = left(body, forward, side, 0.4) / left(body, plain, side, 0.4);
  found.large_ratio = left(body, forward, side, 1.6) / left(body, plain, side, 1.6);
  const auto decrement = [&](const Gains& gains) { return -std::log(left(body, gains, up_down, 0.5) / 0.5); };
  found.up_down_ratio = decrement(forward) / decrement(plain);
  const auto start = std::chrono::steady_clock::now();
  found.nonlinear = design_unloading(body, plain, paper_targets, options);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  before = found.nonlinear.simulations;
  found.linear = best_constant_gains(body, plain, paper_targets, options);
  return found;
}

std::vector<Claim> make_claims(const Findings& found, bool judges_time) {
  std::vector<Claim> claims;
  claims.push_back(claim_at_most("worst_target_error",
                                 "largest relative error over the paper's four unloading targets: 0.8 to 0.2, 1.6 to "
                                 "0.75 (side); 0.8 to 0.25, 1.6 to 0.65 (up and down)",
                                 1.0, worst_error(found.nonlinear), "%", 1));
  claims.push_back(claim_at_least("linear_worst_error", "largest error of the best constant gains on the same targets",
                                  *std::max_element(paper_linear_errors.begin(), paper_linear_errors.end()),
                                  worst_error(found.linear), "%", 10));
  claims.push_back(claim_at_most("design_seconds", "search for the four targets, without precomputation", {},
                                 found.seconds, "s", 15));
  if (!judges_time) claims.back() = not_judged(claims.back(), "times are judged in 74 coordinates only");
  claims.push_back(claim_at_least("forward_small_over_default",
                                  "side motion from 0.4: left after a swing over default damping",
                                  std::string("much less damped"), found.small_ratio, "1", 1.05));
  claims.push_back(claim_at_most("forward_large_over_default",
                                 "side motion from 1.6: left after a swing over default damping",
                                 std::string("more damped"), found.large_ratio, "1", 0.99));
  claims.push_back(claim_at_least("forward_up_down_over_default",
                                  "up-down motion: logarithmic decrement over default damping", 10.0,
                                  found.up_down_ratio, "1", 3));
  return claims;
}

render::Series series_of(const std::string& label, const design::Swing& swing, render::Mark mark = render::Mark::line) {
  return {label, swing.time, swing.chi, {}, mark};
}

/// A release under several gains, for `swings` swings.
render::Panel release_panel(const design::Designable& body, int example, double amplitude,
                            const std::vector<std::pair<std::string, Gains>>& cases) {
  render::Panel panel;
  panel.title = fmt::format("{} from {:.4g}", body.names[static_cast<std::size_t>(example)], amplitude);
  panel.x = {"time after the release", "s"};
  panel.y = {"share of the example", ""};
  panel.height = 220;
  const double period = release(body, cases.front().second, {example, amplitude, 0, {}}).swing_time;
  for (const auto& [label, gains] : cases)
    panel.series.push_back(series_of(label, release(body, gains, {example, amplitude, 4 * period, {}}),
                                     panel.series.empty() ? render::Mark::line : render::Mark::dashed_line));
  return panel;
}

render::Figure forward_figure(const design::DesignTask& task) {
  const Gains plain(task.start.size(), math::GainCurve::constant(1));
  render::Figure figure{
      "Forward design", "Gains drawn by hand, and releases under them and under default damping.", {}};
  figure.panels.push_back(design::gain_panel(task.designable.names, forward_gains(), 1.6));
  for (const auto& [example, amplitude] : {std::pair{side, 0.4}, std::pair{side, 1.6}, std::pair{up_down, 1.0}})
    figure.panels.push_back(
        release_panel(task.designable, example, amplitude, {{"default", plain}, {"designed", forward_gains()}}));
  return figure;
}

render::Figure inverse_figure(const design::DesignTask& task, const Findings& found) {
  render::Figure figure{"Inverse design", "Gains found, and releases: asked, achieved, best linear damping.", {}};
  figure.panels.push_back(design::gain_panel(task.designable.names, found.nonlinear.gains, 1.6));
  for (const UnloadingTarget& target : paper_targets) {
    render::Panel panel = release_panel(task.designable, target.example, target.amplitude,
                                        {{"achieved", found.nonlinear.gains}, {"best linear", found.linear.gains}});
    const design::Swing swing =
        release(task.designable, found.nonlinear.gains, {target.example, target.amplitude, 0, {}});
    panel.series.push_back({"asked", {swing.swing_time}, {target.residual}, {}, render::Mark::points});
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

render::Table target_table(const design::DesignTask& task, const Findings& found) {
  render::Table table{"Unloading targets: amplitudes in units of the example",
                      {"example", "from", "asked", "achieved", "off by [%]", "best linear", "off by [%]",
                       "paper's linear, off by [%]", "remark"},
                      {},
                      {}};
  for (std::size_t j = 0; j < paper_targets.size(); ++j) {
    const UnloadingTarget& target = paper_targets[j];
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    table.rows.push_back({task.designable.names[static_cast<std::size_t>(target.example)], number(target.amplitude),
                          number(target.residual), number(found.nonlinear.targets[j].left),
                          number(100 * found.nonlinear.targets[j].error), number(found.linear.targets[j].left),
                          number(100 * found.linear.targets[j].error), number(paper_linear_errors[j]),
                          found.nonlinear.targets[j].explanation});
  }
  return table;
}

render::Table knot_table(const design::DesignTask& task, const Findings& found) {
  render::Table table{"Gains found: log10 γ is straight between the knots, constant below the first and above the last",
                      {"example", "knots (amplitude: gain)"},
                      {},
                      {}};
  for (const int example : {side, up_down}) {
    std::string knots;
    for (const math::GainCurve::Point& knot : found.nonlinear.gains[static_cast<std::size_t>(example)].knots())
      knots += fmt::format("{}{:.3g}: {:.3g}", knots.empty() ? "" : ", ", knot.x, knot.gamma);
    table.rows.push_back({task.designable.names[static_cast<std::size_t>(example)], knots});
  }
  return table;
}

/// The koala at rest and in its examples.
render::Picture poses(const ReproductionRequest& request, const design::DesignTask& task) {
  const design::Designable& body = task.designable;
  std::vector<NamedPose> list{{"at rest", Vector::Zero(body.shapes.rows())}};
  for (int i = 0; i < body.num_examples(); ++i)
    list.emplace_back(body.names[static_cast<std::size_t>(i)], body.shapes.col(i));
  list.emplace_back("belly_side, 1.6 of it", 1.6 * body.shapes.col(side));
  const std::string picture = render::to_png(pose_sheet(task.bench, list, 3));
  write_file_atomically(request.folder + "/examples.png", picture);
  return {"The koala at rest and in its example poses", "image/png", picture};
}

render::Report make_report(const ReproductionRequest& request, const design::DesignTask& task, const Findings& found) {
  render::Report report;
  report.title = "A-koala: damping of a koala, drawn and asked for";
  report.subtitle = "Xu & Barbič 2017, figure 2";
  report.summary = fmt::format(
      "A sitting koala ({} tets, {} coordinates) is damped along four examples. Forward: the belly's side motion and "
      "the "
      "ears are hardly damped while small and strongly when large, up-down motion ten times as much as by default. "
      "Inverse: gains that leave a given amplitude after one cycle; {} simulations in {:.1f} s. {}",
      task.bench.bodies[0].mesh.tets()->size(), task.bench.system->num_dofs(), found.nonlinear.simulations,
      found.seconds,
      found.nonlinear.reached ? "The paper's four targets are reached."
                              : "Not all of the paper's four targets are reached; the table says which and why.");
  report.sections.push_back({"The four examples", {poses(request, task)}});
  report.sections.push_back(
      {"Inverse design",
       {target_table(task, found), knot_table(task, found),
        render::Paragraph{
            "Every swing also passes the small amplitudes. A curve that is constant below its first knot would damp a "
            "swing from 1.6 there as much as one from 0.8, and the larger targets would be out of reach. So the search "
            "keeps the damping that the smaller targets ask for below a knee of its own (docs/theory/design.md)."},
        write_figure(request, "inverse", inverse_figure(task, found))}});
  report.sections.push_back({"Forward design", {write_figure(request, "forward", forward_figure(task))}});
  render::Table methods{"What the reduced body is made of", {"term"}, {}, {}};
  for (const std::string& line : task.bench.reductions) methods.rows.push_back({line});
  report.sections.push_back({"Reduced body", {methods}, true});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const KoalaSize size = quick ? KoalaSize{2000, 10, 20} : KoalaSize{11080, 20, 74};
  const std::string text = sitting_koala(size, koala_design(paper_targets));
  const std::unique_ptr<design::DesignTask> task =
      design::make_design_task(parse_scene(text, "A-koala"), precompute_hooks(request.console));
  if (!task) return {};
  for (const std::string& note : task->bench.reductions) request.console.detail(note);
  for (const Problem& warning : task->bench.warnings) request.console.warning(warning.text());
  const Findings found = find(*task, request);
  if (interrupted()) return {};
  write_file_atomically(request.folder + "/scene_forward.json", design::with_gains(text, *task, forward_gains()));
  write_file_atomically(request.folder + "/scene_inverse.json", design::with_gains(text, *task, found.nonlinear.gains));
  const std::vector<Claim> claims = make_claims(found, !quick);
  write_report(request, make_report(request, *task, found), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-koala", "Xu & Barbic 2017, fig. 2",
          "a koala's belly and ears: gains drawn by hand, and gains for four targets", reproduce,
          "a koala of 11,080 tets in 74 coordinates (table 2), as by default"};
}

}  // namespace dashpot::cli::a_koala
