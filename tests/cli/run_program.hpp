#pragma once
// Runs the built `dashpot` as a user's shell would, and keeps what it printed.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace dashpot::testing {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal number when a signal ended it
  std::string out, err;
  double seconds = 0;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A running `dashpot`; the destructor kills and reaps it.
class Program {
 public:
  /// `terminal`: stdout and stderr are a pseudo-terminal (all output then arrives in `err`). Variables are
  /// "NAME=value".
  explicit Program(const std::vector<std::string>& arguments, bool terminal = false,
                   const std::vector<std::string>& variables = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  void signal(int number);
  int pid() const { return pid_; }
  ProgramResult wait();

 private:
  int pid_ = -1, out_ = -1, err_ = -1;
};

ProgramResult run_dashpot(const std::vector<std::string>& arguments);

/// A folder of its own for each test, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

}  // namespace dashpot::testing
