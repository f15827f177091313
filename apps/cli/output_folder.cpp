#include "output_folder.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "interrupt.hpp"

namespace dashpot::cli {

FolderLock hold_output_folder(const std::string& folder, const Console& console) {
  std::error_code failed;
  const bool is_new = !std::filesystem::exists(folder, failed);
  FolderLock lock(folder);
  remove_when_interrupted(folder + "/" + FolderLock::file_name, is_new ? folder : std::string());
  if (!lock.warning().empty()) console.warning(lock.warning());
  return lock;
}

namespace {

bool holds_run(const std::filesystem::path& folder) {
  for (const char* mark : {"recording.json", "checkpoint.dpc", "ledger.csv", "ledger.csv.partial"})
    if (std::filesystem::exists(folder / mark)) return true;
  return false;
}

/// `kind`: "a run".
void require_empty(const std::string& folder, const std::string& kind) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != FolderLock::file_name && (found.empty() || name < found)) found = name;
  }
  if (!found.empty())
    throw Error(
        Problem{folder, fmt::format("this folder is not that of {}: it holds {}", kind, found), "a new or empty folder",
                fmt::format("choose another --out, or --force to write {}'s files beside what is there", kind)});
}

}  // namespace

void require_run_folder(const std::string& folder) {
  if (!holds_run(folder)) require_empty(folder, "a run");
}

void require_comparison_folder(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory() && entry.path().filename().string().starts_with("01_") && holds_run(entry.path())) return;
  require_empty(folder, "a comparison");
}

}  // namespace dashpot::cli
