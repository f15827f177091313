#include "built_scene.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/analysis/shape_ratio.hpp"
#include "dashpot/scene/assembly/damping_examples.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "json_build.hpp"
#include "studio_document.hpp"

namespace dashpot::studio {
namespace {

using Kind = JsonValue::Kind;

ExampleInfo describe(const System& system, std::size_t damping, const ExampleBased& term, std::size_t index) {
  ExampleInfo info;
  info.name = term.examples()[index].name;
  info.body = term.body();
  info.at = fmt::format("{}/examples/{}", place_of_damping(system, damping), index);
  info.measure = term.options().input;
  info.gain = term.examples()[index].gain;
  info.damping = damping;
  info.index = index;
  const Vector shape = term.shape(index);
  std::vector<Vec3> rest, posed;
  system.kinematics().positions(system.rest(), rest);
  system.kinematics().positions(system.rest() + shape, posed);
  for (std::size_t k = 0; k < rest.size(); ++k) {
    info.shape.push_back(posed[k] - rest[k]);
    info.size = std::max(info.size, info.shape.back().norm());
  }
  const analysis::ShapeRatio ratio = analysis::shape_ratio(system, term.base(), shape);
  info.frequency = ratio.frequency;
  info.zeta = ratio.zeta;
  return info;
}

std::vector<ExampleInfo> examples_in(const System& system) {
  std::vector<ExampleInfo> list;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j)
    if (const ExampleBased* term = system.dissipations()[j]->capabilities().examples)
      for (std::size_t i = 0; i < term->examples().size(); ++i) list.push_back(describe(system, j, *term, i));
  return list;
}

int num_examples(const JsonValue& document) {
  int count = 0;
  if (const JsonValue* bodies = document.find("bodies"))
    for (const JsonValue& body : bodies->items)
      if (const JsonValue* dampings = body.find("damping"))
        for (const JsonValue& damping : dampings->items)
          if (const JsonValue* examples = damping.find("examples")) count += static_cast<int>(examples->items.size());
  return count;
}

void throw_errors(const std::vector<Problem>& problems) {
  std::vector<Problem> errors;
  for (const Problem& problem : problems)
    if (problem.severity == Problem::Severity::error) errors.push_back(problem);
  if (!errors.empty()) throw Error(std::move(errors));
}

/// The gains of the document's example at `at`.
math::GainCurve gain_at(const std::shared_ptr<const SceneDocument>& document, const std::string& at) {
  const JsonValue* example = at_pointer(document->value, at);
  if (example == nullptr) throw Error(Problem{at, "no example", "an example of the compiled scene", ""});
  return make_gain(Settings(document, *example, at));
}

/// The scene before with the gains of this document; nothing where more has changed.
std::optional<BuiltScene> with_other_gains(const JsonValue& document, const SceneSite& site, const std::string& file,
                                           const BuiltScene& earlier) {
  if (!earlier.exchanges_gains && earlier.examples.empty() && num_examples(document) > 0) return std::nullopt;
  if (site.folder != earlier.folder || compact(what_is_built(document)) != compact(what_is_built(earlier.document)))
    return std::nullopt;
  Normalized normal = normalize(document, file, site.folder.string());
  throw_errors(normal.problems);
  const auto checked =
      std::make_shared<SceneDocument>(SceneDocument{file, site.folder.string(), std::move(normal.value)});
  BuiltScene next = earlier;
  next.document = document;
  next.path = site.path;
  std::vector<std::vector<math::GainCurve>> gains(next.designed->dissipations().size());
  bool has_changed = false;
  for (ExampleInfo& example : next.examples) {
    math::GainCurve gain = gain_at(checked, example.at);
    if (example.measure == GainInput::constant && !gain.is_constant()) return std::nullopt;
    const auto same_point = [](const auto& a, const auto& b) { return a.x == b.x && a.gamma == b.gamma; };
    has_changed |= gain.kind() != example.gain.kind() ||
                   !std::equal(gain.knots().begin(), gain.knots().end(), example.gain.knots().begin(),
                               example.gain.knots().end(), same_point);
    example.gain = gain;
    gains[example.damping].push_back(std::move(gain));
  }
  if (!has_changed) return next;
  for (std::size_t j = 0; j < gains.size(); ++j)
    if (!gains[j].empty()) {
      const ExampleBased* term = next.designed->dissipations()[j]->capabilities().examples;
      next.designed = next.designed->with_dissipation(j, term->with_gains(gains[j]));
    }
  return next;
}

}  // namespace

const ExampleInfo* BuiltScene::example(const std::string& name) const {
  for (const ExampleInfo& info : examples)
    if (info.name == name) return &info;
  return nullptr;
}

std::string place_of_damping(const System& system, std::size_t j) { return system.dissipation_place(j); }

JsonValue document_from(const std::string& text, const std::string& file) {
  ParsedJson parsed = parse_json(text, file);
  throw_errors(parsed.problems);
  return std::move(parsed.value);
}

BuiltScene build_scene(const JsonValue& document, const SceneSite& site, const BuiltScene* earlier) {
  const std::string file = site.path.empty() ? "scene" : site.path;
  require_inside(document, file, site.folder, site.project);
  if (earlier != nullptr)
    if (std::optional<BuiltScene> next = with_other_gains(document, site, file, *earlier)) return std::move(*next);
  // Read again from its text, so that lines and columns are those of the file that would be saved.
  CheckedScene checked = check_scene(document_from(write_json(document), file), file, site.folder.string());
  throw_errors(checked.problems);
  if (!checked.spec) throw Error(Problem{file, "no usable scene", "a scene", ""});
  BuiltScene built;
  built.document = document;
  built.folder = site.folder;
  built.path = site.path;
  built.scene = std::make_shared<const CompiledScene>(compile(std::move(*checked.spec)));
  built.designed = built.scene->system;
  built.examples = examples_in(*built.designed);
  built.exchanges_gains = static_cast<int>(built.examples.size()) == num_examples(document);
  return built;
}

std::shared_ptr<const System> without_examples(const BuiltScene& scene) {
  std::shared_ptr<const System> system = scene.designed;
  for (std::size_t j = 0; j < scene.designed->dissipations().size(); ++j)
    if (const ExampleBased* term = scene.designed->dissipations()[j]->capabilities().examples)
      system = system->with_dissipation(j, term->with_gains(std::vector<math::GainCurve>(term->examples().size())));
  return system;
}

}  // namespace dashpot::studio
