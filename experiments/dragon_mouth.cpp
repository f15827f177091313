#include "dragon_mouth.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/design/scene_design.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::dragon {
namespace {

constexpr double pull = 90;               // [N]
constexpr double default_beta = 0.3;      // [s]; nothing swings
const Vec3 down_and_back(0, -0.9, -0.4);  // direction of the pull at the jaw, about one long

std::string pulled(double share) {
  const Vec3 force = share * pull * down_and_back;
  return fmt::format(
      R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"sphere": {{"center": [0, 0.1, 0.14], "radius": 0.05}}}}, "force": [{:g}, {:g}, {:g}]}}]}})",
      force.x(), force.y(), force.z());
}

/// The open mouth is the example.
std::string example(const std::string& gain) {
  return fmt::format(
      R"({{"model": "example_based", "over": {}, "examples": [{{"name": "open mouth", "shape": {}, {}}}]}})",
      rayleigh(0, default_beta), pulled(1), gain);
}
/// Amplitudes at the camera's pictures, as the design reads them.
std::string table_of(const Setup& setup, const std::vector<double>& amplitudes) {
  std::string table = "time,amplitude\n";
  for (std::size_t i = 0; i < amplitudes.size(); ++i)
    table += fmt::format("{:.6f},{:.6f}\n", setup.picture(static_cast<int>(i) + 1), amplitudes[i]);
  return table;
}

/// What a linear, massless body would need: chi' = -chi / (gamma beta) along the recovery asked for.
math::GainCurve first_guess() {
  std::vector<math::GainCurve::Point> points;
  for (const double chi : knots) points.push_back({chi, 2 * tau * -std::log(chi) / default_beta});
  return math::GainCurve::through(points, math::GainCurve::Kind::linear);
}

/// A gain curve for which the share of the example follows a table, from a first guess.
Designed design_gain(const ReproductionRequest& request, const Setup& setup, const std::string& table,
                     const std::string& guess) {
  write_file_atomically(request.folder + "/recovery.csv", table);
  const std::string target = fmt::format(
      R"({{"targets": [{{"example": "open mouth", "from": 1, "envelope": "recovery.csv", "knots": [{:g}]}}]}})",
      fmt::join(knots, ", "));
  const std::string text = scene_text(setup, guess, 1, {{"/design", target}});
  write_file_atomically(request.folder + "/scene_design.json", text);
  const auto task = design::make_design_task(parse_scene(text, "scene_design.json", request.folder));
  task->envelopes.at(0).tolerance = setup.tolerance;
  Progress progress(request.console, "designing", 50, "simulations");
  task->options.should_stop = interrupted;
  task->options.on_simulation = [&](const design::UnloadingTarget&, int simulations, double, double) {
    progress.update(std::min(49, simulations));
  };
  const design::DesignOutcome found = design::run_design(*task);
  progress.finish();
  Designed designed;
  if (found.stopped) return designed;
  designed = {found.gains.at(0), found.simulations, found.envelopes.at(0).rms_error};
  return designed;
}

}  // namespace

std::string rayleigh(double alpha, double beta) {
  return fmt::format(R"({{"model": "rayleigh", "alpha": {:.6g}, "beta": {:.6g}, "stiffness": "rest"}})", alpha, beta);
}
std::string along(const math::GainCurve& gain) {
  std::string points;
  for (const math::GainCurve::Point& point : gain.knots())
    points += fmt::format("{}[{:g}, {:.6g}]", points.empty() ? "" : ", ", point.x, point.gamma);
  return example(fmt::format(R"("curve": [{}], "interpolation": "{}")", points, to_string(gain.kind())));
}
std::string constant(double gain) { return example(fmt::format(R"("gamma": {:.6g})", gain)); }

std::string scene_text(const Setup& setup, const std::string& damping, double share,
                       const std::vector<SceneChange>& more) {
  std::vector<SceneChange> changes{{"/time/dt", 1 / setup.rate},
                                   {"/time/end", setup.end},
                                   {"/bodies/0/mesh/shape/tets", setup.tets},
                                   {"/bodies/0/damping", list_of(damping)},
                                   {"/bodies/0/start", pulled(share)}};
  changes.insert(changes.end(), more.begin(), more.end());
  return scene_file("dragon_mouth", changes);
}

std::vector<double> Recovery::opening() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < motion.time.size(); ++i)
    values.push_back((motion.probes[0][i] - motion.probes[1][i]).dot(down_and_back.normalized()));
  return values;
}

double Recovery::error(double from, double until) const {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i] >= from && time[i] <= until + 1e-9) sum += std::pow(share[i] - recovery(time[i]), 2), ++count;
  return count > 0 ? of_complete(motion, std::sqrt(sum / count)) : not_measured;
}

double Recovery::error_against(const std::vector<double>& wanted) const {
  if (wanted.empty() || wanted.size() != share.size()) return not_measured;
  double sum = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) sum += std::pow(share[i] - wanted[i], 2);
  return of_complete(motion, std::sqrt(sum / static_cast<double>(wanted.size())));
}

std::vector<double> asked_shares(const Setup& setup) {
  std::vector<double> shares;
  for (int i = 1; i <= setup.num_pictures(); ++i) shares.push_back(recovery(setup.picture(i)));
  return shares;
}

double Recovery::at(double wanted) const {
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i] >= wanted - 1e-9) return share[i];
  return not_measured;
}

double Recovery::half_time() const {
  const std::vector<double> values = opening();
  if (values.empty()) return not_measured;
  const double half = 0.5 * values.front();
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] <= half)
      return motion.time[i - 1] +
             (motion.time[i] - motion.time[i - 1]) * (values[i - 1] - half) / (values[i - 1] - values[i]);
  return not_measured;
}

Recovery record(const ReproductionRequest& request, const Setup& setup, const std::string& name,
                const std::string& text, const std::string& file) {
  Recovery recovery{run_scene(request, name, text, file), {}, {}};
  const std::vector<double> values = recovery.opening();
  const int every = static_cast<int>(std::lround(setup.rate / setup.camera));
  for (std::size_t i = static_cast<std::size_t>(every); i < values.size(); i += static_cast<std::size_t>(every)) {
    recovery.time.push_back(recovery.motion.time[i]);
    recovery.share.push_back(values[i] / values[0]);
  }
  return recovery;
}

RecordedRun exaggerated(const RecordedRun& motion, double factor) {
  RecordedRun larger;
  larger.name = motion.name;
  larger.recording = motion.recording;
  std::vector<Vec3> rest;
  motion.scene.system->kinematics().positions(motion.scene.system->rest(), rest);
  for (Frame& frame : larger.recording.frames)
    for (std::size_t i = 0; i < rest.size(); ++i) frame.points[i] = rest[i] + factor * (frame.points[i] - rest[i]);
  return larger;
}

/// The design follows the share of the example in the whole displacement, the camera sees the opening of the mouth;
/// they are nearly the same, and how they differ depends little on the gains. So the table asked of the share is moved
/// by what the opening was off.
Designed design_opening(const ReproductionRequest& request, const Setup& setup, const std::vector<double>& wanted) {
  std::vector<double> asked;  // may only fall, and not to nothing
  for (const double share : wanted) asked.push_back(std::clamp(share, 1e-3, asked.empty() ? 1.0 : asked.back()));
  Designed best;
  double lowest = 1e9;
  std::string guess = along(first_guess());
  int simulations = 0;
  for (int round = 0; round < setup.rounds && !interrupted(); ++round) {
    const Designed designed = design_gain(request, setup, table_of(setup, asked), guess);
    if (interrupted()) break;
    guess = along(designed.gain);
    simulations += designed.simulations + 1;
    const Recovery seen = record(request, setup, "designed", scene_text(setup, guess));
    const double error = seen.error_against(wanted);
    request.console.detail(fmt::format("round {}: opening off by {:.3g} %, share by {:.3g} %", round + 1, 100 * error,
                                       100 * designed.share_error));
    if (error < lowest) lowest = error, best = designed;
    for (std::size_t i = 0; i < asked.size() && i < seen.share.size(); ++i)
      asked[i] = std::clamp(asked[i] + wanted[i] - seen.share[i], 1e-3, i > 0 ? asked[i - 1] : 1.0);
  }
  best.simulations = simulations;
  return best;
}

Linear search_linear(const ReproductionRequest& request, const Setup& setup) {
  const auto gain_error = [&](double from, double until) {
    return [&, from, until](const std::vector<double>& x) {
      return record(request, setup, fmt::format("linear, gain {:.3g}", x[0]), scene_text(setup, constant(x[0])))
          .error(from, until);
    };
  };
  const auto rayleigh_error = [&](const std::vector<double>& x) {
    return record(request, setup, fmt::format("Rayleigh {:.3g} /s, {:.3g} s", x[0], x[1]),
                  scene_text(setup, rayleigh(x[0], x[1])))
        .error();
  };
  Linear linear;
  linear.gain = compass_search(gain_error(0, 1e9), {1}, 0.4, setup.precision);
  if (request.variant == ReproductionVariant::quick || interrupted()) return linear;
  linear.at_first = compass_search(gain_error(0, 0.1), {linear.gain.x[0] / 3}, 0.2, setup.precision);
  linear.at_last = compass_search(gain_error(0.5, 1e9), {linear.gain.x[0] * 3}, 0.2, setup.precision);
  // From both ends: damping by stiffness (which the gain has found already) and by mass.
  linear.rayleigh = compass_search(rayleigh_error, {1, default_beta * linear.gain.x[0]}, 0.4, setup.precision);
  const Lowest other = compass_search(rayleigh_error, {600, 0.05}, 0.4, setup.precision);
  const int evaluations = linear.rayleigh.evaluations + other.evaluations;
  if (other.value < linear.rayleigh.value) linear.rayleigh = other;
  linear.rayleigh.evaluations = evaluations;
  return linear;
}

}  // namespace dashpot::cli::dragon
