// E-ribbon: paper E, fig. 2. A ribbon on a wand that circles while it moves backwards. PBD damping pulls every point
// towards the motion of the whole ribbon, so that its tail turns with the wand at once, before any wave can have come;
// Laplacian damping acts between neighbors only.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::e_ribbon {
namespace {

constexpr double length = 1.82, width = 0.04;     // [m]
constexpr double density = 300, wave_speed = 20;  // [kg/m^3], sqrt(E / density) [m/s]
constexpr double radius = 0.12, frequency = 2;    // of the circling wand [m], [Hz]
constexpr double backwards = 0.5;                 // [m/s]
constexpr double beta = 0.3e-3;                   // of the Laplacian damping [s]
constexpr double turn = 1 / frequency;            // [s]

struct Setting {
  int cells_along = 182, cells_across = 2;
  double dt = 2.5e-3, end = 1.2;
  double match = 1;  ///< dampings take the same energy until then [s]
};

std::string scene_text(const Setting& setting, const std::string& damping, int iterations = 10) {
  const double circles = 2 * M_PI * frequency;
  return scene_file(
      "ribbon_on_a_wand",
      {{"/time/dt", setting.dt},
       {"/time/end", setting.end},
       {"/solver/projective/iterations", iterations},
       {"/bodies/0/mesh/cloth/size", fmt::format("[{}, {}]", length, width)},
       {"/bodies/0/mesh/cloth/cells", fmt::format("[{}, {}]", setting.cells_along, setting.cells_across)},
       {"/bodies/0/material/young", density * wave_speed * wave_speed},
       {"/bodies/0/material/density", density},
       {"/bodies/0/damping", list_of(damping)},
       {"/bodies/0/pins/0/motion/formula/x", fmt::format(R"("{}*t")", -backwards)},
       {"/bodies/0/pins/0/motion/formula/y", fmt::format(R"json("{}*(cos({}*t) - 1)")json", radius, circles)},
       {"/bodies/0/pins/0/motion/formula/z", fmt::format(R"json("{}*sin({}*t)")json", radius, circles)},
       {"/record/probes/0/where/box/0/0", length - 1e-6}});
}

/// Speed of the tail between samples [m/s]; sideways: across the ribbon's first direction, which is what turns.
std::vector<double> tail_speed(const RecordedRun& motion, bool sideways) {
  std::vector<double> speed(motion.time.size(), 0.0);
  for (std::size_t i = 1; i < speed.size(); ++i) {
    Vec3 v = (motion.probes[0][i] - motion.probes[0][i - 1]) / (motion.time[i] - motion.time[i - 1]);
    if (sideways) v.x() = 0;
    speed[i] = v.norm();
  }
  return speed;
}

/// Not a number where the run ended before.
double mean_until(const RecordedRun& motion, const std::vector<double>& values, double until) {
  if (!reaches(motion, until)) return not_measured;
  double sum = 0;
  int count = 0;
  for (std::size_t i = 1; i < values.size() && motion.time[i] <= until + 1e-9; ++i) sum += values[i], ++count;
  return count > 0 ? sum / count : not_measured;
}

double taken_until(const RecordedRun& motion, double until) {
  if (!reaches(motion, until)) return not_measured;
  std::size_t i = 0;
  while (i + 1 < motion.time.size() && motion.time[i + 1] <= until + 1e-9) ++i;
  return motion.damped[i];
}

/// First time at which a value is above a bar, or the end.
double onset(const RecordedRun& motion, const std::vector<double>& values, double bar) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > bar) return motion.time[i];
  return motion.time.back();
}

std::string pbd_text(double rate) { return fmt::format(R"({{"model": "pbd", "rate": {}}})", rate); }

/// The run whose PBD damping takes as much energy; the rate by the secant method in logarithms.
RecordedRun matched_pbd(const ReproductionRequest& request, const Setting& setting, double energy, double& rate) {
  double last_rate = 0, last_excess = 0;
  rate = 8;
  for (int trial = 0;; ++trial) {
    const std::string text = scene_text(setting, pbd_text(rate));
    RecordedRun motion = run_scene(request, "position based", text, "scene_pbd.json");
    const double excess = std::log(taken_until(motion, setting.match) / energy);
    if (interrupted() || trial == 6 || !(std::abs(excess) >= 0.01)) return motion;
    double next = rate * std::exp(-1.5 * excess);
    if (trial > 0 && excess != last_excess)
      next = rate * std::exp(-excess * std::log(rate / last_rate) / (excess - last_excess));
    last_rate = rate;
    last_excess = excess;
    rate = std::clamp(next, 0.3 * rate, 3 * rate);
  }
}

/// All runs, and what of them is compared.
struct Ribbons {
  Setting setting;
  RecordedRun plain, ours, free, precise, pbd;
  int many = 100;      ///< iterations of `precise`
  double rate = 0;     ///< of PBD damping [1/s]
  double arrival = 0;  ///< when turning arrives at the tail of the undamped ribbon [s]

  static constexpr double axial = length / wave_speed;  ///< before it no wave can have come [s]
  /// Mean speed of the tail [m/s]: before the first wave, and sideways until a time.
  double early(const RecordedRun& motion) const { return mean_until(motion, tail_speed(motion, false), axial); }
  double turning(const RecordedRun& motion, double until) const {
    return mean_until(motion, tail_speed(motion, true), until);
  }
};

Ribbons run_all(const ReproductionRequest& request, bool quick) {
  Ribbons all;
  if (quick) all.setting.end = all.setting.match = turn, all.many = 30;
  const Setting& setting = all.setting;
  const auto laplacian = [](const char* keeps) {
    return fmt::format(R"({{"model": "laplacian", "beta": {}, "keeps": "{}"}})", beta, keeps);
  };
  Setting short_run = setting;  // without damping midpoint makes energy sooner or later
  short_run.end = turn;
  all.plain = run_scene(request, "none", scene_text(short_run, ""));
  all.ours = run_scene(request, "Laplacian", scene_text(setting, laplacian("linear")), "scene_laplacian.json");
  all.free = run_scene(request, "Laplacian, elements free", scene_text(setting, laplacian("element")));
  all.precise = run_scene(request, fmt::format("Laplacian, {} iterations", all.many),
                          scene_text(setting, laplacian("linear"), all.many));
  all.pbd = matched_pbd(request, setting, taken_until(all.ours, setting.match), all.rate);
  const double wand_speed = 2 * M_PI * frequency * radius;
  all.arrival = onset(all.plain, tail_speed(all.plain, true), 0.05 * wand_speed);
  return all;
}

std::vector<Claim> make_claims(const Ribbons& all) {
  const RecordedRun &pbd = all.pbd, &ours = all.ours;
  std::vector<double> apart;  // of the length, while both last
  for (std::size_t i = 0; reaches(ours, turn) && reaches(all.precise, turn) && ours.time[i] < turn - 1e-9; ++i)
    apart.push_back((ours.probes[0][i] - all.precise.probes[0][i]).norm() / length);
  return {claim_at_least("early_tail_motion_pbd_over_ours",
                         "speed of the tail before any wave can have arrived, PBD over Laplacian damping",
                         "tail moves at once", all.early(pbd) / all.early(ours), "1", 5),
          claim_at_least("turning_pbd_over_ours",
                         "sideways speed of the tail before turning arrives in the undamped ribbon, PBD over Laplacian",
                         "like a rigid bar", all.turning(pbd, all.arrival) / all.turning(ours, all.arrival), "1", 5),
          claim_near("same_energy", "energy taken by PBD damping over that by Laplacian damping", 1,
                     taken_until(pbd, all.setting.match) / taken_until(ours, all.setting.match), "1", 0.05),
          claim_at_most("iterations_enough",
                        fmt::format("way of the tail with 10 iterations against {}, of the length", all.many), {},
                        100 * largest(apart), "%", 1),
          claim_at_least("tail_follows_later",
                         "sideways speed of the tail over the first turn, Laplacian over none: a ribbon that damping "
                         "had stopped would not move early, either",
                         {}, all.turning(ours, turn) / all.turning(all.plain, turn), "1", 0.05)};
}

render::Figure make_figure(const std::vector<const RecordedRun*>& motions, double axial, double end) {
  render::Figure figure;
  figure.title = "How fast the tail moves";
  figure.description = "Speed of the tail over time. Lines end where the tail is faster than 4 m/s.";
  for (const bool sideways : {false, true}) {
    render::Panel panel;
    panel.title = sideways ? "Sideways, with the circling" : "In all directions, at first";
    panel.x = {"time", "s"};
    panel.y = {"speed of the tail", "m/s", !sideways};
    for (const RecordedRun* motion : motions) {
      render::Series series{motion->name};
      const std::vector<double> speed = tail_speed(*motion, sideways);
      for (std::size_t i = 1; i < speed.size(); ++i) {
        if (motion->time[i] > (sideways ? end : 2.5 * axial)) break;
        if (sideways && speed[i] > 4) break;
        series.x.push_back(motion->time[i]);
        series.y.push_back(sideways ? speed[i] : std::max(speed[i], 1e-9));
      }
      panel.series.push_back(series);
    }
    if (!sideways) panel.guides.push_back({axial, "first wave", true});
    if (sideways) panel.guides.push_back({turn, "one turn of the wand", true});
    figure.panels.push_back(panel);
  }
  return figure;
}

render::Table speed_table(const Ribbons& all) {
  render::Table table{
      "Mean speed of the tail [m/s] and energy taken [mJ]",
      {"damping", "before the wave", "sideways, early", "sideways, first turn", "energy before the wave", "energy"},
      {},
      fmt::format("Before the wave: until length over sqrt(E/density), {:.0f} ms. Early: until the undamped "
                  "tail goes sideways at 5 % of the speed of the wand, {:.0f} ms. First turn of the wand: "
                  "500 ms. Energy: until {:g} s.",
                  1e3 * all.axial, 1e3 * all.arrival, all.setting.match)};
  for (const RecordedRun* motion : {&all.plain, &all.pbd, &all.ours, &all.free, &all.precise}) {
    const bool is_short = motion->time.back() < all.setting.match - 1e-9;
    table.rows.push_back({motion->name, fmt::format("{:.3g}", all.early(*motion)),
                          fmt::format("{:.3g}", all.turning(*motion, all.arrival)),
                          fmt::format("{:.3g}", all.turning(*motion, turn)),
                          fmt::format("{:.2f}", 1e3 * taken_until(*motion, all.axial)),
                          is_short ? "-" : fmt::format("{:.2f}", 1e3 * taken_until(*motion, all.setting.match))});
  }
  return table;
}

render::Picture picture(const ReproductionRequest& request, const Ribbons& all) {
  std::vector<double> times;
  for (const double time : {0.1, 0.3, 0.5, 0.8, 1.1})
    if (time <= all.setting.end) times.push_back(time);
  render::Look look;
  look.elevation = 38;  // a flat ribbon is seen from above
  return picture_side_by_side(request, {&all.pbd, &all.ours, &all.free}, times, "A ribbon on a wand that circles", look,
                              "ribbon.png");
}

render::Report make_report(const ReproductionRequest& request, const Ribbons& all) {
  render::Report report;
  report.title = "E-ribbon: a ribbon on a wand";
  report.subtitle = "Li, Liu & Kavan 2018, figure 2";
  report.summary = fmt::format(
      "A ribbon of {:.2f} m lies straight; its wand begins to circle ({:g} Hz, {:g} m) and to move away. No wave is "
      "faster than {:g} m/s, so nothing can reach the tail within {:.0f} ms. With PBD damping the tail moves at {:.3f} "
      "m/s in that time, with Laplacian damping that takes as much energy at {:.5f} m/s.",
      length, frequency, radius, wave_speed, 1e3 * all.axial, all.early(all.pbd), all.early(all.ours));
  const render::Figure tail = make_figure({&all.plain, &all.pbd, &all.ours, &all.free}, all.axial, all.setting.end);
  report.sections.push_back({"Tail", {write_figure(request, "tail", tail), speed_table(all)}});
  report.sections.push_back({"Pictures", {picture(request, all)}});
  report.sections.push_back(
      {"Setting",
       {render::Paragraph{fmt::format(
           "{} triangles, midpoint, steps of {:g} ms, 10 iterations. Laplacian damping β = {:g} ms. The PBD rate, "
           "{:.2f} /s, was searched so that both take the same energy in the first {:g} s. No gravity: a ribbon is "
           "carried by its own motion. Without damping midpoint makes energy late in the run. After the arrival "
           "numbers "
           "depend on ripples and on the length of the ribbon: sideways over the first turn, PBD over Laplacian is "
           "{:.0f} here.",
           all.plain.scene.bodies[0].mesh.groups[0].size(), 1e3 * all.setting.dt, 1e3 * beta, all.rate,
           all.setting.match, all.turning(all.pbd, turn) / all.turning(all.ours, turn))}}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Ribbons all = run_all(request, request.variant == ReproductionVariant::quick);
  if (interrupted()) return {};
  const std::vector<Claim> claims = make_claims(all);
  write_report(request, make_report(request, all), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"E-ribbon", "Li, Liu & Kavan 2018, fig. 2",
          "a ribbon on a circling wand: its tail under PBD damping and under Laplacian damping", reproduce};
}

}  // namespace dashpot::cli::e_ribbon
