#include "dashpot/mesh/veg_lines.hpp"

#include <utility>

namespace dashpot {
namespace {

constexpr std::size_t max_include_depth = 8;
constexpr std::size_t max_included_files = 64;

}  // namespace

VegLines::VegLines(std::string_view bytes, RawMesh& raw, const IncludeLoader& include) : raw_(raw), include_(include) {
  open_.push_back({TextScanner(bytes), 0});
}

std::optional<std::string_view> VegLines::next() {
  if (kept_) return std::exchange(kept_, std::nullopt);
  while (!open_.empty()) {
    if (open_.back().scanner.at_end()) {
      open_.pop_back();
      continue;
    }
    std::string_view line = open_.back().scanner.line();
    place_ = RawMesh::in_file(open_.back().file, open_.back().scanner.word_line());
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (!begins_with_ignoring_case(line, "*INCLUDE")) return last_ = line;
    open_include(trimmed(line.substr(8)));
  }
  return std::nullopt;
}

std::size_t VegLines::remaining() const {
  std::size_t sum = 0;
  for (const Open& file : open_) sum += file.scanner.remaining();
  return sum;
}

void VegLines::open_include(std::string_view name) {
  if (!include_) raw_.fail(place_, "*INCLUDE " + in_quotes(name), "a .veg file on disk", "paste the included file");
  if (open_.size() >= max_include_depth || contents_.size() >= max_included_files)
    raw_.fail(place_, "*INCLUDE " + in_quotes(name), "at most 8 files inside each other", "a file may include itself");
  try {
    contents_.push_back(include_(std::string(name)));
  } catch (const Error& error) {
    raw_.fail(place_, "*INCLUDE: " + error.problems().front().text());
  }
  open_.push_back({TextScanner(contents_.back()), raw_.add_file(std::string(name))});
}

}  // namespace dashpot
