// `dashpot measure`: frequency and damping of a recorded run or of a measurement (CSV or C3D), freely ringing or
// driven.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/csv.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/record/run_folder.hpp"
#include "exit_codes.hpp"
#include "measure_text.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct MeasureOptions {
  std::string input, column, time, rate, from, to, force, frequency, sweep, report, folder;
  std::vector<std::string> markers, base;
  int max_modes = 5;
};

/// RUN_DIR means the probes recorded there.
std::string signal_file(const std::string& input) {
  if (!std::filesystem::is_directory(input)) return input;
  const std::string probes = input + "/probes.csv";
  if (std::filesystem::exists(probes)) return probes;
  if (std::filesystem::exists(probes + ".partial"))
    throw Error(Problem{input, "the run in this folder is not finished", "probes.csv",
                        fmt::format("Finish it with 'dashpot run SCENE --out {} --resume'", input)});
  throw Error(Problem{input, "no probes.csv in this folder", "a folder written by 'dashpot run'",
                      "Name a CSV file, or add \"probes\" to the scene's \"record\" and run it again"});
}

/// A recorded signal and where it came from.
struct MeasuredSignals {
  std::string file;
  Table table;
  Table loads;               ///< of a run that has some
  std::vector<double> time;  ///< [s]
  analysis::MeasuredSignal signal;
};

MeasuredSignals read_signals(const MeasureOptions& options, double rate) {
  MeasuredSignals recording;
  recording.file = signal_file(options.input);
  if (recording.file == options.input) {
    recording.table = analysis::read_measurement(recording.file);
  } else {
    RunResult run = read_run(options.input, false);
    recording.table = std::move(run.probes);
    recording.loads = std::move(run.loads);
  }
  recording.time = analysis::measured_times(recording.table, {options.time, rate});
  analysis::SignalRequest request{options.column, options.markers, options.base};
  if (request.column.empty() && request.markers.empty())
    request.column = recording.table.columns[recording.table.liveliest()];
  recording.signal = analysis::measured_signal(recording.table, request);
  return recording;
}

/// Every half cycle: when, how large, how damped, how fast. What `dashpot design` takes as a measured envelope.
std::string envelope_csv(const analysis::RingDown& ring, const std::string& unit) {
  const std::string amplitude = unit.empty() ? "amplitude" : fmt::format("amplitude [{}]", unit);
  std::string text = csv_line(std::vector<std::string>{"time [s]", amplitude, "zeta", "frequency [Hz]"});
  for (const analysis::RingCycle& cycle : ring.cycles)
    text += csv_line(std::vector<double>{cycle.time, cycle.amplitude, cycle.zeta, cycle.frequency});
  return text;
}

int measure_ringing(const MeasureOptions& options, const MeasuredSignals& recording,
                    const analysis::RingDownOptions& range, const Console& console) {
  const analysis::RingDown ring = analysis::measure_ring_down(recording.time, recording.signal.value, range);
  const auto& [value, name, unit] = recording.signal;
  console.print(fmt::format("{} in {}\n{}", console.bold(name), recording.file, ring_text(ring, unit)));
  for (const auto flag : ring.flags) console.warning(flag_text(flag));
  ordered_json json = {{"input", input_stamp(recording.file)}, {"column", name}, {"unit", unit}, {"kind", "ring-down"}};
  json.update(ring_json(ring));
  console.print_json(json);
  if (!options.folder.empty()) {
    const FolderLock lock = hold_output_folder(options.folder, console);
    write_file_atomically(options.folder + "/envelope.csv", envelope_csv(ring, unit));
    write_file_atomically(options.folder + "/measure.json", json.dump(2) + "\n");
    console.message(fmt::format("{0}/envelope.csv has every half cycle, {0}/measure.json all numbers", options.folder));
  }
  if (!options.report.empty()) {
    render::Report report = ring_report(ring, name, unit, recording.time, value);
    report.provenance = {{"command", fmt::format("dashpot measure {} --report {}", options.input, options.report)},
                         {"file", recording.file},
                         {"hash", input_stamp(recording.file).at("hash").get<std::string>()}};
    write_file_atomically(options.report, render::to_html(report));
    console.message("report: " + options.report);
  }
  return exit_ok;
}

/// The force column of the recording; of a run, also a column of its loads.
std::vector<double> force_column(const MeasureOptions& options, const MeasuredSignals& recording) {
  const bool from_loads = recording.file != options.input && options.force.rfind("load.", 0) == 0;
  if (!from_loads) return recording.table.column(options.force);
  std::vector<double> force = recording.loads.column(options.force);
  force.resize(recording.time.size());
  return force;
}

/// The stretch of the recording that was asked for, as plain columns.
struct DrivenMotion {
  std::vector<double> time, force, displacement;
};

DrivenMotion driven_motion(const MeasureOptions& options, const MeasuredSignals& recording,
                           const analysis::RingDownOptions& range) {
  DrivenMotion motion;
  const std::vector<double> all_force = force_column(options, recording);
  for (std::size_t row = 0; row < recording.time.size(); ++row) {
    if (recording.time[row] < range.start || recording.time[row] > range.end) continue;
    motion.time.push_back(recording.time[row]);
    motion.force.push_back(all_force[row]);
    motion.displacement.push_back(recording.signal.value[row]);
  }
  return motion;
}

int measure_driven(const MeasureOptions& options, const MeasuredSignals& recording, double frequency,
                   const analysis::RingDownOptions& range, const Console& console) {
  const auto [time, force, displacement] = driven_motion(options, recording, range);
  if (!(frequency > 0)) frequency = analysis::find_drive_frequency(time, force);
  const analysis::ForcedResponse response = analysis::measure_forced(time, force, displacement, frequency);
  console.print(fmt::format("{} driven by {} in {}\n{}", console.bold(recording.signal.name), options.force,
                            recording.file, forced_text(response)));
  ordered_json json = {{"input", input_stamp(recording.file)},
                       {"column", recording.signal.name},
                       {"force", options.force},
                       {"kind", "forced"}};
  json.update(forced_json(response));
  console.print_json(json);
  return exit_ok;
}

/// Frequency response from a knock or a chirp, and the resonance in the range [Hz].
int measure_sweep(const MeasureOptions& options, const MeasuredSignals& recording, const std::vector<double>& band,
                  const analysis::RingDownOptions& range, const Console& console) {
  auto [time, force, displacement] = driven_motion(options, recording, range);
  if (displacement.empty()) throw Error(Problem{recording.file, "no samples in this range", "a knock or a chirp", ""});
  const double rest = displacement.front();  // positions become displacements: the motion begins at rest
  for (double& value : displacement) value -= rest;
  constexpr int num_frequencies = 400;
  std::vector<double> frequencies;
  for (int i = 0; i < num_frequencies; ++i)
    frequencies.push_back(band[0] + (band[1] - band[0]) * i / (num_frequencies - 1));
  const std::vector<analysis::FrfPoint> response = analysis::frf_from_transient(time, force, displacement, frequencies);
  const analysis::ResonanceFit fit = analysis::fit_resonance(response);
  console.print(fmt::format("{} driven by {} in {}\n{}", console.bold(recording.signal.name), options.force,
                            recording.file, resonance_text(fit)));
  if (!fit.methods_agree)
    console.warning(
        "the three readings of the damping ratio differ by more than 10 %: narrow --sweep to one resonance, "
        "or record until the motion has died away");
  ordered_json json = {{"input", input_stamp(recording.file)},
                       {"column", recording.signal.name},
                       {"force", options.force},
                       {"kind", "frequency response"}};
  json.update(resonance_json(fit, response));
  console.print_json(json);
  if (!options.report.empty()) {
    write_file_atomically(options.report, render::to_html(resonance_report(fit, response, recording.signal.name)));
    console.message("report: " + options.report);
  }
  return exit_ok;
}

int measure(const MeasureOptions& options, const Console& console) {
  OptionReader reader;
  analysis::RingDownOptions range;
  range.max_modes = options.max_modes;
  if (!options.from.empty()) range.start = reader.quantity("--from", options.from, Quantity::time);
  if (!options.to.empty()) range.end = reader.quantity("--to", options.to, Quantity::time);
  const double rate = options.rate.empty() ? 0 : reader.quantity("--rate", options.rate, Quantity::frequency);
  const double frequency =
      options.frequency.empty() ? 0 : reader.quantity("--f", options.frequency, Quantity::frequency);
  std::vector<double> band;
  if (!options.sweep.empty()) {
    band = reader.list("--sweep", options.sweep, Quantity::frequency);
    if (band.size() != 2 || !(band[0] > 0 && band[1] > band[0]))
      reader.add_problem({"--sweep", fmt::format("'{}'", options.sweep), "two rising frequencies, '1 Hz,20 Hz'", ""});
    if (options.force.empty())
      reader.add_problem({"--sweep", "no --force", "the column of the driving force",
                          "of a run with loads it is load.x, load.y or load.z"});
  }
  if (!options.folder.empty() && !options.force.empty())
    reader.add_problem({"--out", "a forced motion", "a ring-down, which has an envelope", "use --report for sweeps"});
  reader.finish();
  const MeasuredSignals recording = read_signals(options, rate);
  if (!band.empty()) return measure_sweep(options, recording, band, range, console);
  return options.force.empty() ? measure_ringing(options, recording, range, console)
                               : measure_driven(options, recording, frequency, range, console);
}

}  // namespace

void setup_measure(CLI::App& app, Session& session) {
  auto o = std::make_shared<MeasureOptions>();
  app.add_option("input", o->input, "Folder of a run (its probes.csv), a CSV file or a C3D file")
      ->required()
      ->type_name("RUN_DIR|FILE");
  app.add_option("--column", o->column, "Column, or difference 'a - b' (default: the one that moves most)")
      ->type_name("NAME");
  app.add_option("--markers", o->markers, "Markers (NAME_x, _y, _z): their mean, along its main direction")
      ->type_name("NAME");
  app.add_option("--base", o->base, "Markers whose motion is subtracted")->type_name("NAME");
  app.add_option("--time", o->time, "Column of the time (default: found by its name)")->type_name("NAME");
  app.add_option("--rate", o->rate, "Samples per second of a file without times, '100 Hz'");
  app.add_option("--from", o->from, "Ignore what came before, '0.5 s'");
  app.add_option("--to", o->to, "Ignore what came after, '2 s'");
  app.add_option("--max-modes", o->max_modes, "Modes to look for")->check(CLI::Range(1, 8))->capture_default_str();
  app.add_option("--force", o->force, "Column of a driving force: measure the forced motion instead")
      ->type_name("NAME");
  app.add_option("--f", o->frequency, "Frequency of the drive (default: found in the force)");
  app.add_option("--sweep", o->sweep,
                 "With --force: frequency response of a knock or chirp between two frequencies, '1 Hz,20 Hz'; "
                 "resonance, half-power damping ratio");
  app.add_option("--report", o->report, "Also write a report with plots (ring-downs and sweeps)")
      ->type_name("FILE.html");
  app.add_option("--out", o->folder, "Also write envelope.csv (time, amplitude, ζ, frequency of every half cycle)")
      ->type_name("DIR");
  app.footer(
      "Examples:\n  dashpot measure out/beam --column tip.y\n  dashpot measure ringdown.csv --from \"0.5 s\" --json\n"
      "  dashpot measure capture.c3d --markers Tip1 --base Base1 --report ring.html\n"
      "  dashpot measure shaker.csv --column x --force F --from \"2 s\"\n"
      "  dashpot measure out/knocked --column tip.y --force load.y --sweep \"1 Hz,20 Hz\" --report frf.html");
  app.callback([o, &session] { session.action = [o, &session] { return measure(*o, session.console); }; });
}

}  // namespace dashpot::cli
