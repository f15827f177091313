#include "output_folder.hpp"

namespace dashpot::cli {

FolderLock hold_output_folder(const std::string& folder, const Console& console) {
  FolderLock lock(folder);
  if (!lock.warning().empty()) console.warning(lock.warning());
  return lock;
}

}  // namespace dashpot::cli
