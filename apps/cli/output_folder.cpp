#include "output_folder.hpp"

#include <filesystem>

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

void require_run_folder(const std::string& folder) {
  for (const char* mark : {"recording.json", "checkpoint.dpc", "ledger.csv", "ledger.csv.partial"})
    if (std::filesystem::exists(folder + "/" + mark)) return;
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != FolderLock::file_name && (found.empty() || name < found)) found = name;
  }
  if (!found.empty())
    throw Error(Problem{folder, "this folder is not that of a run: it holds " + found, "a new or empty folder",
                        "choose another --out, or --force to write a run's files beside what is there"});
}

}  // namespace dashpot::cli
