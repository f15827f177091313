#include "studio_session.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <numbers>
#include <thread>

#include <fmt/format.h>

#include "client_list.hpp"
#include "json_build.hpp"
#include "project_files.hpp"
#include "studio_core.hpp"
#include "studio_document.hpp"
#include "studio_export.hpp"
#include "studio_registry.hpp"

namespace dashpot::studio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_queued = 1024;
constexpr double frame_period = 1.0 / 60, status_period = 0.1, swing_frequency = 0.7;  // [s], [Hz]
constexpr double lets_go_after = 3;                                                    // [s] of silence
constexpr double most_lag = 0.1;  // [s]: a simulation slower than the clock does not try to catch up more

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

JsonValue problems_json(const std::vector<Problem>& problems) {
  JsonValue list = JsonValue::array();
  for (const Problem& problem : problems)
    list.push(object({{"where", json(problem.place)}, {"text", json(problem.text())}}));
  return list;
}

/// {"reply": id, "ok": true, ...fields}
std::string reply_text(std::optional<double> id, const JsonValue& fields) {
  JsonValue reply = object({{"reply", id ? json(*id) : JsonValue()}, {"ok", json(true)}});
  for (const JsonMember& member : fields.members) reply.add(member.key, member.value);
  return compact(reply);
}

std::string refusal_text(std::optional<double> id, const std::vector<Problem>& problems) {
  return compact(object({{"reply", id ? json(*id) : JsonValue()},
                         {"ok", json(false)},
                         {"error", json(problems.empty() ? std::string("refused") : problems.front().text())},
                         {"problems", problems_json(problems)}}));
}

}  // namespace

std::string error_as_json(const Error& error) {
  return compact(
      object({{"error", json(error.problems().empty() ? std::string(error.what()) : error.problems().front().text())},
              {"problems", problems_json(error.problems())}}));
}

class StudioSession::Implementation {
 public:
  explicit Implementation(SessionOptions options)
      : options_(std::move(options)),
        project_(real_folder(options_.project)),
        core_(
            options_, [this](std::function<void(StudioCore&)> what) { post(std::move(what)); }, jobs_, stops_) {
    published_ = core_.published();
    thread_ = std::thread([this] { run(); });
  }

  ~Implementation() {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  ClientId connect(ClientCallbacks callbacks) {
    const ClientId client = clients_.add(std::move(callbacks));
    post([this, client](StudioCore& core) { clients_.send(client, compact(core.hello("hello", client))); });
    return client;
  }

  void disconnect(ClientId client) {
    clients_.remove(client);
    post([client](StudioCore& core) { core.forget(client); });
  }

  void receive(ClientId client, std::string_view text) {
    ParsedCommand parsed = parse_command(text);
    clients_.heard(client);
    if (parsed.command && std::holds_alternative<command::Acknowledge>(*parsed.command))
      return clients_.acknowledge(client);
    const std::optional<double> id = parsed.id;
    {
      const std::lock_guard lock(mutex_);
      const bool is_drag = parsed.command && std::holds_alternative<command::Drag>(*parsed.command);
      if (is_drag && !queue_.empty() && queue_.back().client == client && queue_.back().parsed.command &&
          std::holds_alternative<command::Drag>(*queue_.back().parsed.command)) {
        queue_.back().parsed = std::move(parsed);  // the newest counts
        return wake_.notify_all();
      }
      if (queue_.size() < most_queued) {
        queue_.push_back({client, std::move(parsed)});
        return wake_.notify_all();
      }
    }
    clients_.send(client, refusal_text(id, {{"command", fmt::format("{} commands wait already", most_queued),
                                             "fewer at once", "wait for the answers"}}));
  }

  std::shared_ptr<const PublishedScene> published() const {
    const std::lock_guard lock(mutex_);
    return published_;
  }

  /// Calls `what` in the simulation thread and waits for its result.
  template <class Result>
  Result ask(std::function<Result(StudioCore&)> what) {
    const auto task = std::make_shared<std::packaged_task<Result(StudioCore&)>>(std::move(what));
    std::future<Result> result = task->get_future();
    post([task](StudioCore& core) { (*task)(core); });
    try {
      return result.get();
    } catch (const std::future_error&) {
      throw Error(Problem{"session", "the session has ended", "a session that goes on", ""});
    }
  }

  const std::filesystem::path& project() const { return project_; }

  Content thumbnail(const std::string& example) {
    const auto scene = published();
    if (!scene->built) throw Error(Problem{"example", "a recorded run is shown", "a scene", "open a scene"});
    const std::lock_guard lock(thumbnail_mutex_);
    const ExampleInfo* info = scene->built->example(example);
    if (thumbnails_of_ != scene->built->scene) {
      thumbnails_.clear();
      thumbnails_of_ = scene->built->scene;
    }
    const auto known = info == nullptr ? thumbnails_.end() : thumbnails_.find(info->at);
    if (known != thumbnails_.end()) return known->second;
    Content picture = picture_of_example(*scene->built, example);
    if (info != nullptr) thumbnails_[info->at] = picture;
    return picture;
  }

 private:
  struct Queued {
    ClientId client;
    ParsedCommand parsed;
  };

  void post(std::function<void(StudioCore&)> what) {
    {
      const std::lock_guard lock(mutex_);
      if (stops_) return;
      posted_.push_back(std::move(what));
    }
    wake_.notify_all();
  }

  void run() {
    while (true) {
      std::deque<std::function<void(StudioCore&)>> posted;
      std::deque<Queued> commands;
      {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, std::chrono::duration<double>(idle_time()),
                       [this] { return stops_ || !posted_.empty() || !queue_.empty(); });
        if (stops_) break;
        posted.swap(posted_);
        commands.swap(queue_);
      }
      for (auto& what : posted) {
        guarded([&] { what(core_); });
        tell_news();
        is_dirty_ = true;
      }
      for (Queued& queued : commands) {
        if (stops_) break;
        carry_out(queued);
      }
      if (core_.playing() && !options_.test) advance_with_the_clock();
      if (core_.is_posing()) pose();
      tell_news();
      show();
    }
    const std::lock_guard lock(mutex_);
    posted_.clear();
    queue_.clear();
  }

  /// How long nothing is due [s].
  double idle_time() const {
    if (core_.is_posing()) return 0;
    if (options_.test) return 0.25;
    if (core_.playing()) {
      const double until_step = (core_.time() + core_.dt() - base_time_) / core_.speed() - seconds_since(base_wall_);
      return std::clamp(until_step, 0.0, status_period);
    }
    return is_dirty_ || core_.has_swinging_views() ? frame_period : status_period;
  }

  /// What must not end the thread.
  template <class Action>
  void guarded(const Action& action) {
    try {
      action();
    } catch (const std::exception& error) {
      core_.tell("failure", error.what());
    }
  }

  void carry_out(Queued& queued) {
    const std::optional<double> id = queued.parsed.id;
    const ClientId client = queued.client;
    if (!queued.parsed.command) return clients_.send(client, refusal_text(id, queued.parsed.problems));
    std::optional<std::string> answer;
    const auto is_running = std::make_shared<bool>(true);
    const auto take = [this, id, client, &answer, is_running](JsonValue fields) {
      if (*is_running)
        answer = reply_text(id, fields);
      else
        clients_.send(client, reply_text(id, fields));  // after a search
    };
    const bool was_playing = core_.playing();
    try {
      core_.execute(client, *queued.parsed.command, take);
    } catch (const Error& error) {
      answer = refusal_text(id, error.problems());
    } catch (const std::exception& error) {
      answer = refusal_text(id, {{"command", error.what(), "a command that can be carried out", ""}});
    }
    *is_running = false;
    if (core_.playing() && !was_playing) restart_clock();
    is_dirty_ = true;
    tell_news();
    if (options_.test) {
      send_frame();
      send_status();
    } else if (std::holds_alternative<command::Step>(*queued.parsed.command)) {
      send_status();
    }
    if (answer) clients_.send(client, *answer);
  }

  void restart_clock() {
    base_wall_ = Clock::now();
    base_time_ = core_.time();
  }

  /// Steps until the simulation has caught up with the clock, a frame is due or somebody wants something.
  void advance_with_the_clock() {
    if (clock_speed_ != core_.speed() || core_.time() < base_time_ - 1e-9) {
      clock_speed_ = core_.speed();
      restart_clock();
    }
    const auto begin = Clock::now();
    while (core_.playing() && !stops_) {
      const double wanted = base_time_ + clock_speed_ * seconds_since(base_wall_);
      const double lag = wanted - core_.time();
      if (lag < core_.dt() * (1 - 1e-9)) break;
      if (lag > clock_speed_ * most_lag + core_.dt()) {
        base_wall_ = Clock::now();
        base_time_ = core_.time() + core_.dt();
      }
      guarded([&] { core_.step(); });
      ++steps_;
      is_dirty_ = true;
      const bool is_wanted = [&] {
        const std::lock_guard lock(mutex_);
        return !queue_.empty() || !posted_.empty();
      }();
      if (is_wanted || seconds_since(begin) > frame_period) break;
    }
  }

  /// Time stands while a body is brought into a pose; it gives way until a frame is due or somebody wants something.
  void pose() {
    const auto begin = Clock::now();
    const auto is_wanted = [&] {
      const std::lock_guard lock(mutex_);
      return stops_ || !queue_.empty() || !posted_.empty();
    };
    do guarded([&] { core_.give_way(); });
    while (core_.is_posing() && seconds_since(begin) < frame_period && !is_wanted());
    guarded([&] { core_.share_pose(); });
    is_dirty_ = true;
  }

  void tell_news() {
    if (core_.take_changed()) {
      {
        const std::lock_guard lock(mutex_);
        published_ = core_.published();
      }
      const JsonValue news = core_.hello("changed", 0);
      send_with_mouse(news);
    } else if (published_ != core_.published()) {
      const std::lock_guard lock(mutex_);
      published_ = core_.published();
    }
    for (const JsonValue& event : core_.take_events()) {
      const Bytes text = std::make_shared<const std::string>(compact(event));
      clients_.send_all([&](ClientId) { return text; });
    }
  }

  /// The same text for all, but for who holds the mouse.
  void send_with_mouse(JsonValue message) {
    std::map<std::string, Bytes> texts;
    clients_.send_all([&](ClientId client) {
      const std::string mouse = core_.mouse_of(client);
      Bytes& text = texts[mouse];
      if (!text) {
        put_member(message, "mouse", json(mouse));
        text = std::make_shared<const std::string>(compact(message));
      }
      return text;
    });
  }

  void send_status() {
    guarded([&] {
      JsonValue status = core_.status();
      const double since = seconds_since(last_status_);
      status.add("frame", json(static_cast<double>(frame_number_)));
      status.add("fps", json(options_.test || since <= 0 ? 0.0 : static_cast<double>(steps_) / since));
      send_with_mouse(std::move(status));
    });
    last_status_ = Clock::now();
    steps_ = 0;
  }

  void send_frame() {
    guarded([&] {
      const double phase =
          options_.test ? std::numbers::pi / 2 : 2 * std::numbers::pi * swing_frequency * seconds_since(started_);
      clients_.put_frame(std::make_shared<const std::string>(
          encode_frame(++frame_number_, core_.time(), core_.views(phase), core_.scenery(), core_.spring())));
    });
    last_frame_ = Clock::now();
    is_dirty_ = false;
  }

  void show() {
    if (options_.test) {
      if (is_dirty_) send_frame();
      return;
    }
    for (const ClientId client : clients_.all())
      if (core_.holds(client) && clients_.silence_of(client) > lets_go_after) core_.forget(client);
    if (clients_.empty()) return;
    if ((is_dirty_ || core_.has_swinging_views()) && seconds_since(last_frame_) > 0.9 * frame_period) send_frame();
    if (seconds_since(last_status_) >= status_period) send_status();
  }

  SessionOptions options_;
  std::filesystem::path project_;
  std::atomic<bool> stops_ = false;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void(StudioCore&)>> posted_;
  std::deque<Queued> queue_;
  std::shared_ptr<const PublishedScene> published_;
  ClientList clients_;

  std::mutex thumbnail_mutex_;
  std::shared_ptr<const CompiledScene> thumbnails_of_;
  std::map<std::string, Content> thumbnails_;

  // The simulation thread's own.
  Clock::time_point started_ = Clock::now(), base_wall_ = Clock::now(), last_frame_, last_status_;
  double base_time_ = 0, clock_speed_ = 1;
  std::uint32_t frame_number_ = 0;
  int steps_ = 0;
  bool is_dirty_ = true;
  StudioCore core_;
  StudioJobs jobs_;  // ends before what its jobs use
  std::thread thread_;
};

StudioSession::StudioSession(SessionOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
StudioSession::~StudioSession() = default;

ClientId StudioSession::connect(ClientCallbacks callbacks) { return implementation_->connect(std::move(callbacks)); }
void StudioSession::disconnect(ClientId client) { implementation_->disconnect(client); }
void StudioSession::receive(ClientId client, std::string_view text) { implementation_->receive(client, text); }

Content StudioSession::document() const { return {"application/json", implementation_->published()->document, ""}; }

Content StudioSession::registry() const { return {"application/json", registry_json(), ""}; }

Content StudioSession::topology(int view) const {
  if (view < 0 || view > 3) throw Error(Problem{"view", fmt::format("{}", view), "0 to 3", ""});
  return {"application/octet-stream", implementation_->published()->topology, ""};
}

Content StudioSession::files() const { return {"application/json", list_files(implementation_->project()), ""}; }

Content StudioSession::thumbnail(const std::string& example) const { return implementation_->thumbnail(example); }

Content StudioSession::export_file(const std::string& kind) const {
  struct Taken {
    RunResult run;
    std::shared_ptr<const CompiledScene> scene;
  };
  Taken taken = implementation_->ask<Taken>([](StudioCore& core) {
    return Taken{core.recorded_run(), core.compiled()};
  });
  return export_run(kind, std::move(taken.run), taken.scene.get());
}

Content StudioSession::upload_mesh(const std::string& name, std::string_view bytes) {
  return {"application/json", keep_mesh(implementation_->project(), name, bytes), ""};
}

}  // namespace dashpot::studio
