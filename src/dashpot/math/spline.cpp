#include "dashpot/math/spline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::math {
namespace {

Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// Tridiagonal rows lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right.col(i); the answer replaces `right`.
void solve_tridiagonal(const std::vector<double>& lower, std::vector<double> diagonal, const std::vector<double>& upper,
                       Matrix& right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right.col(at(i)) -= factor * right.col(at(i - 1));
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right.col(at(i)) -= upper[i] * right.col(at(i + 1));
    right.col(at(i)) /= diagonal[i];
  }
}

}  // namespace

Spline::Spline(const std::vector<double>& times, const Matrix& values, Ends ends)
    : ends_(ends), knot_(times), value_(values) {
  std::vector<Problem> problems;
  if (times.empty() || at(times.size()) != values.cols())
    throw Error(Problem{"", fmt::format("{} times for {} keys", times.size(), values.cols()),
                        "as many times as keys, at least one"});
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !values.col(at(i)).allFinite())
      problems.push_back({"", fmt::format("key {} is not finite", i), "finite times and values"});
    if (i > 0 && !(times[i] > times[i - 1]))
      problems.push_back(
          {"", fmt::format("key {} at {:.6g} s comes after key {} at {:.6g} s", i, times[i], i - 1, times[i - 1]),
           "times that increase", "Sort the keys, and give each time once"});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  drift_ = values.col(values.cols() - 1) - values.col(0);
  free_.assign(knot_.size(), 0.0);
  curvature_.setZero(value_.rows(), value_.cols());
  if (knot_.size() < 2) return;
  if (ends_ == Ends::rest) insert_free_knots();
  if (ends_ == Ends::cyclic)
    solve_cyclic();
  else
    solve_open();
}

/// Splits the first and the last interval: y = y_0 + M_1 (t - t_0)^3 / (6 h) begins at rest and leaves M_1 free, so
/// that the new knot's value is y_0 + M_1 h^2 / 6.
void Spline::insert_free_knots() {
  const std::size_t n = knot_.size();
  const double share = n == 2 ? 1.0 / 3.0 : 0.5;
  const double first = share * (knot_[1] - knot_[0]), last = share * (knot_[n - 1] - knot_[n - 2]);
  Matrix value(value_.rows(), value_.cols() + 2);
  value << value_.col(0), value_.col(0), value_.middleCols(1, at(n) - 2), value_.col(at(n) - 1), value_.col(at(n) - 1);
  value_ = std::move(value);
  knot_.insert(knot_.begin() + 1, knot_.front() + first);
  knot_.insert(knot_.end() - 1, knot_.back() - last);
  free_.assign(knot_.size(), 0.0);
  free_[1] = first * first / 6;
  free_[n] = last * last / 6;
}

void Spline::solve_open() {
  const std::size_t n = knot_.size();
  curvature_.setZero(value_.rows(), at(n));
  if (n > 2) {
    std::vector<double> lower, diagonal, upper;
    Matrix right(value_.rows(), at(n) - 2);
    for (std::size_t i = 1; i + 1 < n; ++i) {  // y' is continuous at knot i
      const double h0 = knot_[i] - knot_[i - 1], h1 = knot_[i + 1] - knot_[i];
      lower.push_back(h0 / 6 - free_[i - 1] / h0);
      diagonal.push_back((h0 + h1) / 3 + free_[i] * (1 / h0 + 1 / h1));
      upper.push_back(h1 / 6 - free_[i + 1] / h1);
      right.col(at(i) - 1) =
          (value_.col(at(i + 1)) - value_.col(at(i))) / h1 - (value_.col(at(i)) - value_.col(at(i - 1))) / h0;
    }
    solve_tridiagonal(lower, diagonal, upper, right);
    curvature_.middleCols(1, at(n) - 2) = right;
  }
  for (std::size_t i = 0; i < n; ++i) value_.col(at(i)) += free_[i] * curvature_.col(at(i));
}

/// The matrix has two corners besides its three diagonals; they are a rank-one change of a tridiagonal one.
void Spline::solve_cyclic() {
  const std::size_t n = knot_.size() - 1;  // the last knot is the first of the next cycle
  const auto h = [&](std::size_t i) { return knot_[i % n + 1] - knot_[i % n]; };
  const auto rise = [&](std::size_t i) { return Vector(value_.col(at(i % n + 1)) - value_.col(at(i % n))); };
  Matrix right(value_.rows() + 1, at(n));  // the last row answers the change
  std::vector<double> lower(n), diagonal(n), upper(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double h0 = h(i + n - 1), h1 = h(i);
    lower[i] = h0 / 6;
    diagonal[i] = (h0 + h1) / 3;
    upper[i] = h1 / 6;
    right.col(at(i)).head(value_.rows()) = rise(i) / h1 - rise(i + n - 1) / h0;
  }
  right.row(value_.rows()).setZero();
  if (n == 1) {
    right /= diagonal[0] + lower[0] + upper[0];
  } else if (n == 2) {  // both neighbors are the other knot
    upper[0] += lower[0];
    lower[1] += upper[1];
    solve_tridiagonal(lower, diagonal, upper, right);
  } else {
    const double corner = lower[0], gamma = -diagonal[0];  // A = tridiagonal + u v^T, u = (gamma, .., corner)
    const double other = upper[n - 1];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * other / gamma;
    right(value_.rows(), 0) = gamma;
    right(value_.rows(), at(n) - 1) = other;
    solve_tridiagonal(lower, diagonal, upper, right);
    const Eigen::RowVectorXd change = right.row(value_.rows());
    const double ratio = corner / gamma;
    const Vector dot = right.col(0) + ratio * right.col(at(n) - 1);
    const double denominator = 1 + dot[value_.rows()];
    right.topRows(value_.rows()) -= dot.head(value_.rows()) / denominator * change;
  }
  curvature_.resize(value_.rows(), at(n) + 1);
  curvature_.leftCols(at(n)) = right.topRows(value_.rows());
  curvature_.col(at(n)) = curvature_.col(0);
}

void Spline::evaluate(double time, Vector* y, Vector* dy, Vector* ddy) const {
  const double first = knot_.front(), last = knot_.back();
  double cycles = 0;
  if (ends_ == Ends::cyclic && last > first) {
    cycles = std::floor((time - first) / (last - first));
    time = std::clamp(time - cycles * (last - first), first, last);
  }
  const bool moving = knot_.size() > 1 && (ends_ != Ends::rest || (time > first && time < last));
  const bool inside = moving && time >= first && time <= last;
  if (inside) {
    const auto above = std::upper_bound(knot_.begin() + 1, knot_.end() - 1, time);
    const std::size_t i = static_cast<std::size_t>(above - knot_.begin()) - 1;
    const Eigen::Index k = at(i);
    const double h = knot_[i + 1] - knot_[i], b = (time - knot_[i]) / h, a = 1 - b;
    const auto M0 = curvature_.col(k), M1 = curvature_.col(k + 1);
    const double s = h * h / 6;
    if (y) *y = a * value_.col(k) + b * value_.col(k + 1) + s * ((a * a * a - a) * M0 + (b * b * b - b) * M1);
    if (dy) *dy = (value_.col(k + 1) - value_.col(k)) / h + s / h * ((1 - 3 * a * a) * M0 + (3 * b * b - 1) * M1);
    if (ddy) *ddy = a * M0 + b * M1;
    if (y && cycles != 0) *y += cycles * drift_;
    return;
  }
  const bool before = time <= first;
  const Vector end = value_.col(before ? 0 : value_.cols() - 1);
  Vector slope = Vector::Zero(end.size());
  if (moving) evaluate(before ? first : last, nullptr, &slope, nullptr);  // straight on
  if (y) *y = end + (time - (before ? first : last)) * slope;
  if (dy) *dy = slope;
  if (ddy) ddy->setZero(end.size());
}

}  // namespace dashpot::math
