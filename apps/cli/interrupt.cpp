#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <system_error>
#include <thread>

#include "exit_codes.hpp"

namespace dashpot::cli {
namespace {

/// How long loops have to notice that they shall stop.
constexpr std::chrono::milliseconds patience{700};
/// A terminal that is closed sends SIGHUP twice in a row; that is one request.
constexpr double one_request = 0.1;  // [s]

// A signal handler has no argument to carry state in, so this is the one place where globals are unavoidable.
std::atomic<bool> stop_requested{false}, is_noticed{false};
std::atomic<double> first_signal{0};  // [s]
std::atomic<int> wake_descriptor{-1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<double>::is_always_lock_free,
              "signal handlers may only touch lock-free atomics");

/// What the watching thread has to do; guarded by `mutex`, which it keeps once it has begun to end the program.
struct Abandonment {
  std::mutex mutex;
  const std::function<void()>* step = nullptr;
  const std::string* farewell = nullptr;
  std::string lock_file, new_folder;
};
Abandonment& abandonment() {
  static Abandonment value;
  return value;
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void request_stop(int) {
  const int saved = errno;
  if (!stop_requested.exchange(true)) {
    first_signal.store(now());
    const char byte = 0;
    if (wake_descriptor >= 0 && ::write(wake_descriptor, &byte, 1) != 1) ::_exit(exit_interrupted);
  } else if (now() - first_signal.load() > one_request) {
    ::_exit(exit_interrupted);
  }
  errno = saved;
}

[[noreturn]] void end_program() {
  Abandonment& what = abandonment();
  what.mutex.lock();  // for good: whoever wants it now comes too late
  std::string text = "\ninterrupted";
  if (what.step != nullptr) {
    try {
      (*what.step)();
      text = "\n" + *what.farewell;
    } catch (const std::exception& error) {
      text += std::string("; no checkpoint could be left: ") + error.what();
    }
  }
  if (!what.lock_file.empty()) ::unlink(what.lock_file.c_str());
  if (!what.new_folder.empty()) ::rmdir(what.new_folder.c_str());  // fails where something is in it
  std::fprintf(stderr, "%s\n", text.c_str());
  ::_exit(exit_interrupted);
}

void watch(int descriptor) {
  char byte = 0;
  while (::read(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
  std::this_thread::sleep_for(patience);
  if (!is_noticed.load()) end_program();
}

/// Without a pipe or a thread (memory may be scarce) loops are still asked to stop, and a second signal ends them.
void start_watching() {
  int ends[2];
  if (wake_descriptor >= 0 || ::pipe(ends) != 0) return;
  try {
    abandonment();
    std::thread(watch, ends[0]).detach();
    wake_descriptor = ends[1];
  } catch (const std::system_error&) {
    ::close(ends[0]);
    ::close(ends[1]);
  }
}

}  // namespace

void catch_interrupts() {
  start_watching();
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction present {};  // nohup ignores SIGHUP on purpose
  sigaction(SIGHUP, nullptr, &present);
  if (present.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() {
  if (!stop_requested.load(std::memory_order_relaxed)) return false;
  is_noticed.store(true);
  return true;
}

void interruptible_step(const std::function<void()>& step, const std::function<void()>& abandon,
                        const std::string& farewell) {
  struct Scope {
    Scope(const std::function<void()>* action, const std::string* farewell) { set(action, farewell); }
    ~Scope() { set(nullptr, nullptr); }
    static void set(const std::function<void()>* action, const std::string* farewell) {
      const std::lock_guard lock(abandonment().mutex);
      abandonment().step = action;
      abandonment().farewell = farewell;
    }
  };
  const Scope scope(&abandon, &farewell);
  step();
}

void remove_when_interrupted(const std::string& lock_file, const std::string& new_folder) {
  Abandonment& what = abandonment();
  const std::lock_guard lock(what.mutex);
  what.lock_file = lock_file;
  what.new_folder = new_folder;
}

}  // namespace dashpot::cli
