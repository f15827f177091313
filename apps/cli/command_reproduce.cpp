// `dashpot reproduce [NAME]`: runs a paper's experiment, writes result.json with every claim, and exits with 1 when one
// is not met.
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"
#include "reproductions.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct ReproduceOptions {
  std::string name, folder;
  bool quick = false, full = false;
};

ordered_json value_json(const ClaimValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  return nullptr;
}

const char* variant_name(ReproductionVariant variant) {
  return variant == ReproductionVariant::quick ? "quick" : variant == ReproductionVariant::full ? "full" : "standard";
}

int list_all(const Console& console) {
  TextTable table({"name", "paper", "what"});
  ordered_json list = ordered_json::array();
  for (const Reproduction& entry : all_reproductions()) {
    table.add({entry.name, entry.paper, entry.help});
    list.push_back({{"name", entry.name},
                    {"paper", entry.paper},
                    {"help", entry.help},
                    {"full", entry.full},
                    {"measures_time", entry.measures_time}});
  }
  console.print(table.text());
  console.print_json({{"reproductions", list}});
  return exit_ok;
}

const Reproduction& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Reproduction& entry : all_reproductions()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = nearest_name(name, names);
  throw UsageError(Problem{"dashpot reproduce", fmt::format("no reproduction '{}'", name),
                           fmt::format("one of {}", fmt::join(names, ", ")),
                           near.empty() ? "" : fmt::format("Did you mean '{}'?", near)});
}

ordered_json result_json(const Reproduction& entry, ReproductionVariant variant, double seconds,
                         const std::vector<Claim>& claims) {
  ordered_json list = ordered_json::array();
  for (const Claim& claim : claims)
    list.push_back({{"id", claim.id},
                    {"statement", claim.statement},
                    {"paper", value_json(claim.paper)},
                    {"ours", value_json(claim.ours)},
                    {"unit", claim.unit},
                    {"tolerance", value_json(claim.tolerance)},
                    {"holds", claim.holds()},
                    {"refuted", claim.verdict == Verdict::refuted},
                    {"verdict", verdict_name(claim.verdict)},
                    {"reason", claim.reason}});
  return {{"name", entry.name},
          {"paper", entry.paper},
          {"variant", variant_name(variant)},
          {"seconds", seconds},
          {"claims", list}};
}

/// The table of claims, and why a verdict is what it is where the bar does not say so.
void print_claims(const std::vector<Claim>& claims, const Console& console) {
  TextTable table({"claim", "paper", "ours", "tolerance", ""});
  for (const Claim& claim : claims)
    table.add({claim.id, value_text(claim.paper, claim.unit), value_text(claim.ours, claim.unit),
               value_text(claim.tolerance, ""), verdict_text(claim.verdict)});
  console.print(table.text());
  for (const Claim& claim : claims)
    if (!claim.reason.empty())
      console.message(fmt::format("{}: {}: {}", claim.id, verdict_text(claim.verdict), claim.reason));
}

int reproduce(const ReproduceOptions& options, const Console& console) {
  if (all_reproductions().empty())
    throw UsageError(Problem{"dashpot reproduce", "this program was built without the reproductions",
                             "one built with DASHPOT_EXPERIMENTS=ON", "run ./dev build, then repeat the command"});
  if (options.name.empty()) return list_all(console);
  const Reproduction& entry = find(options.name);
  const ReproductionVariant variant = options.quick  ? ReproductionVariant::quick
                                      : options.full ? ReproductionVariant::full
                                                     : ReproductionVariant::standard;
  if (options.full && entry.full.empty())
    throw UsageError(Problem{"dashpot reproduce --full",
                             fmt::format("{} has no variant of the paper's size", entry.name),
                             "a reproduction whose paper prints its size",
                             "run it without --full: its default size is the largest there is"});
  const std::string folder = options.folder.empty() ? "out/" + entry.name : options.folder;
  const FolderLock lock = hold_output_folder(folder, console);
  console.message(fmt::format("{} ({}): {}", entry.name, entry.paper, entry.help));
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Claim> claims = entry.run({console, folder, variant});
  if (interrupted()) {
    console.message("interrupted: no result was written");
    return exit_interrupted;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const ordered_json result = result_json(entry, variant, seconds, claims);
  ordered_json file = result;
  file["program"] = program_stamp();
  write_file_atomically(folder + "/result.json", file.dump(2) + "\n");

  print_claims(claims, console);
  console.print_json(result);
  console.message(fmt::format("{:.1f} s; report: {}/report.html", seconds, folder));
  const bool is_missed =
      std::any_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.is_missed(); });
  return claims.empty() || is_missed ? exit_target_missed : exit_ok;
}

}  // namespace

void setup_reproduce(CLI::App& app, Session& session) {
  auto o = std::make_shared<ReproduceOptions>();
  app.add_option("name", o->name, "Which one; without it all are listed")->type_name("NAME");
  app.add_option("--out", o->folder, "Folder for plots, report.html and result.json (default: out/NAME)")
      ->type_name("DIR");
  auto* quick = app.add_flag("--quick", o->quick, "A small version, under 20 s; says which claims it does not judge");
  app.add_flag("--full", o->full, "The paper's size; refused where the paper prints none")->excludes(quick);
  app.footer("Example: dashpot reproduce A-integrators --out out/A-integrators");
  app.callback([o, &session] { session.action = [o, &session] { return reproduce(*o, session.console); }; });
}

}  // namespace dashpot::cli
