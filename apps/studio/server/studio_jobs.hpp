#pragma once
// Long work beside the simulation: searches for gains and for modes, one after the other in a thread of their own, on
// copies. Results come back through the functions given with a job.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace dashpot::studio {

using StopFlag = std::shared_ptr<std::atomic<bool>>;

class StudioJobs {
 public:
  StudioJobs() : thread_([this] { work(); }) {}
  ~StudioJobs();
  StudioJobs(const StudioJobs&) = delete;
  StudioJobs& operator=(const StudioJobs&) = delete;

  /// Runs `job` after those before it. It polls `stop` and must not throw.
  void add(StopFlag stop, std::function<void()> job);
  /// Jobs that wait or run.
  std::size_t size() const;

 private:
  struct Entry {
    StopFlag stop;
    std::function<void()> run;
  };
  void work();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Entry> entries_;
  StopFlag running_;
  bool ends_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace dashpot::studio
