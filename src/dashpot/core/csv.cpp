#include "dashpot/core/csv.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {

constexpr std::size_t most_csv_problems = 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  if (separator == ' ') {
    for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
      cells.push_back(trimmed(line.substr(at, end - at)));
      at = line.find_first_not_of(" \t\r", end);
    }
    return cells;
  }
  bool is_quoted = false;  // separators between quotes belong to the cell
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') is_quoted = !is_quoted;
    if (i < line.size() && (line[i] != separator || is_quoted)) continue;
    cells.push_back(trimmed(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  return cells;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// True when the cell is a number or a gap. A comma can only be a decimal sign here: where it separates, none is left.
bool read_cell(std::string_view cell, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  std::string text = lower_case(cell);
  for (const char* gap : {"", "nan", "na", "n/a", "null", "-"})
    if (text == gap) return true;
  if (text.front() == '+') text.erase(0, 1);
  std::replace(text.begin(), text.end(), ',', '.');
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(text.c_str(), nullptr);  // 0 or infinity
  return (error == std::errc() || error == std::errc::result_out_of_range) && end == text.data() + text.size();
}

bool all_numbers(const std::vector<std::string_view>& cells) {
  double value;
  return std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) { return read_cell(cell, value); });
}

char find_separator(std::string_view line) {
  for (const char candidate : {'\t', ';', ','})
    if (line.find(candidate) != std::string_view::npos) return candidate;
  return ' ';
}

/// A line below the names that holds no number at all: units, with or without brackets.
bool read_units(const std::vector<std::string_view>& cells, Table& table) {
  if (cells.size() != table.columns.size()) return false;
  for (const std::string_view cell : cells) {
    double value;
    if (cell.size() > 12 || (!cell.empty() && read_cell(cell, value))) return false;
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string_view cell = cells[c];
    const bool has_brackets = cell.size() > 2 && (cell.front() == '[' || cell.front() == '(');
    table.units[c] = has_brackets ? cell.substr(1, cell.size() - 2) : cell;
  }
  return true;
}

void name_columns(const std::vector<std::string_view>& cells, bool named, Table& table) {
  std::set<std::string> taken;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::string column = named && !cells[c].empty() ? std::string(cells[c]) : fmt::format("{}", c + 1);
    for (int twin = 2; !taken.insert(column).second; ++twin) column = fmt::format("{} ({})", cells[c], twin);
    table.columns.push_back(column);
    table.units.push_back(named ? split_unit(cells[c]).second : "");
  }
  table.has_names = named;
  table.values.resize(cells.size());
}

void read_row(const std::vector<std::string_view>& cells, const std::string& place, Table& table,
              std::vector<Problem>& problems) {
  if (cells.size() != table.columns.size()) {
    problems.push_back({place, fmt::format("{} cells", cells.size()),
                        fmt::format("{}, as in the first line", table.columns.size()), "remove or complete this line"});
    return;
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double value;
    if (!read_cell(cells[c], value))
      problems.push_back(
          {place, fmt::format("'{}' in column {}", cells[c].substr(0, 40), table.columns[c]), "a number", ""});
    table.values[c].push_back(value);
  }
}

}  // namespace

Table parse_csv(std::string_view text, const std::string& name) {
  Table table;
  table.name = name;
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw Error(Problem{name, "binary data", "a text file with columns of numbers", ""});
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<Problem> problems;
  char separator = ',';
  int number = 0;
  bool may_be_units = false;
  while (!text.empty() && problems.size() < most_csv_problems) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (trimmed(line).empty() || line.front() == '#') continue;
    if (table.columns.empty()) {
      separator = find_separator(line);
      const std::vector<std::string_view> cells = split(line, separator);
      const bool named = !all_numbers(cells);
      name_columns(cells, named, table);
      may_be_units = named;
      if (named) continue;
    }
    const std::vector<std::string_view> cells = split(line, separator);
    if (!std::exchange(may_be_units, false) || !read_units(cells, table))
      read_row(cells, fmt::format("{}:{}", name, number), table, problems);
  }
  if (problems.empty() && table.num_rows() == 0)
    problems.push_back({name, "no rows of numbers", "a line of column names and at least one line of numbers", ""});
  if (!problems.empty()) throw Error(problems);
  return table;
}

void append_csv_rows(std::string_view text, const std::string& name, Table& table) {
  std::vector<Problem> problems;
  const auto next_line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  next_line();
  for (int number = 2; !text.empty() && problems.size() < most_csv_problems; ++number)
    read_row(split(next_line(), ','), fmt::format("{}:{}", name, number), table, problems);
  if (!problems.empty()) throw Error(problems);
}

std::string csv_line(const std::vector<double>& values) {
  std::string line;
  for (const double value : values) {
    if (!line.empty()) line += ',';
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  return line += '\n';
}

std::string csv_line(const std::vector<std::string>& names) {
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) line += (i ? "," : "") + names[i];
  return line += '\n';
}

Table read_csv(const std::string& path) { return parse_csv(read_file(path), path); }

}  // namespace dashpot
