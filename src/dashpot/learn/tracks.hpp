#pragma once
// What a laboratory or an earlier run delivers: points followed over time, in the frame and on the clock of whoever
// measured. NaN: a point was not seen at that instant.

#include <string>
#include <vector>

#include "dashpot/core/table.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/record/recording.hpp"

namespace dashpot::learn {

struct Tracks {
  std::string source;                        ///< file, for messages
  std::vector<std::string> names;            ///< of the points
  std::vector<double> times;                 ///< [s], increasing
  std::vector<std::vector<Vec3>> positions;  ///< [instant][point], in `unit`
  std::string unit = "m";                    ///< empty: the file does not say
  double unit_length = 1;  ///< of the unit they were written in, where that was taken into account [m]

  int num_tracks() const { return static_cast<int>(names.size()); }
  int num_instants() const { return static_cast<int>(times.size()); }
  /// Where a point was first seen, or was on average over the first `seconds` after that; NaN: never seen.
  Vec3 first_position(int track, double seconds = 0) const;
  /// Instants at which at least one point was seen; the others carry nothing.
  int num_seen() const;
};

struct TracksRequest {
  std::vector<std::string> names = {};  ///< points to take; none: all that have x, y and z
  std::string unit = {};                ///< of the coordinates; empty: as the file says
  double rate = 0;                      ///< frames a second; 0: the file has a clock
};

/// From columns <name>_x, _y, _z or <name>.x, .y, .z and a time. Coordinates become meters where a unit is known.
/// dashpot::Error with everything that is wrong: no points, unknown points, coordinates in different units, a clock
/// that does not run forward or contradicts the rate, no instant at which anything was seen.
Tracks tracks_of_table(const Table& table, const TracksRequest& request = {});
/// A C3D or CSV file, by its content.
Tracks read_tracks(const std::string& path, const TracksRequest& request = {});

/// Points of a recorded run, by their numbers in its frames.
Tracks tracks_of_run(const Recording& run, const std::vector<int>& points, const std::string& source);

/// Names of units of length that are guessed from sizes: "m", "cm", "mm", "in", with their lengths [m].
const std::vector<std::pair<std::string, double>>& guessed_units();
/// Coordinates times `factor`, now in meters.
void scale_tracks(Tracks& tracks, double factor);

}  // namespace dashpot::learn
