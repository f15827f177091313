#include "step_timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "interrupt.hpp"

namespace dashpot::cli {

TimedBody::TimedBody(std::shared_ptr<const System> system, State start, const NewtonOptions& newton)
    : TimedBody(std::move(system), std::move(start),
                dashpot::make_stepper(Integrator("bathe"), newton, LinearSolverOptions{})) {}

TimedBody::TimedBody(std::shared_ptr<const System> system, State start, std::unique_ptr<Stepper> stepper)
    : system_(std::move(system)),
      start_(std::move(start)),
      state_(start_),
      workspace_(system_->make_workspace()),
      stepper_(std::move(stepper)) {}

std::vector<double> TimedBody::each_milliseconds() const {
  std::vector<double> fastest;
  for (const std::vector<double>& step : repeats_) fastest.push_back(*std::min_element(step.begin(), step.end()));
  return fastest;
}

double TimedBody::milliseconds() const {
  if (failed_ || repeats_.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> fastest = each_milliseconds();
  return std::accumulate(fastest.begin(), fastest.end(), 0.0) / count();
}

double TimedBody::median_milliseconds() const {
  if (failed_ || repeats_.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (std::vector<double> step : repeats_) {
    std::nth_element(step.begin(), step.begin() + static_cast<std::ptrdiff_t>(step.size() / 2), step.end());
    sum += step[step.size() / 2];
  }
  return sum / count();
}

void TimedBody::restart() {
  state_ = start_;
  newton_iterations_ = linear_iterations_ = 0;
}

void TimedBody::step(double dt, int index) {
  const auto start = std::chrono::steady_clock::now();
  const StepReport report = stepper_->step(*system_, state_, workspace_, dt);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  failed_ |= report.status == StepStatus::failed;
  if (index < 0) return;
  const std::size_t i = static_cast<std::size_t>(index);
  if (i == repeats_.size()) repeats_.emplace_back();
  repeats_[i].push_back(ms);
  newton_iterations_ += report.newton_iterations;
  linear_iterations_ += report.linear_iterations;
}

void time_in_turn(std::vector<TimedBody>& bodies, double dt, int steps, int repeats) {
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (TimedBody& body : bodies) body.restart();
    for (int i = -2; i < steps; ++i)
      for (TimedBody& body : bodies) {
        if (interrupted()) return;
        body.step(dt, i);
      }
  }
}

}  // namespace dashpot::cli
