// B-maxwell: a body that remembers, against the theory of linear viscoelasticity. A bar of tets and a spring, both with
// a Prony series of three branches: forced at nine frequencies over two decades (complex modulus), strained and held
// (relaxation), loaded and left (creep).
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/dissipation/loss_band.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::b_maxwell {
namespace {

constexpr double length = 0.1, side = 0.02, young = 1e6, stiffness = young * side * side / length;  // [m], [Pa], [N/m]
constexpr double amplitude = 1e-5;                                                                  // [m]
const std::vector<LossBranch> series = {{0.5, 0.02}, {0.3, 0.15}, {0.4, 1.0}};
const std::vector<LossBranch> one_branch = {{1.0, 0.2}};

enum class Body { tets, spring };
const char* name_of(Body body) { return body == Body::tets ? "bar of tets" : "spring"; }

/// The body between x = 0, held, and x = length, where `end_of_bar` says what happens. It has next to no mass.
std::string scene_text(Body body, const std::vector<LossBranch>& branches, double dt, double end,
                       const std::string& motion, double force) {
  std::string list, pins, load;
  for (const LossBranch& branch : branches)
    list += fmt::format(R"({}{{"share": {}, "tau": {}}})", list.empty() ? "" : ", ", branch.share, branch.tau);
  std::string made = fmt::format(R"("mesh": {{"bar": {{"size": [{0}, {1}, {1}], "cells": [3, 1, 1]}}}},
    "material": {{"model": "stvk", "young": {2}, "poisson": 0.3, "density": 0.1}})",
                                 length, side, young);
  std::string held = fmt::format(R"({{"where": {{"box": [[-0.001, -1, -1], [0.001, 1, 1]]}}, "axes": ["x"]}},
      {{"where": {{"nearest": [0, 0, 0]}}, "axes": ["y", "z"]}}, {{"where": {{"nearest": [0, {0}, 0]}}, "axes": ["z"]}})",
                                 side);
  std::string moved = fmt::format(R"({{"box": [[{}, -1, -1], [{}, 1, 1]]}})", length - 1e-3, length + 1e-3);
  if (body == Body::spring) {
    made = fmt::format(R"("mesh": {{"chain": {{"ends": [[0, 0, 0], [{}, 0, 0]], "edges": 1}}}},
    "springs": [{{"stiffness": {}}}], "point_masses": [{{"mass": 1e-7}}])",
                       length, stiffness);
    held = R"({"where": {"vertices": [0]}}, {"where": {"vertices": [1]}, "axes": ["y", "z"]})";
    moved = R"({"vertices": [1]})";
  }
  if (!motion.empty())
    pins = fmt::format(R"(, {{"where": {}, "axes": ["x"], "motion": {}}})", moved, motion);
  else
    load = fmt::format(R"("loads": [{{"model": "force", "where": {}, "force": [{}, 0, 0]}}],)", moved, force);
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A body that remembers",
  "gravity": [0, 0, 0],
  "time": {{"dt": {}, "end": {}, "stepper": "bdf2"}},
  "solver": {{"newton": {{"tolerance": 1e-11}}}},
  "bodies": [{{
    "name": "body",
    {},
    "damping": [{{"model": "prony", "branches": [{}]}}],
    "pins": [{}{}], {}
    "start": {{"from": "rest"}}
  }}],
  "record": {{"every": {}, "probes": [{{"name": "end", "where": {}}}]}}
}}
)",
                     dt, end, made, list, held, pins, load, end, moved);
}

// --- complex modulus

struct Forced {
  double frequency = 0;                            ///< [Hz]
  std::complex<double> met{not_measured}, theory;  ///< over the static modulus
  double error() const { return std::abs(met - theory) / std::abs(theory); }
};

/// Of the last cycle: the work is pi a F'', its second harmonic pi/2 a F'.
Forced force_at(const ReproductionRequest& request, Body body, double f, int per_cycle) {
  const double tau = series.back().tau, dt = 1 / f / per_cycle;
  const int settling = 1 + static_cast<int>(std::ceil(7 * tau * f)), steps = (settling + 1) * per_cycle;
  const ModulusFactor m = modulus_factor(series, f);
  Forced result{f, not_measured, {m.storage, m.loss}};
  const std::string motion =
      fmt::format(R"({{"harmonic": {{"amplitude": [{}, 0, 0], "frequency": {}}}}})", amplitude, f);
  const RecordedRun run = run_scene(request, fmt::format("{}, {:.3g} Hz", name_of(body), f),
                                    scene_text(body, series, dt, steps * dt, motion, 0), "");
  if (!is_complete(run) || static_cast<int>(run.time.size()) < steps + 1) return result;
  double loss = 0, storage = 0;
  for (std::size_t i = run.time.size() - static_cast<std::size_t>(per_cycle); i < run.time.size(); ++i) {
    const double work = run.external[i] - run.external[i - 1], middle = 0.5 * (run.time[i] + run.time[i - 1]);
    loss += work;
    storage += work * std::sin(4 * std::numbers::pi * f * middle);
  }
  const double unit = stiffness * amplitude * amplitude * std::numbers::pi;
  result.met = {2 * storage / unit, loss / unit};
  return result;
}

// --- relaxation and creep

struct Course {
  std::string name;
  std::vector<double> time, met, theory;
  double worst = not_measured;  ///< largest difference over the largest value
  void compare() {
    double difference = 0, most = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      difference = larger(difference, std::abs(met[i] - theory[i]));
      most = larger(most, std::abs(theory[i]));
    }
    worst = time.empty() ? not_measured : difference / most;
  }
};

/// Strained evenly within `ramp` and held: the energy in the branches falls with the squares of their exponentials.
Course relax(const ReproductionRequest& request, Body body) {
  constexpr double dt = 2e-3, ramp = 0.01, end = 2;
  const std::string motion = fmt::format(R"({{"formula": {{"x": "min(1, t/{}) * {}"}}}})", ramp, amplitude);
  const RecordedRun run =
      run_scene(request, fmt::format("{}, held", name_of(body)), scene_text(body, series, dt, end, motion, 0), "");
  Course course{fmt::format("{}, held", name_of(body)), {}, {}, {}};
  if (!is_complete(run)) return course;
  const std::vector<double> stored = run.ledger.column("elastic.body.prony");
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    if (run.time[i] < 2 * ramp) continue;
    double energy = 0;
    for (const LossBranch& branch : series) {
      const double xi = amplitude * branch.tau / ramp * -std::expm1(-ramp / branch.tau) *
                        std::exp(-(run.time[i] - ramp) / branch.tau);
      energy += 0.5 * branch.share * stiffness * xi * xi;
    }
    course.time.push_back(run.time[i]);
    course.met.push_back(1e9 * stored[i]);
    course.theory.push_back(1e9 * energy);
  }
  course.compare();
  return course;
}

/// One branch under a constant force: x = F/k (1 - g/(1+g) exp(-t / (tau (1+g)))).
Course creep(const ReproductionRequest& request, Body body) {
  constexpr double dt = 2e-3, end = 2;
  const double g = one_branch[0].share, tau = one_branch[0].tau, force = stiffness * amplitude;
  const RecordedRun run = run_scene(request, fmt::format("{}, loaded", name_of(body)),
                                    scene_text(body, one_branch, dt, end, "", force), "");
  Course course{fmt::format("{}, loaded", name_of(body)), {}, {}, {}};
  if (!is_complete(run)) return course;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    if (run.time[i] < 0.02) continue;  // the end has to get there first
    course.time.push_back(run.time[i]);
    course.met.push_back(1e6 * run.probes[0][i].x());
    course.theory.push_back(1e6 * amplitude * (1 - g / (1 + g) * std::exp(-run.time[i] / (tau * (1 + g)))));
  }
  course.compare();
  return course;
}

// --- report

render::Figure make_figure(const std::vector<std::vector<Forced>>& forced, const std::vector<Course>& relaxed,
                           const std::vector<Course>& crept) {
  render::Figure figure;
  figure.title = "A body that remembers";
  figure.description = "Lines: theory of linear viscoelasticity. Points: measured on runs.";
  figure.columns = 2;
  render::Panel storage, loss, held, loaded;
  storage.x = loss.x = {"frequency", "Hz", true};
  storage.y = {"storage modulus over the static one", ""};
  loss.y = {"loss modulus over the static one", ""};
  held.x = loaded.x = {"time", "s"};
  held.y = {"energy in the branches", "nJ", true};
  loaded.y = {"displacement under constant force", "\u00b5m"};
  render::Series storage_theory{"theory", {}, {}}, loss_theory{"theory", {}, {}};
  for (int i = 0; i <= 100; ++i) {
    const double f = 0.08 * std::pow(160, i / 100.0);
    const ModulusFactor m = modulus_factor(series, f);
    storage_theory.x.push_back(f), storage_theory.y.push_back(m.storage);
    loss_theory.x.push_back(f), loss_theory.y.push_back(m.loss);
  }
  storage.series.push_back(storage_theory), loss.series.push_back(loss_theory);
  for (const Body body : {Body::tets, Body::spring}) {
    render::Series s{name_of(body), {}, {}, {}, render::Mark::points}, l = s;
    for (const Forced& point : forced[static_cast<std::size_t>(body)]) {
      s.x.push_back(point.frequency), s.y.push_back(point.met.real());
      l.x.push_back(point.frequency), l.y.push_back(point.met.imag());
    }
    storage.series.push_back(s), loss.series.push_back(l);
  }
  const auto add = [](render::Panel& panel, const std::vector<Course>& courses) {
    panel.series.push_back({"theory", courses.front().time, courses.front().theory});
    for (const Course& course : courses) {
      render::Series points{course.name, {}, {}, {}, render::Mark::points};
      const std::size_t offset = &course == &courses.front() ? 0 : 25;  // so that both can be seen
      for (std::size_t i = offset; i < course.time.size(); i += 50)
        points.x.push_back(course.time[i]), points.y.push_back(course.met[i]);
      panel.series.push_back(points);
    }
  };
  add(held, relaxed), add(loaded, crept);
  figure.panels = {storage, loss, held, loaded};
  return figure;
}

render::Table make_table(const std::vector<std::vector<Forced>>& forced) {
  render::Table table{"Complex modulus over the static one",
                      {"body", "frequency [Hz]", "storage", "in theory", "loss", "in theory", "error [%]"},
                      {},
                      "Error: distance in the complex plane, relative to the modulus of theory."};
  for (const Body body : {Body::tets, Body::spring})
    for (const Forced& p : forced[static_cast<std::size_t>(body)])
      table.rows.push_back({name_of(body), fmt::format("{:.4g}", p.frequency), fmt::format("{:.5f}", p.met.real()),
                            fmt::format("{:.5f}", p.theory.real()), fmt::format("{:.5f}", p.met.imag()),
                            fmt::format("{:.5f}", p.theory.imag()), fmt::format("{:.4f}", 100 * p.error())});
  return table;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  std::vector<std::vector<Forced>> forced(2);
  std::vector<Course> relaxed, crept;
  std::vector<double> errors;
  for (const Body body : {Body::tets, Body::spring}) {
    const int count = quick ? 5 : 9;
    for (int i = 0; i < count; ++i) {
      const double f = 0.1 * std::pow(100, i / (count - 1.0));
      forced[static_cast<std::size_t>(body)].push_back(force_at(request, body, f, quick ? 60 : 120));
      errors.push_back(100 * forced[static_cast<std::size_t>(body)].back().error());
      if (interrupted()) return {};
    }
    relaxed.push_back(relax(request, body));
    crept.push_back(creep(request, body));
    if (interrupted()) return {};
  }
  const std::vector<Claim> claims = {
      claim_at_most("modulus_error", "complex modulus over two decades, bar and spring, worst error against theory",
                    "linear viscoelasticity", largest(errors), "%", 1),
      claim_at_most("relaxation_error", "energy in the branches of a held strain, worst error against theory",
                    "linear viscoelasticity", 100 * larger(relaxed[0].worst, relaxed[1].worst), "%", 1),
      claim_at_most("creep_error", "displacement under a constant force, worst error against theory",
                    "linear viscoelasticity", 100 * larger(crept[0].worst, crept[1].worst), "%", 1)};
  render::Report report;
  report.title = "B-maxwell: a material that remembers";
  report.subtitle = "ours: generalized Maxwell series against the theory of linear viscoelasticity";
  report.summary = fmt::format(
      "A bar of tets and a spring with three Maxwell branches (shares 0.5, 0.3, 0.4; relaxation times 20, 150 and 1000 "
      "ms) are forced from 0.1 to 10 Hz, held, and loaded. The complex modulus is that of theory within {:.3g} %, "
      "relaxation within {:.3g} %, creep within {:.3g} %.",
      largest(errors), 100 * larger(relaxed[0].worst, relaxed[1].worst), 100 * larger(crept[0].worst, crept[1].worst));
  report.sections.push_back(
      {"Response", {write_figure(request, "response", make_figure(forced, relaxed, crept)), make_table(forced)}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-maxwell", "ours: linear viscoelasticity",
          "creep, relaxation and complex modulus of a body with memory, against theory", reproduce};
}

}  // namespace dashpot::cli::b_maxwell
