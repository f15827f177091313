#pragma once
// A file that grows during a run. It carries the suffix ".partial" until finish() renames it, so a file under its final
// name is always whole; after a crash, resume() cuts the partial file back to a known length.

#include <cstdint>
#include <string>
#include <string_view>

namespace dashpot {

class GrowingFile {
 public:
  GrowingFile() = default;
  /// Starts an empty partial file.
  static GrowingFile create(const std::string& final_path);
  /// Continues a partial file (or reopens a finished one as partial), cut to `length` bytes.
  static GrowingFile resume(const std::string& final_path, std::uint64_t length);
  ~GrowingFile();
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&& other) noexcept;
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  void append(std::string_view bytes);
  /// Brings everything to the disk; returns the length so far.
  std::uint64_t flush();
  /// Flushes and gives the file its final name.
  void finish();
  bool is_open() const { return descriptor_ >= 0; }

 private:
  void write_buffer();

  std::string path_;
  std::string buffer_;
  std::uint64_t length_ = 0;
  int descriptor_ = -1;
};

}  // namespace dashpot
