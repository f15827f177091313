#include "dashpot/projective/realtime_loop.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

double RealtimeTimings::quantile(std::vector<double> durations, double share) {
  if (durations.empty()) return 0;
  std::sort(durations.begin(), durations.end());
  const double rank = std::ceil(share * static_cast<double>(durations.size())) - 1;
  return durations[static_cast<std::size_t>(std::clamp(rank, 0.0, static_cast<double>(durations.size() - 1)))];
}

RealtimeLoop::RealtimeLoop(Stepper& stepper, const System& system, State& state, const RealtimeOptions& options)
    : stepper_(stepper),
      system_(system),
      state_(state),
      options_(options),
      workspace_(system.make_workspace()),
      due_(Clock::now()) {
  std::vector<Problem> problems;
  if (!(options.frame > 0 && std::isfinite(options.frame)))
    problems.push_back({"real-time loop", fmt::format("a frame of {} s", options.frame), "frame > 0 s", ""});
  if (options.steps_per_frame < 1)
    problems.push_back({"real-time loop", fmt::format("{} steps a frame", options.steps_per_frame), "1 or more", ""});
  if (!problems.empty()) throw Error(std::move(problems));
}

void RealtimeLoop::post(std::function<void()> change) {
  const std::lock_guard lock(mutex_);
  requests_.push_back({std::move(change), Clock::now()});
}

StepReport RealtimeLoop::frame() {
  const Clock::time_point begin = Clock::now();
  std::vector<Request> requests;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(requests_);
  }
  for (const Request& request : requests) request.change();
  StepReport total;
  total.work = StepWork(system_.dissipations().size() + system_.filters().size());
  total.substeps = 0;
  for (int i = 0; i < options_.steps_per_frame; ++i) {
    const StepReport report = advance(stepper_, system_, state_, workspace_, options_.frame / options_.steps_per_frame);
    total.absorb(report);
    total.substeps += report.substeps;
    total.status = report.status;
    total.explanation = report.explanation;
    if (report.status == StepStatus::failed) break;
  }
  const Clock::time_point end = Clock::now();
  const auto seconds = [&](Clock::time_point from) { return std::chrono::duration<double>(end - from).count(); };
  timings_.work.push_back(seconds(begin));
  if (seconds(begin) > options_.frame) ++timings_.late_frames;
  for (const Request& request : requests) timings_.latency.push_back(seconds(request.posted));
  due_ = std::max(due_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.frame)),
                  end - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.frame)));
  return total;
}

void RealtimeLoop::wait() const { std::this_thread::sleep_until(due_); }

}  // namespace dashpot
