#pragma once
// Columns of numbers with names and units: the ledger and the probes of a run, a measurement. Stored by columns,
// because that is how they are plotted and measured.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dashpot {

struct Table {
  std::string name;                         ///< for messages: of the file, or "ledger"
  std::vector<std::string> columns;         ///< names, distinct
  std::vector<std::vector<double>> values;  ///< values[c][row]
  std::vector<std::string> units;           ///< one per column: "s", "J", as written in a file; empty: not stated
  bool has_names = true;                    ///< false: a file without names; its columns are "1", "2", ...

  std::size_t num_rows() const { return values.empty() ? 0 : values.front().size(); }
  void add_column(std::string column, std::string unit);
  /// One number for each column.
  void add_row(const std::vector<double>& row);
  /// Index of a column by its name, else by its name without unit, else ignoring case; -1 when there is none.
  int index_of(std::string_view column) const;
  /// Index of a column; dashpot::Error with the nearest name when there is none.
  std::size_t find(const std::string& column) const;
  const std::vector<double>& column(const std::string& column_name) const { return values[find(column_name)]; }
  /// Names of the columns that begin so: "elastic.", "damping.".
  std::vector<std::string> columns_beginning(std::string_view prefix) const;
  /// The column that holds time: "time", "t", "t_s", "time [s]", "seconds", ...; dashpot::Error when none does.
  std::size_t time_column() const;
  /// The column whose values span most, of those named (none named: of all but the time, counters and velocities
  /// "<name>.vx"). dashpot::Error when nothing moves.
  std::size_t liveliest(const std::vector<std::string>& among = {}) const;
};

/// "tip_x [mm]" or "tip_x (mm)": name and unit.
std::pair<std::string, std::string> split_unit(std::string_view column);

}  // namespace dashpot
