// Commands that change the document: values that are turned while time runs, edits that compile again, files.
#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "json_build.hpp"
#include "studio_core.hpp"
#include "studio_document.hpp"

namespace dashpot::studio {
namespace {

using Kind = JsonValue::Kind;

JsonValue curve_json(const math::GainCurve& gain) {
  JsonValue rows = JsonValue::array();
  for (const math::GainCurve::Point& point : gain.knots()) rows.push(json(std::vector<double>{point.x, point.gamma}));
  return rows;
}

/// Writes a gain into an example of the document, in the form that it has there where that is possible.
void write_gain(JsonValue& example, const math::GainCurve& gain) {
  const bool as_number = gain.is_constant() && example.find("curve") == nullptr;
  remove_member(example, "preset");
  if (as_number) {
    remove_member(example, "interpolation");
    put_member(example, "gamma", json(gain.knots().front().gamma));
    return;
  }
  remove_member(example, "gamma");
  put_member(example, "curve", curve_json(gain));
  put_member(example, "interpolation", json(to_string(gain.kind())));
}

/// {"sphere": {"center": ..., "radius": ...}}
JsonValue sphere(const Vec3& center, double radius) {
  return object({{"sphere", object({{"center", json(center)}, {"radius", json(radius)}})}});
}

/// A name for a file from a name for people.
std::string file_name_from(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    result += keeps ? c : '_';
  }
  return result.substr(0, 60);
}

}  // namespace

void StudioCore::write_value(const std::string& name, const std::vector<double>& values) {
  BuiltScene next = *built_;
  for (ExampleInfo& example : next.examples) {
    const bool is_gamma = name == example.at + "/gamma", is_at = name == example.at + "/at";
    if (!is_gamma && !is_at) continue;
    std::vector<math::GainCurve::Point> points = example.gain.knots();
    for (std::size_t i = 0; i < points.size() && i < values.size(); ++i)
      (is_at ? points[i].x : points[i].gamma) = values[i];
    example.gain = points.size() == 1 && points.front().x == 0 ? math::GainCurve::constant(points.front().gamma)
                                                               : math::GainCurve::through(points, example.gain.kind());
    if (JsonValue* written = at_pointer(next.document, example.at)) write_gain(*written, example.gain);
    built_ = std::make_shared<const BuiltScene>(std::move(next));
    return;
  }
  JsonValue* old = at_pointer(next.document, name);
  const std::size_t cut = name.rfind('/');
  JsonValue* parent = cut == std::string::npos ? nullptr : at_pointer(next.document, name.substr(0, cut));
  const JsonValue value = values.size() == 1 ? json(values.front()) : json(values);
  if (old != nullptr) {
    *old = value;
  } else if (parent != nullptr && parent->is(Kind::object)) {
    const std::string key = name.substr(cut + 1);
    if ((key == "alpha" || key == "beta") && parent->find("zeta") != nullptr) {
      // What was asked for by damping ratios is said by coefficients from now on.
      for (const char* other : {"zeta", "share"}) remove_member(*parent, other);
      const std::string other = name.substr(0, cut + 1) + (key == "alpha" ? "beta" : "alpha");
      const System& system = designed().system();
      if (const ParameterLayout::Entry* entry = system.parameters().find(other))
        put_member(*parent, key == "alpha" ? "beta" : "alpha",
                   json(system.parameter_values()[static_cast<std::size_t>(entry->first)]));
    }
    put_member(*parent, key, value);
  } else {
    tell("note", fmt::format("{} holds now, but has no place of its own in the scene: it will not be saved.", name));
    return;
  }
  built_ = std::make_shared<const BuiltScene>(std::move(next));
}

JsonValue StudioCore::set(const command::Set& set) {
  require_scene("set");
  // Knots that would cross are refused before anything is turned.
  for (const ExampleInfo& example : built_->examples) {
    const auto gamma = set.values.find(example.at + "/gamma"), at = set.values.find(example.at + "/at");
    if (gamma == set.values.end() && at == set.values.end()) continue;
    std::vector<math::GainCurve::Point> points = example.gain.knots();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (gamma != set.values.end() && i < gamma->second.size()) points[i].gamma = gamma->second[i];
      if (at != set.values.end() && i < at->second.size()) points[i].x = at->second[i];
    }
    if (points.size() > 1) math::GainCurve::through(points, example.gain.kind());
  }
  std::vector<std::string> unknown = designed().set(set.values);
  if (!unknown.empty())
    throw Error(Problem{unknown.front(), "no parameter of this scene", "a name of \"parameters\"",
                        "this number cannot be turned while time runs: edit the scene"});
  std::map<std::string, std::vector<double>> common = set.values;  // other worlds have no examples to turn
  std::erase_if(common, [](const auto& entry) { return entry.first.find("/examples/") != std::string::npos; });
  for (std::size_t i = 1; i < worlds_.size() && !common.empty(); ++i) worlds_[i].set(common);
  for (const auto& [name, values] : set.values) write_value(name, values);
  publish();
  JsonValue held = JsonValue::object();
  for (const auto& [name, values] : set.values)
    held.add(name, values.size() == 1 ? json(values.front()) : json(values));
  events_.push_back(object({{"type", json("event")}, {"kind", json("values")}, {"values", held}}));  // for who watches
  return object({{"values", held}});
}

JsonValue StudioCore::edit(const command::Edit& edit) {
  require_scene("edit");
  const JsonValue document = changed(built_->document, edit.changes);
  adopt(build_scene(document, site(), built_.get()), true);
  return edit.quiet ? object({}) : object({{"document", built_->document}});
}

JsonValue StudioCore::pin(const command::Pin& pin) {
  require_scene("pin");
  const CompiledScene& scene = *built_->scene;
  const Patch patch = patch_around(scene.bodies, pin.node, pin.radius);
  const CompiledBody* body = body_of(scene.bodies, pin.node);
  const auto index = static_cast<std::size_t>(body - scene.bodies.data());
  const std::string at = fmt::format("/bodies/{}/pins", index);
  const Vec3 center = body->mesh.nodes[static_cast<std::size_t>(pin.node - body->first_block)];
  JsonValue document = built_->document;
  JsonValue* pins = at_pointer(document, at);
  if (pin.holds) {
    if (pins == nullptr)
      pins = &at_pointer(document, fmt::format("/bodies/{}", index))->add("pins", JsonValue::array());
    pins->push(object({{"where", sphere(center, patch.radius)}}));
  } else {
    if (pins == nullptr || pins->items.empty())
      throw Error(Problem{at, "nothing is held", "a part that is held", "pick one of the marked points"});
    const std::vector<PinSpec>& specs = scene.spec.bodies[index].pins;
    std::vector<JsonValue> kept;
    bool has_freed = false;
    for (std::size_t i = 0; i < specs.size() && i < pins->items.size(); ++i) {
      const std::vector<int> nodes = select_nodes(specs[i].where, body->mesh);
      std::vector<double> rest;
      for (const int node : nodes)
        if ((body->mesh.nodes[static_cast<std::size_t>(node)] - center).norm() > patch.radius) rest.push_back(node);
      JsonValue entry = pins->items[i];
      if (rest.size() < nodes.size()) {
        has_freed = true;
        if (rest.empty()) continue;
        put_member(entry, "where", object({{"vertices", object({{"indices", json(rest)}})}}));
      }
      kept.push_back(std::move(entry));
    }
    if (!has_freed)
      throw Error(Problem{at, "nothing is held here", "a part that is held", "pick one of the marked points"});
    pins->items = std::move(kept);
  }
  adopt(build_scene(document, site(), built_.get()), true);
  return object({});
}

JsonValue StudioCore::set_views(const command::Views& views) {
  require_scene("views");
  for (const View& view : views.views) {
    if (view.kind == View::Kind::example && built_->example(view.name) == nullptr)
      throw Error(Problem{"views", fmt::format("no example \"{}\"", view.name), "an example of the scene", ""});
    if (view.kind == View::Kind::mode && static_cast<std::size_t>(view.index) > modes_.size())
      throw Error(Problem{"views", fmt::format("mode {} of {} that were found", view.index, modes_.size()),
                          "a mode that was found", "find the modes first"});
  }
  const std::vector<View> before = views_;
  views_ = views.views;
  try {
    const auto is_made = [&](const View& view) { return !view.is_world() || world(to_string(view.kind)) != nullptr; };
    if (!std::all_of(views_.begin(), views_.end(), is_made) || worlds_.size() > views_.size() + 1) {
      // Worlds that are shown already go on; a new one begins with the designed world's motion.
      std::vector<StudioWorld> next;
      std::vector<std::string> kinds = {"designed"};
      for (const View& view : views_)
        if (view.is_world() && std::find(kinds.begin(), kinds.end(), to_string(view.kind)) == kinds.end())
          kinds.push_back(to_string(view.kind));
      std::vector<std::unique_ptr<StudioWorld>> made(kinds.size());
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (world(kinds[i]) == nullptr) {
          made[i] = make_world(kinds[i]);
          if (&made[i]->scene() == &designed().scene()) made[i]->take_values(designed());
          made[i]->take_motion(designed());
          if (grip_) {
            made[i]->grab(grip_->patch);
            made[i]->pull(grip_->pull);
          }
        }
      for (std::size_t i = 0; i < kinds.size(); ++i)
        next.push_back(made[i] ? std::move(*made[i]) : std::move(*world(kinds[i])));
      worlds_ = std::move(next);
    }
  } catch (const Error&) {
    views_ = before;
    throw;
  }
  publish();
  changed_ = true;
  JsonValue list = JsonValue::array();
  for (const View& view : views_) {
    JsonValue entry = object({{"kind", json(to_string(view.kind))}});
    if (view.kind == View::Kind::example) entry.add("name", json(view.name));
    if (view.kind == View::Kind::mode) entry.add("index", json(view.index));
    list.push(std::move(entry));
  }
  return object({{"views", list}});
}

void StudioCore::make_example(const command::MakeExample& make) {
  require_scene("example");
  if (built_->example(make.name) != nullptr)
    throw Error(Problem{"name", fmt::format("\"{}\" exists", make.name), "a name that no example has", ""});
  // The body that has examples already, or the one that is grabbed, or the first.
  const std::vector<CompiledBody>& bodies = built_->scene->bodies;
  const CompiledBody* chosen = &bodies.front();
  if (grip_) chosen = body_of(bodies, grip_->patch.points.front());
  const auto index = static_cast<std::size_t>(chosen - bodies.data());
  JsonValue example = object({{"name", json(make.name)}});
  if (make.from == command::MakeExample::From::mode) {
    example.add("shape",
                object({{"from", json("mode")}, {"mode", json(make.index)}, {"amplitude", json(make.amplitude)}}));
  } else {
    const std::vector<Vec3> points = designed().positions();
    std::string text = "# " + make.name + ": positions of the nodes [m]\n";
    double moved = 0;
    for (int i = 0; i < chosen->mesh.num_nodes(); ++i) {
      const Vec3& x = points[static_cast<std::size_t>(chosen->first_block + i)];
      moved = std::max(moved, (x - chosen->mesh.nodes[static_cast<std::size_t>(i)]).norm());
      text += fmt::format("{:.17g} {:.17g} {:.17g}\n", x.x(), x.y(), x.z());
    }
    if (!(moved > 0))
      throw Error(Problem{"example", "the body is in its rest shape", "a body that is bent", "pull it first"});
    const std::string file = "poses/" + file_name_from(make.name) + ".txt";
    const std::filesystem::path path = path_inside(project_, built_->folder, file);
    create_folder(path.parent_path().string());
    write_file_atomically(path.string(), text);
    example.add("shape", object({{"from", json("pose")}, {"file", json(file)}}));
  }
  if (make.relaxed) example.add("relaxed", json(true));
  example.add("gamma", json(1.0));
  JsonValue document = built_->document;
  JsonValue* body = at_pointer(document, fmt::format("/bodies/{}", index));
  JsonValue* dampings = body->find("damping");
  if (dampings == nullptr) dampings = &body->add("damping", JsonValue::array());
  for (JsonValue& damping : dampings->items)
    if (JsonValue* examples = damping.find("examples")) {
      examples->push(example);
      return adopt(build_scene(document, site(), built_.get()), true);
    }
  // The body's first damping becomes what the example changes; a body without damping gets a little.
  JsonValue over = object({{"model", json("rayleigh")}, {"zeta", JsonValue::array()}});
  over.find("zeta")->push(object({{"mode", json(1)}, {"zeta", json(0.02)}}));
  if (!dampings->items.empty()) over = dampings->items.front();
  JsonValue list = JsonValue::array();
  list.push(example);
  JsonValue damping = object({{"model", json("example_based")}, {"over", over}, {"examples", list}});
  if (body->find("reduced") != nullptr) damping.add("frame", json("fixed"));
  if (dampings->items.empty())
    dampings->push(damping);
  else
    dampings->items.front() = damping;
  adopt(build_scene(document, site(), built_.get()), true);
}

void StudioCore::open(const command::Open& open) {
  const std::filesystem::path path = path_inside(project_, project_, open.path);
  const std::string name = path.lexically_relative(project_).generic_string();
  if (!open.is_run) {
    const JsonValue document = document_from(read_file(path.string()), name);
    BuiltScene built = build_scene(document, {project_, path.parent_path(), name});
    const std::vector<View> before = std::exchange(views_, views_of(built));
    try {
      adopt(std::move(built), false);
    } catch (const Error&) {
      views_ = before;
      throw;
    }
    return;
  }
  Playback playback{read_recording(path.string()), 0};
  if (playback.recording.frames.empty())
    throw Error(Problem{open.path, "a run without frames", "a run that recorded its frames", ""});
  playback.time = playback.recording.frames.front().time;
  if (playback.recording.title.empty()) playback.recording.title = name;
  playing_ = false;
  grip_.reset();
  released_.reset();
  modes_.clear();
  recording_.clear();
  worlds_.clear();
  built_.reset();
  undamped_.reset();
  views_ = {View{}};
  surface_ = SurfaceView(playback.recording);
  playback_ = std::move(playback);
  publish();
  changed_ = true;
}

JsonValue StudioCore::save(const command::Save& save) {
  require_scene("save");
  const std::filesystem::path path = path_inside(project_, project_, save.path);
  if (lower_extension(path.string()) != ".json")
    throw Error(Problem{"path", fmt::format("\"{}\"", save.path), "a name that ends in .json", ""});
  BuiltScene next = *built_;
  move_file_names(next.document, next.folder, path.parent_path());
  const std::string text = write_json(next.document) + "\n";
  create_folder(path.parent_path().string());
  write_file_atomically(path.string(), text);
  next.folder = path.parent_path();
  next.path = path.lexically_relative(project_).generic_string();
  built_ = std::make_shared<const BuiltScene>(std::move(next));
  publish();
  changed_ = true;
  return object({{"bytes", json(static_cast<double>(text.size()))}, {"path", json(built_->path)}});
}

}  // namespace dashpot::studio
