#include "dashpot/dissipation/local_rotations.hpp"

#include "dashpot/math/polar3.hpp"

namespace dashpot {
namespace {

Mat3 nearest_rotation(const Mat3& A) {
  math::Matrix3<double> F;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) F(r, c) = A(r, c);
  const math::Polar3<double> polar = math::polar3(F);
  Mat3 R;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) R(r, c) = polar.R(r, c);
  return R;
}

}  // namespace

LocalRotations::LocalRotations(const BlockPattern& pattern, const Vector& rest, int first_block, int num_blocks)
    : first_block_(first_block) {
  for (int i = first_block; i < first_block + num_blocks; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int slot = pattern.row_start()[row]; slot < pattern.row_start()[row + 1]; ++slot) {
      const int j = pattern.column()[static_cast<std::size_t>(slot)];
      if (j != i && j >= first_block && j < first_block + num_blocks) neighbor_.push_back(j);
    }
    start_.push_back(static_cast<int>(neighbor_.size()));
  }
  rest_edges_.resize(3, static_cast<Eigen::Index>(neighbor_.size()));
  for (int i = 0; i < num_blocks; ++i)
    for (int k = start_[static_cast<std::size_t>(i)]; k < start_[static_cast<std::size_t>(i) + 1]; ++k)
      rest_edges_.col(k) =
          rest.segment<3>(3 * neighbor_[static_cast<std::size_t>(k)]) - rest.segment<3>(3 * (first_block + i));
}

void LocalRotations::evaluate(const Vector& q, std::vector<Mat3>& rotations) const {
  rotations.resize(start_.size() - 1);
  for (std::size_t i = 0; i + 1 < start_.size(); ++i) {
    const Vec3 x = q.segment<3>(3 * (first_block_ + static_cast<int>(i)));
    Mat3 A = Mat3::Zero();
    for (int k = start_[i]; k < start_[i + 1]; ++k)
      A += (q.segment<3>(3 * neighbor_[static_cast<std::size_t>(k)]) - x) * rest_edges_.col(k).transpose();
    rotations[i] = start_[i] == start_[i + 1] ? Mat3::Identity() : nearest_rotation(A);
  }
}

void LocalRotations::turn(const std::vector<Mat3>& rotations, Eigen::Ref<Matrix> X) {
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    for (std::size_t i = 0; i < rotations.size(); ++i) {
      auto part = X.col(c).segment<3>(3 * static_cast<Eigen::Index>(i));
      part = Vec3(rotations[i] * part);
    }
}

}  // namespace dashpot
