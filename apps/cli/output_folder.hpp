#pragma once
#include <string>

#include "console.hpp"
#include "dashpot/core/folder_lock.hpp"

namespace dashpot::cli {

/// Creates the folder a command writes into and holds it until the lock goes; warns where it cannot be locked.
/// dashpot::Error when another process holds it. To be taken before anything in the folder is read or changed.
[[nodiscard]] FolderLock hold_output_folder(const std::string& folder, const Console& console);

/// dashpot::Error where a run would mix its files with those of somebody else: the folder is neither empty nor that of
/// a run.
void require_run_folder(const std::string& folder);
/// The same for a comparison, whose folder holds those of its runs, 01_... first.
void require_comparison_folder(const std::string& folder);

}  // namespace dashpot::cli
