// hello, changed and status: what the pages are told of the session.
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/units.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/design/designable.hpp"
#include "json_build.hpp"
#include "studio_core.hpp"

namespace dashpot::studio {
namespace {

JsonValue curve_json(const math::GainCurve& gain) {
  JsonValue points = JsonValue::array();
  for (const math::GainCurve::Point& point : gain.knots()) points.push(json(std::vector<double>{point.x, point.gamma}));
  return object({{"interpolation", json(to_string(gain.kind()))}, {"points", points}});
}

JsonValue example_json(const ExampleInfo& example) {
  return object({{"name", json(example.name)},
                 {"body", json(example.body)},
                 {"at", json(example.at)},
                 {"frequency", json(example.frequency)},
                 {"zeta", json(example.zeta)},
                 {"measure", json(to_string(example.measure))},
                 {"unit", json(example.measure == GainInput::velocity ? "1/s" : "")},
                 {"size", json(example.size)},
                 {"curve", curve_json(example.gain)}});
}

JsonValue presets_json() {
  JsonValue list = JsonValue::array();
  for (const math::GainCurve::Preset& preset : math::GainCurve::presets()) {
    JsonValue knots = JsonValue::array();
    for (const auto& knot : preset.knots) knots.push(json(std::vector<double>{knot.amplitudes, knot.exponent}));
    list.push(object({{"name", json(preset.name)}, {"help", json(preset.help)}, {"knots", knots}}));
  }
  return list;
}

JsonValue parameters_json(const StudioWorld& world) {
  const std::vector<double>& values =
      world.state().parameters.empty() ? world.base()->parameter_values() : world.state().parameters;
  JsonValue list = JsonValue::array();
  for (const ParameterLayout::Entry& entry : world.base()->parameters().entries()) {
    const auto begin = values.begin() + entry.first;
    const bool is_gain = entry.info.name.find("/examples/") != std::string::npos;
    // Fields of values, one for each element, are no knobs.
    if (entry.size() > 64) continue;
    const std::vector<double> own(begin, begin + entry.size());
    list.push(object({{"name", json(entry.info.name)},
                      {"unit", json(entry.info.unit())},
                      {"minimum", json(entry.info.low)},
                      {"maximum", json(entry.info.high)},
                      {"value", own.size() == 1 && !is_gain ? json(own.front())
                                : own.size() == 1           ? json(own.front())
                                                            : json(own)}}));
  }
  return list;
}

JsonValue world_json(const StudioWorld& world) {
  const EnergyLedger& ledger = world.ledger();
  const std::vector<std::string>& columns = ledger.columns();
  const std::vector<double> row = ledger.row();
  double kinetic = 0, elastic = 0, gravity = 0;
  JsonValue damping = JsonValue::object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == "kinetic") kinetic = row[i];
    if (columns[i] == "gravity") gravity = row[i];
    if (columns[i].starts_with("elastic.")) elastic += row[i];
    if (columns[i].starts_with("damping.")) damping.add(columns[i].substr(8), json(row[i]));
    if (columns[i] == "contact" && row[i] != 0) damping.add("contact", json(row[i]));
  }
  const double scale = ledger.energy_scale();
  return object({{"kind", json(world.kind())},
                 {"kinetic", json(kinetic)},
                 {"elastic", json(elastic)},
                 {"gravity", json(gravity)},
                 {"total", json(ledger.total_energy())},
                 {"external", json(ledger.external())},
                 {"numerical", json(ledger.numerical())},
                 {"damping", damping},
                 {"drift", json(scale > 0 ? (ledger.solver() + ledger.numerical()) / scale : 0.0)}});
}

/// One line about what the integrator took.
std::string took_text(const StudioWorld& world) {
  const EnergyLedger& ledger = world.ledger();
  const std::string name = fmt::format("{}, {}", world.scene().spec.time.stepper.name(),
                                       describe_quantity(world.scene().run.dt, Quantity::time, 3));
  const double entered = std::max(ledger.initial_energy() + std::max(ledger.external(), 0.0), ledger.energy_scale());
  const double share = entered > 0 ? 100 * ledger.numerical() / entered : 0;
  if (std::abs(share) < 1e-6) return fmt::format("integrator took nothing ({})", name);
  return fmt::format("integrator {} {:.2g} % of the energy ({})", share < 0 ? "added" : "took", std::abs(share), name);
}

JsonValue examples_status(StudioWorld& world, const std::vector<ExampleInfo>& examples) {
  JsonValue list = JsonValue::array();
  const System& system = world.system();
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const ExampleBased* term = system.dissipations()[j]->capabilities().examples;
    if (term == nullptr) continue;
    Matrix shapes(system.num_dofs(), static_cast<Eigen::Index>(term->examples().size()));
    for (std::size_t i = 0; i < term->examples().size(); ++i) shapes.col(static_cast<Eigen::Index>(i)) = term->shape(i);
    const Vector amplitudes = term->amplitudes(world.scratch_of(j), world.state().q, world.state().v);
    const Vector gains = term->gains(amplitudes);
    Vector rates = Vector::Zero(amplitudes.size());
    try {
      rates = design::ExampleShares(system, shapes)(world.state().v);
    } catch (const Error&) {  // examples that depend on each other: no speeds are shown
    }
    for (const ExampleInfo& example : examples) {
      if (example.damping != j) continue;
      const auto i = static_cast<Eigen::Index>(example.index);
      list.push(object({{"name", json(example.name)},
                        {"amplitude", json(std::abs(amplitudes[i]))},
                        {"speed", json(std::abs(rates[i]))},
                        {"gain", json(gains[i])}}));
    }
  }
  return list;
}

}  // namespace

const char* StudioCore::mouse_of(ClientId client) const {
  return !mouse_ ? "free" : *mouse_ == client ? "you" : "other";
}

JsonValue StudioCore::hello(const char* type, ClientId client) const {
  JsonValue views = JsonValue::array();
  for (const View& view : views_) {
    JsonValue entry = object({{"kind", json(to_string(view.kind))}});
    if (view.kind == View::Kind::example) entry.add("name", json(view.name));
    if (view.kind == View::Kind::mode) entry.add("index", json(view.index));
    views.push(std::move(entry));
  }
  JsonValue bodies = JsonValue::array(), examples = JsonValue::array();
  const std::vector<std::string> colors = surface_.body_colors();
  for (std::size_t i = 0; i < surface_.body_names().size(); ++i)
    bodies.push(object({{"name", json(surface_.body_names()[i])},
                        {"at", json(fmt::format("/bodies/{}", i))},
                        {"color", json(colors[i])}}));
  if (built_)
    for (const ExampleInfo& example : built_->examples) examples.push(example_json(example));
  const std::string stepper = built_ ? built_->scene->spec.time.stepper.name() : "";
  return object({{"type", json(type)},
                 {"version", json(version())},
                 {"document", built_ ? built_->document : JsonValue::object()},
                 {"title", json(built_ ? built_->scene->spec.title : playback_->recording.title)},
                 {"path", built_ && !built_->path.empty() ? json(built_->path) : JsonValue()},
                 {"topology", json(topology_)},
                 {"bodies", bodies},
                 {"stepper", json(stepper)},
                 {"integrator", json(stepper)},
                 {"kind", json(playback_ ? "run" : "scene")},
                 {"views", views},
                 {"parameters", built_ ? parameters_json(worlds_.front()) : JsonValue::array()},
                 {"examples", examples},
                 {"presets", presets_json()},
                 {"dt", json(dt())},
                 {"speed", json(speed_)},
                 {"test", json(options_.test)},
                 {"mouse", json(mouse_of(client))}});
}

JsonValue StudioCore::status() {
  JsonValue worlds = JsonValue::array(), decay = JsonValue::array(), zeta = JsonValue::array();
  for (StudioWorld& world : worlds_) {
    worlds.push(world_json(world));
    for (const DecayTracker::Peak& peak : world.decay().take_peaks())
      decay.push(object({{"world", json(world.kind())}, {"t", json(peak.time)}, {"envelope", json(peak.amplitude)}}));
    for (const DecayTracker::Ratio& ratio : world.decay().take_ratios())
      zeta.push(
          object({{"world", json(world.kind())}, {"amplitude", json(ratio.amplitude)}, {"zeta", json(ratio.zeta)}}));
  }
  JsonValue recorded = JsonValue::array();
  const bool is_run = playback_.has_value();
  recorded.push(json(is_run ? playback_->recording.frames.front().time : recording_.from()));
  recorded.push(json(is_run ? playback_->recording.frames.back().time : recording_.to()));
  const StepReport* last = worlds_.empty() ? nullptr : &worlds_.front().last_step();
  return object(
      {{"type", json("status")},
       {"time", json(time())},
       {"playing", json(playing_)},
       {"step_ms", json(1e3 * step_seconds_)},
       {"newton", json(last == nullptr ? 0 : last->newton_iterations)},
       {"worlds", worlds},
       {"mouse_force", json(worlds_.empty() ? 0.0 : worlds_.front().pull_force())},
       {"examples", worlds_.empty() ? JsonValue::array() : examples_status(worlds_.front(), built_->examples)},
       {"decay", decay},
       {"zeta", zeta},
       {"took", json(is_run ? std::string("a recorded run") : took_text(worlds_.front()))},
       {"recorded", recorded},
       {"released", released_ ? json(*released_) : JsonValue()}});
}

}  // namespace dashpot::studio
