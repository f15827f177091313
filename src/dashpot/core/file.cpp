#include "dashpot/core/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, const std::string& remedy) {
  throw Error(Problem{path, "cannot " + action + ": " + std::strerror(errno), "", remedy});
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

/// An empty file beside `path` that nobody else writes to: "path.partial", which a killed process may have left, or a
/// name of its own where another process is writing the same file at this moment (a cache that two runs fill).
struct TemporaryFile {
  explicit TemporaryFile(const std::string& path) : name(path + ".partial") {
    for (int attempt = 0;; ++attempt) {
      file.fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
      if (file.fd < 0) fail(path, "create file", "check that the folder exists and is writable");
      const bool is_ours = ::flock(file.fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
      struct stat opened {
      }, named{};
      // Whoever held it may have given it its final name between our open() and our lock.
      if (is_ours && ::fstat(file.fd, &opened) == 0 && ::stat(name.c_str(), &named) == 0 &&
          opened.st_ino == named.st_ino && opened.st_dev == named.st_dev)
        break;
      ::close(file.fd);
      name = path + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".partial";
    }
    if (::ftruncate(file.fd, 0) != 0) fail(path, "empty file", "check the disk");
  }
  Descriptor file;
  std::string name;
};

}  // namespace

std::string read_file(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "open file", "check the name and the folder");
  struct stat info {};
  if (::fstat(file.fd, &info) == 0 && S_ISDIR(info.st_mode))
    throw Error(Problem{path, "this is a folder", "a file", "name a file inside it"});
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.fd, buffer, sizeof buffer);
    if (n < 0) fail(path, "read file", "check the disk");
    if (n == 0) return content;
    content.append(buffer, static_cast<std::size_t>(n));
  }
}

void write_file_atomically(const std::string& path, std::string_view content) {
  const TemporaryFile temporary(path);
  const auto give_up = [&](const std::string& action, const std::string& remedy) {
    const int reason = errno;
    ::unlink(temporary.name.c_str());
    errno = reason;
    fail(path, action, remedy);
  };
  while (!content.empty()) {
    const ssize_t n = ::write(temporary.file.fd, content.data(), content.size());
    if (n < 0) give_up("write file", "check the free space on the disk");
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fsync(temporary.file.fd) != 0) give_up("flush file", "check the disk");
  if (::rename(temporary.name.c_str(), path.c_str()) != 0)
    give_up("rename finished file", "check the folder's permissions");
}

void create_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    throw Error(Problem{path, "cannot create folder" + (error ? ": " + error.message() : std::string()), "",
                        "choose another --out"});
}

std::string absolute_path(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  return failed ? path : absolute.lexically_normal().string();
}

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

}  // namespace dashpot
