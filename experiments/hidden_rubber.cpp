#include "hidden_rubber.hpp"

#include <fmt/format.h>

#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::dragon {
namespace {

constexpr double shear = 400e3 / (2 * (1 + 0.42));  ///< of the elasticity [Pa]

/// A spring 1.2 times as stiff as the elasticity that relaxes within 0.8 s, and a viscosity, a term of the series that
/// relaxes at once, which lets nothing ring.
std::string prony_series() {
  return fmt::format(
      R"({{"model": "maxwell", "modulus": {:.6g}, "tau": 0.8}}, {{"model": "strain_rate", "viscosity": {:.6g}}})",
      1.2 * shear, 0.05 * shear);
}

}  // namespace

double HiddenRubber::worst_held_out(bool is_designed) const {
  std::vector<double> errors;
  for (std::size_t i = 1; i < releases.size(); ++i)
    errors.push_back(is_designed ? releases[i].designed_error() : releases[i].linear_error());
  return largest(errors);
}

HiddenRubber fit_hidden_rubber(const ReproductionRequest& request, const Setup& setup) {
  HiddenRubber rubber;
  for (const double pull : {1.0, 0.75, 0.5}) {
    if (interrupted()) return rubber;
    rubber.releases.push_back({pull,
                               record(request, setup, fmt::format("rubber, {:g} of the pull", pull),
                                      scene_text(setup, prony_series(), pull), pull == 1 ? "scene_rubber.json" : ""),
                               {},
                               {}});
  }
  const std::vector<double>& filmed = rubber.releases[0].truth.share;
  rubber.gain = design_opening(request, setup, filmed);
  if (interrupted()) return rubber;
  rubber.linear = compass_search(
      [&](const std::vector<double>& x) {
        return record(request, setup, fmt::format("linear, gain {:.3g}", x[0]), scene_text(setup, constant(x[0])))
            .error_against(filmed);
      },
      {1}, 0.4, setup.precision);
  for (HiddenRelease& release : rubber.releases) {
    if (interrupted()) return rubber;
    const std::string file = release.pull == 1 ? "scene_rubber_designed.json" : "";
    release.designed =
        record(request, setup, "fitted gain", scene_text(setup, along(rubber.gain.gain), release.pull), file);
    release.linear =
        record(request, setup, "best constant gain", scene_text(setup, constant(rubber.linear.x[0]), release.pull));
  }
  return rubber;
}

std::vector<Claim> judge(const HiddenRubber& rubber) {
  const HiddenRelease& fitted = rubber.releases.at(0);
  return {
      claim_at_most("hidden_fit_error",
                    "a rubber with a hidden Prony series, filmed: rms error of the fitted gain on the release that was "
                    "fitted, of the opening at the release",
                    std::string("agrees by eye"), 100 * fitted.designed_error(), "%", 3),
      claim_at_most("hidden_fit_over_linear", "the same over the best constant gain", {},
                    fitted.designed_error() / fitted.linear_error(), "1", 0.5),
      on_our_body(claim_at_most("hidden_prediction_error",
                                "the same on releases from 0.75 and 0.5 of the pull, which were not fitted: worst", {},
                                100 * rubber.worst_held_out(true), "%", 5),
                  "Rubber remembers: let go from half as far it closes along the same curve at half the size, while a "
                  "gain that depends on the opening makes a curve of its own"),
      claim_at_most("hidden_prediction_over_linear", "the same over the constant gain that was fitted alike", {},
                    rubber.worst_held_out(true) / rubber.worst_held_out(false), "1", 1)};
}

render::Section section_of(const ReproductionRequest& request, const HiddenRubber& rubber) {
  render::Figure figure{"A rubber with a hidden law", "Opening over time: filmed, fitted, and predicted.", {}, 3, 1100};
  for (const HiddenRelease& release : rubber.releases) {
    render::Panel panel{fmt::format("{:g} of the pull ({})", release.pull, release.pull == 1 ? "fitted" : "held out"),
                        {"time after the release", "s"},
                        {"opening, of that at the release", "%"},
                        {},
                        {}};
    for (const Recovery* run : {&release.truth, &release.designed, &release.linear}) {
      render::Series series{run == &release.truth ? "filmed" : run->motion.name,
                            run->time,
                            run->share,
                            {},
                            run == &release.truth ? render::Mark::points : render::Mark::line};
      for (double& value : series.y) value *= 100;
      panel.series.push_back(std::move(series));
    }
    figure.panels.push_back(std::move(panel));
  }
  render::Table table{"Errors over the camera's pictures, rms, of the opening at the release",
                      {"release", "fitted gain [%]", "best constant gain [%]"},
                      {},
                      {}};
  for (const HiddenRelease& release : rubber.releases)
    table.rows.push_back({fmt::format("{:g} of the pull", release.pull),
                          fmt::format("{:.2f}", 100 * release.designed_error()),
                          fmt::format("{:.2f}", 100 * release.linear_error())});
  return {
      "A foreign law: fitted to one release, asked to predict others",
      {write_figure(request, "hidden", figure), table,
       render::Paragraph{
           "The rubber is a simulated one whose law the fit does not contain: a spring that relaxes within 0.8 s and "
           "a viscosity beside the elasticity, a Prony series of two terms. Held open for long and let go, it closes "
           "quickly by a part, and then slowly, as the paper describes its print."}}};
}

}  // namespace dashpot::cli::dragon
