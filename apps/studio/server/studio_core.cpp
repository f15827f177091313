#include "studio_core.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "default_scene.hpp"
#include "json_build.hpp"
#include "studio_document.hpp"

namespace dashpot::studio {
namespace {

constexpr double recorded_every = 1.0 / 60;  // [s]

/// Which points cannot move.
std::vector<bool> held_points(const CompiledScene& scene) {
  const System& full = scene.reduced ? scene.reduced->subspace->full() : *scene.system;
  const Kinematics& kinematics = full.kinematics();
  std::vector<bool> held(static_cast<std::size_t>(kinematics.num_points()), false);
  for (std::size_t i = 0; i < held.size(); ++i) {
    const int point = static_cast<int>(i);
    if (!kinematics.is_node(point)) continue;
    const auto dof = static_cast<std::size_t>(kinematics.node_dof(point));
    held[i] = full.is_free()[dof] == 0 && full.is_free()[dof + 1] == 0 && full.is_free()[dof + 2] == 0;
  }
  return held;
}

std::vector<std::string> regions_of(const CompiledScene& scene) {
  std::vector<std::string> names;
  for (const CompiledBody& body : scene.bodies)
    names.insert(names.end(), body.mesh.regions.begin(), body.mesh.regions.end());
  return names;
}

}  // namespace

std::vector<View> views_of(const BuiltScene& built) {
  if (built.examples.empty()) return {View{}};  // the default damping would be the same
  return {View{}, View{View::Kind::reference, "", 1}};
}

StudioCore::StudioCore(const SessionOptions& options, Later later, StudioJobs& jobs, const std::atomic<bool>& stop)
    : options_(options), project_(real_folder(options.project)), later_(std::move(later)), jobs_(jobs), stop_(stop) {
  SceneSite where{project_, project_, ""};
  std::string text = default_scene();
  if (!options.scene.empty()) {
    const std::filesystem::path file = path_inside(project_, project_, options.scene);
    text = read_file(file.string());
    where.folder = file.parent_path();
    where.path = file.lexically_relative(project_).generic_string();
  }
  BuiltScene built = build_scene(document_from(text, options.scene.empty() ? "koala" : options.scene), where);
  views_ = views_of(built);
  adopt(std::move(built), false);
  playing_ = !options.test;
}

SceneSite StudioCore::site() const { return {project_, built_->folder, built_->path}; }

double StudioCore::time() const { return playback_ ? playback_->time : worlds_.front().state().time; }

double StudioCore::dt() const {
  if (!playback_) return built_->scene->run.dt;
  const std::vector<Frame>& frames = playback_->recording.frames;
  return frames.size() < 2 ? 0.02 : (frames.back().time - frames.front().time) / static_cast<double>(frames.size() - 1);
}

StudioWorld* StudioCore::world(const std::string& kind) {
  for (StudioWorld& world : worlds_)
    if (world.kind() == kind) return &world;
  return nullptr;
}
const StudioWorld* StudioCore::world(const std::string& kind) const {
  return const_cast<StudioCore*>(this)->world(kind);
}
StudioWorld& StudioCore::designed() { return worlds_.front(); }

void StudioCore::require_scene(const char* what) const {
  if (!built_)
    throw Error(Problem{what, "a recorded run is shown", "a scene", "open a scene to change and to pull it"});
}

std::shared_ptr<const CompiledScene> StudioCore::undamped_scene() {
  JsonValue document = built_->document;
  if (JsonValue* bodies = document.find("bodies"))
    for (JsonValue& body : bodies->items) {
      remove_member(body, "damping");
      if (JsonValue* material = body.find("material")) remove_member(*material, "damping");
    }
  const std::string key = compact(what_is_built(document));
  if (!undamped_ || key != undamped_key_) {
    remove_member(document, "design");
    undamped_ = build_scene(document, site()).scene;
    undamped_key_ = key;
  }
  return undamped_;
}

std::unique_ptr<StudioWorld> StudioCore::make_world(const std::string& kind) {
  if (kind == "undamped") {
    const auto scene = undamped_scene();
    return std::make_unique<StudioWorld>(kind, scene, scene->system);
  }
  return std::make_unique<StudioWorld>(kind, built_->scene,
                                       kind == "reference" ? without_examples(*built_) : built_->designed);
}

void StudioCore::make_worlds(bool keeps_motion) {
  std::vector<std::string> kinds = {"designed"};
  for (const View& view : views_)
    if (view.is_world() && std::find(kinds.begin(), kinds.end(), to_string(view.kind)) == kinds.end())
      kinds.push_back(to_string(view.kind));
  std::vector<StudioWorld> next;
  for (const std::string& kind : kinds) {
    std::unique_ptr<StudioWorld> made = make_world(kind);
    const StudioWorld* source = keeps_motion ? world(kind) : nullptr;
    if (source == nullptr && keeps_motion && !worlds_.empty()) source = &worlds_.front();
    const bool same_scene = source != nullptr && &source->scene() == &made->scene();
    if (same_scene) made->take_values(*source);
    if (same_scene && source->kind() == kind)
      made->continue_from(*source);
    else if (source != nullptr && !made->take_motion(*source))
      tell("note", "The bodies have other nodes than before: the motion starts anew.");
    next.push_back(std::move(*made));
  }
  worlds_ = std::move(next);
}

void StudioCore::adopt(BuiltScene built, bool keeps_motion) {
  const std::shared_ptr<const BuiltScene> before = built_;
  const std::shared_ptr<const CompiledScene> old_undamped = undamped_;
  const std::vector<View> old_views = views_;
  const bool same_bodies = before && before->scene == built.scene;
  std::map<std::string, std::shared_ptr<const CompiledScene>> scenes_before;
  for (const StudioWorld& world : worlds_) scenes_before[world.kind()] = world.shared_scene();
  built_ = std::make_shared<const BuiltScene>(std::move(built));
  std::erase_if(views_, [&](const View& view) {
    return view.kind == View::Kind::example && built_->example(view.name) == nullptr;
  });
  if (views_.empty()) views_ = {View{}};
  try {
    make_worlds(keeps_motion && before);
  } catch (const Error&) {
    built_ = before;
    undamped_ = old_undamped;
    views_ = old_views;
    throw;
  }
  playback_.reset();
  grip_.reset();
  if (!same_bodies) {
    modes_.clear();
    std::erase_if(views_, [](const View& view) { return view.kind == View::Kind::mode; });
    if (views_.empty()) views_ = {View{}};
    surface_ = SurfaceView(built_->scene->recording);
  }
  released_.reset();
  if (!keeps_motion || !before)
    recording_.clear();
  else if (!same_bodies)
    keep_recording(scenes_before);
  if (recording_.empty() ||
      time() > recording_.to() - 1e-12) {  // what is recorded from here on begins with this instant
    recording_.cut_after(time() - 1e-9);
    recording_.add(worlds_, 0);
  }
  publish();
  changed_ = true;
}

void StudioCore::keep_recording(const std::map<std::string, std::shared_ptr<const CompiledScene>>& scenes_before) {
  const double length = recording_.to() - recording_.from();
  recording_.keep(
      [&](const std::string& kind) {
        const StudioWorld* now = world(kind);
        const auto before = scenes_before.find(kind);
        return now != nullptr && before != scenes_before.end() && now->has_nodes_of(*before->second);
      },
      worlds_.front().kind());
  if (recording_.empty() && length > 0)
    tell("note",
         fmt::format("The {:.3g} s that were recorded are gone: the bodies have other coordinates now.", length));
}

void StudioCore::publish() {
  auto next = std::make_shared<PublishedScene>();
  next->built = built_;
  next->is_run = playback_.has_value();
  next->document = built_ ? write_json(built_->document) : "null";
  next->topology =
      built_ ? surface_.topology(held_points(*built_->scene), regions_of(*built_->scene)) : surface_.topology({}, {});
  if (!published_ || published_->topology != next->topology) ++topology_;
  published_ = std::move(next);
}

void StudioCore::pause_with(const std::string& reason) {
  playing_ = false;
  tell("failure", reason + ". The last good state is shown; reset, turn the values back, or take a shorter step.");
}

void StudioCore::step() {
  if (playback_) {
    const std::vector<Frame>& frames = playback_->recording.frames;
    playback_->time = std::min(playback_->time + dt(), frames.back().time);
    if (playback_->time >= frames.back().time) playing_ = false;
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  recording_.cut_after(time());
  std::vector<WorldInstant> before;
  for (std::size_t i = 0; i < worlds_.size(); ++i) {
    if (worlds_.size() > 1) before.push_back(worlds_[i].instant());
    const std::string failure = worlds_[i].step();
    if (failure.empty()) continue;
    for (std::size_t k = 0; k < i; ++k) worlds_[k].restore(before[k]);  // one clock
    return pause_with(worlds_[i].kind() + ": " + failure);
  }
  recording_.add(worlds_, std::max(recorded_every, dt()));
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  step_seconds_ = step_seconds_ == 0 ? took : 0.9 * step_seconds_ + 0.1 * took;
}

std::vector<std::vector<Vec3>> StudioCore::views(double phase) const {
  std::vector<std::vector<Vec3>> shown;
  if (playback_) return {surface_.of(playback_->frame().points)};
  std::vector<Vec3> rest;
  for (const View& view : views_) {
    if (view.is_world()) {
      shown.push_back(surface_.of(world(to_string(view.kind))->positions()));
      continue;
    }
    const System& system = *built_->scene->system;
    if (rest.empty()) system.kinematics().positions(system.rest(), rest);
    std::vector<Vec3> points = rest;
    const std::vector<Vec3>* shape = nullptr;
    double scale = std::sin(phase);
    if (view.kind == View::Kind::example) {
      const ExampleInfo* example = built_->example(view.name);
      shape = example != nullptr ? &example->shape : nullptr;
    } else if (static_cast<std::size_t>(view.index) <= modes_.size()) {
      shape = &modes_[static_cast<std::size_t>(view.index) - 1].shape;
      scale *= 0.08 * bounding_box(rest).diagonal();
    }
    if (shape != nullptr)
      for (std::size_t i = 0; i < points.size(); ++i) points[i] += scale * (*shape)[i];
    shown.push_back(surface_.of(points));
  }
  return shown;
}

std::vector<Vec3> StudioCore::scenery() const {
  if (playback_) return surface_.scenery_of(playback_->frame().points);
  const std::vector<Scenery>& scenery = built_->scene->run.scenery;
  if (scenery.empty()) return {};
  std::vector<Vec3> points(static_cast<std::size_t>(built_->scene->system->kinematics().num_points())), velocities;
  for (const Scenery& each : scenery) each.append(time(), points, velocities);
  return surface_.scenery_of(points);
}

const Frame& StudioCore::Playback::frame() const {
  const std::vector<Frame>& frames = recording.frames;
  const auto after = std::lower_bound(frames.begin(), frames.end(), time - 1e-9,
                                      [](const Frame& frame, double wanted) { return frame.time < wanted; });
  return after == frames.end() ? frames.back() : *after;
}

bool StudioCore::has_swinging_views() const {
  return !playback_ && std::any_of(views_.begin(), views_.end(), [](const View& view) { return !view.is_world(); });
}

std::optional<ShownSpring> StudioCore::spring() const {
  if (!grip_ || worlds_.empty()) return std::nullopt;
  return ShownSpring{worlds_.front().grip_position(), grip_->pull.target, worlds_.front().pull_force()};
}

RunResult StudioCore::recorded_run() const {
  if (!playback_) return recording_.as_run(worlds_.front());
  RunResult run;
  run.recording = playback_->recording;
  return run;
}

void StudioCore::forget(ClientId client) {
  if (mouse_ != client) return;
  if (grip_) release();
  mouse_.reset();
}

std::vector<JsonValue> StudioCore::take_events() { return std::exchange(events_, {}); }

void StudioCore::tell(const std::string& kind, const std::string& text) {
  events_.push_back(object({{"type", json("event")}, {"kind", json(kind)}, {"text", json(text)}}));
}

}  // namespace dashpot::studio
