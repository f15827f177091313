#include "dashpot/math/nonnegative_least_squares.hpp"

#include <Eigen/QR>
#include <limits>
#include <vector>

namespace dashpot::math {
namespace {

/// Least squares over the columns in `free`, zero elsewhere.
Vector solve_free(const Matrix& A, const Vector& b, const std::vector<bool>& free) {
  std::vector<Eigen::Index> columns;
  for (std::size_t k = 0; k < free.size(); ++k)
    if (free[k]) columns.push_back(static_cast<Eigen::Index>(k));
  Vector x = Vector::Zero(A.cols());
  if (columns.empty()) return x;
  Matrix part(A.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) part.col(static_cast<Eigen::Index>(k)) = A.col(columns[k]);
  const Vector y = part.colPivHouseholderQr().solve(b);
  for (std::size_t k = 0; k < columns.size(); ++k) x[columns[k]] = y[static_cast<Eigen::Index>(k)];
  return x;
}

}  // namespace

Vector nonnegative_least_squares(const Matrix& A, const Vector& b) {
  Vector x = Vector::Zero(A.cols());
  std::vector<bool> free(static_cast<std::size_t>(A.cols()), false);
  const double tolerance = 1e-13 * A.norm() * b.norm();
  const Eigen::Index limit = 10 * A.cols();  // more than any case needs: against cycling by round-off
  for (Eigen::Index round = 0; round < limit; ++round) {
    // The constraint whose release lowers the residual most steeply.
    const Vector steepest = A.transpose() * (b - A * x);
    Eigen::Index best = -1;
    for (Eigen::Index k = 0; k < A.cols(); ++k)
      if (!free[static_cast<std::size_t>(k)] && steepest[k] > tolerance && (best < 0 || steepest[k] > steepest[best]))
        best = k;
    if (best < 0) return x;
    free[static_cast<std::size_t>(best)] = true;
    for (;;) {
      const Vector wanted = solve_free(A, b, free);
      double step = 1;
      Eigen::Index blocking = -1;
      for (Eigen::Index k = 0; k < A.cols(); ++k)
        if (free[static_cast<std::size_t>(k)] && !(wanted[k] > 0) && x[k] / (x[k] - wanted[k]) < step) {
          step = x[k] / (x[k] - wanted[k]);
          blocking = k;
        }
      if (blocking < 0) {
        x = wanted.cwiseMax(0.0);
        break;
      }
      x += step * (wanted - x);
      x[blocking] = 0;
      free[static_cast<std::size_t>(blocking)] = false;
    }
  }
  return x;
}

}  // namespace dashpot::math
