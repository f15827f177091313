#include "text_table.hpp"

#include "dashpot/render/html_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include <algorithm>

namespace dashpot::cli {

std::string number_text(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "-";
}

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string TextTable::text() const {
  std::vector<std::size_t> width(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < std::min(row.size(), width.size()); ++c)
      width[c] = std::max(width[c], shown_width(row[c]));
  std::string result;
  for (const auto& row : rows_) {
    std::string line = " ";
    for (std::size_t c = 0; c < std::min(row.size(), width.size()); ++c) {
      const std::string pad(width[c] - shown_width(row[c]), ' ');
      line += c == 0 ? " " + row[c] + pad : "  " + pad + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string table_text(const render::Table& table) {
  TextTable text(table.columns);
  for (const std::vector<std::string>& row : table.rows) text.add(row);
  return text.text();
}

}  // namespace dashpot::cli
