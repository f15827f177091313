// Parallel loops: every range once, the same sums for every number of threads, loops within loops, loops of several
// threads at a time, and bodies that throw.
#include "dashpot/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dashpot/core/spin_team.hpp"

namespace dashpot::testing::test_parallel {
namespace {

TEST(Parallel, EveryIndexIsVisitedOnce) {
  for (const int count : {0, 1, 7, 64, 1000})
    for (const int grain : {1, 3, 64, 5000}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
      parallel_for(count, grain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (const auto& visit : visits) ASSERT_EQ(visit, 1) << count << " by " << grain;
    }
}

// One thread is stuck in the first range: the others do what it would have begun with.
TEST(Parallel, WhoIsDoneHelpsTheOthers) {
  if (num_threads() < 2) GTEST_SKIP() << "one thread";
  constexpr int count = 40;
  for (int stuck : {0, count - 1}) {
    std::atomic<int> done{0};
    spin_parallel_for(count, [&](int range) {
      const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (range == stuck && done < count - 1 && std::chrono::steady_clock::now() < give_up)
        std::this_thread::yield();
      if (range == stuck) EXPECT_EQ(done, count - 1);
      ++done;
    });
    EXPECT_EQ(done, count);
  }
}

TEST(Parallel, SumsDoNotDependOnTheNumberOfThreads) {
  const auto sum = [] {
    return parallel_sum(100000, 100, [](int begin, int end) {
      double part = 0;
      for (int i = begin; i < end; ++i) part += 1.0 / (1 + i);
      return part;
    });
  };
  const int before = num_threads();
  set_num_threads(1);
  const double alone = sum();
  set_num_threads(before);
  for (int k = 0; k < 200; ++k) ASSERT_EQ(sum(), alone);
}

TEST(Parallel, LoopsWithinLoopsAndOfSeveralThreadsFinish) {
  std::atomic<int> total{0};
  const auto work = [&] {
    for (int k = 0; k < 50; ++k)
      parallel_for(8, 1, [&](int, int) { parallel_for(8, 1, [&](int begin, int end) { total += end - begin; }); });
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(total, 2 * 50 * 64);
}

TEST(Parallel, AnExceptionOfABodyReachesTheCallerAndTheTeamGoesOn) {
  for (int k = 0; k < 100; ++k) {
    EXPECT_THROW(parallel_for(64, 1,
                              [&](int begin, int) {
                                if (begin == k % 64) throw std::runtime_error("range");
                              }),
                 std::runtime_error);
    std::atomic<int> visited{0};
    parallel_for(64, 1, [&](int, int) { ++visited; });
    ASSERT_EQ(visited, 64);
  }
}

TEST(Parallel, ThreadsAreLimitedToThoseThereAre) {
  const int before = num_threads();
  set_num_threads(1 << 20);
  EXPECT_LE(num_threads(), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  set_num_threads(0);
  EXPECT_EQ(num_threads(), 1);
  set_num_threads(before);
}

}  // namespace
}  // namespace dashpot::testing::test_parallel
