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

#include "dashpot/core/table.hpp"

namespace dashpot {

/// dashpot::Error with line numbers (up to 20 at once) for ragged rows and cells that are no numbers.
Table parse_csv(std::string_view text, const std::string& name);
Table read_csv(const std::string& path);

/// Adds the rows of a text that csv_line wrote, whose first line names the columns `table` has. dashpot::Error when a
/// row does not fit.
void append_csv_rows(std::string_view text, const std::string& name, Table& table);

/// A line of a file: numbers with as many digits as bring the same bits back, or names.
std::string csv_line(const std::vector<double>& values);
std::string csv_line(const std::vector<std::string>& names);

}  // namespace dashpot
