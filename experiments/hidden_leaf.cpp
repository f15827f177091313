#include "hidden_leaf.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/design/scene_design.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::leaf {
namespace {

constexpr double young = 20e6, shear = young / (2 * (1 + 0.3));  ///< [Pa]
constexpr std::size_t num_peaks = 6;

/// `more` is a list of dampings that stand behind the one along the example.
std::string leaf_scene(int tets, double dt, const std::vector<std::string>& more) {
  std::vector<SceneChange> changes{
      {"/time/dt", dt}, {"/bodies/0/mesh/shape/tets", tets}, {"/bodies/0/material/young", young}};
  for (std::size_t i = 0; i < more.size(); ++i)
    changes.emplace_back(fmt::format("/bodies/0/damping/{}", i + 1), more[i]);
  return scene_file("foreign_leaf", changes);
}

/// A spring of a third of the elasticity's stiffness that relaxes within 0.05 s, and a viscosity: a term of the series
/// that relaxes at once.
std::vector<std::string> prony_series() {
  return {fmt::format(R"({{"model": "maxwell", "modulus": {:.6g}, "tau": 0.05}})", 0.33 * shear),
          fmt::format(R"({{"model": "strain_rate", "viscosity": {:.6g}}})", 2e-3 * shear)};
}

std::vector<double> peaks(const design::Designable& body, const design::Gains& gains, double amplitude) {
  const double swing = release(body, gains, {0, amplitude, 0, interrupted}).swing_time;
  return release(body, gains, {0, amplitude, 3.4 * swing, interrupted}).peak;
}

}  // namespace

double HiddenSwing::residual_error() const {
  return truth.size() > 1 && fitted.size() > 1 ? std::abs(fitted[1] / truth[1] - 1) : not_measured;
}

double HiddenSwing::peak_error() const {
  if (truth.size() < num_peaks || fitted.size() < num_peaks) return not_measured;
  double worst = 0;
  for (std::size_t i = 0; i < num_peaks; ++i) worst = larger(worst, std::abs(fitted[i] - truth[i]) / amplitude);
  return worst;
}

double HiddenLeaf::worst(const std::vector<HiddenSwing>& swings, double (HiddenSwing::*error)() const) const {
  std::vector<double> errors;
  for (const HiddenSwing& swing : swings) errors.push_back((swing.*error)());
  return largest(errors);
}

HiddenLeaf fit_hidden_leaf(const ReproductionRequest& request, int tets, double dt) {
  const std::string hidden = leaf_scene(tets, dt, prony_series()), open = leaf_scene(tets, dt, {});
  write_file_atomically(request.folder + "/scene_hidden.json", hidden);
  const auto truth = design::make_design_task(parse_scene(hidden, "A-leaf, hidden"));
  const auto model = design::make_design_task(parse_scene(open, "A-leaf, fitted"));
  const design::Gains plain(1, math::GainCurve::constant(1));
  HiddenLeaf leaf;
  std::vector<design::UnloadingTarget> targets;
  Progress progress(request.console, "a foreign leaf", 9, "releases");
  for (const double amplitude : {0.4, 1.0}) {
    const design::Swing swing = release(truth->designable, plain, {0, amplitude, 0, interrupted});
    if (interrupted()) return leaf;
    if (swing.end != design::Swing::End::turned)
      throw Error(Problem{"A-leaf", "the foreign leaf does not swing back", "a release that turns", ""});
    targets.push_back({0, amplitude, swing.residual});
    progress.update(static_cast<double>(targets.size()));
  }
  design::UnloadingOptions options;
  options.should_stop = interrupted;
  leaf.design = design_unloading(model->designable, plain, targets, options);
  double done = 3;
  for (const double amplitude : {0.4, 1.0, 0.2, 0.7}) {
    if (interrupted()) return leaf;
    HiddenSwing swing{amplitude, peaks(truth->designable, plain, amplitude),
                      peaks(model->designable, leaf.design.gains, amplitude)};
    (amplitude == 0.4 || amplitude == 1 ? leaf.fitted : leaf.held_out).push_back(std::move(swing));
    progress.update(++done);
  }
  return leaf;
}

std::vector<Claim> judge(const HiddenLeaf& leaf) {
  return {
      claim_at_most(
          "hidden_fit_error",
          "a leaf with a hidden Prony series: the amplitude that remains after one cycle from 0.4 and from 1 of the "
          "example, by the gain fitted to it",
          std::string("agrees by eye"), 100 * leaf.worst(leaf.fitted, &HiddenSwing::residual_error), "%", 2),
      on_our_body(claim_at_most("hidden_prediction_error", "the same from 0.2 and 0.7, which were not fitted: worst",
                                {}, 100 * leaf.worst(leaf.held_out, &HiddenSwing::residual_error), "%", 5),
                  "A gain over the share of the example is not the law of this leaf"),
      on_our_body(claim_at_most("hidden_prediction_peaks",
                                "six turning points of those releases: largest difference, of the amplitude", {},
                                100 * leaf.worst(leaf.held_out, &HiddenSwing::peak_error), "%", 5),
                  "A gain over the share of the example is not the law of this leaf")};
}

render::Section section_of(const HiddenLeaf& leaf) {
  render::Table table{"Turning points after a release, in shares of the example: true, fitted",
                      {"release", "", "1", "2", "3", "4", "5", "6"},
                      {},
                      {}};
  const auto add = [&](const HiddenSwing& swing, const char* what) {
    for (const bool is_truth : {true, false}) {
      std::vector<std::string> row{fmt::format("from {:g} ({})", swing.amplitude, what),
                                   is_truth ? "true" : "by the gain"};
      const std::vector<double>& peaks = is_truth ? swing.truth : swing.fitted;
      for (std::size_t i = 0; i < num_peaks; ++i)
        row.push_back(i < peaks.size() ? fmt::format("{:.4f}", peaks[i]) : "-");
      table.rows.push_back(std::move(row));
    }
  };
  for (const HiddenSwing& swing : leaf.fitted) add(swing, "fitted");
  for (const HiddenSwing& swing : leaf.held_out) add(swing, "held out");
  std::string knots;
  for (const math::GainCurve::Point& knot : leaf.design.gains.at(0).knots())
    knots += fmt::format("{}{:.3g} at {:g}", knots.empty() ? "" : ", ", knot.gamma, knot.x);
  return {
      "A foreign law: fitted to two unloadings, asked to predict others",
      {table,
       render::Paragraph{fmt::format(
           "The leaf's damping is hidden: a spring that relaxes within 0.05 s and a viscosity beside the elasticity. "
           "The amplitude that remains after one cycle is read from two releases; the gain found is {}. It has to "
           "predict "
           "two other releases, for more than two swings.",
           knots)}}};
}

}  // namespace dashpot::cli::leaf
