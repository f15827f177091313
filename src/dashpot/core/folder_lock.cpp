#include "dashpot/core/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {

/// Whether `path` still names the file that is open: its last holder may have removed it after we opened it.
bool names_open_file(const std::string& path, int descriptor) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

/// flock says so where the filesystem, or a lock service it needs, has no locks.
bool means_unsupported(int error) {
  return error == ENOLCK || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
}

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[64];
  const bool is_known = ::localtime_r(&now, &parts) != nullptr;
  return is_known && std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &parts) > 0 ? text : "unknown";
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// "process 1234 on host, since 2030-01-31 12:00:00 +0000" from an open lock file; less where it says less.
std::string holder_of(int descriptor) {
  char text[1024];
  const ssize_t size = ::pread(descriptor, text, sizeof text, 0);
  std::istringstream lines(std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0));
  std::string pid, host, since;
  for (std::string key, value; lines >> key && std::getline(lines >> std::ws, value);)
    (key == "pid" ? pid : key == "host" ? host : since) = value;
  if (pid.empty() || host.empty() || since.empty()) return "a process that has just started";
  return fmt::format("process {} on {}, since {}", pid, host, since);
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : folder_(folder) {
  // Every attempt that is overtaken means that another holder has just gone. Some network filesystems number their
  // files anew at each look: there it would never end.
  constexpr int most_attempts = 1000;
  for (int i = 0; i < most_attempts; ++i) {
    std::error_code error;
    if (std::filesystem::create_directories(folder_, error)) has_created_folder_ = true;
    if (error) create_folder(folder_);  // throws and says why
    const Attempt attempt = try_to_lock();
    if (attempt == Attempt::locked) {
      write_holder();
      return;
    }
    if (attempt == Attempt::unsupported) break;
  }
  warning_ = folder_ + ": this filesystem cannot lock files; do not let two programs write into the folder at once";
}

FolderLock::Attempt FolderLock::try_to_lock() {
  // Not through a link: what it points to is not ours to write.
  const int file = ::open(path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) {
    if (errno == ENOENT) return Attempt::overtaken;  // another holder has removed the folder that it had created
    throw Error(Problem{path(), fmt::format("cannot create the lock file: {}", std::strerror(errno)),
                        "a folder that can be written to", "check its permissions, or choose another --out"});
  }
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
    if (names_open_file(path(), file)) {
      descriptor_ = file;
      return Attempt::locked;
    }
    ::close(file);
    return Attempt::overtaken;
  }
  const int error = errno;
  const std::string holder = holder_of(file);
  if (means_unsupported(error)) ::unlink(path().c_str());
  ::close(file);
  if (means_unsupported(error)) return Attempt::unsupported;
  if (error == EINTR) return Attempt::overtaken;
  if (error != EWOULDBLOCK)
    throw Error(Problem{path(), fmt::format("cannot lock the file: {}", std::strerror(error)), "", "check the disk"});
  throw Error(Problem{folder_, fmt::format("another dashpot is writing into this folder: {}", holder),
                      "one writer at a time", "choose another --out, or wait until that process has ended"});
}

void FolderLock::write_holder() const {
  // For people only: the lock holds without it, so a full disk is left to the files that matter.
  const std::string text = fmt::format("pid {}\nhost {}\nsince {}\n", ::getpid(), host_name(), local_time());
  if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, text.data(), text.size(), 0) < 0) return;
}

FolderLock::~FolderLock() {
  if (is_held()) {
    // Removed while it is locked. Who has opened it meanwhile gets a lock on a file without a name, sees that
    // (names_open_file) and tries again: at no moment do two hold the folder.
    if (names_open_file(path(), descriptor_)) ::unlink(path().c_str());
    ::close(descriptor_);
  }
  if (has_created_folder_) ::rmdir(folder_.c_str());  // fails where something was written
}

FolderLock::FolderLock(FolderLock&& other) noexcept { *this = std::move(other); }

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(warning_, other.warning_);
  std::swap(has_created_folder_, other.has_created_folder_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace dashpot
