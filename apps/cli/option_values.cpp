#include "option_values.hpp"

#include <limits>

#include <fmt/format.h>

namespace dashpot::cli {

std::vector<std::string> split_list(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    const std::size_t first = text.find_first_not_of(" \t", begin), last = text.find_last_not_of(" \t", end - 1);
    pieces.push_back(first < end && end > 0 && last != std::string::npos && last >= first
                         ? text.substr(first, last - first + 1)
                         : std::string());
    begin = end + 1;
  }
  return pieces;
}

double OptionReader::quantity(const std::string& option, const std::string& text, Quantity quantity) {
  const ParsedQuantity parsed = parse_quantity(text, quantity);
  if (parsed.error.empty()) return parsed.value;
  add_problem({option, parsed.error, "", ""});
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> OptionReader::list(const std::string& option, const std::string& text, Quantity kind) {
  std::vector<double> values;
  for (const std::string& piece : split_list(text, ',')) values.push_back(quantity(option, piece, kind));
  return values;
}

std::vector<std::pair<double, double>> OptionReader::pairs(const std::string& option, const std::string& text,
                                                           Quantity first, Quantity second) {
  std::vector<std::pair<double, double>> values;
  for (const std::string& piece : split_list(text, ',')) {
    const std::vector<std::string> parts = split_list(piece, ':');
    if (parts.size() != 2) {
      add_problem({option, fmt::format("found '{}'", piece),
                   fmt::format("'{}:{}'", quantity_info(first).example, quantity_info(second).example), ""});
      continue;
    }
    const double a = quantity(option, parts[0], first);
    values.emplace_back(a, quantity(option, parts[1], second));
  }
  return values;
}

void OptionReader::finish() const {
  if (!problems_.empty()) throw UsageError(problems_);
}

double length_option(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  OptionReader reader;
  const double length = reader.quantity(option, text, Quantity::length);
  reader.finish();  // what cannot be read need not be called too small as well
  if (!(length > 0)) reader.add_problem({option, text, "a length above 0, such as '5 mm'", ""});
  reader.finish();
  return length;
}

}  // namespace dashpot::cli
