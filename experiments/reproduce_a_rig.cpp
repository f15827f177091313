// A-rig: paper A, fig. 13. The koala's damping is designed once (A-koala) and then rides on motions the design did not
// know: its seat is carried rigidly (keyframed jumps, swings and turns), and the reduced body moves against it. A
// subspace can ride on one rigid motion only; on a skeleton of three bones the whole body is simulated.
#include <algorithm>

#include <fmt/format.h>

#include "dashpot/render/png.hpp"
#include "dashpot/render/run_painter.hpp"
#include "experiment.hpp"
#include "koala_rides.hpp"
#include "measures.hpp"

namespace dashpot::cli::a_rig {
namespace {

using rides::Pair;
using rides::Played;
using rides::ride_end;

/// The same damping where three bones move: `pair` in full coordinates.
void add_skeleton_claims(const Pair& pair, bool judges_swings, std::vector<Claim>& claims) {
  claims.push_back(claim_true("skeleton_ride_finishes",
                              "a skeleton of pelvis, chest and head drives the whole body to the end",
                              pair.rayleigh.is_complete && pair.designed.is_complete));
  claims.push_back(
      claim_at_most("skeleton_up_down_calmer",
                    "on the skeleton: up-down swing of the belly once the bones rest, designed over Rayleigh",
                    std::string("quickly damped"), pair.up_down_ratio(), "1", 0.5));
  claims.push_back(claim_at_least(
      "skeleton_side_livelier", "on the skeleton: side swing of the belly once the bones rest, designed over Rayleigh",
      std::string("vibrates for a long time"), pair.side_ratio(), "1", 1));
  if (!judges_swings)
    for (auto claim = claims.end() - 2; claim != claims.end(); ++claim)
      *claim = not_judged(*claim,
                          "the examples are modes of the finer koala; those of the coarse one come in another order");
  const double least_power =
      least({pair.rayleigh.worst_power / pair.rayleigh.taken, pair.designed.worst_power / pair.designed.taken});
  claims.push_back(claim_true("skeleton_creates_no_energy", "what the damping has taken never falls, on the skeleton",
                              least({pair.rayleigh.taken, pair.designed.taken}) > 0 && least_power >= -1e-9));
  claims.push_back(reported("skeleton_steps_per_s", "the designed ride in full coordinates, Newton converged", {},
                            pair.steps_per_s, "1/s"));
}

std::vector<Claim> make_claims(const std::vector<Pair>& pairs, bool judges_time) {
  std::vector<double> up_down, side, decay, slowest, median, recorded, worst, taken;
  bool are_complete = true;
  for (const Pair& pair : pairs) {
    up_down.push_back(pair.up_down_ratio());
    side.push_back(pair.side_ratio());
    decay.push_back(pair.decay_ratio());
    slowest.push_back(pair.steps_per_s);
    median.push_back(pair.median_steps_per_s);
    for (const Played* run : {&pair.rayleigh, &pair.designed}) {
      recorded.push_back(run->steps_per_s);
      worst.push_back(run->worst_power / run->taken);
      taken.push_back(run->taken);
      are_complete &= run->is_complete;
    }
  }
  std::vector<Claim> claims;
  claims.push_back(claim_at_least("steps_per_s", "slowest designed ride while the seat moves, Newton converged",
                                  ClaimValue{}, least(slowest), "1/s", 200));
  if (!judges_time) claims.back() = not_judged(claims.back(), "times are judged in 74 coordinates only");
  claims.push_back(reported("steps_per_s_median", "the same, of the median repeats in place of the fastest", {},
                            least(median), "1/s"));
  claims.push_back(reported("recorded_steps_per_s",
                            "slowest run as the clock saw it, with records and whoever else computes", {},
                            least(recorded), "1/s"));
  claims.push_back(claim_true("every_ride_finishes", "all rides come to their end", are_complete));
  claims.push_back(claim_at_most("up_down_calmer",
                                 "up-down swing of the belly once the seat stands, designed over Rayleigh: worst ride",
                                 std::string("quickly damped"), largest(up_down), "1", 0.5));
  claims.push_back(claim_at_least("side_livelier",
                                  "side swing of the belly once the seat stands, designed over Rayleigh: worst ride",
                                  std::string("vibrates for a long time"), least(side), "1", 1));
  claims.push_back(claim_at_most("side_rings_longer",
                                 "rate at which that swing dies, designed over Rayleigh: worst ride",
                                 std::string("vibrates for a long time"), largest(decay), "1", 0.7));
  claims.push_back(claim_true("no_energy_created", "what the damping has taken never falls, on any ride",
                              least(taken) > 0 && least(worst) >= -1e-9));
  return claims;
}

/// One panel for each ride and direction. `guide` and `curve` tell its vertical guide and the curve of a run.
template <class Guide, class Curve>
std::vector<render::Panel> panels_of(const std::vector<Pair>& pairs, const render::Axis& x, double height, Guide guide,
                                     Curve curve) {
  std::vector<render::Panel> panels;
  for (const Pair& pair : pairs)
    for (const bool is_side : {true, false}) {
      render::Panel panel{fmt::format("{}: {}", pair.ride->name, is_side ? "to the side" : "up and down"),
                          x,
                          {"share of the example", ""},
                          {},
                          {guide(pair, is_side)}};
      panel.height = height;
      for (const Played* run : {&pair.rayleigh, &pair.designed}) {
        panel.series.push_back(curve(*run, is_side ? run->side : run->up_down));
        panel.series.back().name = run->name;
        if (run == &pair.rayleigh) panel.series.back().mark = render::Mark::dashed_line;
      }
      panels.push_back(std::move(panel));
    }
  return panels;
}

render::Figure shares_figure(const std::vector<Pair>& pairs) {
  const auto guide = [](const Pair&, bool) { return render::Guide{ride_end, "seat stands", true}; };
  const auto curve = [](const Played& run, const std::vector<double>& share) {
    return render::Series{"", run.time, share};
  };
  return {"The belly against the seat",
          "Shares of the belly's side and up-down examples over time on each ride; the seat stands still after 1.4 s.",
          panels_of(pairs, {"time", "s"}, 200, guide, curve), 2};
}

render::Figure spectra_figure(const std::vector<Pair>& pairs) {
  const auto guide = [](const Pair& pair, bool is_side) {
    return render::Guide{is_side ? pair.setup.side_frequency : pair.setup.up_down_frequency, "belly", true};
  };
  const auto curve = [](const Played& run, const std::vector<double>& share) {
    render::Series series;
    for (int i = 10; i <= 120; ++i) {
      series.x.push_back(0.1 * i);
      series.y.push_back(run.amplitude(share, 0.1 * i));
    }
    return series;
  };
  return {"What is left once the seat stands",
          "Amplitudes of the shares by frequency, from 1.4 s on; the slow peaks are the whole koala's.",
          panels_of(pairs, {"frequency", "Hz"}, 160, guide, curve), 2};
}

render::Table make_table(const std::vector<Pair>& pairs) {
  render::Table table{"Swing of the belly once the seat stands, in shares of its examples",
                      {"ride", "direction", "Rayleigh", "designed", "ratio", "dies at [1/s]: Rayleigh", "designed"},
                      {},
                      {}};
  for (const Pair& pair : pairs) {
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    table.rows.push_back({pair.ride->name, "up and down", number(pair.up_down(pair.rayleigh)),
                          number(pair.up_down(pair.designed)), number(pair.up_down_ratio()), "-", "-"});
    table.rows.push_back({pair.ride->name, "to the side", number(pair.side(pair.rayleigh)),
                          number(pair.side(pair.designed)), number(pair.side_ratio()),
                          number(pair.side_decay(pair.rayleigh)), number(pair.side_decay(pair.designed))});
  }
  return table;
}

render::Picture picture_of(const ReproductionRequest& request, const Pair& pair) {
  const render::RunPainter painter(
      {{&pair.rayleigh.recording, pair.rayleigh.name}, {&pair.designed.recording, pair.designed.name}}, {}, 1);
  const std::string title = "The koala " + pair.ride->name;
  const render::Image image = painter.side_by_side(pair.ride->shown, title, render::DrawSettings::draft(330, 330));
  render::write_png(request.folder + "/" + pair.ride->name + ".png", image, {{"Title", title}});
  return {title, "image/png", render::to_png(image)};
}

render::Report make_report(const ReproductionRequest& request, const KoalaSize& size, const std::vector<Pair>& pairs) {
  render::Report report;
  report.title = "A-rig: damping designed once, on motions it did not know";
  report.subtitle = "Xu & Barbič 2017, figure 13";
  report.summary = fmt::format(
      "A koala of {} tets in {} coordinates, with the gains drawn by hand in A-koala, rides on three keyframed motions "
      "of its seat. It feels all forces of inertia of the moving seat (translation, Euler, centrifugal, Coriolis). "
      "On each ride its belly stops bouncing sooner than under Rayleigh damping and goes on swaying for longer.",
      size.tets, size.coordinates);
  report.warnings.push_back(
      "The paper drives a skeleton in a subspace, by the rig-space method of Xu & Barbič 2016. Here a subspace rides "
      "on one "
      "rigid motion, of the seat; where pelvis, chest and head move (\"dances\"), the koala is simulated in full.");
  report.sections.push_back(
      {"Motion against the seat",
       {make_table(pairs), write_figure(request, "shares", shares_figure(pairs)),
        write_figure(request, "spectra", spectra_figure(pairs)),
        render::Paragraph{
            "The lean of the whole koala, which no example is about, moves the sagged belly too and is damped alike in "
            "both runs. So swings are compared at the belly's own frequency. The swings are large, and the design "
            "damps "
            "large side motion more, so that less is left when the seat stands; what is left dies more slowly. So the "
            "rate is judged, and of the swing only that it is the larger one."}}});
  render::Section pictures{"Pictures", {}};
  const bool quick = request.variant == ReproductionVariant::quick;
  for (const Pair& pair : pairs)
    if (!quick || &pair == &pairs.front()) pictures.blocks.emplace_back(picture_of(request, pair));
  report.sections.push_back(std::move(pictures));
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const rides::Setup setup = quick ? rides::Setup{{2000, 10, 20}, 7, 5.7} : rides::Setup{{11080, 20, 74}, 6.2, 5};
  std::vector<Pair> pairs;
  for (const rides::Ride& ride : rides::all_rides()) {
    std::optional<Pair> pair = rides::ride_twice(request, ride, setup, quick ? 1 : 3);
    if (!pair) return {};
    pairs.push_back(std::move(*pair));
  }
  std::vector<Claim> claims = make_claims(pairs, !quick);
  std::optional<Pair> dance =
      rides::ride_twice(request, rides::skeleton_ride(), {{quick ? 1500 : 4000, 0, 0}, 7, 6.1}, 1);
  if (!dance) return {};
  add_skeleton_claims(*dance, !quick, claims);
  pairs.push_back(std::move(*dance));
  write_report(request, make_report(request, setup.size, pairs), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-rig",
          "Xu & Barbic 2017, fig. 13",
          "the koala's damping, designed once, on three motions of its seat in 74 coordinates and on a skeleton",
          reproduce,
          "a koala of 11,080 tets in 74 coordinates (table 2), as by default",
          true};
}

}  // namespace dashpot::cli::a_rig
