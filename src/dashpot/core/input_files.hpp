#pragma once
// The files that went into a result. Everything a scene reads is read through one InputFiles, which keeps name and hash
// of the bytes it handed out: a run can say what it was made from, and a run that is resumed can see that a file behind
// its scene is no longer the same.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dashpot {

struct InputFile {
  std::string path;         ///< absolute
  std::string hash;         ///< Hash of its bytes
  std::uint64_t bytes = 0;  ///< its length
  bool operator==(const InputFile&) const = default;
};

class InputFiles {
 public:
  /// Reads a whole file and notes it. dashpot::Error when it cannot be read, when it is not the file that expect()
  /// announced, or when it has other bytes than at an earlier reading: results must not be made from two versions.
  std::string read(const std::string& path);
  /// From now on a file of this name must have this hash.
  void expect(const std::string& path, const std::string& hash);
  /// All files read so far, by name.
  std::vector<InputFile> list() const;

 private:
  // std::mutex, because bodies of one scene may be built side by side.
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::map<std::string, InputFile> files_;
  std::map<std::string, std::string> expected_;  ///< hash by absolute path
};

/// The files of `now` whose bytes are not those of `before`, in words: "legs.pc2 (changed)", "arm.json (new)". A file
/// that only lies elsewhere is the same file.
std::vector<std::string> changed_files(const std::vector<InputFile>& before, const std::vector<InputFile>& now);

}  // namespace dashpot
