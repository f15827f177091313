// `dashpot measure`: frequency and damping of a recorded run or of a measured CSV file.
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/analysis/csv_table.hpp"
#include "dashpot/analysis/damping_units.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using analysis::CsvTable;
using analysis::RingDown;
using nlohmann::ordered_json;

struct MeasureOptions {
  std::string input, column, time, from, to;
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

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; }

ordered_json ring_json(const RingDown& ring) {
  ordered_json bins = ordered_json::array(), cycles = ordered_json::array(), modes = ordered_json::array(),
               settle = ordered_json::array(), flags = ordered_json::array();
  for (const auto& bin : ring.by_amplitude)
    bins.push_back({{"amplitude", bin.amplitude},
                    {"amplitude_low", bin.amplitude_low},
                    {"amplitude_high", bin.amplitude_high},
                    {"zeta", bin.zeta},
                    {"zeta_spread", bin.zeta_spread},
                    {"frequency", bin.frequency},
                    {"num_cycles", bin.num_cycles}});
  for (const auto& cycle : ring.cycles)
    cycles.push_back(
        {{"time", cycle.time}, {"amplitude", cycle.amplitude}, {"zeta", cycle.zeta}, {"frequency", cycle.frequency}});
  for (const auto& mode : ring.fit.modes)
    modes.push_back({{"frequency", mode.frequency()}, {"zeta", mode.zeta()}, {"amplitude", mode.amplitude()}});
  for (const auto& time : ring.settle)
    settle.push_back({{"fraction", time.fraction}, {"measured", time.measured}, {"predicted", time.predicted}});
  for (const auto flag : ring.flags) flags.push_back({{"name", flag_name(flag)}, {"meaning", flag_text(flag)}});
  return {{"start_time", ring.start_time},
          {"initial_amplitude", ring.initial_amplitude},
          {"frequency", ring.frequency},
          {"frequency_deviation", ring.frequency_deviation},
          {"natural_frequency", ring.natural_frequency},
          {"peak_frequency", ring.peak_frequency},
          {"zeta", ring.zeta},
          {"zeta_deviation", ring.zeta_deviation},
          {"loss_factor", 2 * ring.zeta},
          {"decay_rate", ring.decay_rate},
          {"noise", ring.noise},
          {"rest", ring.rest},
          {"samples_per_cycle", ring.samples_per_cycle},
          {"settle", settle},
          {"by_amplitude", bins},
          {"modes", modes},
          {"cycles", cycles},
          {"flags", flags}};
}

std::string ring_text(const RingDown& ring) {
  std::string text =
      fmt::format("  released at       {} s, {} from rest\n", number(ring.start_time), number(ring.initial_amplitude));
  text += fmt::format("  frequency         {} ± {} Hz\n", number(ring.frequency), number(ring.frequency_deviation));
  text += fmt::format("  damping ratio ζ   {} ± {}\n", number(ring.zeta), number(ring.zeta_deviation));
  if (ring.zeta > 0 && ring.zeta < 1 && ring.natural_frequency > 0) {
    const auto measures = analysis::damping_measures(ring.zeta, ring.natural_frequency);
    text += fmt::format("  loss factor       {}\n  lost per cycle    {:.3g} % of the amplitude\n",
                        number(measures.loss_factor), 100 * measures.amplitude_lost_per_cycle);
  }
  for (const auto& settle : ring.settle)
    text += fmt::format("  settles to {:.0f} %    {} s measured, {} s from the fit\n", 100 * settle.fraction,
                        number(settle.measured), number(settle.predicted));
  if (ring.fit.modes.size() > 1) {
    TextTable modes({"mode", "frequency [Hz]", "ζ", "amplitude"});
    for (std::size_t i = 0; i < ring.fit.modes.size(); ++i) {
      const auto& mode = ring.fit.modes[i];
      modes.add({fmt::format("{}", i + 1), number(mode.frequency()), number(mode.zeta()), number(mode.amplitude())});
    }
    text += "\n" + modes.text();
  }
  if (!ring.by_amplitude.empty()) {
    TextTable bins({"amplitude", "from", "to", "ζ", "scatter", "frequency [Hz]", "readings"});
    for (const auto& bin : ring.by_amplitude)
      bins.add({number(bin.amplitude), number(bin.amplitude_low), number(bin.amplitude_high), number(bin.zeta),
                number(bin.zeta_spread), number(bin.frequency), fmt::format("{}", bin.num_cycles)});
    text += "\n" + bins.text();
  }
  return text;
}

int measure(const MeasureOptions& options, const Console& console) {
  OptionReader reader;
  analysis::RingDownOptions ring_options;
  ring_options.max_modes = options.max_modes;
  if (!options.from.empty()) ring_options.start = reader.quantity("--from", options.from, Quantity::time);
  if (!options.to.empty()) ring_options.end = reader.quantity("--to", options.to, Quantity::time);
  reader.finish();

  const std::string file = signal_file(options.input);
  const CsvTable table = analysis::read_csv(file);
  const std::size_t time = options.time.empty() ? table.time_column() : table.find(options.time);
  const std::string column = options.column.empty() ? table.columns[table.liveliest()] : options.column;
  const RingDown ring = measure_ring_down(table.values[time], table.column(column), ring_options);

  console.print(fmt::format("{} in {}\n{}", console.bold(column), file, ring_text(ring)));
  for (const auto flag : ring.flags) console.warning(flag_text(flag));
  ordered_json json = {{"input", input_stamp(file)}, {"column", column}, {"kind", "ring-down"}};
  json.update(ring_json(ring));
  console.print_json(json);
  return exit_ok;
}

}  // namespace

void setup_measure(CLI::App& app, Session& session) {
  auto o = std::make_shared<MeasureOptions>();
  app.add_option("input", o->input, "Folder of a run (its probes.csv) or a CSV file: time and columns")
      ->required()
      ->type_name("RUN_DIR|FILE.csv");
  app.add_option("--column", o->column, "Column to measure (default: the one that moves most)")->type_name("NAME");
  app.add_option("--time", o->time, "Column of the time in seconds (default: found by its name)")->type_name("NAME");
  app.add_option("--from", o->from, "Ignore what came before, '0.5 s'");
  app.add_option("--to", o->to, "Ignore what came after, '2 s'");
  app.add_option("--max-modes", o->max_modes, "Modes to look for")->check(CLI::Range(1, 8))->capture_default_str();
  app.footer(
      "Examples:\n  dashpot measure out/beam --column tip.y\n  dashpot measure ringdown.csv --from \"0.5 s\" --json");
  app.callback([o, &session] { session.action = [o, &session] { return measure(*o, session.console); }; });
}

}  // namespace dashpot::cli
