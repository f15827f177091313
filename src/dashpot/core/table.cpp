#include "dashpot/core/table.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
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

std::pair<std::string, std::string> split_unit(std::string_view cell) {
  const std::size_t open = cell.find_last_of("[(");
  const bool has_unit = open != std::string_view::npos && open > 0 && (cell.back() == ']' || cell.back() == ')');
  if (!has_unit) return {std::string(cell), ""};
  const std::string_view name = cell.substr(0, open), unit = cell.substr(open + 1, cell.size() - open - 2);
  const std::size_t first = name.find_first_not_of(" \t\r\""), last = name.find_last_not_of(" \t\r\"");
  return {first == std::string_view::npos ? std::string() : std::string(name.substr(first, last - first + 1)),
          std::string(unit)};
}

void Table::add_column(std::string column, std::string unit) {
  columns.push_back(std::move(column));
  units.push_back(std::move(unit));
  values.emplace_back();
}

void Table::add_row(const std::vector<double>& row) {
  assert(row.size() == values.size());
  for (std::size_t c = 0; c < values.size(); ++c) values[c].push_back(row[c]);
}

std::vector<std::string> Table::columns_beginning(std::string_view prefix) const {
  std::vector<std::string> names;
  for (const std::string& column : columns)
    if (column.starts_with(prefix)) names.push_back(column);
  return names;
}

int Table::index_of(std::string_view wanted) const {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c] == wanted) return static_cast<int>(c);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (split_unit(columns[c]).first == wanted) return static_cast<int>(c);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (in_lower_case(split_unit(columns[c]).first) == in_lower_case(wanted)) return static_cast<int>(c);
  return -1;
}

std::size_t Table::find(const std::string& wanted) const {
  const int index = index_of(wanted);
  if (index >= 0) return static_cast<std::size_t>(index);
  const std::string near = nearest_name(wanted, columns);
  throw Error(Problem{name, fmt::format("no column '{}'", wanted),
                      columns.empty() ? "a table that has columns" : fmt::format("one of {}", fmt::join(columns, ", ")),
                      near.empty() ? "" : fmt::format("Did you mean '{}'?", near)});
}

std::size_t Table::time_column() const {
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

std::size_t Table::liveliest(const std::vector<std::string>& among) const {
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

}  // namespace dashpot
