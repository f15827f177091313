#include "dashpot/modes/shift_invert.hpp"

#include <algorithm>
#include <cmath>

#include <Spectra/SymGEigsShiftSolver.h>

namespace dashpot {
namespace {

/// x -> (K - sigma M)^-1 x without its part along `found`, as Spectra wants it.
class DeflatedInverse {
 public:
  using Scalar = double;
  DeflatedInverse(ShiftInvert& problem, const Matrix& found)
      : problem_(problem), found_(found), mass_found_(found.rows(), found.cols()) {
    for (Eigen::Index k = 0; k < found.cols(); ++k)
      problem.multiply_mass(found.col(k).data(), mass_found_.col(k).data());
  }
  Eigen::Index rows() const { return problem_.num_free(); }
  Eigen::Index cols() const { return problem_.num_free(); }
  void set_shift(double) {}  // factored by ShiftInvert
  void perform_op(const double* x, double* y) const {
    problem_.solve(x, y);
    project(y);
  }
  /// y -= Phi (Phi^T M y).
  void project(double* y) const {
    Eigen::Map<Vector> mapped(y, rows());
    if (found_.cols() > 0) mapped -= found_ * (mass_found_.transpose() * mapped);
  }

 private:
  ShiftInvert& problem_;
  const Matrix& found_;
  Matrix mass_found_;
};

class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(ShiftInvert& problem) : problem_(problem) {}
  Eigen::Index rows() const { return problem_.num_free(); }
  Eigen::Index cols() const { return problem_.num_free(); }
  void perform_op(const double* x, double* y) const { problem_.multiply_mass(x, y); }

 private:
  ShiftInvert& problem_;
};

/// A start without symmetry, so that it has a part along every mode.
Vector start_vector(Eigen::Index size) {
  Vector x(size);
  for (Eigen::Index i = 0; i < size; ++i)
    x[i] =
        std::sin(1.0 + 1.7 * static_cast<double>(i) + 0.11 * static_cast<double>(i % 97) * static_cast<double>(i % 89));
  return x;
}

}  // namespace

ShiftInvert::ShiftInvert(const BlockMatrix& K, const BlockMatrix& M, const std::vector<std::uint8_t>& is_free,
                         double sigma, bool may_be_indefinite)
    : K_(K),
      M_(M),
      dofs_(K.pattern(), is_free),
      sigma_(sigma),
      full_x_(K.pattern().num_dofs()),
      full_y_(K.pattern().num_dofs()) {
  BlockMatrix shifted(K.shared_pattern());
  shifted.add_scaled(1, K);
  shifted.add_scaled(-sigma, M);
  const auto factor = [&](bool symmetric) {
    solver_ = make_linear_solver({}, K.pattern().num_dofs(), false, symmetric);
    solver_->analyze(K.shared_pattern(), is_free);
    status_ = solver_->factorize(shifted);
  };
  factor(true);
  if (status_ == SolveStatus::not_positive_definite && may_be_indefinite) factor(false);
}

void ShiftInvert::multiply(const BlockMatrix& A, const double* x, double* y) {
  full_x_.setZero();
  for (int i = 0; i < num_free(); ++i) full_x_[dofs_.to_dof[static_cast<std::size_t>(i)]] = x[i];
  A.multiply(full_x_, full_y_);
  for (int i = 0; i < num_free(); ++i) y[i] = full_y_[dofs_.to_dof[static_cast<std::size_t>(i)]];
}

void ShiftInvert::solve(const double* x, double* y) {
  full_x_.setZero();
  for (int i = 0; i < num_free(); ++i) full_x_[dofs_.to_dof[static_cast<std::size_t>(i)]] = x[i];
  full_y_.setZero();
  solver_->solve(full_x_, full_y_);
  for (int i = 0; i < num_free(); ++i) y[i] = full_y_[dofs_.to_dof[static_cast<std::size_t>(i)]];
}

Matrix ShiftInvert::nearest(int count, const Matrix& found, double tolerance) {
  const int left = num_free() - static_cast<int>(found.cols());
  count = std::min(count, left - 1);
  if (count < 1) return Matrix(num_free(), 0);
  DeflatedInverse inverse(*this, found);
  MassProduct mass(*this);
  Vector start = start_vector(num_free());
  inverse.project(start.data());
  Matrix vectors(num_free(), 0);
  // A larger Krylov space when the first was too small for the spectrum's clustering.
  for (int space = std::max(2 * count + 1, count + 20); vectors.cols() < count; space *= 2) {
    space = std::min(space, left);
    Spectra::SymGEigsShiftSolver<DeflatedInverse, MassProduct, Spectra::GEigsMode::ShiftInvert> lanczos(
        inverse, mass, count, space, sigma_);
    lanczos.init(start.data());
    lanczos.compute(Spectra::SortRule::LargestMagn, 300, tolerance);
    vectors = lanczos.eigenvectors();
    if (space == left || space > 8 * count + 200) break;
  }
  return vectors;
}

}  // namespace dashpot
