// What commands do to the motion: time, the mouse, the scrubber.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/mesh/geometry.hpp"
#include "json_build.hpp"
#include "studio_core.hpp"

namespace dashpot::studio {
namespace {

constexpr double stiffer_than_body = 3;  // the mouse's spring: so the patch follows it three quarters of the way
constexpr double spring_zeta = 0.7;

JsonValue time_answer(double time) { return object({{"time", json(time)}}); }

}  // namespace

void StudioCore::execute(ClientId client, const Command& what, const Answer& answer) {
  struct Visitor {
    StudioCore& core;
    ClientId client;
    const Answer& answer;
    void now(JsonValue fields) const { answer(std::move(fields)); }
    void operator()(const command::Play&) const {
      core.playing_ = true;
      now(time_answer(core.time()));
    }
    void operator()(const command::Pause&) const {
      core.playing_ = false;
      now(time_answer(core.time()));
    }
    void operator()(const command::Reset&) const {
      if (core.playback_) {
        core.playback_->time = core.playback_->recording.frames.front().time;
      } else {
        core.grip_.reset();
        core.released_.reset();
        for (StudioWorld& world : core.worlds_) world.reset();
        core.recording_.clear();
        core.recording_.add(core.worlds_, 0);
      }
      now(time_answer(core.time()));
    }
    void operator()(const command::Step& step) const {
      const std::size_t events = core.events_.size();
      for (int i = 0; i < step.count && core.events_.size() == events && !core.stop_; ++i) core.step();
      if (!core.options_.test) core.playing_ = false;
      now(time_answer(core.time()));
    }
    void operator()(const command::Speed& speed) const {
      core.speed_ = speed.factor;
      now(object({{"factor", json(core.speed_)}}));
    }
    void operator()(const command::Mouse& mouse) const {
      if (mouse.take)
        core.take_mouse(client);
      else
        core.forget(client);
      now(object({{"held", json(core.mouse_of(client))}}));
    }
    void operator()(const command::Pick& pick) const { now(core.pick(pick)); }
    void operator()(const command::Grab& grab) const { now(core.grab(client, grab)); }
    void operator()(const command::Drag& drag) const { core.drag(client, drag); }
    void operator()(const command::Release&) const {
      if (core.mouse_ == client && core.grip_)
        now(core.release());
      else
        now(time_answer(core.time()));
    }
    void operator()(const command::Poke& poke) const {
      core.poke(client, poke);
      now(time_answer(core.time()));
    }
    void operator()(const command::Pin& pin) const { now(core.pin(pin)); }
    void operator()(const command::Set& set) const { now(core.set(set)); }
    void operator()(const command::Edit& edit) const { now(core.edit(edit)); }
    void operator()(const command::Views& views) const { now(core.set_views(views)); }
    void operator()(const command::Modes& modes) const { core.find_modes(modes.count, answer); }
    void operator()(const command::MakeExample& make) const {
      core.make_example(make);
      now(object({}));
    }
    void operator()(const command::Design& design) const { now(object({{"job", json(core.design(design))}})); }
    void operator()(const command::Cancel& cancel) const {
      core.cancel(cancel.job);
      now(object({}));
    }
    void operator()(const command::Equivalent& equivalent) const { now(core.equivalent(equivalent)); }
    void operator()(const command::Scrub& scrub) const {
      core.scrub(scrub.time);
      now(time_answer(core.time()));
    }
    void operator()(const command::Open& open) const {
      core.open(open);
      now(object({}));
    }
    void operator()(const command::Save& save) const { now(core.save(save)); }
    void operator()(const command::Acknowledge&) const {}
  };
  std::visit(Visitor{*this, client, answer}, what);
}

JsonValue StudioCore::pick(const command::Pick& pick) {
  JsonValue nothing = object({{"hit", JsonValue()}});
  const auto index = static_cast<std::size_t>(pick.view);
  if (playback_ || index >= views_.size() || !views_[index].is_world()) return nothing;
  const std::optional<SurfaceHit> hit =
      surface_.hit(pick.origin, pick.direction, world(to_string(views_[index].kind))->positions());
  if (!hit) return nothing;
  return object({{"hit", object({{"body", json(surface_.body_names()[hit->body])},
                                 {"point", json(hit->position)},
                                 {"node", json(hit->point)},
                                 {"distance", json(hit->distance)},
                                 {"rest", json(hit->rest)}})}});
}

void StudioCore::take_mouse(ClientId client) {
  if (mouse_ == client) return;
  if (mouse_ && grip_)
    throw Error(Problem{"mouse", "another viewer pulls at the body", "a free mouse", "wait until it is let go"});
  mouse_ = client;
}

double StudioCore::automatic_stiffness(const Patch& patch) const {
  const CompiledBody& body = *body_of(built_->scene->bodies, patch.points.front());
  const double slow = 2 * std::numbers::pi * 3;  // [rad/s]: of a body that nothing holds
  if (const auto stiffness = stiffness_under(worlds_.front().system(), body, patch))
    return stiffer_than_body * *stiffness;
  return body.mass * slow * slow;
}

JsonValue StudioCore::grab(ClientId client, const command::Grab& grab) {
  require_scene("grab");
  take_mouse(client);
  Grip grip;
  grip.patch = patch_around(built_->scene->bodies, grab.node, grab.radius);
  for (StudioWorld& world : worlds_) world.grab(grip.patch);
  const double mass = designed().grip_mass();
  if (!(mass > 0)) {
    for (StudioWorld& world : worlds_) world.let_go();
    throw Error(Problem{"node", "a part that is held in place", "a part that can move", "pull elsewhere, or unpin it"});
  }
  grip.pull.stiffness = grab.stiffness > 0 ? grab.stiffness : automatic_stiffness(grip.patch);
  grip.pull.damping = 2 * spring_zeta * std::sqrt(grip.pull.stiffness * mass);
  grip.start = grip.pull.target = designed().grip_position();
  grip.poses = grab.poses;
  for (StudioWorld& world : worlds_) world.pull(grip.pull);
  JsonValue fields = object({{"patch", json(static_cast<int>(grip.patch.points.size()))},
                             {"stiffness", json(grip.pull.stiffness)},
                             {"damping", json(grip.pull.damping)}});
  grip_ = std::move(grip);
  return fields;
}

void StudioCore::drag(ClientId client, const command::Drag& drag) {
  if (mouse_ != client || !grip_) return;
  grip_->pull.target = drag.target;
  grip_->still_steps = 0;
  for (StudioWorld& world : worlds_) world.pull(grip_->pull);
}

void StudioCore::give_way() {
  constexpr double still = 1e-6;
  grip_->still_steps = designed().give_way() < still ? grip_->still_steps + 1 : 0;
}

void StudioCore::share_pose() {
  for (std::size_t i = 1; i < worlds_.size(); ++i) worlds_[i].take_motion(designed());
}

void StudioCore::track(const Patch& patch, const Vec3& direction) {
  released_ = time();
  for (StudioWorld& world : worlds_) world.track(patch, direction);
}

JsonValue StudioCore::release() {
  const Vec3 now = designed().grip_position();
  Vec3 direction = now - grip_->start;
  if (!(direction.norm() > 0)) direction = Vec3::UnitX();
  const Patch patch = grip_->patch;
  if (grip_->poses && !playing_) {
    designed().stand_still();
    share_pose();
    recording_.cut_after(time() - 1e-9);
    recording_.add(worlds_, 0);
  }
  grip_.reset();
  for (StudioWorld& world : worlds_) world.let_go();
  track(patch, direction);
  return time_answer(time());
}

void StudioCore::poke(ClientId client, const command::Poke& poke) {
  require_scene("poke");
  take_mouse(client);
  const Patch patch = patch_around(built_->scene->bodies, poke.node, 0);
  for (StudioWorld& world : worlds_) world.poke(patch, poke.impulse);
  track(patch, poke.impulse.norm() > 0 ? poke.impulse : Vec3(Vec3::UnitX()));
}

void StudioCore::scrub(double wanted) {
  playing_ = false;
  if (playback_) {
    const std::vector<Frame>& frames = playback_->recording.frames;
    playback_->time = std::clamp(wanted, frames.front().time, frames.back().time);
    return;
  }
  const StudioRecording::Instant* instant = recording_.nearest(wanted);
  if (instant == nullptr) return;
  grip_.reset();
  for (StudioWorld& world : worlds_) {
    world.let_go();
    const auto kept = instant->worlds.find(world.kind());
    if (kept != instant->worlds.end())
      world.restore(kept->second);
    else
      world.take_motion(designed());
  }
}

}  // namespace dashpot::studio
