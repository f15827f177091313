// B-spring: paper B, fig. 2. A mass on a spring is thrown sideways. Strain-rate damping takes the radial oscillation
// and leaves the rotation: the mass ends on a circle. Rayleigh damping goes on braking it.
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::b_spring {
namespace {

constexpr double mass = 1, length = 2, stiffness = 50, speed = 20, end = 10;  // [kg], [m], [N/m], [m/s], [s]
// The circle: k (r - L) = H^2/(m r^3), H = m L v_0 = 40, that is r^4 - 2 r^3 = 32 (reference ABCE, section 2.3).
constexpr double circle_radius = 3.087378025384, circle_energy = 83.928675521416;

struct Variant {
  std::string model;
  double beta = 0, dt = 0.01;
  std::string stepper = "midpoint";
  std::string name() const {
    return fmt::format("{}, \u03b2 {:g} ms, {}, {:g} ms", model == "strain_rate" ? "strain rate" : "Rayleigh",
                       1e3 * beta, stepper, 1e3 * dt);
  }
};

std::string scene_text(const Variant& v) {
  const std::string damping =
      v.model == "strain_rate"
          ? fmt::format(R"({{"model": "strain_rate", "beta": {}}})", v.beta)
          : fmt::format(R"({{"model": "rayleigh", "beta": {}, "stiffness": "projected_tangent"}})", v.beta);
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A mass on a spring, thrown sideways",
  "gravity": [0, 0, 0],
  "time": {{"dt": {}, "end": {}, "stepper": "{}"}},
  "solver": {{"newton": {{"tolerance": 1e-12}}}},
  "bodies": [{{
    "name": "spring",
    "mesh": {{"chain": {{"ends": [[0, 0, 0], [{}, 0, 0]], "edges": 1}}}},
    "springs": [{{"stiffness": {}}}],
    "point_masses": [{{"mass": {}}}],
    "damping": [{}],
    "pins": [{{"where": {{"vertices": [0]}}}}],
    "start": {{"from": "rest", "velocity": [0, {}, 0]}}
  }}],
  "record": {{"every": {}, "probes": [{{"name": "mass", "where": {{"vertices": [1]}}}}]}}
}}
)",
                     v.dt, end, v.stepper, length, stiffness, mass, damping, speed, end);
}

struct Motion {
  Variant variant;
  RecordedRun run;
  std::vector<double> radius, kinetic;                               ///< [m], [J]
  double H = not_measured, r = not_measured, energy = not_measured;  ///< at the end

  Motion(const Variant& v, RecordedRun recorded_run) : variant(v), run(std::move(recorded_run)) {
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const Vec3 x = run.probes[0][i] + Vec3(length, 0, 0);
      radius.push_back(x.norm());
      const double stretch = stiffness * (x.norm() - length) * (x.norm() - length) / 2;
      kinetic.push_back(run.energy[i] - stretch);
    }
    if (!is_complete(run)) return;
    H = run.spin.back().norm();
    r = radius.back();
    energy = kinetic.back();
  }
};

render::Figure make_figure(const std::vector<const Motion*>& shown) {
  render::Figure figure;
  figure.title = "A mass on a spring, thrown sideways";
  figure.description =
      "Midpoint rule, steps of 10 ms. Both dampings have the same \u03b2 and damp the radial oscillation alike.";
  render::Panel energy, radius;
  energy.x = radius.x = {"time", "s"};
  energy.y = {"kinetic energy", "J", false, 0.0};
  radius.y = {"distance from the pivot", "m"};
  for (const Motion* motion : shown) {
    energy.series.push_back({motion->run.name, motion->run.time, motion->kinetic});
    radius.series.push_back({motion->run.name, motion->run.time, motion->radius});
  }
  figure.panels = {energy, radius};
  return figure;
}

render::Table make_table(const std::vector<Motion>& motions) {
  render::Table table{
      "At 10 s",
      {"damping", "radius [m]", "kinetic energy [J]", "angular momentum [kg m\u00b2/s]", "lost to the integrator [J]"},
      {},
      fmt::format("Without loss of angular momentum (40) the circle has r = {:.6f} m and {:.5f} J.", circle_radius,
                  circle_energy)};
  for (const Motion& motion : motions) {
    const double start = mass * speed * speed / 2,
                 left = motion.run.energy.empty() ? not_measured : motion.run.energy.back();
    table.rows.push_back(
        {motion.run.name, fmt::format("{:.6f}", motion.r), fmt::format("{:.5g}", motion.energy),
         fmt::format("{:.7g}", motion.H),
         fmt::format("{:.3g}", start - left - (motion.run.damped.empty() ? 0 : motion.run.damped.back()))});
  }
  return table;
}

const Motion& find(const std::vector<Motion>& motions, const char* model, double beta, const char* stepper, double dt) {
  for (const Motion& m : motions)
    if (m.variant.model == model && m.variant.beta == beta && m.variant.stepper == stepper && m.variant.dt == dt)
      return m;
  return motions.front();
}

std::vector<Claim> make_claims(const std::vector<Motion>& motions) {
  const Motion& strong = find(motions, "strain_rate", 0.15, "midpoint", 0.01);
  const Motion& rayleigh = find(motions, "rayleigh", 0.05, "midpoint", 0.01);
  const Motion& coarse = find(motions, "strain_rate", 0.05, "midpoint", 0.1);
  const Motion &weak_euler = find(motions, "strain_rate", 0.01, "backward_euler", 0.01),
               &weak_rayleigh = find(motions, "rayleigh", 0.01, "midpoint", 0.01);
  double drift = 0;  // of the integrators that keep angular momentum themselves
  for (const Motion& m : motions)
    if (m.variant.model == "strain_rate" && m.variant.stepper == "midpoint")
      drift = larger(drift, std::abs(m.H / 40 - 1));
  std::vector<Claim> claims = {
      claim_near("radius", "radius of the final circle (strain rate, \u03b2 150 ms, midpoint)", circle_radius, strong.r,
                 "m", 1e-4),
      claim_near("kinetic_energy", "kinetic energy at 10 s (strain rate, \u03b2 150 ms)", circle_energy, strong.energy,
                 "J", 1e-3),
      claim_at_most("rayleigh_kinetic_energy", "kinetic energy at 10 s (Rayleigh, \u03b2 50 ms)", "goes on braking",
                    rayleigh.energy, "J", 3),
      claim_at_most("angular_momentum_change",
                    "relative change of angular momentum with strain-rate damping, midpoint, steps of 10 and 100 ms",
                    "kept", drift, "1", 1e-9),
      reported("coarse_kinetic_energy", "the same with steps of 100 ms, \u03b2 50 ms", {}, coarse.energy, "J")};
  claims.push_back(refuted(
      claim_at_least("integrator_loss_is_smaller",
                     "kinetic energy left by backward Euler over that left by Rayleigh damping (\u03b2 10 ms, steps of "
                     "10 ms)",
                     "far less damping", weak_euler.energy / weak_rayleigh.energy, "1", 2),
      "at \u03b2 = dt the integrator brakes as much as Rayleigh damping: reference ABCE, section 2.3"));
  return claims;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  std::vector<Variant> variants;
  for (const char* model : {"strain_rate", "rayleigh"})
    for (const double beta : {0.01, 0.05, 0.15}) variants.push_back({model, beta});
  for (const char* stepper : {"trapezoid", "backward_euler", "bdf2", "bathe"})
    for (const double beta : {0.01, 0.15}) variants.push_back({"strain_rate", beta, 0.01, stepper});
  for (const char* stepper : {"midpoint", "backward_euler", "bathe"})
    variants.push_back({"strain_rate", 0.05, 0.1, stepper});
  std::vector<Motion> motions;
  for (const Variant& variant : variants) {
    motions.emplace_back(variant,
                         run_scene(request, variant.name(), scene_text(variant), motions.empty() ? "scene.json" : ""));
    if (interrupted()) return {};
  }
  const std::vector<Claim> claims = make_claims(motions);
  render::Report report;
  report.title = "B-spring: a damping that leaves rotation alone";
  report.subtitle = "S\u00e1nchez-Banderas & Otaduy 2018, fig. 2";
  const Motion& strong = find(motions, "strain_rate", 0.15, "midpoint", 0.01);
  report.summary = fmt::format(
      "A mass of 1 kg on a spring of 2 m and 50 N/m is thrown sideways at 20 m/s. With strain-rate damping it ends on "
      "a "
      "circle of {:.4f} m with {:.2f} J of kinetic energy, as theory says; with Rayleigh damping of \u03b2 50 ms "
      "{:.2f} J are left.",
      strong.r, strong.energy, find(motions, "rayleigh", 0.05, "midpoint", 0.01).energy);
  std::vector<const Motion*> shown;
  for (const char* model : {"strain_rate", "rayleigh"})
    for (const double beta : {0.01, 0.05, 0.15}) shown.push_back(&find(motions, model, beta, "midpoint", 0.01));
  report.sections.push_back({"Motion", {write_figure(request, "spring", make_figure(shown)), make_table(motions)}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-spring", "S\u00e1nchez-Banderas & Otaduy 2018, fig. 2",
          "a rotating spring: strain-rate damping leaves the rotation, Rayleigh damping brakes it", reproduce};
}

}  // namespace dashpot::cli::b_spring
