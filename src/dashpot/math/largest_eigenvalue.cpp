#include "dashpot/math/largest_eigenvalue.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace dashpot::math {
namespace {

/// The tridiagonal matrix of the steps so far: diagonal[k], beside[k] between k and k + 1.
struct Tridiagonal {
  std::vector<double> diagonal, beside;

  /// Largest eigenvalue; `shape` is its eigenvector.
  double largest(Vector& shape) const {
    const auto n = static_cast<Eigen::Index>(diagonal.size());
    Eigen::SelfAdjointEigenSolver<Matrix> solver;
    solver.computeFromTridiagonal(Eigen::Map<const Vector>(diagonal.data(), n),
                                  Eigen::Map<const Vector>(beside.data(), n - 1));
    shape = solver.eigenvectors().col(n - 1);
    return solver.eigenvalues()[n - 1];
  }
};

/// The vectors of the recurrence; the same start gives the same ones again, bit for bit.
class Recurrence {
 public:
  Recurrence(const Vector& start, const LinearMap& A, const LinearMap& W) : A_(A), W_(W), p_(start), x_(start.size()) {
    W_(p_, x_);
    size_ = p_.dot(x_);
    usable_ = std::isfinite(size_) && size_ > 0;
    if (!usable_) return;
    p_ /= std::sqrt(size_);
    x_ /= std::sqrt(size_);
    before_ = Vector::Zero(start.size());
  }
  bool usable() const { return usable_; }
  const Vector& x() const { return x_; }

  /// Appends one row to `small`; false when the space is exhausted.
  bool advance(Tridiagonal& small) {
    next_.resize(p_.size());
    A_(x_, next_);
    const double alpha = next_.dot(x_);
    next_ -= alpha * p_ + beta_ * before_;
    before_.swap(p_);
    p_.swap(next_);
    W_(p_, x_);
    const double square = p_.dot(x_);
    beta_ = square > 0 ? std::sqrt(square) : 0;
    small.diagonal.push_back(alpha);
    small.beside.push_back(beta_);
    largest_ = std::max({largest_, std::abs(alpha), beta_});
    if (!(beta_ > 1e-13 * largest_)) return false;
    p_ /= beta_;
    x_ /= beta_;
    return true;
  }

 private:
  const LinearMap &A_, &W_;
  Vector p_, x_, before_, next_;
  double size_ = 0, beta_ = 0, largest_ = 0;
  bool usable_ = false;
};

}  // namespace

LargestEigenvalue largest_eigenvalue(const Vector& start, const LinearMap& A, const LinearMap& W,
                                     const EigenOptions& options, Vector* vector) {
  LargestEigenvalue result;
  if (vector) *vector = Vector::Zero(start.size());
  if (start.size() == 0) return result;
  Recurrence recurrence(start, A, W);
  if (!recurrence.usable()) return result;
  Tridiagonal small;
  Vector shape;
  bool more = true;
  while (more && result.steps < options.max_steps) {
    more = recurrence.advance(small);
    ++result.steps;
    if (more && result.steps % 4 != 0 && result.steps < options.max_steps) continue;
    result.value = small.largest(shape);
    result.residual = more ? std::abs(small.beside.back() * shape[result.steps - 1]) : 0;
    if (result.residual <= options.tolerance * std::abs(result.value)) break;
  }
  if (!vector) return result;
  Recurrence again(start, A, W);
  Tridiagonal ignored;
  for (int k = 0; k < result.steps; ++k) {
    *vector += shape[k] * again.x();
    if (k + 1 < result.steps) again.advance(ignored);
  }
  return result;
}

Vector lanczos_start(Eigen::Index size) {
  Vector start(size);
  double seed = 0.5;
  for (double& x : start) {
    seed = std::fmod(seed * 997.0 + 0.1234567, 1.0);
    x = seed - 0.5;
  }
  return start;
}

}  // namespace dashpot::math
