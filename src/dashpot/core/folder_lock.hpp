#pragma once
// One writer a folder. A lock file in the folder (FolderLock::file_name) is held with flock(2) and says who holds it:
// process, host and start time. The kernel gives the lock back when the process ends, also under kill -9, so that a
// file that was left behind never blocks.

#include <string>

namespace dashpot {

class FolderLock {
 public:
  static constexpr const char* file_name = ".dashpot.lock";

  /// Holds nothing.
  FolderLock() = default;
  /// Creates the folder and its parents where they are missing, and locks it; nothing else in it is touched. Throws
  /// dashpot::Error at once when the folder cannot be written to, or when another FolderLock, of this process or
  /// another one, holds it; the error says which process and since when.
  explicit FolderLock(const std::string& folder);
  /// Removes the lock file, and the folder too where this created it and nothing was written into it.
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  bool is_held() const { return descriptor_ >= 0; }
  /// Why the folder is not locked although it can be used: its filesystem has no locks. Empty: it is locked.
  const std::string& warning() const { return warning_; }
  /// To be told after the folder was renamed while locked.
  void folder_was_renamed(const std::string& folder) { folder_ = folder; }

 private:
  enum class Attempt { locked, unsupported, overtaken };
  Attempt try_to_lock();
  void write_holder() const;
  std::string path() const { return folder_ + "/" + file_name; }

  std::string folder_, warning_;
  bool has_created_folder_ = false;
  int descriptor_ = -1;
};

}  // namespace dashpot
