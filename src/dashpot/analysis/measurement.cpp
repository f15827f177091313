#include "dashpot/analysis/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot::analysis {
namespace {

/// Seconds per unit of the column.
double seconds_per_unit(const Table& table, std::size_t column) {
  const std::string &unit = table.units[column], &name = table.columns[column];
  if (unit == "ms" || name.ends_with("_ms")) return 1e-3;
  if (unit == "us" || unit == "\u00b5s" || name.ends_with("_us")) return 1e-6;
  if (unit == "min") return 60;
  return 1;
}

std::vector<double> counted_times(const Table& table, const TimeRequest& request) {
  if (!std::isfinite(request.rate) || request.rate < 0)
    throw Error(Problem{"", fmt::format("rate = {}", request.rate), "samples per second above zero", ""});
  const int frame = request.column.empty() ? table.index_of("frame") : static_cast<int>(table.find(request.column));
  std::vector<double> time(table.num_rows());
  for (std::size_t i = 0; i < time.size(); ++i)
    time[i] = (frame >= 0 ? table.values[static_cast<std::size_t>(frame)][i] : static_cast<double>(i)) / request.rate;
  return time;
}

std::size_t find_time(const Table& table, const TimeRequest& request) {
  if (!request.column.empty()) return table.find(request.column);
  for (const char* name : {"t_ms", "time_ms", "t_us", "time_us"})
    if (table.index_of(name) >= 0) return table.find(name);
  // "time [ms]" is a time too, whatever its unit.
  for (const char* name : {"time", "t"})
    if (table.index_of(name) >= 0) return table.find(name);
  return !table.has_names && table.columns.size() > 1 ? 0 : table.time_column();
}

}  // namespace

Table read_c3d(const std::string& path) { return parse_c3d(read_file(path), path); }

Table read_measurement(const std::string& path) {
  const std::string content = read_file(path);
  const bool is_c3d = content.size() >= 512 && content[1] == 0x50 && content.find('\0') != std::string::npos;
  return is_c3d ? parse_c3d(content, path) : parse_csv(content, path);
}

std::vector<double> measured_times(const Table& table, const TimeRequest& request) {
  if (request.rate != 0) return counted_times(table, request);
  const std::size_t column = find_time(table, request);
  std::vector<double> time = table.values[column];
  const double factor = seconds_per_unit(table, column);
  for (double& t : time) t *= factor;
  return time;
}

RingDown measure_ring_down(const Table& table, const RingDownOptions& options) {
  return measure_ring_down(measured_times(table), table.values[table.liveliest()], options);
}

}  // namespace dashpot::analysis
