#include "dashpot/learn/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot::learn {

Vec3 Tracks::first_position(int track, double seconds) const {
  Vec3 sum = Vec3::Zero();
  double count = 0, first = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Vec3& x = positions[i][at(track)];
    if (!x.allFinite()) continue;
    if (count == 0) first = times[i];
    if (times[i] > first + seconds) break;
    sum += x;
    count += 1;
  }
  return count > 0 ? Vec3(sum / count) : Vec3::Constant(nan);
}

int Tracks::num_seen() const {
  return static_cast<int>(std::ranges::count_if(positions, [](const std::vector<Vec3>& x) {
    return std::ranges::any_of(x, [](const Vec3& p) { return p.allFinite(); });
  }));
}

const std::vector<std::pair<std::string, double>>& guessed_units() {
  static const std::vector<std::pair<std::string, double>> units = {
      {"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"in", 0.0254}};
  return units;
}

void scale_tracks(Tracks& tracks, double factor) {
  for (std::vector<Vec3>& x : tracks.positions)
    for (Vec3& p : x) p *= factor;
  tracks.unit = "m";
  tracks.unit_length *= factor;
}

namespace {

/// Unit that all coordinates of these points share, as written; problems where they differ.
std::string shared_unit(const Table& table, const std::vector<std::string>& names, std::vector<Problem>& problems) {
  std::string unit;
  bool is_first = true;
  for (const std::string& name : names)
    for (const char* axis : {"x", "y", "z"}) {
      const int column = std::max(table.index_of(name + "_" + axis), table.index_of(name + "." + axis));
      const std::string& own = table.units[at(column)];
      if (!is_first && own != unit) {
        problems.push_back({table.name,
                            fmt::format("'{}' in '{}', others in '{}'", table.columns[at(column)], own, unit),
                            "one unit for all coordinates", "convert the file"});
        return unit;
      }
      unit = own;
      is_first = false;
    }
  return unit;
}

/// The clock of the file, or rows counted with a rate, which must not contradict the clock.
std::vector<double> clock_of(const Table& table, double rate, std::vector<Problem>& problems) {
  std::vector<double> clock, counted;
  try {
    clock = analysis::measured_times(table);
  } catch (const Error&) {
    if (rate == 0) throw;
  }
  if (rate == 0) return clock;
  counted = analysis::measured_times(table, {.rate = rate});
  const std::size_t last = counted.empty() ? 0 : counted.size() - 1;
  if (clock.empty() || last == 0) return counted;
  const double ratio = (counted[last] - counted[0]) / (clock[last] - clock[0]);
  if (std::isfinite(ratio) && std::abs(ratio - 1) > 0.01)
    problems.push_back(
        {table.name,
         fmt::format("a frame rate of {:.6g} Hz is asked for, but by the file's own clock it is {:.6g} Hz", rate,
                     rate * ratio),
         "the rate at which the frames were taken", "leave the rate out, or remove the time column if it is wrong"});
  return counted;
}

void check_clock(const Tracks& tracks, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < tracks.times.size(); ++i)
    if (!std::isfinite(tracks.times[i]) || (i > 0 && tracks.times[i] <= tracks.times[i - 1])) {
      problems.push_back({tracks.source,
                          fmt::format("time {} in row {}, after {}", tracks.times[i], i + 1,
                                      i > 0 ? fmt::format("{}", tracks.times[i - 1]) : std::string("the start")),
                          "times that increase from row to row",
                          "sort the file, or give the frame rate instead of a time column"});
      return;
    }
}

}  // namespace

Tracks tracks_of_table(const Table& table, const TracksRequest& request) {
  std::vector<Problem> problems;
  Tracks tracks;
  tracks.source = table.name;
  const std::vector<std::string> known = analysis::marker_names(table);
  for (const std::string& name : request.names.empty() ? known : request.names) {
    if (std::ranges::find(known, name) != known.end()) {
      tracks.names.push_back(name);
      continue;
    }
    const std::string nearest = nearest_name(name, known);
    problems.push_back(
        {table.name, fmt::format("no point '{}'", name),
         known.empty() ? "columns <name>_x, <name>_y, <name>_z" : fmt::format("one of {}", fmt::join(known, ", ")),
         nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
  }
  if (known.empty() && request.names.empty())
    problems.push_back({table.name, "no points: no columns <name>_x, <name>_y, <name>_z",
                        "coordinates of at least one point", "name the columns tip_x, tip_y, tip_z"});
  if (!problems.empty()) throw Error(std::move(problems));

  tracks.unit = shared_unit(table, tracks.names, problems);
  tracks.times = clock_of(table, request.rate, problems);
  check_clock(tracks, problems);
  tracks.positions.assign(table.num_rows(), std::vector<Vec3>(tracks.names.size()));
  for (std::size_t k = 0; k < tracks.names.size(); ++k) {
    const analysis::MarkerPath path = analysis::marker_path(table, tracks.names[k]);
    for (std::size_t i = 0; i < table.num_rows(); ++i) tracks.positions[i][k] = Vec3(path.x[i], path.y[i], path.z[i]);
  }
  const std::string unit = request.unit.empty() ? tracks.unit : request.unit;
  if (!unit.empty()) {
    const ParsedQuantity one = parse_quantity("1 " + unit, Quantity::length);
    if (!one.error.empty())
      problems.push_back({table.name, fmt::format("coordinates in '{}'", unit), "a unit of length: m, cm, mm, in",
                          "say which unit the coordinates have"});
    else if (!request.unit.empty() && !tracks.unit.empty() && request.unit != tracks.unit)
      problems.push_back({table.name,
                          fmt::format("the unit '{}' is asked for, but the file says '{}'", request.unit, tracks.unit),
                          "the unit of the file", "leave the unit out"});
    else
      scale_tracks(tracks, one.value);
  }
  if (tracks.num_seen() == 0)
    problems.push_back({table.name,
                        fmt::format("all {} frames are empty: none of {} is seen in any", tracks.num_instants(),
                                    fmt::join(tracks.names, ", ")),
                        "coordinates in at least one frame", "export the recording again, with gaps filled"});
  if (!problems.empty()) throw Error(std::move(problems));
  return tracks;
}

Tracks read_tracks(const std::string& path, const TracksRequest& request) {
  return tracks_of_table(analysis::read_measurement(path), request);
}

Tracks tracks_of_run(const Recording& run, const std::vector<int>& points, const std::string& source) {
  Tracks tracks;
  tracks.source = source;
  for (const int point : points) tracks.names.push_back(std::to_string(point));
  for (const Frame& frame : run.frames) {
    if (!tracks.times.empty() && frame.time <= tracks.times.back()) continue;  // a run that was resumed
    tracks.times.push_back(frame.time);
    std::vector<Vec3>& x = tracks.positions.emplace_back();
    for (const int point : points) x.push_back(frame.points[at(point)]);
  }
  if (tracks.times.empty())
    throw Error(Problem{source, "a run without frames", "recorded frames",
                        "run the scene again with \"record\": {\"frames\": ...}"});
  return tracks;
}

}  // namespace dashpot::learn
