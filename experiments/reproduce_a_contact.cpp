// A-contact: paper A, fig. 4. Four balls hit a bunny from four sides. Damping is a tenth of Rayleigh's along its
// forward or along its sideways motion; after the impacts it swings longer along that example and nowhere else. The
// raw coupling of the examples and the paper's non-negative one are compared vertex by vertex, and both with ours. For
// the figure's two examples, which are orthogonal, all couplings are the same; so oblique ones are tried too, for which
// the raw coupling is indefinite.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "four_balls.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::a_contact {
namespace {

render::Panel head_panel(const std::string& title, const std::vector<const RecordedRun*>& motions, int axis) {
  render::Panel panel;
  panel.title = title;
  panel.x = {"time", "s"};
  panel.y = {"displacement of the head", "mm"};
  for (const RecordedRun* motion : motions) {
    // Curves that agree cover each other: dashes let both be seen.
    const bool is_first = motion == motions.front();
    panel.series.push_back(probe_series(*motion, axis, is_first ? render::Mark::line : render::Mark::dashed_line));
  }
  return panel;
}

/// One pair of examples, gains 0.1 and 1, under three couplings.
struct Comparison {
  double degrees = 0;
  RecordedRun fixed, raw, bounded;

  render::Series raw_series() const {
    return vertex_difference(fmt::format("raw, pulls at {:g}°", degrees), fixed, raw);
  }
  render::Series bounded_series() const {
    return vertex_difference(fmt::format("Löwdin, pulls at {:g}°", degrees), fixed, bounded);
  }
};

/// All that is run; the quick one leaves out what is sideways, the couplings of orthogonal examples and Löwdin's.
struct Experiment {
  bool is_complete = true;
  RecordedRun plain, forward, sideways, forward_raw, sideways_raw;
  std::vector<Comparison> oblique;
  const Comparison& at(double degrees) const {
    return *std::find_if(oblique.begin(), oblique.end(), [&](const Comparison& c) { return c.degrees == degrees; });
  }
};

Experiment run_all(const ReproductionRequest& request, const FourBalls& setup, bool is_complete) {
  const auto run = [&](const std::string& name, const std::string& damping, const std::string& file = {}) {
    return interrupted() ? RecordedRun{} : run_scene(request, name, four_balls_scene(setup, damping), file);
  };
  const auto design = [&](const std::string& name, const PulledGains& gains, const std::string& file = {}) {
    return run(name, pulled_damping(gains), file);
  };
  Experiment all;
  all.is_complete = is_complete;
  all.plain = run("Rayleigh", bunny_rayleigh, "scene_rayleigh.json");
  all.forward = design("0.1 forward", {0.1, 1, 90, Coupling::nonnegative}, "scene_forward.json");
  if (is_complete) {
    all.sideways = design("0.1 sideways", {1, 0.1, 90, Coupling::nonnegative}, "scene_sideways.json");
    all.forward_raw = design("0.1 forward, raw", {0.1, 1, 90, Coupling::raw});
    all.sideways_raw = design("0.1 sideways, raw", {1, 0.1, 90, Coupling::raw});
  }
  for (const double degrees : is_complete ? std::vector<double>{60, 45, 30, 15} : std::vector<double>{45}) {
    const auto file = [&](const char* coupling) {
      return degrees == 45 ? fmt::format("scene_oblique_{}.json", coupling) : std::string();
    };
    Comparison compared;
    compared.degrees = degrees;
    compared.fixed = design("non-negative", {0.1, 1, degrees, Coupling::nonnegative}, file("nonnegative"));
    compared.raw = design("raw", {0.1, 1, degrees, Coupling::raw}, file("raw"));
    if (is_complete) compared.bounded = design("bounded (ours)", {0.1, 1, degrees, Coupling::lowdin}, file("lowdin"));
    all.oblique.push_back(std::move(compared));
  }
  return all;
}

/// Largest vertex difference of the figure's own two designs, forward and sideways.
double figure_difference(const Experiment& all) {
  return larger(largest_difference(all.forward, all.forward_raw), largest_difference(all.sideways, all.sideways_raw));
}

void judge_couplings(const Experiment& all, std::vector<Claim>& claims) {
  const Comparison& at_45 = all.at(45);
  const double at_45_difference = largest_difference(at_45.fixed, at_45.raw);
  claims.push_back(claim_at_most(
      "coupling_difference",
      all.is_complete ? "largest vertex difference between the fixed and the raw coupling: worst of the figure's two "
                        "designs and of pulls at 45° to each other, where the fix acts"
                      : "largest vertex difference between the fixed and the raw coupling, pulls at 45° to each other",
      std::string("under 1"), all.is_complete ? larger(figure_difference(all), at_45_difference) : at_45_difference,
      "% of diameter", 1));
  claims.push_back(claim_at_most("fix_acts_at_45_degrees",
                                 "pulls at 45°: smallest eigenvalue of the raw coupling; below zero, so that there is "
                                 "something to fix",
                                 ClaimValue{}, raw_eigenvalue(at_45.raw), "1", -1e-3));
  double least = smaller(least_work(all.forward), least_work(at_45.fixed));
  if (all.is_complete) {
    claims.push_back(claim_at_most("coupling_difference_figure", "only the figure's forward and sideways designs",
                                   std::string("under 1"), figure_difference(all), "% of diameter", 1));
    least = smaller(least, least_work(all.sideways));
    for (const Comparison& compared : all.oblique)
      least = smaller(least, smaller(least_work(compared.fixed), least_work(compared.bounded)));
  }
  claims.push_back(claim_at_least("safe_work",
                                  "work of the bunny's damping in a step, all safe couplings: least over most",
                                  std::string(">= 0"), least, "1", 0));
}

/// Example 0 is forward (axis z), 1 sideways (axis x).
void judge_direction(const Experiment& all, int example, std::vector<Claim>& claims) {
  const std::string along = example == 0 ? "forward" : "sideways", across = example == 0 ? "sideways" : "forward";
  const int axis = example == 0 ? 2 : 0, other = 2 - axis;
  const RecordedRun& motion = example == 0 ? all.forward : all.sideways;
  claims.push_back(claim_at_least(
      along + "_livelier", fmt::format("0.1 {0}: {0} motion after the impacts over Rayleigh's (rms)", along),
      std::string("much less damping"), late_motion(motion, axis) / late_motion(all.plain, axis), "1", 1.5));
  claims.push_back(claim_at_most(along + "_ratio",
                                 fmt::format("0.1 {0}: ζ {0} after the impacts over Rayleigh's", along), 0.1,
                                 late_zeta(motion, axis) / late_zeta(all.plain, axis), "1", 0.5));
  claims.back() = only_if(late_zeta(motion, axis) > 0, claims.back(), "the motion grows");
  claims.push_back(claim_near(along + "_keeps_" + across, fmt::format("0.1 {}: ζ {} over Rayleigh's", along, across), 1,
                              late_zeta(motion, other) / late_zeta(all.plain, other), "1", 0.1));
}

std::vector<Claim> judge(const Experiment& all) {
  std::vector<Claim> claims;
  judge_couplings(all, claims);
  judge_direction(all, 0, claims);
  if (all.is_complete) judge_direction(all, 1, claims);
  const std::vector<double> hits = impulses(all.plain);
  claims.push_back(claim_at_least("balls_hit", "least momentum that a ball exchanged at the bunny", ClaimValue{},
                                  of_complete(all.plain, least(hits)), "N s", 0.05));
  claims.push_back(claim_at_least("bunny_moves", "motion of the head after the impacts under Rayleigh damping (rms)",
                                  ClaimValue{}, 1000 * smaller(late_motion(all.plain, 0), late_motion(all.plain, 2)),
                                  "mm", 0.1));
  return claims;
}

render::Table coupling_table(const Experiment& all) {
  render::Table table{"Largest vertex difference from the non-negative coupling over the whole motion; gains 0.1 and 1",
                      {"angle of the pulls", "angle in the norm of C", "smallest eigenvalue of the raw coupling",
                       "raw [% of diameter]", "Löwdin [% of diameter]", "raw: least over most work a step"},
                      {},
                      {}};
  const auto row = [&](double degrees, const RecordedRun& raw, double difference, const std::string& bounded) {
    table.rows.push_back({fmt::format("{:g}°", degrees), fmt::format("{:.1f}°", example_angle(raw)),
                          fmt::format("{:.3g}", raw_eigenvalue(raw)), fmt::format("{:.3g}", difference), bounded,
                          fmt::format("{:.2g}", least_work(raw))});
  };
  if (all.is_complete) row(90, all.forward_raw, largest_difference(all.forward, all.forward_raw), "-");
  for (const Comparison& compared : all.oblique)
    row(compared.degrees, compared.raw, largest_difference(compared.fixed, compared.raw),
        all.is_complete ? fmt::format("{:.3g}", largest_difference(compared.fixed, compared.bounded)) : "-");
  return table;
}

render::Figure difference_figure(const Experiment& all) {
  render::Panel panel{"difference from the non-negative coupling",
                      {"time", "s"},
                      {"largest vertex difference", "% of diameter"},
                      {},
                      {{1, "the paper's 1 %", false}}};
  for (const Comparison& compared : all.oblique) panel.series.push_back(compared.raw_series());
  if (all.is_complete) {
    panel.series.push_back(all.at(45).bounded_series());
    panel.series.back().mark = render::Mark::dashed_line;
  }
  return {
      "How far couplings of the same examples move the bunny apart",
      "Largest distance between the same vertex in two motions, over time, for several angles between the examples.",
      {panel}};
}

void add_pictures(const ReproductionRequest& request, const Experiment& all, render::Report& report) {
  const Comparison& at_45 = all.at(45);
  const auto look = look_of(all.plain);
  std::vector<RecordedRun> early, late;
  for (const RecordedRun* motion : {&all.plain, &at_45.fixed, &at_45.raw, &at_45.bounded})
    early.push_back(beginning(*motion, 0.3));
  for (const RecordedRun* motion : {&all.plain, &all.forward, &all.sideways}) late.push_back(bunny_alone(*motion, 5));
  report.sections.push_back(
      {"Pictures",
       {picture_side_by_side(request, {&early[0], &early[1], &early[2], &early[3]}, {0, 0.06, 0.16, 0.22, 0.3},
                             "Four balls hit a bunny; pulls at 45°, gains 0.1 and 1", look, "balls.png"),
        picture_side_by_side(request, {&late[0], &late[1], &late[2]}, {1, 1.06, 1.11, 1.17},
                             "The bunny later, displacements drawn five times as large", look, "ringing.png")}});
}

std::string summary(const Experiment& all, const FourBalls& setup) {
  const std::vector<double> hits = impulses(all.plain);
  const auto times = [&](const RecordedRun& motion, int axis) {
    return late_motion(motion, axis) / late_motion(all.plain, axis);
  };
  std::string text = fmt::format(
      "Four soft balls hit a bunny of {} tets on pinned feet, {:.2g} to {:.2g} N s each. With a tenth of Rayleigh's "
      "damping along a forward pull of its head, the forward motion is {:.1f} times Rayleigh's after {:g} s, the "
      "sideways one {:.2f} times. ",
      setup.tets, *std::min_element(hits.begin(), hits.end()), *std::max_element(hits.begin(), hits.end()),
      times(all.forward, 2), after_impacts, times(all.forward, 0));
  if (all.is_complete)
    text += fmt::format(
        "With a tenth along a sideways pull it is {:.1f} times sideways and {:.2f} times forward. These two examples "
        "are orthogonal, and all couplings of them are the same. ",
        times(all.sideways, 0), times(all.sideways, 2));
  return text +
         fmt::format(
             "For pulls at 45° to each other the raw coupling is indefinite; it moves no vertex more than {:.2g} "
             "% of the diameter away from the non-negative one.",
             largest_difference(all.at(45).fixed, all.at(45).raw));
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  FourBalls setup;
  if (quick) setup = {1500, 1, 0.008, 1.2};
  const Experiment all = run_all(request, setup, !quick);
  if (interrupted()) return {};
  const std::vector<Claim> claims = judge(all);

  render::Report report;
  report.title = "A-contact: damping of one direction while four balls hit";
  report.subtitle = "Xu & Barbič 2017, figure 4";
  report.summary = summary(all, setup);
  std::vector<const RecordedRun*> shown = {&all.plain, &all.forward};
  if (!quick) shown.push_back(&all.sideways);
  render::Figure figure{"The head of a bunny hit by four balls",
                        "Displacement of the head over time, forward and sideways, under these dampings.",
                        {head_panel("forward (z)", shown, 2), head_panel("sideways (x)", shown, 0)}};
  report.sections.push_back({"Motion of the head", {write_figure(request, "head", figure)}});
  if (!quick) add_pictures(request, all, report);
  report.sections.push_back(
      {"Couplings compared",
       {write_figure(request, "couplings", difference_figure(all)), coupling_table(all),
        render::Paragraph{
            "The paper does not say which examples its comparison of couplings used. For those that the figure names "
            "it is empty: they are orthogonal. The bar is judged at 45°, where the fix acts; the table has smaller "
            "angles, at "
            "which the couplings move further apart. Löwdin's coupling is another compromise between examples that "
            "contradict each other, so that its motion need not be near the paper's."},
        render::Paragraph{
            "Along an example ζ does not fall to a tenth. The example is a pull, not a mode: it holds higher modes, "
            "and "
            "the gain acts on the mixture (A-anisotropic). 'dashpot modes scene_forward.json' shows the same ratio for "
            "small motions."}}});
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-contact", "Xu & Barbic 2017, fig. 4",
          "four balls hit a bunny that is damped less along one direction; couplings of examples compared", reproduce};
}

}  // namespace dashpot::cli::a_contact
