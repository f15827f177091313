#include "dashpot/learn/space_time_solver.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

namespace dashpot::learn {

ArrowSystem::ArrowSystem(int num_steps, Eigen::Index r, Eigen::Index m) {
  const Matrix zero = Matrix::Zero(r, r);
  diagonal.assign(static_cast<std::size_t>(num_steps), zero);
  below = second = diagonal;
  border = Matrix::Zero(num_steps * r, m);
  corner = Matrix::Zero(m, m);
  gradient_z = Vector::Zero(num_steps * r);
  gradient_x = Vector::Zero(m);
}

void ArrowSystem::set_zero() {
  for (std::vector<Matrix>* blocks : {&diagonal, &below, &second})
    for (Matrix& block : *blocks) block.setZero();
  for (Matrix* matrix : {&border, &corner}) matrix->setZero();
  gradient_z.setZero();
  gradient_x.setZero();
}

bool PentadiagonalCholesky::factorize(const ArrowSystem& system, double shift) {
  double largest = 0;
  for (const Matrix& block : system.diagonal) largest = std::max(largest, block.diagonal().maxCoeff());
  diagonal_ = system.diagonal;
  below_ = system.below;
  second_ = system.second;
  const auto divide = [](Matrix& block, const Matrix& L) {  // block L^-T
    L.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block);
  };
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    Matrix& pivot = diagonal_[i];
    pivot.diagonal().array() += shift * largest;
    if (i >= 2) {
      divide(second_[i], diagonal_[i - 2]);
      below_[i].noalias() -= second_[i] * below_[i - 1].transpose();
      pivot.noalias() -= second_[i] * second_[i].transpose();
    }
    if (i >= 1) {
      divide(below_[i], diagonal_[i - 1]);
      pivot.noalias() -= below_[i] * below_[i].transpose();
    }
    const Eigen::LLT<Matrix> factor(pivot);
    if (factor.info() != Eigen::Success) return false;
    pivot = factor.matrixL();
  }
  return true;
}

Matrix PentadiagonalCholesky::solve(Matrix b) const {
  const Eigen::Index r = diagonal_.front().rows();
  const auto rows = [&](std::size_t i) { return b.middleRows(static_cast<Eigen::Index>(i) * r, r); };
  const std::size_t n = diagonal_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (i >= 1) rows(i).noalias() -= below_[i] * rows(i - 1);
    if (i >= 2) rows(i).noalias() -= second_[i] * rows(i - 2);
    auto block = rows(i);
    diagonal_[i].triangularView<Eigen::Lower>().solveInPlace(block);
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) rows(i).noalias() -= below_[i + 1].transpose() * rows(i + 1);
    if (i + 2 < n) rows(i).noalias() -= second_[i + 2].transpose() * rows(i + 2);
    auto block = rows(i);
    diagonal_[i].triangularView<Eigen::Lower>().transpose().solveInPlace(block);
  }
  return b;
}

}  // namespace dashpot::learn
