#include "dashpot/analysis/markers.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::analysis {
namespace {

/// Column indices of a marker's coordinates for one spelling; false when one is missing.
bool find_coordinates(const Table& table, const std::string& name, char dot, std::array<int, 3>& index) {
  for (std::size_t c = 0; c < 3; ++c) index[c] = table.index_of(name + dot + "xyz"[c]);
  return index[0] >= 0 && index[1] >= 0 && index[2] >= 0;
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// A column by name, or the difference "a - b"; names may contain a minus themselves, so the whole is tried first.
std::vector<double> column_expression(const Table& table, const std::string& expression, std::string& unit) {
  const auto unit_of = [&](const std::string& name) {
    return table.units[static_cast<std::size_t>(table.index_of(name))];
  };
  if (table.index_of(expression) >= 0) {
    unit = unit_of(expression);
    return table.column(expression);
  }
  const auto trim = [](std::string text) {
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  for (std::size_t at = expression.find('-'); at != std::string::npos; at = expression.find('-', at + 1)) {
    const std::string left = trim(expression.substr(0, at)), right = trim(expression.substr(at + 1));
    if (table.index_of(left) < 0 || table.index_of(right) < 0) continue;
    if (unit_of(left) != unit_of(right))
      throw Error(Problem{table.name,
                          fmt::format("'{}' in {} minus '{}' in {}", left, unit_of(left), right, unit_of(right)),
                          "columns of the same unit", ""});
    unit = unit_of(left);
    std::vector<double> value = table.column(left);
    const std::vector<double>& other = table.column(right);
    for (std::size_t i = 0; i < value.size(); ++i) value[i] -= other[i];
    return value;
  }
  return table.column(expression);  // throws with the nearest name
}

}  // namespace

std::vector<std::string> marker_names(const Table& table) {
  std::vector<std::string> names;
  for (const std::string& title : table.columns) {
    std::string column = title.substr(0, title.find_first_of("[("));  // without the unit
    column.erase(column.find_last_not_of(' ') + 1);
    if (column.size() < 3 || (column.back() != 'x' && column.back() != 'X')) continue;
    const char dot = column[column.size() - 2];
    const std::string name = column.substr(0, column.size() - 2);
    std::array<int, 3> index{};
    if ((dot == '_' || dot == '.') && find_coordinates(table, name, dot, index)) names.push_back(name);
  }
  return names;
}

MarkerPath marker_path(const Table& table, const std::string& name) {
  std::array<int, 3> index{};
  if (!find_coordinates(table, name, '_', index) && !find_coordinates(table, name, '.', index)) {
    const std::vector<std::string> known = marker_names(table);
    const std::string nearest = nearest_name(name, known);
    throw Error(Problem{table.name, fmt::format("no marker '{}'", name),
                        known.empty() ? "columns <marker>_x, _y, _z" : "one of " + joined(known),
                        nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
  }
  const auto column = [&](std::size_t c) { return table.values[static_cast<std::size_t>(index[c])]; };
  return {column(0), column(1), column(2)};
}

MarkerPath mean_path(const Table& table, const std::vector<std::string>& names) {
  if (names.empty()) throw Error(Problem{table.name, "no markers named", "at least one marker", ""});
  MarkerPath mean = marker_path(table, names[0]);
  for (std::size_t k = 1; k < names.size(); ++k) {
    const MarkerPath path = marker_path(table, names[k]);
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean.x[i] += path.x[i], mean.y[i] += path.y[i], mean.z[i] += path.z[i];
  }
  const double n = static_cast<double>(names.size());
  for (std::size_t i = 0; i < mean.size(); ++i) mean.x[i] /= n, mean.y[i] /= n, mean.z[i] /= n;
  return mean;
}

MarkerPath relative_path(const MarkerPath& a, const MarkerPath& b) {
  if (a.size() != b.size())
    throw Error(Problem{"", fmt::format("{} and {} rows", a.size(), b.size()), "as many of both", ""});
  MarkerPath r = a;
  for (std::size_t i = 0; i < r.size(); ++i) r.x[i] -= b.x[i], r.y[i] -= b.y[i], r.z[i] -= b.z[i];
  return r;
}

PrincipalMotion principal_motion(const MarkerPath& path) {
  Vec3 mean = Vec3::Zero();
  double count = 0;
  const auto at = [&](std::size_t i) { return Vec3(path.x[i], path.y[i], path.z[i]); };
  for (std::size_t i = 0; i < path.size(); ++i)
    if (at(i).allFinite()) {
      mean += at(i);
      count += 1;
    }
  if (count < 3)
    throw Error(Problem{"", fmt::format("{} complete rows", count), "at least 3", "choose another marker"});
  mean /= count;
  Mat3 covariance = Mat3::Zero();
  for (std::size_t i = 0; i < path.size(); ++i)
    if (at(i).allFinite()) covariance += (at(i) - mean) * (at(i) - mean).transpose() / count;
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(covariance);
  const double total = solver.eigenvalues().sum();
  if (!(total > 0)) throw Error(Problem{"", "the marker does not move", "a motion", "choose another marker"});
  PrincipalMotion result;
  result.direction = solver.eigenvectors().col(2);
  Eigen::Index largest = 0;
  result.direction.cwiseAbs().maxCoeff(&largest);
  if (result.direction[largest] < 0) result.direction = -result.direction;
  result.share = solver.eigenvalues()[2] / total;
  for (std::size_t i = 0; i < path.size(); ++i) result.signal.push_back(result.direction.dot(at(i) - mean));
  return result;
}

MeasuredSignal measured_signal(const Table& table, const SignalRequest& request) {
  MeasuredSignal result;
  if (!request.column.empty()) {
    result.value = column_expression(table, request.column, result.unit);
    result.name = request.column;
    return result;
  }
  if (request.markers.empty()) {
    const std::vector<std::string> known = marker_names(table);
    throw Error(Problem{table.name, "nothing to measure was named",
                        known.empty() ? "a column: " + joined(table.columns) : "a column, or markers: " + joined(known),
                        ""});
  }
  MarkerPath path = mean_path(table, request.markers);
  result.name = joined(request.markers);
  if (!request.base.empty()) {
    path = relative_path(path, mean_path(table, request.base));
    result.name += " relative to " + joined(request.base);
  }
  PrincipalMotion motion = principal_motion(path);
  const Vec3& d = motion.direction;
  result.name += fmt::format(" along ({:.2f}, {:.2f}, {:.2f})", d[0], d[1], d[2]);
  result.value = std::move(motion.signal);
  const int column = std::max(table.index_of(request.markers[0] + "_x"), table.index_of(request.markers[0] + ".x"));
  result.unit = table.units[static_cast<std::size_t>(column)];
  return result;
}

}  // namespace dashpot::analysis
