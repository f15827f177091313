#pragma once
// What a session is, without its threads: the scene, its worlds with one clock, what the viewports show, the mouse, the
// recording. All members are called by one thread (the simulation thread). What a command answers is returned; what all
// pages shall hear is put aside and taken by the session.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "built_scene.hpp"
#include "dashpot/modes/vibration_modes.hpp"
#include "studio_commands.hpp"
#include "studio_jobs.hpp"
#include "studio_recording.hpp"
#include "studio_session.hpp"
#include "studio_world.hpp"
#include "surface_view.hpp"

namespace dashpot::studio {

/// A vibration mode with what damps it.
struct ModeInfo {
  double frequency = 0;                  ///< [Hz]
  double zeta = 0, zeta_integrator = 0;  ///< [-]
  double alpha = 0, beta = 0;            ///< Rayleigh damping fitted to all modes found [1/s], [s]
  std::vector<Vec3> shape;               ///< of all points; the largest is 1
};

/// What others read while the simulation goes on.
struct PublishedScene {
  std::shared_ptr<const BuiltScene> built;
  std::string document;  ///< as JSON
  std::string topology;  ///< bytes
  bool is_run = false;
};

/// What a scene is shown in when it is opened: the designed world, and the default damping where they differ.
std::vector<View> views_of(const BuiltScene& built);

class StudioCore {
 public:
  /// `later`: puts a function aside that is called with the core when its thread is free.
  using Later = std::function<void(std::function<void(StudioCore&)>)>;
  using Answer = std::function<void(JsonValue fields)>;

  /// `stop`: ends long sequences of steps.
  StudioCore(const SessionOptions& options, Later later, StudioJobs& jobs, const std::atomic<bool>& stop);

  // --- time
  bool playing() const { return playing_; }
  double time() const;
  double dt() const;  ///< [s]; of a recorded run: between its frames
  double speed() const { return speed_; }
  /// One step of all worlds; a failure pauses and is told.
  void step();
  /// The body is held while time stands, and has not come to rest under the pull.
  bool is_posing() const { return grip_ && grip_->poses && grip_->still_steps < most_still_steps && !playing_; }
  /// Lets the designed world give way to the pull once.
  void give_way();
  /// Other worlds take the pose of the designed one.
  void share_pose();
  double step_seconds() const { return step_seconds_; }

  // --- talk
  /// Carries out a command. Answers now, or later where work is needed. dashpot::Error: refused, nothing changed.
  void execute(ClientId client, const Command& command, const Answer& answer);
  JsonValue hello(const char* type, ClientId client) const;
  /// Peaks and ratios in it are new since the last call.
  JsonValue status();
  const char* mouse_of(ClientId client) const;
  /// Positions of the vertices in each viewport; shapes swing with `phase` [rad].
  std::vector<std::vector<Vec3>> views(double phase) const;
  /// Positions of the colliders' vertices: the same in all worlds.
  std::vector<Vec3> scenery() const;
  bool has_swinging_views() const;
  std::optional<ShownSpring> spring() const;
  std::shared_ptr<const PublishedScene> published() const { return published_; }
  /// The designed world's motion so far, for exports; dashpot::Error where there is none.
  RunResult recorded_run() const;
  std::shared_ptr<const CompiledScene> compiled() const { return built_ ? built_->scene : nullptr; }

  /// A page is gone, or silent for long: what it holds is let go.
  void forget(ClientId client);
  bool holds(ClientId client) const { return mouse_ == client && grip_; }

  /// What all pages shall hear since the last call: texts as JSON, and whether `changed` is due.
  std::vector<JsonValue> take_events();
  bool take_changed() { return std::exchange(changed_, false); }
  void tell(const std::string& kind, const std::string& text);

  // --- called when a search has ended (studio_searches.cpp)
  void take_gains(const std::map<std::string, math::GainCurve>& gains);
  void end_job(int job, JsonValue event);

 private:
  static constexpr int most_still_steps = 20;
  struct Grip {
    Patch patch;
    Pull pull;
    Vec3 start = Vec3::Zero();
    bool poses = false;
    int still_steps = 0;  ///< in a row, in which a pose did not change
  };
  struct Playback {
    Recording recording;
    double time = 0;
    const Frame& frame() const;  ///< that is shown
  };

  // studio_core.cpp
  StudioWorld* world(const std::string& kind);
  const StudioWorld* world(const std::string& kind) const;
  StudioWorld& designed();
  void adopt(BuiltScene built, bool keeps_motion);
  void make_worlds(bool keeps_motion);
  std::unique_ptr<StudioWorld> make_world(const std::string& kind);
  std::shared_ptr<const CompiledScene> undamped_scene();
  void keep_recording(const std::map<std::string, std::shared_ptr<const CompiledScene>>& scenes_before);
  void publish();
  void require_scene(const char* what) const;
  SceneSite site() const;
  void pause_with(const std::string& reason);

  // studio_actions.cpp: one for each command that does something to the motion
  JsonValue pick(const command::Pick& pick);
  JsonValue grab(ClientId client, const command::Grab& grab);
  void drag(ClientId client, const command::Drag& drag);
  JsonValue release();
  void poke(ClientId client, const command::Poke& poke);
  void take_mouse(ClientId client);
  void scrub(double time);
  double automatic_stiffness(const Patch& patch) const;
  void track(const Patch& patch, const Vec3& direction);

  // studio_edits.cpp: those that change the document
  JsonValue set(const command::Set& set);
  JsonValue edit(const command::Edit& edit);
  JsonValue pin(const command::Pin& pin);
  JsonValue set_views(const command::Views& views);
  void make_example(const command::MakeExample& make);
  void open(const command::Open& open);
  JsonValue save(const command::Save& save);
  void write_value(const std::string& name, const std::vector<double>& values);

  // studio_searches.cpp
  void find_modes(int count, const Answer& answer);
  int design(const command::Design& design);
  void cancel(int job);
  JsonValue equivalent(const command::Equivalent& equivalent) const;

  SessionOptions options_;
  std::filesystem::path project_;
  Later later_;
  StudioJobs& jobs_;
  const std::atomic<bool>& stop_;

  std::shared_ptr<const BuiltScene> built_;  ///< null: a recorded run is shown
  std::optional<Playback> playback_;
  std::vector<StudioWorld> worlds_;  ///< the designed one first
  std::shared_ptr<const CompiledScene> undamped_;
  std::string undamped_key_;
  SurfaceView surface_;
  int topology_ = 0;  ///< another number for another picture: surface, pins or colliders
  std::vector<View> views_;
  std::vector<ModeInfo> modes_;
  StudioRecording recording_;
  std::shared_ptr<const PublishedScene> published_;

  bool playing_ = false;
  double speed_ = 1, step_seconds_ = 0;
  std::optional<ClientId> mouse_;
  std::optional<Grip> grip_;
  std::optional<double> released_;

  int last_job_ = 0;
  std::map<int, StopFlag> running_jobs_;
  std::vector<JsonValue> events_;
  bool changed_ = false;
};

}  // namespace dashpot::studio
