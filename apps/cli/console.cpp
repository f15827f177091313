#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dashpot/core/file.hpp"
#include "dashpot/core/hash.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/printable.hpp"
#include "dashpot/core/version.hpp"

namespace dashpot::cli {
namespace {

void write_line(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  if (text.empty() || text.back() != '\n') std::fputc('\n', stream);
}

// Bold text inside what print() is given. A name that holds these bytes becomes bold, and nothing worse.
constexpr std::string_view begin_bold = "\x0e", end_bold = "\x0f";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// As printable(), in a JSON text: there such characters stand in strings only, which have an escape for them.
std::string printable_json(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]), next = static_cast<unsigned char>(text[i + 1]);
    if (c == 0x7f) {
      result += "\\u007f";
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
      result += fmt::format("\\u00{:02x}", next);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool environment_allows_color() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && terminal != nullptr && std::string(terminal) != "dumb";
}

}  // namespace

Console::Console() {
  stderr_is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  stderr_color_ = stderr_is_terminal_ && environment_allows_color();
  stdout_color_ = ::isatty(STDOUT_FILENO) == 1 && environment_allows_color();
}

void Console::print(const std::string& text) const {
  if (settings.json) return;
  std::string shown = printable(text);
  shown = replaced(std::move(shown), printable(begin_bold), stdout_color_ ? "\x1b[1m" : "");
  write_line(stdout, replaced(std::move(shown), printable(end_bold), stdout_color_ ? "\x1b[0m" : ""));
}

void Console::print_json(const nlohmann::ordered_json& fields) const {
  if (settings.json) write_document(command, fields);
}

void Console::write_document(const std::string& name, const nlohmann::ordered_json& fields) const {
  nlohmann::ordered_json document;
  document["schema"] = fmt::format("dashpot/{}/1", name);
  document["program"] = program_stamp();
  for (const auto& [key, value] : fields.items()) document[key] = value;
  // Names of files may hold any bytes; JSON may not.
  write_line(stdout, printable_json(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
}

void Console::message(const std::string& text) const {
  if (!settings.quiet) write_line(stderr, printable(text));
}

void Console::detail(const std::string& text) const {
  if (settings.verbosity > 0) write_line(stderr, printable(text));
}

void Console::warning(const std::string& text) const {
  if (!settings.quiet) write_line(stderr, paint("33", "warning: ", stderr_color_) + printable(text));
}

void Console::error(const std::string& text) const {
  write_line(stderr, paint("31", "error: ", stderr_color_) + printable(text));
}

void Console::report(const std::vector<Problem>& problems, int exit_code) const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems) {
    const bool is_error = problem.severity == Problem::Severity::error;
    if (is_error)
      error(problem.text());
    else
      warning(problem.text());
    list.push_back({{"severity", is_error ? "error" : "warning"},
                    {"place", problem.place},
                    {"found", problem.found},
                    {"expected", problem.expected},
                    {"remedy", problem.remedy}});
  }
  if (settings.json) write_document("error", {{"command", command}, {"exit_code", exit_code}, {"problems", list}});
}

std::string Console::bold(const std::string& text) const {
  return std::string(begin_bold) + text + std::string(end_bold);
}

std::string Console::paint(const char* code, const std::string& text, bool on) const {
  return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

Progress::Progress(const Console& console, std::string title, double total, std::string unit)
    : console_(console), title_(printable(title)), unit_(std::move(unit)), total_(total), start_(Clock::now()) {}

Progress::~Progress() { finish(); }

std::string Progress::line(double fraction) const {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  // A resumed run starts in the middle: only what was done here says how fast it goes.
  const double gained = done_ - std::max(0.0, first_);
  const bool is_known = gained > 0 && elapsed > 0.2 && done_ < total_;
  const std::string left = is_known ? "  " + clock_text(elapsed * (total_ - done_) / gained) + " left" : "";
  return fmt::format("{:3.0f} %  {:.3g} of {:.3g} {}{}", 100 * fraction, done_, total_, unit_, left);
}

void Progress::update(double done) {
  if (first_ < 0) {
    first_ = done;
    last_tenth_ = static_cast<int>(10 * std::clamp(total_ > 0 ? done / total_ : 1.0, 0.0, 1.0));
  }
  done_ = done;
  if (console_.settings.quiet) return;
  const double fraction = std::clamp(total_ > 0 ? done / total_ : 1.0, 0.0, 1.0);
  if (!console_.shows_progress_bar()) {
    const int tenth = static_cast<int>(10 * fraction + 1e-9);
    if (tenth <= last_tenth_) return;
    last_tenth_ = tenth;
    write_line(stderr, fmt::format("{}: {}", title_, line(fraction)));
    return;
  }
  const Clock::time_point now = Clock::now();
  if (drawn_ && now - last_drawn_ < std::chrono::milliseconds(100)) return;
  last_drawn_ = now;
  drawn_ = true;
  const int width = 24, full = static_cast<int>(width * fraction);
  const std::string bar =
      std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), '.');
  const std::string text = fmt::format("\r{} [{}] {}\x1b[K", title_, bar, line(fraction));
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void Progress::finish() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

nlohmann::ordered_json program_stamp() {
  return {{"name", "dashpot"},      {"version", version()},   {"commit", commit()},
          {"build", build_flags()}, {"compiler", compiler()}, {"threads", num_threads()}};
}

nlohmann::ordered_json input_stamp(const std::string& path) {
  return {{"path", path}, {"hash", Hash().text(read_file(path)).hex()}};
}

std::string clock_text(double seconds) {
  const long long s = static_cast<long long>(std::clamp(seconds, 0.0, 3.6e8) + 0.5);
  if (s < 3600) return fmt::format("{}:{:02d}", s / 60, s % 60);
  return fmt::format("{}:{:02d}:{:02d}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace dashpot::cli
