#pragma once
// From tracked markers to one signal: x, y, z columns of a marker, means of several, motion of the tip relative to the
// base (what both share is motion of the table, not of the beam), and the direction in which most of the motion
// happens: the eigenvector of the largest eigenvalue of the covariance of the positions.
#include <string>
#include <vector>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::analysis {

/// Positions over time; NaN where the marker was not seen.
struct MarkerPath {
  std::vector<double> x, y, z;  ///< same unit as in the file
  std::size_t size() const { return x.size(); }
};

/// Names that have all of <name>_x, _y, _z or <name>.x, .y, .z as columns.
std::vector<std::string> marker_names(const Table& table);
/// dashpot::Error naming the nearest marker.
MarkerPath marker_path(const Table& table, const std::string& name);
/// Mean of several markers; rows where one is missing are NaN.
MarkerPath mean_path(const Table& table, const std::vector<std::string>& names);
/// a - b: removes what both have in common.
MarkerPath relative_path(const MarkerPath& a, const MarkerPath& b);

struct PrincipalMotion {
  Vec3 direction = Vec3::Zero();  ///< unit vector; its largest component is positive
  double share = 0;               ///< of the variance that lies along it, 1/3 .. 1
  std::vector<double> signal;     ///< displacement from the mean along it
};
/// dashpot::Error when fewer than 3 rows are complete or nothing moves.
PrincipalMotion principal_motion(const MarkerPath& path);

/// What to measure in a table.
struct SignalRequest {
  std::string column = {};                ///< a column, or "a - b" of two columns
  std::vector<std::string> markers = {};  ///< or markers: their mean, along the principal direction
  std::vector<std::string> base = {};     ///< subtracted from the markers
};
struct MeasuredSignal {
  std::vector<double> value;
  std::string name;  ///< "Tip1_x - Base1_x", "Tip1 relative to Base1 along (0.98, 0.1, 0.1)"
  std::string unit;
};
/// dashpot::Error when the request names nothing, or something unknown.
MeasuredSignal measured_signal(const Table& table, const SignalRequest& request);

}  // namespace dashpot::analysis
