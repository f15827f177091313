#include "dashpot/record/growing_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

constexpr std::size_t buffer_limit = 1 << 18;

std::string partial(const std::string& path) { return path + ".partial"; }

[[noreturn]] void fail(const std::string& path, const std::string& action) {
  throw Error(Problem{path, "cannot " + action + ": " + std::strerror(errno), "", "check permissions and free space"});
}

}  // namespace

GrowingFile GrowingFile::create(const std::string& final_path) {
  GrowingFile file;
  file.path_ = final_path;
  file.descriptor_ = ::open(partial(final_path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file.descriptor_ < 0) fail(partial(final_path), "create file");
  return file;
}

GrowingFile GrowingFile::resume(const std::string& final_path, std::uint64_t length) {
  const std::string path = partial(final_path);
  std::error_code error;
  // Renamed, not copied: at no moment is there a partial file that is shorter than the one it continues.
  if (!std::filesystem::exists(path)) std::filesystem::rename(final_path, path, error);
  const auto present = std::filesystem::file_size(path, error);
  if (error || present < length)
    throw Error(Problem{path, "the file is missing or shorter than the checkpoint says",
                        std::to_string(length) + " bytes", "start the run again without --resume"});
  GrowingFile file;
  file.path_ = final_path;
  file.length_ = length;
  file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) fail(path, "open file");
  if (::ftruncate(file.descriptor_, static_cast<off_t>(length)) != 0) fail(path, "cut file");
  if (::lseek(file.descriptor_, 0, SEEK_END) < 0) fail(path, "find the end of file");
  return file;
}

GrowingFile::~GrowingFile() {
  if (descriptor_ < 0) return;
  try {
    flush();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the checkpoint does not count on these bytes
  }
  ::close(descriptor_);
}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept { *this = std::move(other); }

GrowingFile& GrowingFile::operator=(GrowingFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(buffer_, other.buffer_);
  std::swap(length_, other.length_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void GrowingFile::append(std::string_view bytes) {
  buffer_.append(bytes);
  length_ += bytes.size();
  if (buffer_.size() >= buffer_limit) write_buffer();
}

void GrowingFile::write_buffer() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
    if (n < 0) fail(partial(path_), "write file");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
}

std::uint64_t GrowingFile::flush() {
  write_buffer();
  if (::fsync(descriptor_) != 0) fail(partial(path_), "flush file");
  return length_;
}

void GrowingFile::finish() {
  flush();
  ::close(std::exchange(descriptor_, -1));
  if (std::rename(partial(path_).c_str(), path_.c_str()) != 0) fail(path_, "rename finished file");
}

}  // namespace dashpot
