#include "dashpot/core/input_files.hpp"

#include <algorithm>
#include <filesystem>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/hash.hpp"

namespace dashpot {

std::string InputFiles::read(const std::string& path) {
  std::string content = read_file(path);
  InputFile file{absolute_path(path), Hash().text(content).hex(), content.size()};
  const std::lock_guard lock(*mutex_);
  if (const auto wanted = expected_.find(file.path); wanted != expected_.end() && wanted->second != file.hash)
    throw Error(Problem{path, "the file has changed since the scene that names it was written (hash " + file.hash + ")",
                        "hash " + wanted->second,
                        "bring the old file back, or take it out of the scene's \"inputs\" to use the new one"});
  const auto [entry, is_new] = files_.try_emplace(file.path, file);
  if (!is_new && entry->second != file)
    throw Error(Problem{path, "the file was changed while the scene was being built", "a file that stays as it is",
                        "start again"});
  return content;
}

void InputFiles::expect(const std::string& path, const std::string& hash) {
  const std::lock_guard lock(*mutex_);
  expected_[absolute_path(path)] = hash;
}

std::vector<InputFile> InputFiles::list() const {
  const std::lock_guard lock(*mutex_);
  std::vector<InputFile> files;
  for (const auto& [path, file] : files_) files.push_back(file);
  return files;
}

std::vector<std::string> changed_files(const std::vector<InputFile>& before, const std::vector<InputFile>& now) {
  std::vector<std::string> changes;
  const auto find = [](const std::vector<InputFile>& files, const auto& matches) {
    return std::find_if(files.begin(), files.end(), matches) != files.end();
  };
  const auto same_bytes = [](const InputFile& a, const InputFile& b) { return a.hash == b.hash && a.bytes == b.bytes; };
  const auto same_path = [](const InputFile& a, const InputFile& b) { return a.path == b.path; };
  const auto is_in = [&](const std::vector<InputFile>& files, const InputFile& file, const auto& same) {
    return find(files, [&](const InputFile& other) { return same(file, other); });
  };
  for (const InputFile& file : now) {
    const bool has_name = is_in(before, file, same_path);
    const bool is_known = has_name ? is_in(before, file, [&](const InputFile& a, const InputFile& b) { return a == b; })
                                   : is_in(before, file, same_bytes);
    if (!is_known) changes.push_back(file.path + (has_name ? " (changed)" : " (new)"));
  }
  for (const InputFile& file : before)
    if (!is_in(now, file, same_path) && !is_in(now, file, same_bytes)) changes.push_back(file.path + " (gone)");
  return changes;
}

}  // namespace dashpot
