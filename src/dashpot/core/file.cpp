#include "dashpot/core/file.hpp"

#include <fcntl.h>
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
  const std::string temporary = path + ".partial";
  {
    Descriptor file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    if (file.fd < 0) fail(path, "create file", "check that the folder exists and is writable");
    while (!content.empty()) {
      const ssize_t n = ::write(file.fd, content.data(), content.size());
      if (n < 0) {
        ::unlink(temporary.c_str());
        fail(path, "write file", "check the free space on the disk");
      }
      content.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(file.fd) != 0) fail(path, "flush file", "check the disk");
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    fail(path, "rename finished file", "check the folder's permissions");
}

void create_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    throw Error(Problem{path, "cannot create folder" + (error ? ": " + error.message() : std::string()), "",
                        "choose another --out"});
}

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

}  // namespace dashpot
