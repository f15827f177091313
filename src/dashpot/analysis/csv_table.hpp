#pragma once
// Columns of numbers from a text file: a recorded run (ledger.csv, probes.csv) or a measurement.
// The separator is the first of tab, semicolon, comma that occurs in the first line, else blanks. The first line may
// name the columns; without names they are "1", "2", ... Units stand behind the names ("tip_x [mm]", "tip_x (mm)") or
// in a second line of their own. Lines that begin with '#' and empty lines are skipped; empty cells, "nan", "NA",
// "null" and "-" become NaN (gaps of a tracker). With tab or semicolon a decimal comma is understood. Files with a
// byte-order mark or Windows line ends are fine.
#include <string>
#include <string_view>
#include <vector>

namespace dashpot::analysis {

struct CsvTable {
  std::string name;                         ///< of the file, for messages
  std::vector<std::string> columns;         ///< names, distinct
  std::vector<std::vector<double>> values;  ///< values[c][row]
  std::vector<std::string> units;           ///< as written, one per column; empty when the file states none
  bool has_names = false;                   ///< the file named its columns

  std::size_t num_rows() const { return values.empty() ? 0 : values.front().size(); }
  /// Index of a column by its name, else by its name without unit, else ignoring case; -1 when there is none.
  int index_of(std::string_view column) const;
  /// Index of a column; dashpot::Error with the nearest name when there is none.
  std::size_t find(const std::string& column) const;
  const std::vector<double>& column(const std::string& column_name) const { return values[find(column_name)]; }
  /// The column that holds time: "time", "t", "t_s", "time [s]", "seconds", ...; dashpot::Error when none does.
  std::size_t time_column() const;
  /// The column whose values span most, of those named (none named: of all but the time, counters and velocities
  /// "<name>.vx"). dashpot::Error when nothing moves.
  std::size_t liveliest(const std::vector<std::string>& among = {}) const;
};

/// dashpot::Error with line numbers (up to 20 at once) for ragged rows and cells that are no numbers.
CsvTable parse_csv(std::string_view text, const std::string& name);
CsvTable read_csv(const std::string& path);

}  // namespace dashpot::analysis
