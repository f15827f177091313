#include "dashpot/design/scene_design.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/scene/assembly/damping_examples.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot::design {
namespace {

struct Place {
  const BodySpec* body = nullptr;
  std::size_t body_index = 0, damping = 0;
};

/// The example_based damping that is designed.
Place find_damping(const SceneSpec& spec, const Settings& section) {
  std::vector<Place> found;
  for (std::size_t b = 0; b < spec.bodies.size(); ++b)
    for (std::size_t d = 0; d < spec.bodies[b].damping.size(); ++d)
      if (spec.bodies[b].damping[d].name() == "example_based") found.push_back({&spec.bodies[b], b, d});
  if (section.has("body"))
    std::erase_if(found, [&](const Place& place) { return place.body->name != section.text("body"); });
  if (found.size() == 1) return found.front();
  throw Error(Problem{section.place(section.has("body") ? "body" : ""),
                      found.empty() ? "no example_based damping to design"
                                    : fmt::format("{} bodies with an example_based damping", found.size()),
                      "one body with an example_based damping",
                      found.empty() ? "give the body a damping of model \"example_based\"" : "name it by \"body\""});
}

void erase(JsonValue& object, std::initializer_list<const char*> keys) {
  std::erase_if(object.members, [&](const JsonMember& member) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return member.key == key; });
  });
}

JsonValue gain_json(const math::GainCurve& gain) {
  JsonValue rows = JsonValue::array();
  for (const math::GainCurve::Point& point : gain.knots()) {
    JsonValue row = JsonValue::array();
    row.push(JsonValue::of(point.x));
    row.push(JsonValue::of(point.gamma));
    rows.push(std::move(row));
  }
  return rows;
}

/// Writes a gain into an example: a number where it is constant and `as_curve` is not asked for.
void set_gain(JsonValue& example, const math::GainCurve& gain, bool as_curve) {
  erase(example, {"gamma", "curve", "preset", "interpolation"});
  if (gain.is_constant() && !as_curve) {
    example.add("gamma", JsonValue::of(gain.value(0)));
    return;
  }
  example.add("curve", gain_json(gain));
  example.add("interpolation", JsonValue::of(to_string(gain.kind())));
}

JsonValue* examples_list(JsonValue& scene, std::size_t body, std::size_t damping) {
  JsonValue* bodies = scene.find("bodies");
  JsonValue* dampings = bodies->items[body].find("damping");
  return dampings->items[damping].find("examples");
}

/// The body on a bench: nothing but itself, its pins held still. Gains become curves, so that they can be exchanged.
std::string bench_text(const SceneSpec& spec, const Place& place, const Gains& start) {
  JsonValue scene = parse_json(filled_in(spec), "").value;
  JsonValue* examples = examples_list(scene, place.body_index, place.damping);
  for (std::size_t i = 0; i < examples->items.size(); ++i) {
    math::GainCurve gain = start[i];
    if (gain.is_constant())
      gain = math::GainCurve::through({{0, std::clamp(gain.value(0), 1e-3, 1e3)}}, math::GainCurve::Kind::linear);
    set_gain(examples->items[i], gain, true);
  }
  JsonValue body = scene.find("bodies")->items[place.body_index];
  erase(body, {"loads", "start"});
  if (JsonValue* pins = body.find("pins"))
    for (JsonValue& pin : pins->items) erase(pin, {"motion"});
  scene.find("bodies")->items = {body};
  erase(scene, {"gravity", "attachments", "colliders", "contacts", "design", "record"});
  return write_json(scene);
}

/// Which damping of the System has the examples.
std::size_t find_term(const System& system, const std::string& body) {
  for (std::size_t j = 0; j < system.dissipations().size(); ++j)
    if (system.dissipations()[j]->capabilities().examples != nullptr &&
        (body.empty() || system.dissipations()[j]->body() == body))
      return j;
  throw Error(Problem{"", "examples that are measured in a turning frame or scaled by amplitude, in a reduced body",
                      "examples in a fixed frame, without \"isotropic\"", "design it in full: remove \"reduced\""});
}

class TargetReader {
 public:
  explicit TargetReader(DesignTask& task) : task_(task) {}

  void read(const Settings& target) {
    const int ways =
        target.has("left") + target.has("lost_per_cycle") + target.has("settle_within") + target.has("envelope");
    if (ways != 1)
      report(target.place(), ways == 0 ? "no target" : "several targets in one",
             "one of \"left\", \"lost_per_cycle\", \"settle_within\" and \"envelope\"");
    const int example = find_example(target);
    const double from = target.number("from");
    if (ways != 1 || example < 0) return;
    if (target.has("settle_within")) {
      claim(example, target);
      task_.settle.push_back({example, from, target.number("settle_within"), target.number("band")});
    } else if (target.has("envelope")) {
      claim(example, target);
      read_envelope(example, from, target);
    } else {
      const double left = target.has("left") ? target.number("left") : from * (1 - target.number("lost_per_cycle"));
      if (!(left < from))
        report(target.place(target.has("left") ? "left" : "lost_per_cycle"),
               fmt::format("{} left of {} after one cycle", left, from),
               "less than was there: damping cannot feed the motion");
      task_.unloading.push_back({example, from, left});
    }
  }

  void finish() {
    for (const UnloadingTarget& target : task_.unloading)
      if (taken_[static_cast<std::size_t>(target.example)])
        report("design",
               fmt::format("\"{}\" with a settle time or envelope and other targets",
                           task_.designable.names[static_cast<std::size_t>(target.example)]),
               "one kind of target for each example");
    if (!problems_.empty()) throw Error(std::move(problems_));
  }

 private:
  void report(std::string place, std::string found, std::string expected, std::string remedy = {}) {
    problems_.push_back({std::move(place), std::move(found), std::move(expected), std::move(remedy)});
  }
  /// A settle time or an envelope decides about the whole curve of its example.
  void claim(int example, const Settings& target) {
    taken_.resize(task_.designable.names.size());
    if (taken_[static_cast<std::size_t>(example)])
      report(target.place(), fmt::format("a second target for \"{}\"", target.text("example")),
             "one settle time or envelope for each example");
    taken_[static_cast<std::size_t>(example)] = true;
  }
  int find_example(const Settings& target) {
    taken_.resize(task_.designable.names.size());
    const std::vector<std::string>& names = task_.designable.names;
    const auto at = std::find(names.begin(), names.end(), target.text("example"));
    if (at != names.end()) return static_cast<int>(at - names.begin());
    report(target.place("example"), fmt::format("no example \"{}\"", target.text("example")),
           fmt::format("one of {}", fmt::join(names, ", ")));
    return -1;
  }
  void read_envelope(int example, double from, const Settings& target) {
    EnvelopeTarget envelope{example, from, {}, {}};
    if (target.has("knots")) envelope.knots = target.numbers("knots");
    try {
      const Table table = read_csv(target.path("envelope"));
      const std::vector<double>&time = table.column("time"), &amplitude = table.column("amplitude");
      for (std::size_t i = 0; i < time.size(); ++i) envelope.points.push_back({time[i], amplitude[i]});
    } catch (const Error& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
    task_.envelopes.push_back(std::move(envelope));
  }

  DesignTask& task_;
  std::vector<Problem> problems_;
  std::vector<bool> taken_;
};

}  // namespace

const ExampleBased& examples_of(const CompiledScene& scene, const std::string& body) {
  return *scene.system->dissipations()[find_term(*scene.system, body)]->capabilities().examples;
}

Designable make_designable(const CompiledScene& scene, const std::string& body) {
  const std::size_t j = find_term(*scene.system, body);
  const ExampleBased& term = *scene.system->dissipations()[j]->capabilities().examples;
  Designable result;
  result.shapes.resize(scene.system->num_dofs(), static_cast<Eigen::Index>(term.examples().size()));
  for (std::size_t i = 0; i < term.examples().size(); ++i) {
    result.names.push_back(term.examples()[i].name);
    result.shapes.col(static_cast<Eigen::Index>(i)) = term.shape(i);
  }
  result.with_gains = [system = scene.system, j, &term](const Gains& gains) {
    return system->with_dissipation(j, term.with_gains(gains));
  };
  result.make_stepper = [&scene] { return dashpot::make_stepper(scene.spec); };
  result.dt = scene.run.dt;
  return result;
}

std::unique_ptr<DesignTask> make_design_task(const SceneSpec& spec, const PrecomputeHooks& hooks) {
  const Settings root(spec.document, spec.document->value, "");
  if (!root.has("design"))
    throw Error(Problem{spec.document->file, "no \"design\" section", "targets for the body's examples",
                        R"(add "design": {"targets": [{"example": "bow", "from": 1, "left": 0.5}]})"});
  const Settings section = root.section("design");
  const Place place = find_damping(spec, section);
  auto task = std::make_unique<DesignTask>();
  task->body = place.body->name;
  task->damping = place.damping;
  for (const Settings& example : place.body->damping[place.damping].settings.sections("examples"))
    task->start.push_back(make_gain(example));
  std::optional<CompiledScene> bench =
      compile(parse_scene(bench_text(spec, place, task->start), spec.document->file, spec.document->folder), hooks);
  if (!bench) return nullptr;
  task->bench = std::move(*bench);
  task->designable = make_designable(task->bench);
  TargetReader reader(*task);
  for (const Settings& target : section.sections("targets")) reader.read(target);
  reader.finish();
  task->options.tolerance = section.number("tolerance");
  task->options.max_simulations = section.integer("max_simulations");
  return task;
}

std::string with_gains(const std::string& scene_text, const DesignTask& task, const Gains& gains) {
  JsonValue scene = parse_json(scene_text, "").value;
  JsonValue* bodies = scene.find("bodies");
  for (std::size_t b = 0; b < bodies->items.size(); ++b) {
    const JsonValue* name = bodies->items[b].find("name");
    if (bodies->items.size() > 1 && (name == nullptr || name->text != task.body)) continue;
    JsonValue* examples = examples_list(scene, b, task.damping);
    for (std::size_t i = 0; i < gains.size(); ++i) set_gain(examples->items[i], gains[i], false);
  }
  return write_json(scene);
}

DesignOutcome run_design(const DesignTask& task) {
  DesignOutcome outcome;
  outcome.gains = task.start;
  outcome.reached = true;
  const auto take = [&](const auto& part) {
    outcome.gains = part.gains;
    outcome.simulations += part.simulations;
    outcome.stopped |= part.stopped;
  };
  for (const SettleTarget& target : task.settle) {
    if (outcome.stopped) break;
    outcome.settle.push_back(design_settle(task.designable, outcome.gains, target, task.options));
    take(outcome.settle.back());
    outcome.reached &= outcome.settle.back().reached;
  }
  for (const EnvelopeTarget& target : task.envelopes) {
    if (outcome.stopped) break;
    outcome.envelopes.push_back(fit_envelope(task.designable, outcome.gains, target, task.options));
    take(outcome.envelopes.back());
  }
  if (!task.unloading.empty() && !outcome.stopped) {
    outcome.unloading = design_unloading(task.designable, outcome.gains, task.unloading, task.options);
    take(outcome.unloading);
    outcome.reached &= outcome.unloading.reached;
  }
  outcome.reached &= !outcome.stopped;
  return outcome;
}

}  // namespace dashpot::design
