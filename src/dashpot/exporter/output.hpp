#pragma once
// Files and folders that are whole or absent: they carry the suffix ".partial" until they are finished, and what was
// begun and not finished is removed, also when an exception passes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/folder_lock.hpp"
#include "dashpot/record/growing_file.hpp"

namespace dashpot::exporter {

struct Hooks {
  /// Called with the share done, 0 to 1.
  std::function<void(double)> on_progress = {};
  /// Polled about once a frame; true: nothing is left behind and export_animation returns `interrupted`.
  std::function<bool()> should_stop = {};
};

/// Thrown by Ticker when the hooks ask to stop; never leaves export_animation.
struct Interrupted {};

/// Counts the work done and passes it on to the hooks.
class Ticker {
 public:
  Ticker(const Hooks& hooks, double total) : hooks_(hooks), total_(total) {}
  void step(double amount = 1);

 private:
  const Hooks& hooks_;
  double total_, done_ = 0;
};

/// A name that a file gets once it is whole. Write to partial(), close it, then finish().
class PendingName {
 public:
  explicit PendingName(std::string path) : path_(std::move(path)) {}
  ~PendingName();
  PendingName(const PendingName&) = delete;
  PendingName& operator=(const PendingName&) = delete;
  std::string partial() const { return path_ + ".partial"; }
  void finish();

 private:
  std::string path_;
  bool is_finished_ = false;
};

/// A file that is written piece by piece.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : name_(path), file_(GrowingFile::create(path)) {}
  void append(std::string_view bytes) { file_.append(bytes); }
  void finish();

 private:
  PendingName name_;  // before file_: removed after it is closed
  GrowingFile file_;
};

/// A folder of files. A folder of that name that an earlier export left (export.json lists its files) is replaced, an
/// empty one too; one that holds anything else, or that another export is writing, is refused with dashpot::Error at
/// once.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  void write(const std::string& name, std::string_view bytes);
  /// Adds export.json with the stamp's lines and gives the folder its name.
  void finish(const std::string& stamp_text);

 private:
  std::string partial() const { return path_ + ".partial"; }
  void empty_partial() const;
  std::string path_;
  FolderLock lock_;  ///< of partial()
  std::vector<std::string> files_;
  bool is_finished_ = false;
};

}  // namespace dashpot::exporter
