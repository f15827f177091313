// A-leaf: paper A, figs. 1 and 14. A leaf on its stalk is hit from three directions. Up and down it pushes air, whose
// drag grows with the square of its speed, so its damping grows with speed; sideways it cuts through the air, is much
// livelier, and its damping falls with speed. Both are gains over the speed along two examples, its first two modes.
#include <cmath>

#include <fmt/format.h>

#include "hidden_leaf.hpp"
#include "interrupt.hpp"
#include "leaf_in_air.hpp"

namespace dashpot::cli::a_leaf {
namespace {

using leaf::Direction, leaf::Findings, leaf::Impact, leaf::Ring, leaf::Setup, leaf::sideways, leaf::up_down;

using leaf::fast_speed, leaf::slow_speed;

std::vector<Claim> make_claims(const Findings& found, const Setup& setup) {
  const auto change = [&](Direction i) {
    return found.ours[i].zeta_at(fast_speed) / found.ours[i].zeta_at(slow_speed);
  };
  const std::string speeds = fmt::format("at {} m/s over that at {} m/s", fast_speed, slow_speed);
  std::vector<Claim> claims;
  claims.push_back(claim_at_least(
      "up_down_over_sideways", fmt::format("ζ up and down over ζ sideways, both at {} m/s of the tip", fast_speed),
      std::string("much more lively sideways"),
      found.ours[up_down].zeta_at(fast_speed) / found.ours[sideways].zeta_at(fast_speed), "1", 2));
  claims.push_back(claim_near("rayleigh_up_down_over_sideways",
                              "the same with Rayleigh damping alone, against the ratio of the frequencies",
                              found.plain[sideways].frequency / found.plain[up_down].frequency,
                              found.plain[up_down].fitted / found.plain[sideways].fitted, "1", 0.05));
  claims.push_back(claim_at_least("up_down_grows_with_speed", "ζ up and down " + speeds, std::string("increasing"),
                                  change(up_down), "1", 1.5));
  claims.push_back(claim_at_most("sideways_falls_with_speed", "ζ sideways " + speeds, std::string("decreasing"),
                                 change(sideways), "1", 0.9));
  claims.push_back(claim_at_most("curve_error", "largest error of ζ, measured against the curve, 0.1 to 0.7 m/s",
                                 ClaimValue{}, 100 * found.worst_error(), "%", 10));
  const double end = setup.hit_end, early = end / 4, late = end - early;
  const auto left = [&](std::size_t i, int axis) {
    return found.impacts[i].rms(axis, late, end) / found.impacts[i].rms(axis, 0, early);
  };
  claims.push_back(claim_at_least("impact_side_over_above",
                                  "left of the motion in the last quarter, hit from the side over hit from above",
                                  std::string("sideways motion is livelier"), left(1, 0) / left(0, 1), "1", 1.5));
  if (found.impacts.size() < 3) return claims;
  claims.push_back(claim_at_least("impact_between_turns_sideways",
                                  "hit between: sideways over up-down motion, last quarter over first", ClaimValue{},
                                  left(2, 0) / left(2, 1), "1", 1.5));
  return claims;
}

render::Panel zeta_panel(const Findings& found) {
  render::Panel panel{"Damping ratio of single swings",
                      {"largest speed of the tip", "m/s", false, 0.0, 0.8},
                      {"ζ", "%", false, 0.0},
                      {},
                      {{slow_speed, "slow", true}, {fast_speed, "fast", true}}};
  const char* names[] = {"up and down", "sideways"};
  for (int i = 0; i < 2; ++i) {
    render::Series measured{names[i], found.ours[i].speed, found.ours[i].zeta, {}, render::Mark::points, i};
    render::Series asked{fmt::format("{}, as the curve asks", names[i]), {}, {}, {}, render::Mark::line, i};
    render::Series plain{fmt::format("{}, Rayleigh", names[i]), {0, 0.8}, {}, {}, render::Mark::dashed_line, i};
    plain.y.assign(2, found.plain[i].fitted);
    for (double speed = 0; speed <= 0.8; speed += 0.02) {
      asked.x.push_back(speed);
      asked.y.push_back(found.zeta(i) * found.gains[i].of_swing(speed));
    }
    for (render::Series* series : {&measured, &asked, &plain}) {
      for (double& value : series->y) value *= 100;
      panel.series.push_back(*series);
    }
  }
  return panel;
}

render::Panel gain_panel(const Findings& found) {
  render::Panel panel{"Gains", {"speed of the tip", "m/s"}, {"gain γ", "", true}, {}, {{1, "Rayleigh", false}}};
  const char* names[] = {"up and down: air", "sideways: drawn"};
  for (int i = 0; i < 2; ++i) {
    render::Series series{names[i]};
    for (double speed = 0; speed <= 0.8; speed += 0.02) {
      series.x.push_back(speed);
      series.y.push_back(found.gains[i].curve.value(speed));
    }
    panel.series.push_back(series);
  }
  return panel;
}

render::Panel impact_panel(const Impact& impact) {
  render::Panel panel{impact.name, {"time", "s"}, {"displacement of the tip", "mm"}, {}, {}};
  panel.height = 220;
  const auto add = [&](const RecordedRun& motion, int axis, const std::string& name, render::Mark mark, int color) {
    panel.series.push_back(probe_series(motion, axis, mark));
    panel.series.back().name = name;
    panel.series.back().color = color;
  };
  for (const auto& [axis, name] : {std::pair{1, "up and down"}, std::pair{0, "sideways"}}) {
    if (std::abs(impact.direction[axis]) < 0.1) continue;
    if (!impact.plain.time.empty())
      add(impact.plain, axis, fmt::format("{}, Rayleigh", name), render::Mark::dashed_line, 3 - axis);
    add(impact.motion, axis, name, render::Mark::line, 1 - axis);
  }
  return panel;
}

render::Paragraph remarks() {
  return {
      "The authors fitted their curves to a real leaf and print no numbers; ours show that a simulation does what such "
      "curves ask, not that leaves have them. The default damping is in proportion to mass, with 5 % at modes 3 to 5 "
      "besides: in a thin leaf that turns, damping by stiffness grows by itself with the amplitude. The ratio of "
      "Rayleigh's damping alone is therefore that of the frequencies. The directions are compared at one speed, after "
      "two releases each. The part of the ratio between the directions that Rayleigh's damping has without examples is "
      "listed below it."};
}

render::Report make_report(const ReproductionRequest& request, const Setup& setup, const Findings& found) {
  render::Report report;
  report.title = "A-leaf: a leaf that is damped by its speed, and not alike in all directions";
  report.subtitle = "Xu & Barbič 2017, figures 1 and 14";
  report.summary = fmt::format(
      "A leaf of {} tets (135 kg/m³, 20 MPa) is held at the foot of its stalk. Its first mode ({:.2f} Hz) moves up and "
      "down, its second ({:.2f} Hz) sideways. At {} m/s of the tip, damping is {:.2f} % up and down and {:.2f} % "
      "sideways; Rayleigh damping alone has {:.2f} % and {:.2f} % at any speed.",
      setup.tets, found.plain[up_down].frequency, found.plain[sideways].frequency, fast_speed,
      100 * found.ours[up_down].zeta_at(fast_speed), 100 * found.ours[sideways].zeta_at(fast_speed),
      100 * found.plain[up_down].fitted, 100 * found.plain[sideways].fitted);
  report.sections.push_back(
      {"Damping over speed",
       {write_figure(request, "damping",
                     {"Damping of a leaf over the speed of its tip",
                      "Damping ratio of single swings after a release, and the gains that were asked for.",
                      {zeta_panel(found), gain_panel(found)}}),
        render::Paragraph{fmt::format(
            "Up and down the gain is that of the air: the drag of a plate (coefficient {:g}, 1.2 kg/m³) at every patch "
            "of the blade that moves as the mode does, on top of Rayleigh's 2 %. Sideways it is drawn by hand, "
            "falling with speed, as the authors found by fitting; they print no numbers. A swing "
            "passes all speeds up to its largest, so the curve asked for is the gain weighted with the power taken "
            "over a swing. Each direction is let go twice, from far and from near, as the authors did. The leaf hangs "
            "as "
            "it is drawn: its own weight is in its shape and not simulated.",
            leaf::drag_coefficient)}}});
  render::Figure figure{"Impacts", "Motion of the tip after blows from several directions.", {}};
  for (const Impact& impact : found.impacts) figure.panels.push_back(impact_panel(impact));
  render::Section impacts{
      "Impacts",
      {write_figure(request, "impacts", figure), render::Paragraph{"Each blow is 1.6 mN s at the tip within 50 ms."}}};
  if (request.variant != ReproductionVariant::quick)
    impacts.blocks.push_back(
        picture_side_by_side(request, {&found.impacts[0].motion, &found.impacts[1].motion, &found.impacts[2].motion},
                             {0, 0.08, 0.2, 1}, "A leaf, hit from three directions", {40, 32, 1}, "impacts.png"));
  report.sections.push_back(std::move(impacts));
  report.sections.push_back({"What it does not show", {remarks()}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  Setup setup;
  if (request.variant == ReproductionVariant::quick) setup = {1200, 0.01, 0.9, 2};
  if (request.variant == ReproductionVariant::full) setup = {6210, 0.0025, 4, 4};
  const Findings found = leaf::find(request, setup);
  if (interrupted()) return {};
  std::vector<Claim> claims = make_claims(found, setup);
  render::Report report = make_report(request, setup, found);
  if (request.variant != ReproductionVariant::quick) {
    const leaf::HiddenLeaf hidden = leaf::fit_hidden_leaf(request, setup.tets, setup.dt);
    if (interrupted()) return {};
    for (const Claim& claim : leaf::judge(hidden)) claims.push_back(claim);
    report.sections.insert(report.sections.end() - 1, leaf::section_of(hidden));
  }
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-leaf", "Xu & Barbic 2017, figs. 1, 14",
          "a leaf hit from three directions: damping by speed, stronger up and down than sideways", reproduce,
          "a leaf of 6,210 tets (table 2)"};
}

}  // namespace dashpot::cli::a_leaf
