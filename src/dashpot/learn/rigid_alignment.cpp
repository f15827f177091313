#include "dashpot/learn/rigid_alignment.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>

#include "dashpot/core/units.hpp"
#include "dashpot/learn/tracks.hpp"

namespace dashpot::learn {

RigidAlignment operator*(const RigidAlignment& second, const RigidAlignment& first) {
  return {second.rotation * first.rotation, second(first.translation)};
}

namespace {

/// Points within this part of their length of a line do not say how they are turned about it.
constexpr double line_tolerance = 0.01;
/// An explanation has to leave no more than this part of the misfit.
constexpr double mended = 0.4;

struct Moments {
  Vec3 measured = Vec3::Zero(), scene = Vec3::Zero();  ///< means
  Mat3 product = Mat3::Zero();                         ///< sum (y - ybar)(x - xbar)^T
  double measured_square = 0, scene_square = 0;        ///< sums of squares about the means
};

Moments moments_of(const std::vector<AlignmentPair>& pairs) {
  Moments m;
  for (const AlignmentPair& pair : pairs) {
    m.measured += pair.measured / static_cast<double>(pairs.size());
    m.scene += pair.scene / static_cast<double>(pairs.size());
  }
  for (const AlignmentPair& pair : pairs) {
    m.product += (pair.scene - m.scene) * (pair.measured - m.measured).transpose();
    m.measured_square += (pair.measured - m.measured).squaredNorm();
    m.scene_square += (pair.scene - m.scene).squaredNorm();
  }
  return m;
}

/// The rotation, or with `mirrored` the rotation and reflection, that maximizes tr(R^T product).
Mat3 best_rotation(const Mat3& product, bool mirrored) {
  const Eigen::JacobiSVD<Mat3> svd(product, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() * (mirrored ? -1 : 1);
  return svd.matrixU() * Vec3(1, 1, sign > 0 ? 1 : -1).asDiagonal() * svd.matrixV().transpose();
}

double misfit_of(const std::vector<AlignmentPair>& pairs, const RigidAlignment& alignment) {
  double sum = 0;
  for (const AlignmentPair& pair : pairs) sum += (alignment(pair.measured) - pair.scene).squaredNorm();
  return pairs.empty() ? 0 : std::sqrt(sum / static_cast<double>(pairs.size()));
}

/// Second largest over largest extent of points.
double width_over_length(const std::vector<AlignmentPair>& pairs, Vec3 AlignmentPair::*which) {
  Vec3 mean = Vec3::Zero();
  for (const AlignmentPair& pair : pairs) mean += pair.*which / static_cast<double>(pairs.size());
  Mat3 covariance = Mat3::Zero();
  for (const AlignmentPair& pair : pairs) covariance += (pair.*which - mean) * (pair.*which - mean).transpose();
  const Vec3 s = Eigen::JacobiSVD<Mat3>(covariance).singularValues();
  return s[0] > 0 ? std::sqrt(s[1] / s[0]) : 0;
}

RigidAlignment aligned_by(const Moments& m, const Mat3& rotation) {
  return {rotation, m.scene - rotation * m.measured};
}

}  // namespace

AlignmentFit fit_alignment(const std::vector<AlignmentPair>& pairs, AlignmentKind kind, const RigidAlignment& given,
                           const std::string& source) {
  const std::size_t needed = kind == AlignmentKind::rigid ? 3 : kind == AlignmentKind::translation ? 1 : 0;
  if (pairs.size() < needed) {
    std::vector<std::string> names;
    for (const AlignmentPair& pair : pairs) names.push_back(pair.name);
    throw Error(Problem{
        source,
        fmt::format("{} known both in the capture and in the scene{}{}",
                    pairs.empty() ? "no point" : fmt::format("{} point{}", pairs.size(), pairs.size() == 1 ? "" : "s"),
                    names.empty() ? "" : ": ", fmt::join(names, ", ")),
        kind == AlignmentKind::rigid ? "at least 3 that do not lie on one line, to find rotation and translation"
                                     : "at least 1, to find the translation",
        "give the places of more markers (\"at\"), of the base too, or give the alignment"});
  }
  const Moments m = moments_of(pairs);
  AlignmentFit fit;
  fit.alignment = given;
  if (kind == AlignmentKind::translation) fit.alignment = aligned_by(m, given.rotation);
  if (kind == AlignmentKind::rigid) {
    if (std::min(width_over_length(pairs, &AlignmentPair::measured), width_over_length(pairs, &AlignmentPair::scene)) <
        line_tolerance)
      throw Error(Problem{source, fmt::format("{} markers on one line", pairs.size()),
                          "markers that do not lie on one line: how they are turned about it cannot be told",
                          "place one more beside the line, or give the rotation"});
    fit.alignment = aligned_by(m, best_rotation(m.product, false));
  }
  fit.misfit = misfit_of(pairs, fit.alignment);
  fit.spread = pairs.empty() ? 0 : std::sqrt(m.scene_square / static_cast<double>(pairs.size()));
  return fit;
}

std::string fitting_unit(const std::vector<AlignmentPair>& pairs, double unit_length) {
  const Moments m = moments_of(pairs);
  if (!(m.measured_square > 0) || !(m.scene_square > 0)) return {};
  const double length = unit_length * std::sqrt(m.scene_square / m.measured_square);
  for (const auto& [unit, meters] : guessed_units())
    if (std::abs(std::log(length / meters)) < std::log(4.0 / 3)) return unit;
  return {};
}

namespace {

/// A signed permutation of axes in words: x' = s_0 x_p0, ...
struct AxisChange {
  Mat3 matrix;
  std::string text;
};

/// All 48, the simplest first.
std::vector<AxisChange> axis_changes() {
  std::vector<AxisChange> all;
  const auto cost = [](const Mat3& p) { return (p - Mat3::Identity()).squaredNorm(); };
  std::array<int, 3> order = {0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3 p = Mat3::Zero();
      std::array<std::string, 3> words;
      for (int axis = 0; axis < 3; ++axis) {
        const bool is_negative = (signs >> axis & 1) != 0;
        p(axis, order[at(axis)]) = is_negative ? -1 : 1;
        words[at(axis)] = fmt::format("{}{}", is_negative ? "-" : "", "xyz"[order[at(axis)]]);
      }
      all.push_back({p, fmt::format("({})", fmt::join(words, ", "))});
    }
  } while (std::next_permutation(order.begin(), order.end()));
  std::ranges::stable_sort(all, {}, [&](const AxisChange& change) { return cost(change.matrix); });
  return all;
}

std::string length_text(double meters) { return describe_quantity(meters, Quantity::length, 3); }

/// The change of axes nearest to an orthogonal matrix.
AxisChange nearest_axis_change(const Mat3& q) {
  const std::vector<AxisChange> all = axis_changes();
  return *std::ranges::min_element(all, {}, [&](const AxisChange& c) { return (c.matrix - q).squaredNorm(); });
}

}  // namespace

std::optional<Problem> explain_misfit(const std::vector<AlignmentPair>& pairs, const AlignmentFit& fit,
                                      AlignmentKind kind, double tolerance, const std::string& source,
                                      double unit_length) {
  if (!(fit.misfit > tolerance)) return std::nullopt;
  Problem problem{source,
                  fmt::format("markers miss their places on the body by {} after the alignment (root mean square)",
                              length_text(fit.misfit)),
                  fmt::format("at most {}", length_text(tolerance)), ""};
  const Moments m = moments_of(pairs);
  const double own_size = std::sqrt(m.scene_square / std::max(m.measured_square, 1e-300));
  if (const std::string unit = fitting_unit(pairs, unit_length);
      !unit.empty() && std::abs(std::log(own_size)) > std::log(4.0 / 3)) {
    problem.remedy = fmt::format("their distances fit if the coordinates are in {}: set \"unit\": \"{}\"", unit, unit);
    return problem;
  }
  if (pairs.size() >= 3 && kind != AlignmentKind::rigid) {  // the rotation that was given is wrong
    const Mat3 rotation = best_rotation(m.product, false), mirrored = best_rotation(m.product, true);
    const bool is_mirrored =
        misfit_of(pairs, aligned_by(m, mirrored)) < 0.5 * misfit_of(pairs, aligned_by(m, rotation));
    const Mat3& best = is_mirrored ? mirrored : rotation;
    if (misfit_of(pairs, aligned_by(m, best)) < mended * fit.misfit) {
      const AxisChange change = nearest_axis_change(best * fit.alignment.rotation.transpose());
      problem.remedy = (change.matrix - Mat3::Identity()).norm() < 0.5
                           ? "let the alignment be estimated: they fit when they are moved and turned"
                           : fmt::format(
                                 "they fit with the axes {} of the capture in place of (x, y, z), moved{}: let "
                                 "the alignment be estimated, or reorder the columns",
                                 change.text, is_mirrored ? " (a left-handed capture)" : "");
      if (is_mirrored)
        problem.remedy = fmt::format(
            "they fit with the axes {} of the capture in place of (x, y, z): reorder the columns", change.text);
      return problem;
    }
  }
  const Mat3 mirrored = best_rotation(m.product, true);
  if (pairs.size() >= 4 && misfit_of(pairs, aligned_by(m, mirrored)) < mended * fit.misfit) {
    const AxisChange change = nearest_axis_change(mirrored);
    problem.remedy = fmt::format(
        "the capture is left-handed: two of its axes are swapped or one is mirrored. They fit with the axes {} in "
        "place "
        "of (x, y, z): reorder the columns",
        change.text);
    return problem;
  }
  double least = fit.misfit;
  for (std::size_t a = 0; a < pairs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      std::vector<AlignmentPair> exchanged = pairs;
      std::swap(exchanged[a].measured, exchanged[b].measured);
      const double misfit = misfit_of(
          exchanged, kind == AlignmentKind::rigid
                         ? aligned_by(moments_of(exchanged), best_rotation(moments_of(exchanged).product, false))
                         : fit.alignment);
      if (!(misfit < std::min(least, mended * fit.misfit))) continue;
      least = misfit;
      problem.remedy = fmt::format("they fit with the names of '{}' and '{}' exchanged", pairs[b].name, pairs[a].name);
    }
  if (problem.remedy.empty()) {
    std::vector<std::string> misses;
    for (const AlignmentPair& pair : pairs)
      misses.push_back(
          fmt::format("{} {}", pair.name, length_text((fit.alignment(pair.measured) - pair.scene).norm())));
    problem.remedy =
        fmt::format("check the places of the markers and their names; they miss by {}", fmt::join(misses, ", "));
  }
  return problem;
}

}  // namespace dashpot::learn
