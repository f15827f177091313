#include "dashpot/projective/realtime_loop.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Takes the steps of one frame: each gets its share of the time that is left, none begins when all is used up.
class FrameStepper final : public Stepper {
 public:
  FrameStepper(Stepper& stepper, TimedStepper* timed, double budget, double frame_end)
      : stepper_(stepper), timed_(timed), budget_(budget), frame_end_(frame_end) {
    if (budget_ > 0) deadline_ = now() + budget_;
  }
  ~FrameStepper() override {
    if (timed_) timed_->set_deadline(0);
  }
  FrameStepper(const FrameStepper&) = delete;
  FrameStepper& operator=(const FrameStepper&) = delete;

  std::string name() const override { return stepper_.name(); }
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override {
    if (budget_ == 0) return stepper_.step(system, state, workspace, dt);
    const double left = deadline_ - now();
    if (has_begun_ && left <= 0) {
      ran_out_ = true;
      StepReport report;
      report.status = StepStatus::failed;
      return report;
    }
    has_begun_ = true;
    if (timed_) timed_->set_deadline(deadline_ - left * (1 - std::min(1.0, dt / (frame_end_ - state.time))));
    StepReport report = stepper_.step(system, state, workspace, dt);
    if (report.status == StepStatus::failed) last_failure_ = report.explanation;
    return report;
  }
  bool ran_out() const { return ran_out_; }
  const std::string& last_failure() const { return last_failure_; }

 private:
  double now() const { return timed_ ? timed_->seconds() : steady_seconds(); }

  Stepper& stepper_;
  TimedStepper* timed_;
  double budget_, frame_end_, deadline_ = 0;
  bool has_begun_ = false, ran_out_ = false;
  std::string last_failure_;
};

}  // namespace

double RealtimeTimings::quantile(std::vector<double> durations, double share) {
  if (durations.empty()) return 0;
  std::sort(durations.begin(), durations.end());
  const double rank = std::ceil(share * static_cast<double>(durations.size())) - 1;
  return durations[static_cast<std::size_t>(std::clamp(rank, 0.0, static_cast<double>(durations.size() - 1)))];
}

RealtimeLoop::RealtimeLoop(Stepper& stepper, const System& system, State& state, const RealtimeOptions& options)
    : stepper_(stepper),
      timed_(stepper.timed()),
      system_(system, state),
      state_(state),
      options_(options),
      budget_(options.budget > 0 || !timed_ ? options.budget : timed_->budget()),
      due_(Clock::now()) {
  std::vector<Problem> problems;
  if (!(options.frame > 0 && std::isfinite(options.frame)))
    problems.push_back({"real-time loop", fmt::format("a frame of {} s", options.frame), "frame > 0 s", ""});
  if (options.steps_per_frame < 1)
    problems.push_back({"real-time loop", fmt::format("{} steps a frame", options.steps_per_frame), "1 or more", ""});
  if (!(options.budget >= 0 && std::isfinite(options.budget)))
    problems.push_back({"real-time loop", fmt::format("a budget of {} s", options.budget), "0 s or more", ""});
  if (options.max_halvings < 0 || options.max_halvings > 20)
    problems.push_back({"real-time loop", fmt::format("{} halvings", options.max_halvings), "0 to 20", ""});
  if (!problems.empty()) throw Error(std::move(problems));
}

void RealtimeLoop::post(std::function<void(State&)> change) {
  const std::lock_guard lock(mutex_);
  requests_.push_back({std::move(change), Clock::now()});
}

FrameReport RealtimeLoop::take_steps() {
  FrameReport total;
  total.work = StepWork(system_->dissipations().size() + system_->filters().size());
  total.substeps = 0;
  const double begin = state_.time;
  FrameStepper stepper(stepper_, timed_, budget_, begin + options_.frame);
  const int steps = options_.steps_per_frame << halvings_;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = advance(stepper, *system_, state_, system_.workspace(), options_.frame / steps,
                                      options_.max_halvings - halvings_);
    total.absorb(report);
    total.substeps += report.substeps;
    if (!report.explanation.empty()) total.explanation = report.explanation;
    if (report.status == StepStatus::substepped) total.status = report.status;
    if (report.status != StepStatus::failed) continue;
    total.status = report.status;
    break;
  }
  total.advanced = state_.time - begin;
  if (total.status == StepStatus::failed) total.end = energies(*system_, state_);  // the last attempt has none
  if (!stepper.ran_out()) {
    if (total.status == StepStatus::ok && halvings_ > 0) --halvings_;
    return total;
  }
  total.is_cut_short = true;
  const bool can_go_on = total.advanced > 0 || halvings_ < options_.max_halvings;
  if (total.advanced == 0 && can_go_on) ++halvings_;
  total.status = can_go_on ? StepStatus::substepped : StepStatus::failed;
  total.explanation = fmt::format(
      "the frame's budget of {:.4g} ms was used up at t = {:.6g} s, {:.3g} s before its end{}{}", 1e3 * budget_,
      state_.time, options_.frame - total.advanced, stepper.last_failure().empty() ? "" : ": ", stepper.last_failure());
  return total;
}

FrameReport RealtimeLoop::frame() {
  const Clock::time_point begin = Clock::now();
  if (timings_.work.empty()) due_ = begin;
  std::vector<Request> requests;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(requests_);
  }
  for (const Request& request : requests) request.change(state_);
  system_.follow(state_);
  const FrameReport report = take_steps();
  const Clock::time_point end = Clock::now();
  const auto seconds = [&](Clock::time_point from) { return std::chrono::duration<double>(end - from).count(); };
  timings_.work.push_back(seconds(begin));
  timings_.delay.push_back(seconds(std::min(begin, due_)));
  if (timings_.delay.back() > options_.frame) ++timings_.late_frames;
  if (report.is_cut_short) ++timings_.short_frames;
  for (const Request& request : requests) timings_.latency.push_back(seconds(request.posted));
  const auto length = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.frame));
  due_ = std::max(due_ + length, end - length);
  return report;
}

void RealtimeLoop::wait() const { std::this_thread::sleep_until(due_); }

}  // namespace dashpot
