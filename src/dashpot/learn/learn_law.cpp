#include "dashpot/learn/learn_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/learn/law_guard.hpp"
#include "dashpot/scene/law_of_body.hpp"

namespace dashpot::learn {
namespace {

constexpr double little_determined = 0.1;   // of an unknown: the prior decides the rest
constexpr double much_worse_held_out = 10;  // held-out over training error, squared residuals

struct RunTrace {
  std::vector<double> time, rms;
  double total = 0;
  int count = 0;
  std::string explanation;
  bool finished = false;
};

RunTrace trace(const ObservedRun& run, const std::vector<double>& values, double robust_scale,
               const std::function<bool()>& should_stop, const std::function<void(const std::vector<Vec3>&)>& look) {
  RunTrace result;
  CompareOptions options;
  options.robust_scale = robust_scale;
  options.values = values;
  options.should_stop = should_stop;
  options.on_instant = [&](std::size_t i, int instant, const std::vector<Vec3>& points, const ResidualRows& rows) {
    if (look) look(points);
    if (rows.size() == 0) return;
    double sum = 0;
    for (const double r : rows.values) sum += r * r;
    result.total += sum;
    result.count += rows.size();
    result.time.push_back(run.observations[i]->times()[static_cast<std::size_t>(instant)]);
    result.rms.push_back(std::sqrt(sum / rows.size()));
  };
  const Comparison found = compare(run, options);
  result.finished = found.reached();
  result.explanation = found.explanation;
  return result;
}

double rms_of(const RunTrace& trace) {
  return trace.finished && trace.count > 0 ? std::sqrt(trace.total / trace.count)
                                           : std::numeric_limits<double>::quiet_NaN();
}

/// Outliers weigh as little as at the end of the search.
double last_scale(const LearnTask& task) { return stages_of(task).back().robust_scale; }

RunTrace trace_learned(const LearnTask& task, LearnOutcome& outcome, const ObservedRun& run, bool held_out) {
  std::vector<int> bodies;
  std::vector<VisitedStrains> visited;
  for (const LearnedBody& body : outcome.bodies) bodies.push_back(body.index), visited.emplace_back();
  const StrainWatch watch(*run.scene, bodies);
  const auto look = [&](const std::vector<Vec3>& points) {
    if (!held_out) watch.look(points, visited);
  };
  RunTrace found = trace(run, outcome.problem.values(run, outcome.fit.x), last_scale(task), task.fit.should_stop, look);
  for (std::size_t i = 0; i < bodies.size(); ++i) outcome.bodies[i].visited.hold(visited[i]);
  return found;
}

void add_quality(const LearnTask& task, const ObservedRun& run, bool held_out, const RunTrace& learned,
                 LearnOutcome& outcome) {
  const RunTrace nominal = trace(run, {}, last_scale(task), task.fit.should_stop, {});
  RunQuality& quality = outcome.quality.emplace_back();
  quality.name = run.name;
  quality.held_out = held_out;
  quality.time = learned.time;
  quality.learned = learned.rms;
  quality.nominal = nominal.rms;
  quality.nominal.resize(quality.time.size(), std::numeric_limits<double>::quiet_NaN());
  quality.nominal_rms = rms_of(nominal);
  quality.learned_rms = rms_of(learned);
  quality.num_residuals = learned.count;
  quality.explanation = learned.explanation;
}

std::vector<LearnedBody> learned_bodies(const LearnTask& task) {
  std::vector<LearnedBody> bodies;
  const CompiledScene& scene = *task.runs[0].scene;
  for (const WeightGroup& group : weight_groups(*scene.system)) {
    if (group.body < 0 || (!bodies.empty() && bodies.back().index == group.body)) continue;
    const std::string& name = scene.spec.bodies[static_cast<std::size_t>(group.body)].name;
    const bool is_wanted = task.law.bodies.empty() ||
                           std::find(task.law.bodies.begin(), task.law.bodies.end(), name) != task.law.bodies.end();
    if (is_wanted) bodies.push_back({name, group.body, {}, {}, {}});
  }
  return bodies;
}

void check_law(const LearnTask& task, const LearnOutcome& outcome, LearnedBody& body) {
  if (!body.visited.is_known()) return;
  body.law = law_with(*task.runs[0].scene, body.index, outcome.values);
  if (body.law) body.definiteness = check_definiteness(*body.law, region_around(body.visited));
}

/// Bodies with elastic weights among the unknowns.
std::vector<int> bodies_with_weights(const FitProblem& problem, const std::vector<LearnedBody>& bodies) {
  std::vector<int> found;
  for (const LearnedBody& body : bodies) {
    const std::string place = fmt::format("/bodies/{}/material/", body.index);
    const auto is_of_it = [&](const Unknown& unknown) { return unknown.parameter.rfind(place, 0) == 0; };
    if (std::any_of(problem.unknowns.begin(), problem.unknowns.end(), is_of_it)) found.push_back(body.index);
  }
  return found;
}

FitResult search(const LearnTask& task, const FitProblem& problem, const std::vector<LearnedBody>& bodies) {
  FitOptions options = task.fit;
  options.stages = stages_of(task);
  LawGuard guard(problem, bodies_with_weights(problem, bodies));
  options.admissible = &guard;
  return estimate(problem, task.estimator, options);
}

void warn(LearnOutcome& outcome) {
  for (const LearnedBody& body : outcome.bodies)
    if (body.definiteness && !body.definiteness->is_definite())
      outcome.warnings.push_back(
          fmt::format("the law of '{}' {}; raise the ridge, or measure a motion that visits such strains", body.name,
                      body.definiteness->text()));
  if (outcome.fit.JtJ.size() == 0) return;
  const Vector share = outcome.fit.determined(outcome.problem);
  std::vector<std::string> vague;
  for (std::size_t k = 0; k < outcome.problem.unknowns.size(); ++k)
    if (share[static_cast<Eigen::Index>(k)] < little_determined) vague.push_back(outcome.problem.unknowns[k].name());
  if (!vague.empty())
    outcome.warnings.push_back(
        fmt::format("{} of {} unknowns are determined to less than {:.0f} % by what was measured; "
                    "the prior decides them: {}",
                    vague.size(), outcome.problem.unknowns.size(), 100 * little_determined, fmt::join(vague, ", ")));
  double training = 0;
  for (const RunQuality& quality : outcome.quality)
    if (!quality.held_out) training = std::max(training, quality.learned_rms);
  for (const RunQuality& quality : outcome.quality) {
    if (!std::isfinite(quality.learned_rms))
      outcome.warnings.push_back(fmt::format("{} cannot be simulated to its end with what was learned: {}",
                                             quality.name, quality.explanation));
    else if (quality.held_out && quality.learned_rms > much_worse_held_out * std::max(training, 1.0))
      outcome.warnings.push_back(
          fmt::format("{}, which was held out, is missed by {:.3g} standard deviations, the "
                      "training runs by {:.3g}: the law does not carry over",
                      quality.name, quality.learned_rms, training));
    else if (quality.learned_rms >= quality.nominal_rms)
      outcome.warnings.push_back(fmt::format("{} is met no better than with the nominal law", quality.name));
  }
}

}  // namespace

FitProblem make_problem(const LearnTask& task) {
  FitProblem problem;
  problem.runs = task.runs;
  if (task.learns_law) add_law_unknowns(problem, task.law);
  std::vector<Problem> problems;
  for (const std::string& name : task.parameters) {
    const ParameterLayout& layout = task.runs[0].scene->system->parameters();
    const ParameterLayout::Entry& entry = layout.at(name);
    for (int i = 0; i < entry.size(); ++i) {
      const double value = task.runs[0].scene->system->parameter_values()[static_cast<std::size_t>(entry.first + i)];
      const ParameterInfo& info = entry.info;
      Unknown& unknown = problem.unknowns.emplace_back();
      unknown = {info.name, i, Unknown::Map::linear, value, value == 0 ? 1 : std::abs(value), entry.size() > 1};
      if (info.is_open && info.low < value && value < info.high && std::isfinite(info.low) && std::isfinite(info.high))
        unknown.map = Unknown::Map::interval, unknown.scale = 1, unknown.low = info.low, unknown.high = info.high;
      else if (value > 0 && info.low >= 0)
        unknown.map = Unknown::Map::logarithmic, unknown.scale = 1;
    }
  }
  const auto n = static_cast<Eigen::Index>(problem.unknowns.size());
  if (problem.precision.size() > 0 && problem.precision.rows() < n) {
    Matrix larger = Matrix::Zero(n, n);
    larger.topLeftCorner(problem.precision.rows(), problem.precision.cols()) = problem.precision;
    Vector prior = Vector::Zero(n);
    prior.head(problem.prior.size()) = problem.prior;
    problem.precision = larger;
    problem.prior = prior;
  }
  return problem;
}

std::vector<FitStage> stages_of(const LearnTask& task) {
  if (!task.fit.stages.empty()) return task.fit.stages;
  bool robust = false;
  for (const ObservedRun& run : task.runs)
    for (const auto& observation : run.observations) robust |= observation->is_robust();
  return default_stages(robust);
}

LearnOutcome learn(const LearnTask& task) {
  LearnOutcome outcome;
  outcome.problem = make_problem(task);
  outcome.bodies = learned_bodies(task);
  outcome.fit = search(task, outcome.problem, outcome.bodies);
  outcome.values = outcome.problem.values(task.runs[0], outcome.fit.x);
  if (outcome.stopped()) return outcome;
  std::vector<RunTrace> traces;
  for (const ObservedRun& run : task.runs) traces.push_back(trace_learned(task, outcome, run, false));
  for (LearnedBody& body : outcome.bodies) check_law(task, outcome, body);
  for (std::size_t r = 0; r < task.runs.size(); ++r) add_quality(task, task.runs[r], false, traces[r], outcome);
  for (const ObservedRun& run : task.held_out)
    add_quality(task, run, true, trace_learned(task, outcome, run, true), outcome);
  warn(outcome);
  if (outcome.fit.end == FitResult::End::failed)
    outcome.warnings.insert(outcome.warnings.begin(), "the search failed: " + outcome.fit.explanation);
  return outcome;
}

LawFile learned_law(const LearnTask& task, const LearnOutcome& outcome, const LearnedBody& body) {
  const CompiledScene& scene = *task.runs[0].scene;
  LawFile law = law_of_body(scene.spec, scene.spec.bodies[static_cast<std::size_t>(body.index)],
                            scene.system->parameters(), outcome.values);
  law.title = fmt::format("'{}' of {}", body.name, scene.spec.title);
  law.visited = body.visited.range();
  for (const ObservedRun& run : task.runs)
    for (const auto& observation : run.observations) law.data.push_back(observation->description());
  return law;
}

std::string learned_scene(const LearnTask& task, const LearnOutcome& outcome) {
  const CompiledScene& scene = *task.runs[0].scene;
  JsonValue document = parse_json(filled_in(scene.spec), "").value;
  for (const LearnedBody& body : outcome.bodies) {
    const LawFile law = learned_law(task, outcome, body);
    JsonValue& written = document.find("bodies")->items[static_cast<std::size_t>(body.index)];
    for (const JsonMember& member : law.material.members)
      if (JsonValue* old = written.find("material")->find(member.key))
        *old = member.value;
      else
        written.find("material")->add(member.key, member.value);
    JsonValue* dampings = written.find("damping");
    if (dampings == nullptr || dampings->items.size() != law.damping.size()) continue;
    for (std::size_t j = 0; j < law.damping.size(); ++j)
      for (const JsonMember& member : law.damping[j].members)
        if (JsonValue* old = dampings->items[j].find(member.key))
          *old = member.value;
        else
          dampings->items[j].add(member.key, member.value);
  }
  return write_json(document);
}

}  // namespace dashpot::learn
