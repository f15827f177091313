#include "dashpot/core/spin_team.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace dashpot {
namespace {

constexpr std::chrono::microseconds patience{500};  // how long a worker looks for a job before it sleeps

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Worker threads are a process-wide resource; results do not depend on them.
class SpinTeam {
 public:
  ~SpinTeam() {
    stop_ = true;
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void run(int num_ranges, FunctionRef<void(int)> body) {
    const int helpers = std::min(num_threads(), num_ranges) - 1;
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (helpers < 1 || is_in_job || !lock.try_lock()) {
      for (int range = 0; range < num_ranges; ++range) body(range);
      return;
    }
    while (static_cast<int>(workers_.size()) < helpers)
      workers_.emplace_back([this, index = static_cast<int>(workers_.size())] { work(index); });
    body_ = &body;
    helpers_ = helpers;
    while (static_cast<int>(shares_.size()) <= helpers) shares_.emplace_back();
    for (int member = 0; member <= helpers; ++member) {
      const auto first = [&](int k) { return static_cast<int>(static_cast<long>(num_ranges) * k / (helpers + 1)); };
      Share& share = shares_[static_cast<std::size_t>(member)];
      share.next.store(first(member), std::memory_order_relaxed);
      share.end = first(member + 1);
    }
    open_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    take_ranges(0);
    // A worker announces itself before it looks whether the job is open: one of the two sees the other.
    open_.store(false);
    while (busy_.load() != 0) pause();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  /// The ranges that a member begins with: the same ones in every job of so many ranges, so that what they read and
  /// write stays in the member's cache. Who is done helps the next.
  struct alignas(64) Share {
    std::atomic<int> next{0};
    int end = 0;
  };

  void take_ranges(int member) {
    is_in_job = true;
    for (int k = 0; k <= helpers_; ++k) take_share(shares_[static_cast<std::size_t>((member + k) % (helpers_ + 1))]);
    is_in_job = false;
  }

  void take_share(Share& share) {
    for (;;) {
      const int range = share.next.fetch_add(1, std::memory_order_relaxed);
      if (range >= share.end) return;
      try {
        (*body_)(range);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(failure_mutex_);
        if (!failure_) failure_ = std::current_exception();
        for (int k = 0; k <= helpers_; ++k) {  // what has not begun is left undone
          Share& other = shares_[static_cast<std::size_t>(k)];
          other.next.store(other.end, std::memory_order_relaxed);
        }
      }
    }
  }

  void work(int index) {
    std::uint64_t seen = 0;
    while (!stop_) {
      wait_for_news(seen);
      seen = generation_.load();
      busy_.fetch_add(1);
      if (open_.load() && index < helpers_) take_ranges(index + 1);
      busy_.fetch_sub(1);
    }
  }

  void wait_for_news(std::uint64_t seen) {
    const auto end = std::chrono::steady_clock::now() + patience;
    do {
      for (int i = 0; i < 64; ++i) {
        if (generation_.load(std::memory_order_relaxed) != seen) return;
        pause();
      }
    } while (std::chrono::steady_clock::now() < end);
    generation_.wait(seen);
  }

  static thread_local bool is_in_job;  ///< jobs within jobs run on the thread that asks for them
  std::mutex mutex_;                   ///< one job at a time
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  ///< the first one thrown by a range
  std::vector<std::thread> workers_;
  std::atomic<bool> stop_{false}, open_{false};
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> busy_{0};
  // Written while no worker is busy and the job is closed.
  FunctionRef<void(int)>* body_ = nullptr;
  int helpers_ = 0;
  std::deque<Share> shares_;
};

thread_local bool SpinTeam::is_in_job = false;

}  // namespace

void spin_parallel_for(int num_ranges, FunctionRef<void(int)> body) {
  static SpinTeam team;
  team.run(num_ranges, body);
}

}  // namespace dashpot
