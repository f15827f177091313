#include "dashpot/analysis/csv_table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot::analysis {
namespace {

constexpr std::size_t max_problems = 20;

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
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

/// True when the cell is a number or a gap.
bool read_cell(std::string_view cell, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  if (cell.empty()) return true;
  if (cell.front() == '+') cell.remove_prefix(1);
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(cell).c_str(), nullptr);  // 0 or infinity
  return (error == std::errc() || error == std::errc::result_out_of_range) && end == cell.data() + cell.size();
}

bool all_numbers(const std::vector<std::string_view>& cells) {
  double value;
  return std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) { return read_cell(cell, value); });
}

char find_separator(std::string_view line) {
  for (const char candidate : {',', ';', '\t'})
    if (line.find(candidate) != std::string_view::npos) return candidate;
  return ' ';
}

void name_columns(const std::vector<std::string_view>& cells, bool named, CsvTable& table) {
  std::set<std::string> taken;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::string column = named && !cells[c].empty() ? std::string(cells[c]) : fmt::format("{}", c + 1);
    for (int twin = 2; !taken.insert(column).second; ++twin) column = fmt::format("{} ({})", cells[c], twin);
    table.columns.push_back(column);
  }
  table.values.resize(cells.size());
}

void read_row(const std::vector<std::string_view>& cells, int line, CsvTable& table, std::vector<Problem>& problems) {
  const std::string place = fmt::format("{}:{}", table.name, line);
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

double span_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  return high > low ? high - low : 0;
}

/// Times, frame numbers: strictly increasing.
bool is_counter(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), [](double a, double b) { return !(a < b); }) == values.end();
}

bool is_velocity(const std::string& column) {
  return column.size() > 3 && column[column.size() - 3] == '.' && column[column.size() - 2] == 'v';
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& name) {
  CsvTable table;
  table.name = name;
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw Error(Problem{name, "binary data", "a text file with columns of numbers", ""});
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<Problem> problems;
  char separator = ',';
  int number = 0;
  while (!text.empty() && problems.size() < max_problems) {
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
      if (named) continue;
    }
    read_row(split(line, separator), number, table, problems);
  }
  if (problems.empty() && table.num_rows() == 0)
    problems.push_back({name, "no rows of numbers", "a line of column names and at least one line of numbers", ""});
  if (!problems.empty()) throw Error(problems);
  return table;
}

CsvTable read_csv(const std::string& path) { return parse_csv(read_file(path), path); }

std::size_t CsvTable::find(const std::string& wanted) const {
  const auto found = std::find(columns.begin(), columns.end(), wanted);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const std::string near = nearest_name(wanted, columns);
  throw Error(Problem{name, fmt::format("no column '{}'", wanted), fmt::format("one of {}", fmt::join(columns, ", ")),
                      near.empty() ? "" : fmt::format("Did you mean '{}'?", near)});
}

std::size_t CsvTable::time_column() const {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::string letters;  // "Time [s]" -> "times", "t_s" -> "ts"
    for (const char letter : columns[c])
      if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
        letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (const char* known : {"time", "times", "t", "ts", "seconds", "sec", "timesec", "timeseconds"})
      if (letters == known) return c;
  }
  throw Error(Problem{name, fmt::format("no column holds the time (columns: {})", fmt::join(columns, ", ")),
                      "a column 'time' in seconds", "name it, or say which one it is with --time"});
}

std::size_t CsvTable::liveliest(const std::vector<std::string>& among) const {
  std::size_t best = 0;
  double best_span = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bool wanted = among.empty() ? !is_velocity(columns[c]) && !is_counter(values[c])
                                      : std::find(among.begin(), among.end(), columns[c]) != among.end();
    if (const double span = wanted ? span_of(values[c]) : 0; span > best_span) best_span = span, best = c;
  }
  if (!(best_span > 0))
    throw Error(Problem{name, "nothing moves in this file", "a column that oscillates", "name a column"});
  return best;
}

}  // namespace dashpot::analysis
