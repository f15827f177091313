// `dashpot realtime SCENE`: plays a scene at wall-clock pace and tells whether it holds its frame rate.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/units.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "realtime_trial.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct RealtimeCommand {
  std::string scene, rate = "60 Hz", seconds = "5 s", budget, late = "1 %";
  double factor = 2;
  std::vector<std::string> settings;
};

/// Values of the command line, checked: a number that cannot be used is bad input.
TrialOptions read_options(const RealtimeCommand& command, double& allowed) {
  OptionReader reader;
  TrialOptions options;
  options.rate = reader.quantity("--rate", command.rate, Quantity::frequency);
  options.seconds = reader.quantity("--seconds", command.seconds, Quantity::time);
  if (!command.budget.empty()) options.budget = reader.quantity("--budget", command.budget, Quantity::time);
  allowed = reader.quantity("--late", command.late, Quantity::ratio);
  options.factor = command.factor;
  reader.finish();
  std::vector<Problem> problems;
  const auto need = [&](bool holds, const char* option, const std::string& found, const char* expected) {
    if (!holds) problems.push_back({option, found, expected, ""});
  };
  need(options.rate >= 0.1 && options.rate <= 1e4, "--rate", command.rate, "0.1 Hz to 10 kHz");
  need(options.seconds > 0 && options.seconds <= 3600, "--seconds", command.seconds, "more than 0 s, at most 1 h");
  need(command.budget.empty() || (options.budget > 0 && options.budget <= 3600), "--budget", command.budget,
       "more than 0 s");
  need(allowed >= 0 && allowed <= 1, "--late", command.late, "0 % to 100 %");
  need(std::isfinite(options.factor) && options.factor >= 0, "--factor", fmt::format("{}", options.factor),
       "a finite number, 0 or more");
  if (!problems.empty()) throw Error(std::move(problems));
  return options;
}

struct Spread {
  double median = 0, most = 0, worst = 0;
  explicit Spread(const std::vector<double>& durations)
      : median(1e3 * RealtimeTimings::quantile(durations, 0.5)),
        most(1e3 * RealtimeTimings::quantile(durations, 0.95)),
        worst(1e3 * RealtimeTimings::quantile(durations, 1)) {}
  ordered_json json() const { return {{"median_ms", median}, {"p95_ms", most}, {"worst_ms", worst}}; }
  std::string text() const { return fmt::format("{:.2f} / {:.2f} / {:.2f}", median, most, worst); }
};

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double least(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

std::string report_text(const TrialResult& trial, const TrialOptions& options) {
  TextTable table({"real time", ""});
  const double period = 1e3 / options.rate;
  table.add({"frames done", fmt::format("{} of {}", trial.frames(), trial.frames_wanted)});
  table.add({fmt::format("frames late (over {:.4g} ms)", period), fmt::format("{}", trial.timings.late_frames)});
  if (trial.budget > 0) table.add({"frames cut short by the budget", fmt::format("{}", trial.timings.short_frames)});
  table.add({"frames a second", fmt::format("{:.2f} of {:.4g}", trial.rate(), options.rate)});
  table.add({"simulated / wall-clock time [s]", fmt::format("{:.3f} / {:.3f}", trial.simulated, trial.wall)});
  table.add({"latency, median / 95 % / worst [ms]", Spread(trial.timings.delay).text()});
  table.add({"work, median / 95 % / worst [ms]", Spread(trial.timings.work).text()});
  table.add({"steps a frame", fmt::format("{} of {:.4g} ms", trial.steps_per_frame, 1e3 * trial.step)});
  table.add({"iterations a frame, mean / least",
             fmt::format("{:.1f} / {:.0f}", mean(trial.iterations), least(trial.iterations))});
  table.add({"residual of the forces, median / worst",
             fmt::format("{:.2g} / {:.2g}", RealtimeTimings::quantile(trial.residuals, 0.5),
                         RealtimeTimings::quantile(trial.residuals, 1))});
  if (trial.change) {
    table.add({fmt::format("work of the frame that changed {} [ms]", fmt::join(trial.change->parameters, ", ")),
               fmt::format("{:.2f}", 1e3 * trial.change->work)});
    table.add({"from that request to its first picture [ms]", fmt::format("{:.2f}", 1e3 * trial.change->latency)});
  }
  table.add({"before the first frame [ms]", fmt::format("{:.1f}", 1e3 * trial.preparation)});
  return table.text();
}

ordered_json report_json(const CompiledScene& scene, const TrialResult& trial, const TrialOptions& options) {
  ordered_json json = {{"rate", options.rate},
                       {"budget_ms", 1e3 * trial.budget},
                       {"steps_per_frame", trial.steps_per_frame},
                       {"step_ms", 1e3 * trial.step},
                       {"frames_wanted", trial.frames_wanted},
                       {"frames", trial.frames()},
                       {"late", trial.timings.late_frames},
                       {"cut_short", trial.timings.short_frames},
                       {"missed", trial.missed},
                       {"rate_reached", trial.rate()},
                       {"simulated_s", trial.simulated},
                       {"wall_s", trial.wall},
                       {"latency", Spread(trial.timings.delay).json()},
                       {"work", Spread(trial.timings.work).json()},
                       {"iterations", {{"mean", mean(trial.iterations)}, {"least", least(trial.iterations)}}},
                       {"residual",
                        {{"median", RealtimeTimings::quantile(trial.residuals, 0.5)},
                         {"worst", RealtimeTimings::quantile(trial.residuals, 1)}}},
                       {"preparation_ms", 1e3 * trial.preparation},
                       {"damping", scene.dampings}};
  if (trial.change)
    json["change"] = {{"parameters", trial.change->parameters},
                      {"factor", options.factor},
                      {"frame", trial.change->frame},
                      {"work_ms", 1e3 * trial.change->work},
                      {"latency_ms", 1e3 * trial.change->latency},
                      {"factorizations", trial.change->factorizations}};
  return json;
}

/// Where the scene ends before the trial would, or cannot do what was asked for.
void fit_to_scene(const SceneSpec& spec, const RealtimeCommand& command, TrialOptions& options,
                  const Console& console) {
  if (options.budget > 0 && !spec.projective)
    throw Error(Problem{
        "--budget", fmt::format("a budget for {}, whose stages are solved by Newton's method", command.scene),
        "a scene solved by projective dynamics", "add \"solver\": {\"projective\": {}} to it, or leave --budget out"});
  if (options.seconds <= spec.time.end * (1 + 1e-9)) return;
  options.seconds = spec.time.end;
  console.message(fmt::format("the scene ends after {}", describe_quantity(spec.time.end, Quantity::time, 3)));
}

int realtime(const RealtimeCommand& command, const Console& console) {
  double allowed = 0;
  TrialOptions options = read_options(command, allowed);
  SceneSpec spec = load_scene_file(command.scene, read_overrides(command.settings), console);
  fit_to_scene(spec, command, options, console);
  const std::optional<CompiledScene> scene = compile_with_progress(std::move(spec), console);
  if (!scene) return exit_interrupted;
  announce_damping(*scene, console);
  if (scene->dampings.empty()) console.message("live change: none, the scene has no damping");

  Progress progress(console, "real time", options.seconds, "s");
  const TrialResult trial =
      play(*scene, options, interrupted, [&](int frames) { progress.update(frames / options.rate); });
  progress.finish();
  const bool is_over = trial.frames() == trial.frames_wanted, held = trial.is_held(allowed);
  const int code = !trial.failure.empty() ? exit_diverged
                   : !is_over             ? exit_interrupted
                   : held                 ? exit_ok
                                          : exit_target_missed;
  console.print(report_text(trial, options));
  ordered_json json = {{"input", input_stamp(command.scene)}, {"held", held && is_over}, {"interrupted", code == 130}};
  json.update(report_json(*scene, trial, options));
  if (!trial.failure.empty()) json["failure"] = trial.failure;
  console.print_json(json);
  if (code == exit_diverged) console.error("diverged: " + trial.failure);
  if (code == exit_interrupted) console.message("interrupted: the report is of the frames so far");
  if (code == exit_ok) console.message(fmt::format("{:.4g} frames a second are held on this machine", options.rate));
  if (code == exit_target_missed)
    console.message(
        fmt::format("{:.4g} frames a second are not held: {} of {} frames are late or cut short, {:.3g} % "
                    "may be (--late)",
                    options.rate, trial.missed, trial.frames(), 100 * allowed));
  return code;
}

}  // namespace

void setup_realtime(CLI::App& app, Session& session) {
  auto o = std::make_shared<RealtimeCommand>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  app.add_option("--rate", o->rate, "Frames a second; each takes steps no longer than the scene's dt")
      ->capture_default_str()
      ->type_name("F");
  app.add_option("--seconds", o->seconds, "How long to play, at most to the end of the scene")
      ->capture_default_str()
      ->type_name("T");
  app.add_option("--budget", o->budget,
                 "Time a frame may take: projective dynamics ends its iterations in time; default: the scene's")
      ->type_name("T");
  app.add_option("--factor", o->factor, "What the first damping is multiplied by half way")->capture_default_str();
  app.add_option("--late", o->late, "Share of the frames that may be late before the rate counts as not held")
      ->capture_default_str()
      ->type_name("SHARE");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot realtime scenes/penguin_bounce.json --rate 60 --budget '12 ms'");
  app.callback([o, &session] { session.action = [o, &session] { return realtime(*o, session.console); }; });
}

}  // namespace dashpot::cli
