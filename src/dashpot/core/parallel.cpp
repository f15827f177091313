#include "dashpot/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "dashpot/core/spin_team.hpp"

namespace dashpot {
namespace {

int num_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// Threads are a process-wide resource; results do not depend on it.
std::atomic<int>& thread_limit() {
  static std::atomic<int> limit{num_cores()};
  return limit;
}

}  // namespace

int num_threads() { return thread_limit().load(std::memory_order_relaxed); }

void set_num_threads(int n) { thread_limit() = std::clamp(n, 1, num_cores()); }

void parallel_for(int count, int grain, FunctionRef<void(int, int)> body) {
  if (count <= 0) return;
  grain = std::max(1, grain);
  const int num_ranges = (count + grain - 1) / grain;
  spin_parallel_for(num_ranges, [&](int r) { body(r * grain, std::min(count, (r + 1) * grain)); });
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
