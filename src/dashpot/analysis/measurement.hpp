#pragma once
// A measured recording as a table, whatever the laboratory delivers, and its times in seconds.
//
// read_c3d: motion-capture files, floating point, Intel byte order [C3D format]: columns <marker>_x, _y, _z; occluded
// points are
//   gaps (NaN); a column "time" [s] is made from the frame rate. Coordinates become meters by the unit that the file
//   tells (POINT:UNITS); without one, or with one that is no length, they stay as written.
// Bad files give dashpot::Error; nothing is allocated that a header only claims.
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/core/csv.hpp"

namespace dashpot::analysis {

Table parse_c3d(std::string_view bytes, const std::string& source);
Table read_c3d(const std::string& path);
/// By the file's content: C3D when it looks like one, else CSV.
Table read_measurement(const std::string& path);

struct TimeRequest {
  std::string column = {};  ///< name; empty: the table's time column, or the first one of a file without names
  double rate = 0;          ///< samples per second; > 0: rows (or the column "frame") are counted with it
};
/// Times [s]. Units ms, us, min of the column ("t_ms", "time [ms]") are converted. dashpot::Error when there is no
/// time.
std::vector<double> measured_times(const Table& table, const TimeRequest& request = {});

/// Ring-down of the column that moves most; of a run: measure_ring_down(run.probe("tip")).
RingDown measure_ring_down(const Table& table, const RingDownOptions& options = {});

}  // namespace dashpot::analysis
