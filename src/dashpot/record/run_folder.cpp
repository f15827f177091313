#include "dashpot/record/run_folder.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/json_document.hpp"

namespace dashpot {
namespace {

constexpr RunTable all_tables[] = {RunTable::ledger, RunTable::probes, RunTable::loads, RunTable::contacts};
const std::string frames_file = "frames.dpf";

/// The file under its final name, or what an unfinished run has of it.
std::string present_file(const std::string& path) { return std::filesystem::exists(path) ? path : path + ".partial"; }

std::string unit_of(RunTable table, const std::string& column) {
  if (column == "time") return "s";
  if (table == RunTable::ledger) return ledger_unit(column);
  if (table != RunTable::probes) return "N";
  return column.ends_with(".vx") || column.ends_with(".vy") || column.ends_with(".vz") ? "m/s" : "m";
}

/// How the run ended, from summary.json where there is one.
void read_status(const std::string& folder, RunResult& run) {
  const std::string path = folder + "/summary.json";
  const bool is_whole = std::filesystem::exists(folder + "/" + file_name(RunTable::ledger));
  run.status = is_whole ? RunStatus::finished : RunStatus::interrupted;
  if (!is_whole || !std::filesystem::exists(path)) return;
  const ParsedJson summary = parse_json(read_file(path), path);
  const JsonValue *status = summary.value.find("status"), *explanation = summary.value.find("explanation");
  if (status != nullptr && status->text == to_string(RunStatus::diverged)) run.status = RunStatus::diverged;
  if (explanation != nullptr) run.explanation = explanation->text;
}

}  // namespace

std::string file_name(RunTable table) {
  switch (table) {
    case RunTable::ledger:
      return "ledger.csv";
    case RunTable::probes:
      return "probes.csv";
    case RunTable::loads:
      return "loads.csv";
    case RunTable::contacts:
      return "contacts.csv";
  }
  return {};
}

void RunFolder::name_files(const RunResult& tables) {
  names_ = {file_name(RunTable::ledger), file_name(RunTable::probes)};
  if (options_.write_frames) names_.push_back(frames_file);
  for (const RunTable table : {RunTable::loads, RunTable::contacts})
    if (!tables.table(table).columns.empty()) names_.push_back(file_name(table));
}

GrowingFile* RunFolder::file(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? nullptr : &files_[static_cast<std::size_t>(found - names_.begin())];
}

std::optional<Checkpoint> RunFolder::earlier() {
  if (!options_.resume) return std::nullopt;
  return read_checkpoint(path("checkpoint.dpc"));
}

void RunFolder::begin(const RunResult& empty, int num_points) {
  name_files(empty);
  create_folder(folder_);
  for (const char* old : {"checkpoint.dpc", "ledger.csv", "probes.csv", "frames.dpf", "frames.dpf.partial", "loads.csv",
                          "loads.csv.partial", "contacts.csv", "contacts.csv.partial"})
    std::filesystem::remove(path(old));  // an earlier run's files must not be mistaken for this one's
  for (const std::string& name : names_) files_.push_back(GrowingFile::create(path(name)));
  for (const RunTable table : all_tables)
    if (GrowingFile* target = file(file_name(table))) target->append(csv_line(empty.table(table).columns));
  if (GrowingFile* frames = file(frames_file)) frames->append(frames_header(num_points));
}

void RunFolder::resume(const Checkpoint& checkpoint, RunResult& so_far, bool with_frames) {
  name_files(so_far);
  for (const std::string& name : names_) {
    const auto entry = std::find_if(checkpoint.files.begin(), checkpoint.files.end(),
                                    [&](const auto& file) { return file.first == name; });
    if (entry == checkpoint.files.end())
      throw Error(Problem{path("checkpoint.dpc"), "the checkpoint knows no " + name, "the same recording as before",
                          "start the run again without --resume"});
    files_.push_back(GrowingFile::resume(path(name), entry->second));
  }
  for (const RunTable table : all_tables)
    if (const std::string name = file_name(table); file(name) != nullptr)
      append_csv_rows(read_file(path(name) + ".partial"), path(name) + ".partial", so_far.table(table));
  if (with_frames && options_.write_frames) so_far.recording.frames = read_frames(path(frames_file) + ".partial");
}

void RunFolder::row(RunTable table, const std::vector<double>& values) {
  file(file_name(table))->append(csv_line(values));
}

void RunFolder::frame(const Frame& frame) { file(frames_file)->append(frame_bytes(frame)); }

void RunFolder::checkpoint(Checkpoint checkpoint) {
  for (std::size_t i = 0; i < files_.size(); ++i) checkpoint.files.emplace_back(names_[i], files_[i].flush());
  write_checkpoint(path("checkpoint.dpc"), checkpoint);
}

void RunFolder::end(RunStatus status) {
  if (status == RunStatus::interrupted) return;
  for (GrowingFile& file : files_) file.finish();
}

RunResult read_run(const std::string& folder, bool with_frames) {
  const auto is_there = [](const std::string& path) { return std::filesystem::exists(present_file(path)); };
  if (!is_there(folder + "/" + file_name(RunTable::ledger)))
    throw Error(Problem{folder, "no ledger.csv in it", "the folder of a run (dashpot run SCENE --out DIR)",
                        "give the folder that was named by --out"});
  RunResult run;
  for (const RunTable table : all_tables) {
    const std::string path = folder + "/" + file_name(table);
    run.table(table).name = path;
    if (!is_there(path)) continue;
    run.table(table) = read_csv(present_file(path));
    for (std::size_t c = 0; c < run.table(table).columns.size(); ++c)
      run.table(table).units[c] = unit_of(table, run.table(table).columns[c]);
  }
  if (with_frames && is_there(folder + "/" + frames_file) && std::filesystem::exists(folder + "/recording.json"))
    run.recording = read_recording(folder);
  if (const std::string path = folder + "/checkpoint.dpc"; std::filesystem::exists(path)) {
    Checkpoint checkpoint = read_checkpoint(path);
    run.counters = counters_from(checkpoint.counters);
    run.state = std::move(checkpoint.state);
  }
  read_status(folder, run);
  return run;
}

}  // namespace dashpot
