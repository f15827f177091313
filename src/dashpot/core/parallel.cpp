#include "dashpot/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace dashpot {
namespace {

// The arena is the one process-wide object: worker threads are a process-wide resource, and results do not depend on
// it.
struct Arena {
  std::mutex mutex;
  std::atomic<int> threads{oneapi::tbb::info::default_concurrency()};
  std::shared_ptr<oneapi::tbb::task_arena> arena = std::make_shared<oneapi::tbb::task_arena>(threads.load());
};
Arena& shared_arena() {
  static Arena arena;
  return arena;
}

}  // namespace

int num_threads() { return shared_arena().threads.load(); }

void set_num_threads(int n) {
  Arena& shared = shared_arena();
  const std::lock_guard<std::mutex> lock(shared.mutex);
  // More threads than cores only makes oneTBB complain on stderr, and a library must not print.
  shared.threads = std::clamp(n, 1, oneapi::tbb::info::default_concurrency());
  shared.arena = std::make_shared<oneapi::tbb::task_arena>(shared.threads.load());
}

void parallel_for(int count, int grain, FunctionRef<void(int, int)> body) {
  if (count <= 0) return;
  grain = std::max(1, grain);
  const int num_ranges = (count + grain - 1) / grain;
  if (num_ranges == 1 || num_threads() == 1) {
    for (int r = 0; r < num_ranges; ++r) body(r * grain, std::min(count, (r + 1) * grain));
    return;
  }
  std::shared_ptr<oneapi::tbb::task_arena> arena;
  {
    const std::lock_guard<std::mutex> lock(shared_arena().mutex);
    arena = shared_arena().arena;
  }
  arena->execute([&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<int>(0, num_ranges),
        [&](const oneapi::tbb::blocked_range<int>& ranges) {
          for (int r = ranges.begin(); r != ranges.end(); ++r) body(r * grain, std::min(count, (r + 1) * grain));
        },
        oneapi::tbb::simple_partitioner());
  });
}

double parallel_sum(int count, int grain, FunctionRef<double(int, int)> body) {
  if (count <= 0) return 0;
  grain = std::max(1, grain);
  const int num_ranges = (count + grain - 1) / grain;
  std::vector<double> part(static_cast<std::size_t>(num_ranges));
  parallel_for(count, grain,
               [&](int begin, int end) { part[static_cast<std::size_t>(begin / grain)] = body(begin, end); });
  double sum = 0;
  for (const double value : part) sum += value;
  return sum;
}

}  // namespace dashpot
