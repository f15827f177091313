// `dashpot bench`: how fast the pieces are on this machine and how cost grows with the mesh.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "benchmarks.hpp"
#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct BenchOptions {
  std::vector<std::string> names;
  std::string sizes = "1000,10000,40000,200000", file;
  int repeats = 5;
};

std::vector<const Benchmark*> chosen(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Benchmark& entry : all_benchmarks()) known.push_back(entry.name);
  std::vector<Problem> problems;
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_name(name, known);
    problems.push_back({"dashpot bench", fmt::format("no benchmark '{}'", name),
                        fmt::format("some of {}", fmt::join(known, ", ")),
                        near.empty() ? "" : fmt::format("Did you mean '{}'?", near)});
  }
  if (!problems.empty()) throw UsageError(problems);
  std::vector<const Benchmark*> result;
  for (const Benchmark& entry : all_benchmarks())
    if (names.empty() || std::find(names.begin(), names.end(), entry.name) != names.end()) result.push_back(&entry);
  return result;
}

std::vector<int> read_sizes(const std::string& text) {
  OptionReader reader;
  std::vector<int> sizes;
  for (const double value : reader.list("--sizes", text, Quantity::number)) {
    if (!(value >= 100 && value <= 5e6))
      reader.add_problem({"--sizes", fmt::format("size {:g}", value), "100 to 5000000 tets", ""});
    else
      sizes.push_back(static_cast<int>(value));
  }
  reader.finish();
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

std::string target_text(const Measurement& m) {
  if (m.at_most) return fmt::format("<= {:.4g} {}", *m.at_most, m.met() ? "met" : "MISSED");
  if (m.at_least) return fmt::format(">= {:.4g} {}", *m.at_least, m.met() ? "met" : "MISSED");
  return "";
}

ordered_json measurement_json(const std::string& benchmark, const Measurement& m) {
  ordered_json json = {
      {"benchmark", benchmark}, {"name", m.name}, {"tets", m.tets}, {"value", m.value}, {"unit", m.unit}};
  if (m.at_most) json["at_most"] = *m.at_most;
  if (m.at_least) json["at_least"] = *m.at_least;
  if (m.at_most || m.at_least) json["met"] = m.met();
  return json;
}

int bench(const BenchOptions& options, const Console& console) {
  const std::vector<const Benchmark*> benchmarks = chosen(options.names);
  const BenchRequest request{console, read_sizes(options.sizes), options.repeats};
  ordered_json list = ordered_json::array();
  bool all_met = true;
  for (const Benchmark* benchmark : benchmarks) {
    console.message(fmt::format("{}: {}", benchmark->name, benchmark->help));
    TextTable table({"figure", "tets", "median", "unit", "target"});
    for (const Measurement& m : benchmark->run(request)) {
      table.add({m.name, m.tets > 0 ? fmt::format("{}", m.tets) : "", fmt::format("{:.4g}", m.value), m.unit,
                 target_text(m)});
      list.push_back(measurement_json(benchmark->name, m));
      all_met = all_met && m.met();
    }
    if (interrupted()) return exit_interrupted;
    console.print(table.text());
  }
  const ordered_json result = {{"repeats", options.repeats}, {"measurements", list}};
  console.print_json(result);
  if (!options.file.empty()) {
    ordered_json file = {{"schema", "dashpot/bench/1"}, {"program", program_stamp()}};
    file.update(result);
    write_file_atomically(options.file, file.dump(2) + "\n");
  }
  return all_met ? exit_ok : exit_target_missed;
}

}  // namespace

void setup_bench(CLI::App& app, Session& session) {
  auto o = std::make_shared<BenchOptions>();
  std::vector<std::string> known;
  for (const Benchmark& entry : all_benchmarks()) known.push_back(entry.name);
  app.add_option("names", o->names, fmt::format("Which ({}); default: all", fmt::join(known, ", ")))->type_name("NAME");
  app.add_option("--sizes", o->sizes, "Tets of the meshes to measure")->capture_default_str()->type_name("N,N,...");
  app.add_option("--repeats", o->repeats, "Measurements per figure; the median counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--out", o->file, "Also write the JSON document to this file")->type_name("FILE");
  app.footer("Example: dashpot bench --sizes 1000,10000");
  app.callback([o, &session] { session.action = [o, &session] { return bench(*o, session.console); }; });
}

}  // namespace dashpot::cli
