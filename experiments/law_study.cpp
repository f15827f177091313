#include "law_study.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/dissipation/stretch_rayleigh.hpp"
#include "dashpot/learn/learn_report.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

std::string scene_of(const StudySpec& spec, const StudiedMotion& motion, bool is_truth) {
  const bool is_other = !motion.scene.empty();
  std::vector<SceneChange> changes = is_other ? std::vector<SceneChange>() : spec.size;
  if (!is_other || spec.law.elasticity)
    changes.emplace_back("/bodies/0/material", is_truth ? spec.truth : spec.believed);
  changes.emplace_back("/bodies/0/damping", is_truth ? spec.true_damping : spec.believed_damping);
  if (is_truth && !is_other) changes.insert(changes.end(), spec.of_truth.begin(), spec.of_truth.end());
  changes.insert(changes.end(), motion.changes.begin(), motion.changes.end());
  return scene_file(is_other ? motion.scene : spec.scene, changes);
}

/// Principal stresses [Pa] at principal stretches.
using StressLaw = std::function<Vec3(const Vec3&)>;

/// Of any material: forces on a cube of one meter that is stretched along its edges.
StressLaw law_of_material(const std::string& material) {
  const auto cube = std::make_shared<CompiledScene>(compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "time": {{"dt": 1, "end": 1}}, "bodies": [{{"name": "cube",
          "mesh": {{"bar": {{"size": [1, 1, 1], "cells": [1, 1, 1]}}}}, "material": {}}}]}})",
      material))));
  return [cube](const Vec3& s) {
    const System& system = *cube->system;
    Vector q = system.rest(), force = Vector::Zero(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] *= s[i % 3];
    for (const auto& energy : system.energies()) {
      EnergyRequest request{q};
      request.gradient = &force;
      energy->evaluate(request);
    }
    Vec3 stress = Vec3::Zero();  // forces on the faces at one
    for (Eigen::Index i = 0; i < q.size(); ++i)
      if (system.rest()[i] > 0.5) stress[i % 3] += force[i];
    return stress;
  };
}

StressLaw law_of_parts(const LearnedParts& parts) {
  return [law = stretch_response(parts)](const Vec3& s) { return law(s).p; };
}

/// Stress along a stretch whose sides are free; not a number where no width balances them.
double free_stress(const StressLaw& law, double stretch) {
  const auto side_stress = [&](double t) { return law(Vec3(stretch, t, t))[1]; };
  const double middle = 1 / std::sqrt(stretch);
  double low = 0.6 * std::min(1.0, middle), high = 1.4 * std::max(1.0, middle);
  if (!(side_stress(low) < 0 && side_stress(high) > 0)) return not_measured;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high);
    (side_stress(t) < 0 ? low : high) = t;
  }
  return law(Vec3(stretch, low, low))[0];
}

/// The stiffness damping of the first body's first damping, with these parameter values of the scene.
std::optional<StretchCoefficient> beta_of(const CompiledScene& scene, const std::vector<double>& values) {
  const auto& dampings = scene.spec.bodies[0].damping;
  if (dampings.empty() || dampings[0].name() != "stretch_rayleigh") return {};
  const Settings& settings = dampings[0].settings;
  StretchCoefficient beta;
  beta.nominal = PartwiseValue(settings.number("beta"));
  beta.scale = settings.number("beta_scale");
  const std::vector<double> range = settings.numbers("curve_range");
  const ParameterLayout::Entry& weights = scene.system->parameters().at("/bodies/0/damping/0/beta_curve");
  for (int i = 0; i < weights.size(); ++i) beta.weights.push_back(values[static_cast<std::size_t>(weights.first + i)]);
  beta.knots = {range[0], range[1], weights.size()};
  return beta;
}

StudiedTrial make_studied(const ReproductionRequest& request, const StudySpec& spec, const StudiedMotion& motion) {
  return {make_trial(request, motion.name, scene_of(spec, motion, true), scene_of(spec, motion, false), spec.law,
                     spec.every),
          {}};
}

std::vector<int> all_points(const LearningTrial& trial) {
  std::vector<int> points(trial.seen.positions.at(0).size());
  std::iota(points.begin(), points.end(), 0);
  return points;
}

std::vector<const StudiedTrial*> all_of(const Study& study) {
  std::vector<const StudiedTrial*> all;
  for (const auto* trials : {&study.training, &study.unseen})
    for (const StudiedTrial& trial : *trials) all.push_back(&trial);
  return all;
}

const learn::LearnedBody& learned_body(const Study& study) { return study.learned.outcome.bodies.at(0); }

/// Two frames: where the nominal motion is farthest from the truth, and the end.
std::vector<double> shown_instants(const LearningTrial& trial) {
  const std::vector<double> errors = trial.error_of(trial.nominal).worst_by_instant;
  if (errors.empty()) return {trial.times.back()};
  const auto at = static_cast<std::size_t>(std::max_element(errors.begin(), errors.end()) - errors.begin());
  if (4 * at > 3 * trial.times.size()) return {trial.times[at / 2], trial.times[at]};
  return {trial.times[at], trial.times.back()};
}

void add_motion(const ReproductionRequest& request, const StudiedTrial& studied, render::Section& section) {
  const LearningTrial& trial = studied.trial;
  const std::vector<NamedMotion> motions = {{"nominal", &trial.nominal}, {"learned", &studied.predicted}};
  RecordedRun drawn;
  drawn.recording = trial.scene->recording;
  section.blocks.emplace_back(
      trial_picture(request, trial, motions, shown_instants(trial), look_of(drawn), trial.name + ".png"));
  section.blocks.emplace_back(write_figure(request, trial.name + "_error", error_figure(trial, motions)));
}

}  // namespace

double Study::worst(const std::vector<StudiedTrial>& trials) {
  std::vector<double> errors;
  for (const StudiedTrial& trial : trials) errors.push_back(trial.error());
  return largest(errors);
}

Study run_study(const ReproductionRequest& request, const StudySpec& spec) {
  Study study;
  study.spec = spec;
  for (const StudiedMotion& motion : spec.training)
    if (!interrupted()) study.training.push_back(make_studied(request, spec, motion));
  for (const StudiedMotion& motion : spec.unseen)
    if (!interrupted()) study.unseen.push_back(make_studied(request, spec, motion));
  if (interrupted()) return study;
  std::vector<SeenTrial> seen;
  for (const StudiedTrial& one : study.training)
    seen.emplace_back(&one.trial,
                      see_nodes(one.trial, spec.sees_inside ? all_points(one.trial) : surface_points(one.trial),
                                spec.sigma * one.trial.size));
  const LearningTrial& first = study.training.at(0).trial;
  study.learned = learn_trial(request, "learning", task_of(seen, spec.law), first);
  for (auto* trials : {&study.training, &study.unseen})
    for (StudiedTrial& one : *trials)  // gravity is a parameter too: the values are those of this motion's scene
      one.predicted = one.trial.motion_with(study.learned.values_for(one.trial));
  return study;
}

double law_error(const Study& study, const std::string& material) {
  StudySpec spec = study.spec;
  spec.believed = material;
  const LearningTrial& trial = study.training.at(0).trial;
  const CompiledScene scene = compile(parse_scene(scene_of(spec, spec.training.at(0), false)));
  const auto motion = learn::simulated_motion(scene, {}, trial.times, [] { return interrupted(); });
  return 100 * trial.error_of(motion).worst;
}

Claim learning_time_claim(const Study& study) {
  const auto num_nodes = study.training.at(0).trial.scene->bodies.at(0).mesh.num_nodes();
  const double bar = num_nodes <= 1000 ? 5 : 20;
  return claim_at_most("learning_time", fmt::format("wall time of learning, {} vertices", num_nodes), {},
                       study.learned.seconds / 60, "min", bar);
}

Claim nominal_claim(const ReproductionRequest& request, const Study& study, double bar) {
  Claim claim = claim_at_least("nominal_error", "the nominal law does not do", {}, study.training.at(0).nominal_error(),
                               "%", bar);
  if (request.variant != ReproductionVariant::quick) return claim;
  return not_judged(std::move(claim), "a coarse body that hardly moves");
}

Claim definiteness_claim(const ReproductionRequest& request, const Study& study) {
  const auto& definiteness = learned_body(study).definiteness;
  Claim claim =
      claim_true("definite", fmt::format("the learned law is {}", definiteness ? definiteness->text() : "not checked"),
                 definiteness && definiteness->is_definite());
  if (request.variant != ReproductionVariant::quick) return claim;
  return not_judged(std::move(claim), "a coarse body that hardly moves");
}

render::Figure stress_figure(const Study& study) {
  const learn::LearnedBody& body = learned_body(study);
  render::Figure figure{"Stress over stretch",
                        "A bar of the material with free sides is pulled and pressed: truth, nominal and learned law.",
                        {}};
  if (!body.law) return figure;
  render::Panel panel;
  panel.x = {"stretch", ""};
  panel.y = {"stress", "kPa"};
  const double low = std::max(0.3, 1 - 1.3 * (1 - body.visited.range().least)),
               high = 1 + 1.3 * (body.visited.range().largest - 1);
  const auto add = [&](const char* name, const StressLaw& law, render::Mark mark) {
    render::Series series{name, {}, {}, {}, mark};
    const int count = mark == render::Mark::points ? 30 : 150;
    for (int i = 0; i <= count; ++i) {
      series.x.push_back(low + (high - low) * i / count);
      series.y.push_back(1e-3 * free_stress(law, series.x.back()));
    }
    panel.series.push_back(std::move(series));
  };
  if (study.spec.truth_is_homogeneous) add("truth", law_of_material(study.spec.truth), render::Mark::points);
  add("nominal", law_of_material(study.spec.believed), render::Mark::dashed_line);
  add("learned", law_of_parts(*body.law), render::Mark::line);
  panel.guides = {{body.visited.range().least, "visited", true}, {body.visited.range().largest, "", true}};
  figure.panels = {panel};
  return figure;
}

render::Figure damping_figure(const Study& study) {
  const learn::LearnedBody& body = learned_body(study);
  const LearningTrial& trial = study.training.at(0).trial;
  render::Figure figure{"Stiffness damping over the largest stretch", "Truth, nominal and learned coefficient.", {}};
  render::Panel panel;
  panel.x = {"largest stretch of an element", ""};
  panel.y = {"β", "ms"};
  const double high = 1 + 1.15 * (body.visited.range().largest - 1);
  const auto add = [&](const char* name, const CompiledScene& scene, const std::vector<double>& values,
                       render::Mark mark) {
    const std::optional<StretchCoefficient> beta = beta_of(scene, values);
    if (!beta) return;
    render::Series series{name, {}, {}, {}, mark};
    for (int i = 0; i <= 100; ++i) {
      const double s[3] = {1 + (high - 1) * i / 100, 1, 1};
      series.x.push_back(s[0]);
      series.y.push_back(1e3 * std::max(0.0, beta->sum(0, s)));
    }
    panel.series.push_back(std::move(series));
  };
  add("truth", *trial.truth, trial.truth->system->parameter_values(), render::Mark::points);
  add("nominal", *trial.scene, trial.scene->system->parameter_values(), render::Mark::dashed_line);
  add("learned", *trial.scene, study.learned.outcome.values, render::Mark::line);
  panel.guides = {{body.visited.range().largest, "visited", true}};
  figure.panels = {panel};
  return figure;
}

render::Table error_table(const Study& study) {
  render::Table table{"Errors over all nodes and frames, in percent of the body's diagonal",
                      {"motion", "nominal law, largest", "learned law, largest", "learned law, rms"},
                      {},
                      {}};
  for (const StudiedTrial* one : all_of(study))
    table.rows.push_back(
        {one->trial.name, percent_text(one->nominal_error()), percent_text(one->error()), percent_text(one->rms())});
  table.note = "Forward simulations; nodes inside the body count too, though only the surface was seen.";
  return table;
}

render::Report study_report(const ReproductionRequest& request, const Study& study, const std::string& title,
                            const std::string& subtitle, const std::string& summary) {
  const learn::LearnOutcome& outcome = study.learned.outcome;
  render::Report report;
  report.title = title;
  report.subtitle = subtitle;
  report.summary = summary;
  report.warnings = outcome.warnings;
  for (const StudiedTrial* one : all_of(study))
    if (!one->predicted.finished)
      report.warnings.push_back(fmt::format("'{}' cannot be simulated to its end with the learned law: {}",
                                            one->trial.name, one->predicted.explanation));
  report.key_figures = {{"largest error", percent_text(study.max_error()), "%", "of the motion it was learned from"},
                        {"nominal law", percent_text(study.training.at(0).nominal_error()), "%", "largest error"},
                        {"learning", fmt::format("{:.1f}", study.learned.seconds), "s",
                         fmt::format("{} simulations", outcome.fit.num_simulations)}};
  if (!study.unseen.empty())
    report.key_figures.insert(report.key_figures.begin() + 1,
                              {"unseen motions", percent_text(study.unseen_error()), "%", "largest error"});
  add_sections(request, study, "", report);
  return report;
}

void add_sections(const ReproductionRequest& request, const Study& study, const std::string& name,
                  render::Report& report) {
  const auto heading = [&](const char* text) { return name.empty() ? std::string(text) : name + ": " + text; };
  const std::string& first = study.spec.training.at(0).name;
  render::Section law{heading("The law"), {}};
  if (study.spec.law.elasticity) law.blocks.emplace_back(write_figure(request, first + "_law", stress_figure(study)));
  if (study.spec.law.damping) law.blocks.emplace_back(write_figure(request, first + "_damping", damping_figure(study)));
  const learn::LearnedBody& body = learned_body(study);
  if (body.visited.is_known())
    law.blocks.emplace_back(render::Paragraph{
        fmt::format("The motion visits stretches from {:.3f} to {:.3f} and volume ratios from {:.3f} to {:.3f}.{}",
                    body.visited.range().least, body.visited.range().largest, body.visited.range().least_volume,
                    body.visited.range().largest_volume,
                    body.definiteness ? " The learned law is " + body.definiteness->text() + "." : "")});
  law.blocks.emplace_back(error_table(study));
  report.sections.push_back(std::move(law));
  render::Section seen{heading("What it was learned from"), {}}, unseen{heading("Motions that were not seen"), {}};
  for (const StudiedTrial& one : study.training) add_motion(request, one, seen);
  for (const StudiedTrial& one : study.unseen) add_motion(request, one, unseen);
  report.sections.push_back(std::move(seen));
  if (!study.unseen.empty()) report.sections.push_back(std::move(unseen));
  report.sections.push_back({heading("Unknowns"), {learn::unknowns_table(study.learned.outcome)}, true});
}

}  // namespace dashpot::cli
