#pragma once
// Columns that line up: the first column to the left, numbers to the right.
#include <string>
#include <vector>

namespace dashpot::render {
struct Table;
}

namespace dashpot::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// Missing cells are empty.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Lines indented by two blanks; columns two blanks apart.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// "0.01235"; "-" for what was not measured.
std::string number_text(double value, int digits = 4);

/// Number of characters a terminal shows for UTF-8 text (continuation bytes do not count).
std::size_t shown_width(const std::string& text);

/// The columns and rows of a report's table.
std::string table_text(const render::Table& table);

}  // namespace dashpot::cli
