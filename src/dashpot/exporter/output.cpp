#include "dashpot/exporter/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/json_document.hpp"

namespace dashpot::exporter {
namespace {

namespace fs = std::filesystem;
constexpr const char* manifest = "export.json";

void rename_or_throw(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    throw Error(Problem{to, "cannot give the finished export its name: " + error.message(), "",
                        "check that no folder of that name is in the way"});
}

/// Files that an earlier export says it wrote there.
std::vector<std::string> listed_files(const std::string& folder) {
  std::vector<std::string> files{manifest};
  const std::string path = folder + "/" + manifest;
  if (!fs::is_regular_file(path)) return {};
  const ParsedJson json = parse_json(read_file(path), path);
  if (!json.problems.empty()) return {};
  if (const JsonValue* list = json.value.find("files"))
    for (const JsonValue& item : list->items) files.push_back(item.text);
  return files;
}

void refuse_foreign_content(const std::string& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder))
    throw Error(Problem{folder, "a file is in the way", "a folder that is new or empty", "choose another -o"});
  std::vector<std::string> ours = listed_files(folder);
  ours.emplace_back(FolderLock::file_name);  // of a program that was killed
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::find(ours.begin(), ours.end(), name) != ours.end()) continue;
    throw Error(Problem{folder, fmt::format("the folder holds '{}', which no export wrote", name),
                        "a new or empty folder, or one of an earlier export", "choose another -o"});
  }
}

}  // namespace

void Ticker::step(double amount) {
  done_ += amount;
  if (hooks_.should_stop && hooks_.should_stop()) throw Interrupted();
  if (hooks_.on_progress) hooks_.on_progress(std::min(done_ / total_, 1.0));
}

PendingName::~PendingName() {
  if (!is_finished_) ::unlink(partial().c_str());
}

void PendingName::finish() {
  const int file = ::open(partial().c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ::fsync(file);
    ::close(file);
  }
  rename_or_throw(partial(), path_);
  is_finished_ = true;
}

void OutputFile::finish() {
  file_.flush();
  file_ = GrowingFile();
  name_.finish();
}

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  lock_ = FolderLock(partial());
  refuse_foreign_content(path_);
  empty_partial();  // of what a killed export left
}

void OutputFolder::empty_partial() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(partial(), error))
    if (entry.path().filename() != FolderLock::file_name) fs::remove_all(entry.path(), error);
}

OutputFolder::~OutputFolder() {
  if (is_finished_) return;
  empty_partial();
  lock_ = FolderLock();
  ::rmdir(partial().c_str());  // fails where the next export has taken it already
}

void OutputFolder::write(const std::string& name, std::string_view bytes) {
  write_file_atomically(partial() + "/" + name, bytes);
  files_.push_back(name);
}

void OutputFolder::finish(const std::string& stamp_text) {
  JsonValue json = JsonValue::object();
  json.add("schema", JsonValue::of("dashpot/exported/1"));
  json.add("made_by", JsonValue::of(stamp_text));
  JsonValue& files = json.add("files", JsonValue::array());
  for (const std::string& file : files_) files.push(JsonValue::of(file));
  write_file_atomically(partial() + "/" + manifest, write_json(json) + "\n");
  std::error_code error;
  if (fs::exists(path_)) {
    const std::string old = path_ + ".old.partial";
    fs::remove_all(old, error);
    rename_or_throw(path_, old);
    rename_or_throw(partial(), path_);
    fs::remove_all(old, error);
  } else {
    rename_or_throw(partial(), path_);
  }
  lock_.folder_was_renamed(path_);
  is_finished_ = true;
}

}  // namespace dashpot::exporter
