#include "dashpot/design/release.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dashpot::design {
namespace {

constexpr double overdamped_after = 3;  // periods without passing zero
constexpr double gives_up_after = 20;   // periods without completing a swing

/// The share of one example, with its rate.
struct Reading {
  double time = 0, chi = 0, rate = 0;
};

/// The turning point of the cubic through two readings between which the rate changes sign.
Reading turning_point(const Reading& a, const Reading& b) {
  const double h = b.time - a.time;
  // d/ds of the Hermite cubic, s in [0, 1]: A s^2 + B s + C.
  const double A = 3 * (2 * a.chi - 2 * b.chi + h * (a.rate + b.rate));
  const double B = 2 * (-3 * a.chi + 3 * b.chi - h * (2 * a.rate + b.rate));
  const double C = h * a.rate;
  const double root = std::sqrt(std::max(0.0, B * B - 4 * A * C));
  // C and A + B + C have opposite signs, so exactly one root is inside; this form of it does not cancel.
  const double q = -0.5 * (B + std::copysign(root, B));
  double s = q != 0 ? C / q : 0;
  if (!(s >= 0 && s <= 1)) s = A != 0 ? q / A : 0;
  s = std::clamp(s, 0.0, 1.0);
  const double chi = a.chi * (2 * s * s * s - 3 * s * s + 1) + h * a.rate * (s * s * s - 2 * s * s + s) +
                     b.chi * (3 * s * s - 2 * s * s * s) + h * b.rate * (s * s * s - s * s);
  return {a.time + s * h, chi, 0};
}

class Follower {
 public:
  Follower(const ReleaseOptions& options, Swing& swing) : options_(options), swing_(swing) {}

  /// Notes a reading; true when the test is over.
  bool add(const Reading& now) {
    const Reading before = last_;
    last_ = now;
    swing_.time.push_back(now.time);
    swing_.chi.push_back(now.chi);
    if (swing_.time.size() == 1) return false;
    if (before.chi * now.chi < 0) ++crossings_;
    if (before.rate * now.rate < 0 && swing_.time.size() > 2) note_turn(turning_point(before, now));
    if (options_.duration > 0) return now.time >= options_.duration * (1 - 1e-12);
    if (swing_.end == Swing::End::turned) return true;
    if (crossings_ == 0 && now.time > overdamped_after * swing_.period) swing_.end = Swing::End::overdamped;
    if (now.time > gives_up_after * swing_.period) swing_.end = Swing::End::overdamped;
    return swing_.end == Swing::End::overdamped;
  }

 private:
  void note_turn(const Reading& turn) {
    swing_.peak_time.push_back(turn.time);
    swing_.peak.push_back(std::abs(turn.chi));
    if (crossings_ < 2 || swing_.end == Swing::End::turned) return;
    swing_.end = Swing::End::turned;
    swing_.residual = std::abs(turn.chi);
    swing_.swing_time = turn.time;
  }

  const ReleaseOptions& options_;
  Swing& swing_;
  Reading last_;
  int crossings_ = 0;
};

}  // namespace

Swing release(const Designable& body, const Gains& gains, const ReleaseOptions& options) {
  const std::shared_ptr<const System> system = body.with_gains(gains);
  const ExampleShares shares(*system, body.shapes);
  const std::unique_ptr<Stepper> stepper = body.make_stepper();
  Workspace workspace = system->make_workspace();
  State state = system->initial_state();
  const Vector origin = body.origin.size() > 0 ? body.origin : system->rest();
  state.q = origin + options.amplitude * body.shapes.col(options.example);
  system->prescribe(state.time, &state.q, nullptr, nullptr);

  Swing swing;
  const auto fail = [&](std::string why) {
    swing.end = Swing::End::failed;
    swing.explanation = std::move(why);
    return swing;
  };
  if (!make_consistent(*system, state, workspace) || !state.is_finite())
    return fail("forces are not finite at the release; the example is too large at this amplitude");
  const auto reading = [&] {
    return Reading{state.time, shares(state.q - origin)[options.example], shares(state.v)[options.example]};
  };
  const double pull = -shares(state.a)[options.example] / reading().chi;
  if (!(pull > 0)) return fail("let go, the body does not swing back along the example");
  swing.period = 2 * std::numbers::pi / std::sqrt(pull);
  swing.end = Swing::End::out_of_time;

  Follower follower(options, swing);
  for (bool is_over = follower.add(reading()); !is_over; is_over = follower.add(reading())) {
    if (options.should_stop && options.should_stop()) {
      swing.end = Swing::End::stopped;
      return swing;
    }
    const StepReport report = advance(*stepper, *system, state, workspace, body.dt);
    if (report.status == StepStatus::failed) return fail(report.explanation);
  }
  return swing;
}

}  // namespace dashpot::design
