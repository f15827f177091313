#include "koala_rides.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/design/designable.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "dashpot/scene/simulate.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_files.hpp"
#include "step_timing.hpp"

namespace dashpot::cli::rides {
namespace {

/// The largest amplitude within half a hertz.
double amplitude_near(const Played& run, const std::vector<double>& share, double frequency) {
  double most = 0;
  for (int i = -5; i <= 5; ++i) most = larger(most, run.amplitude(share, frequency + 0.1 * i));
  return most;
}

design::ExampleShares shares_in(const System& system) {
  for (const auto& term : system.dissipations())
    if (const auto* examples = dynamic_cast<const ExampleBased*>(term.get())) {
      Matrix shapes(system.num_dofs(), static_cast<Eigen::Index>(examples->examples().size()));
      for (std::size_t i = 0; i < examples->examples().size(); ++i)
        shapes.col(static_cast<Eigen::Index>(i)) = examples->shape(i);
      return {system, shapes};
    }
  throw Error(Problem{"A-rig", "no examples in the reduced koala", "four"});
}

/// What dampings took: in all, and the least over a step.
void measure_losses(const RunResult& run, Played& played) {
  for (const std::string& name : run.ledger.columns_beginning("damping.")) {
    const std::vector<double>& taken = run.ledger.column(name);
    for (std::size_t i = 1; i < taken.size(); ++i)
      played.worst_power = smaller(played.worst_power, taken[i] - taken[i - 1]);
    played.taken += taken.back();
  }
}

/// A seat that moves rigidly, or three bones in seat, back and head.
KoalaDrive drive_of(const Ride& ride, const ReproductionRequest& request) {
  KoalaDrive drive;
  drive.moves = true;
  if (!ride.has_skeleton) {
    drive.pins = fmt::format(R"([{{"where": {{"region": "seat"}}, "motion": {}}}])", ride.motion);
    return drive;
  }
  write_file_atomically(request.folder + "/" + ride.name + ".skeleton.json", ride.motion);
  drive.pins = fmt::format(
      R"([{{"where": {{"any": [{{"region": "seat"}}, {{"region": "back"}}, {{"sphere": {{"center": [0, 0.27, 0], "radius": "6 cm"}}}}]}},
      "motion": {{"skeleton": {{"file": "{}.skeleton.json", "blend": "4 cm"}}}}}}])",
      ride.name);
  drive.is_reduced = false;
  drive.side_mode = 2, drive.up_down_mode = 1;
  return drive;
}

std::optional<Played> play(const Ride& ride, bool designed, const KoalaSize& size, const ReproductionRequest& request) {
  const std::string text = sitting_koala(size, "", drive_of(ride, request), designed ? koala_forward : koala_default);
  const std::string file = fmt::format("{}_{}", ride.name, designed ? "designed" : "rayleigh");
  write_file_atomically(request.folder + "/scene_" + file + ".json", text);
  std::optional<CompiledScene> scene =
      compile(parse_scene(text, file, request.folder), precompute_hooks(request.console));
  if (!scene) return std::nullopt;
  const System& still = scene->reduced ? *scene->reduced->system : *scene->system;
  const design::ExampleShares shares = shares_in(still);
  const Vector start = shares(scene->start.q.head(still.num_dofs()));
  Played played;
  played.name = designed ? "designed" : "Rayleigh";
  RunHooks hooks;
  hooks.should_stop = interrupted;
  hooks.on_record = [&](const State& state) {
    const Vector chi = shares(state.q.head(still.num_dofs())) - start;
    played.time.push_back(state.time);
    played.side.push_back(chi[0]);
    played.up_down.push_back(chi[1]);
  };
  const std::string folder = request.folder + "/run_" + file;
  RunResult run = simulate_into(folder, *scene, hooks);
  if (interrupted()) return std::nullopt;
  const RunCounters& counters = run.counters;
  played.steps_per_s = static_cast<double>(counters.steps) / std::max(1e-9, counters.wall_seconds);
  measure_losses(run, played);
  played.is_complete = run.status == RunStatus::finished;
  fetch_frames(folder, run);
  played.recording = std::move(run.recording);
  played.system = scene->system;
  played.start = scene->start;
  played.dt = scene->run.dt;
  request.console.message(fmt::format("{}, {}: {:.0f} steps/s, {} Newton iterations in {} steps", ride.name,
                                      played.name, played.steps_per_s, counters.newton_iterations, counters.steps));
  return played;
}

/// Times the designed ride while the seat moves (step_timing.hpp).
void time_steps(Pair& pair, int repeats) {
  std::vector<TimedBody> body;
  body.emplace_back(pair.designed.system, pair.designed.start, NewtonOptions{});
  time_in_turn(body, pair.designed.dt, static_cast<int>(ride_end / pair.designed.dt) - 2, repeats);
  pair.steps_per_s = 1000 / body[0].milliseconds();
  pair.median_steps_per_s = 1000 / body[0].median_milliseconds();
}

}  // namespace

const std::vector<Ride>& all_rides() {
  static const std::vector<Ride> all = {
      {"jumps",
       R"({"keyframes": {"keys": [{"time": 0.1}, {"time": 0.4, "translate": [0.02, 0.35, 0], "rotate": [0, 0, "-5 deg"]},
        {"time": 0.65}, {"time": 0.75}, {"time": 1.05, "translate": [-0.02, 0.35, 0], "rotate": [0, 0, "5 deg"]}, {"time": 1.3}, {"time": 1.4}]}})",
       {0.4, 0.7, 1.3, 1.8}},
      {"swings",
       R"({"keyframes": {"keys": [{"time": 0.1}, {"time": 0.35, "translate": [0.12, 0, 0]},
        {"time": 0.7, "translate": [-0.12, 0.03, 0]}, {"time": 1.05, "translate": [0.12, 0, 0]}, {"time": 1.3}]}})",
       {0.35, 0.7, 1.05, 1.8}},
      {"turns",
       R"({"keyframes": {"keys": [{"time": 0.1}, {"time": 0.45, "rotate": [0, "70 deg", "15 deg"]},
        {"time": 0.9, "rotate": ["-20 deg", "-60 deg", "-20 deg"], "translate": [0.05, 0.1, 0]}, {"time": 1.4}]}})",
       {0.45, 0.65, 0.9, 1.8}}};
  return all;
}

const Ride& skeleton_ride() {
  static const Ride ride = {"dances",
                            R"({
  "dashpot_skeleton": 1,
  "joints": [
    {"name": "pelvis", "at": [0, 0.02, 0], "tail": [0, 0.06, -0.04]},
    {"name": "chest", "parent": "pelvis", "at": [0, 0.10, -0.06], "tail": [0, 0.18, -0.06]},
    {"name": "head", "parent": "chest", "at": [0, 0.21, -0.01], "tail": [0, 0.30, 0.01]}
  ],
  "tracks": [
    {"joint": "pelvis", "times": [0, 0.1, 0.4, 0.65, 0.75, 1.05, 1.3, 3],
     "translate": [[0, 0, 0], [0, 0, 0], [0.03, 0.25, 0], [0, 0, 0], [0, 0, 0], [-0.03, 0.25, 0], [0, 0, 0], [0, 0, 0]],
     "euler": [[0, 0, 0], [0, 0, 0], [0, 15, -5], [0, 0, 0], [0, 0, 0], [0, -15, 5], [0, 0, 0], [0, 0, 0]]},
    {"joint": "chest", "times": [0, 0.1, 0.35, 0.7, 1.05, 1.35, 3],
     "euler": [[0, 0, 0], [0, 0, 0], [12, 0, 10], [-8, 0, -12], [12, 0, 10], [0, 0, 0], [0, 0, 0]]},
    {"joint": "head", "times": [0, 0.15, 0.4, 0.8, 1.1, 1.4, 3],
     "euler": [[0, 0, 0], [0, 0, 0], [10, 30, 0], [-10, -35, 0], [10, 30, 5], [0, 0, 0], [0, 0, 0]]}
  ]
}
)",
                            {0.4, 0.7, 1.05, 1.8},
                            true};
  return ride;
}

double Played::amplitude(const std::vector<double>& share, double frequency, double from, double to) const {
  if (!is_complete) return not_measured;
  std::complex<double> sum = 0;
  double weights = 0, mean = 0;
  const auto weight = [&](std::size_t i) {
    return time[i] < from || time[i] > to ? 0 : 0.5 - 0.5 * std::cos(2 * M_PI * (time[i] - from) / (to - from));
  };
  for (std::size_t i = 0; i < time.size(); ++i) weights += weight(i), mean += weight(i) * share[i];
  for (std::size_t i = 0; i < time.size(); ++i)
    sum += weight(i) * (share[i] - mean / weights) * std::polar(1.0, 2 * M_PI * frequency * time[i]);
  return 2 * std::abs(sum) / weights;
}

double Pair::side(const Played& run) const { return amplitude_near(run, run.side, setup.side_frequency); }
double Pair::up_down(const Played& run) const { return amplitude_near(run, run.up_down, setup.up_down_frequency); }

double Pair::side_decay(const Played& run) const {
  const double middle = 0.5 * (ride_end + run_end);
  return std::log(run.amplitude(run.side, setup.side_frequency, ride_end, middle) /
                  run.amplitude(run.side, setup.side_frequency, middle, run_end)) /
         (middle - ride_end);
}

std::optional<Pair> ride_twice(const ReproductionRequest& request, const Ride& ride, const Setup& setup, int repeats) {
  std::optional<Played> rayleigh = play(ride, false, setup.size, request);
  std::optional<Played> designed = rayleigh ? play(ride, true, setup.size, request) : std::nullopt;
  if (!designed) return std::nullopt;
  Pair pair{&ride, std::move(*rayleigh), std::move(*designed), setup};
  time_steps(pair, repeats);
  if (interrupted()) return std::nullopt;
  return pair;
}

}  // namespace dashpot::cli::rides
