#include "interrupt.hpp"

#include <csignal>

#include <atomic>

namespace dashpot::cli {
namespace {

// A signal handler has no argument to carry state in, so this is the one place where a global is unavoidable.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may only touch lock-free atomics");

void request_stop(int) { stop_requested.store(true, std::memory_order_relaxed); }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second signal has its usual deadly effect
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void let_interrupts_kill() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return stop_requested.load(std::memory_order_relaxed); }

}  // namespace dashpot::cli
