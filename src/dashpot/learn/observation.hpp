#pragma once
// What was measured of a motion, as residuals: differences between simulated and measured, each divided by its standard
// deviation, so that the sum of their squares is a chi-square whatever was measured (markers, whole surfaces, point
// clouds, static poses). Estimators see only this; they do not know what was measured.
//
// Residuals are functions of the positions of material points (Kinematics::positions). Their derivatives are sparse
// rows.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::learn {

/// Residuals and their derivatives with respect to the positions of points, row by row.
struct ResidualRows {
  /// dr/dx of one point [1/m].
  struct Entry {
    int point;
    Vec3 slope;
  };
  std::vector<double> values;
  std::vector<int> first_entry = {0};  ///< entries of row i: first_entry[i] ... first_entry[i + 1] - 1
  std::vector<Entry> entries;

  int size() const { return static_cast<int>(values.size()); }
  void clear() { values.clear(), first_entry.assign(1, 0), entries.clear(); }
  void add(double value, std::span<const Entry> row) {
    values.push_back(value);
    entries.insert(entries.end(), row.begin(), row.end());
    first_entry.push_back(static_cast<int>(entries.size()));
  }
};

/// Measurements of one run. Constant: what is looked for anew at every evaluation (nearest points of a cloud) is found
/// from the positions that are given.
class Observation {
 public:
  virtual ~Observation() = default;
  /// "markers of run1.c3d": for messages and reports.
  virtual std::string description() const = 0;
  /// Instants that were measured [s], increasing, on the clock of the simulated run.
  virtual const std::vector<double>& times() const = 0;
  /// Adds the residuals of one instant, for the positions [m] of all points of the System at that instant. `scale` is
  /// how far outliers reach, in standard deviations (robust residuals start large and are tightened); infinity: no
  /// residual is robust.
  virtual void add_residuals(int instant, const std::vector<Vec3>& points, double scale, ResidualRows& rows) const = 0;
  /// Whether `scale` changes anything: whether it has to be tightened step by step.
  virtual bool is_robust() const { return false; }
};

}  // namespace dashpot::learn
