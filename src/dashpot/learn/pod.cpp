#include "dashpot/learn/pod.hpp"

#include <algorithm>

#include <Eigen/SVD>

namespace dashpot::learn {
namespace {

constexpr double least_singular_value = 1e-9;  // of the largest

}  // namespace

PodBasis pod_basis(const Matrix& frames, const std::vector<std::uint8_t>& is_free, int max_modes) {
  PodBasis basis;
  basis.mean = frames.rowwise().mean();
  Matrix centered = frames.colwise() - basis.mean;
  for (Eigen::Index k = 0; k < centered.rows(); ++k)
    if (is_free[static_cast<std::size_t>(k)] == 0) centered.row(k).setZero();
  const Eigen::BDCSVD<Matrix> svd(centered, Eigen::ComputeThinU);
  basis.singular_values = svd.singularValues();
  Eigen::Index r = 0;
  while (r < std::min<Eigen::Index>(max_modes, basis.singular_values.size()) &&
         basis.singular_values[r] > least_singular_value * basis.singular_values[0])
    ++r;
  basis.modes = svd.matrixU().leftCols(r);
  return basis;
}

PodBasis full_basis(const Vector& mean, const std::vector<std::uint8_t>& is_free) {
  PodBasis basis;
  basis.mean = mean;
  const auto num_free = std::count_if(is_free.begin(), is_free.end(), [](std::uint8_t free) { return free != 0; });
  basis.modes = Matrix::Zero(mean.size(), num_free);
  Eigen::Index column = 0;
  for (Eigen::Index k = 0; k < mean.size(); ++k)
    if (is_free[static_cast<std::size_t>(k)] != 0) basis.modes(k, column++) = 1;
  return basis;
}

}  // namespace dashpot::learn
