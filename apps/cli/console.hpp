#pragma once
// How the program talks: data on stdout, messages on stderr. With --json stdout carries exactly one JSON document,
// {"schema": "dashpot/<command>/1", "program": {...}, ...}, or {"schema": "dashpot/error/1", ...} when the command
// fails.

#include <chrono>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "dashpot/core/error.hpp"

namespace dashpot::cli {

/// Options every command has.
struct ConsoleSettings {
  bool json = false;
  bool quiet = false;
  int verbosity = 0;
  int threads = 0;  ///< 0: all cores
};

class Console {
 public:
  Console();

  ConsoleSettings settings;
  std::string command;  ///< name of the running command; empty before it is known

  bool json() const { return settings.json; }
  /// Data: text on stdout, nothing with --json.
  void print(const std::string& text) const;
  /// Data: the JSON document on stdout; schema and program stamp are put in front. Nothing without --json.
  void print_json(const nlohmann::ordered_json& fields) const;
  /// What is going on, on stderr; silent with --quiet.
  void message(const std::string& text) const;
  /// More of it, with -v only.
  void detail(const std::string& text) const;
  void warning(const std::string& text) const;
  void error(const std::string& text) const;
  /// All problems on stderr, and as JSON document with --json.
  void report(const std::vector<Problem>& problems, int exit_code) const;

  bool shows_progress_bar() const { return stderr_is_terminal_ && !settings.quiet; }
  /// For print(), which makes it bold on a terminal.
  std::string bold(const std::string& text) const;

 private:
  void write_document(const std::string& name, const nlohmann::ordered_json& fields) const;
  std::string paint(const char* code, const std::string& text, bool on) const;
  bool stderr_is_terminal_ = false, stderr_color_ = false, stdout_color_ = false;
};

/// Progress of a long task on stderr: a bar with the time left on a terminal, else one line per 10 %.
class Progress {
 public:
  /// total > 0 in `unit` ("s" of simulated time, "runs", ...).
  Progress(const Console& console, std::string title, double total, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void update(double done);
  /// Removes the bar; called by the destructor.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(double fraction) const;
  const Console& console_;
  std::string title_, unit_;
  double total_, done_ = 0, first_ = -1;
  Clock::time_point start_, last_drawn_;
  int last_tenth_ = 0;
  bool drawn_ = false;
};

/// {"program", "version", "commit", "build", "compiler", "threads"}: who made this output.
nlohmann::ordered_json program_stamp();
/// {"path", "hash"} of an input file.
nlohmann::ordered_json input_stamp(const std::string& path);
/// "0:07", "3:12", "1:02:33".
std::string clock_text(double seconds);

}  // namespace dashpot::cli
