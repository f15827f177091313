#pragma once
// A measured recording as a table, whatever the laboratory delivers, and its times in seconds.
//
// read_c3d: motion-capture files, floating point, Intel byte order [C3D format]: columns <marker>_x, _y, _z; occluded
// points are
//   gaps (NaN); a column "time" [s] is made from the frame rate.
// Bad files give dashpot::Error; nothing is allocated that a header only claims.
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/analysis/csv_table.hpp"

namespace dashpot::analysis {

CsvTable parse_c3d(std::string_view bytes, const std::string& source);
CsvTable read_c3d(const std::string& path);
/// By the file's content: C3D when it looks like one, else CSV.
CsvTable read_measurement(const std::string& path);

struct TimeRequest {
  std::string column = {};  ///< name; empty: the table's time column, or the first one of a file without names
  double rate = 0;          ///< samples per second; > 0: rows (or the column "frame") are counted with it
};
/// Times [s]. Units ms, us, min of the column ("t_ms", "time [ms]") are converted. dashpot::Error when there is no
/// time.
std::vector<double> measured_times(const CsvTable& table, const TimeRequest& request = {});

}  // namespace dashpot::analysis
