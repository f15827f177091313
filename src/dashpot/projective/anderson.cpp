#include "dashpot/projective/anderson.hpp"

#include <cmath>

#include <Eigen/Cholesky>

namespace dashpot {

void Anderson::reset() {
  g_steps_.clear();
  change_steps_.clear();
  last_g_.resize(0);
}

Vector Anderson::next(const Vector& d, const Vector& g, const InnerProduct& dot) {
  const Vector change = g - d;
  const double size = std::sqrt(dot(change, change));
  if (last_g_.size() > 0 && size > last_size_) {  // the combination before was no good: begin again from a plain step
    reset();
  } else if (last_g_.size() > 0) {
    g_steps_.push_back(g - last_g_);
    change_steps_.push_back(change - last_change_);
    if (static_cast<int>(g_steps_.size()) > window_) g_steps_.pop_front(), change_steps_.pop_front();
  }
  last_g_ = g;
  last_change_ = change;
  last_size_ = size;
  const Eigen::Index m = static_cast<Eigen::Index>(g_steps_.size());
  if (m == 0) return g;
  Matrix normal(m, m);
  Vector right(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Vector& mine = change_steps_[static_cast<std::size_t>(i)];
    right[i] = dot(mine, change);
    for (Eigen::Index j = 0; j <= i; ++j)
      normal(i, j) = normal(j, i) = dot(mine, change_steps_[static_cast<std::size_t>(j)]);
  }
  normal.diagonal() *= 1 + 1e-12;  // nearly dependent steps: the least combination will do
  const Vector theta = normal.ldlt().solve(right);
  if (!theta.allFinite()) return g;
  Vector result = g;
  for (Eigen::Index i = 0; i < m; ++i) result -= theta[i] * g_steps_[static_cast<std::size_t>(i)];
  return result;
}

}  // namespace dashpot
