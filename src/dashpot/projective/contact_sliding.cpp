#include "dashpot/projective/contact_sliding.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "dashpot/projective/free_parts.hpp"

namespace dashpot {
namespace {

constexpr double taken_out = 1 - 1e-6;  // of the excess: Woodbury's identity loses as many digits as the rest has

/// Three translations and three rotations about the middle, of the size of one node's translation.
void set_rigid(const std::vector<int>& blocks, const Vector& q, Eigen::Ref<Matrix> Z) {
  Vec3 middle = Vec3::Zero();
  for (const int i : blocks) middle += q.segment<3>(3 * i) / static_cast<double>(blocks.size());
  double size = 0;
  for (const int i : blocks) size = std::max(size, (q.segment<3>(3 * i) - middle).norm());
  if (!(size > 0)) size = 1;
  for (const int i : blocks)
    for (int axis = 0; axis < 3; ++axis) {
      Z.col(axis).segment<3>(3 * i) = Vec3::Unit(axis);
      Z.col(3 + axis).segment<3>(3 * i) = Vec3::Unit(axis).cross(q.segment<3>(3 * i) - middle) / size;
    }
}

/// Columns w_i / sqrt(l_i) of the eigenvectors of G >= 0: G^-1 = W W^T, but for what E hardly holds back.
Matrix inverse_root(const Matrix& G) {
  constexpr double least = 1e-6;  // of the largest eigenvalue: below, E Z is a difference of nearly equal numbers
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (G + G.transpose()));
  const Vector& values = eigen.eigenvalues();
  Eigen::Index first = 0;
  while (first < G.rows() && !(values[first] > least * values[G.rows() - 1])) ++first;
  const Eigen::Index kept = G.rows() - first;
  return eigen.eigenvectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

void ContactSliding::attach(const System& system) {
  parts_ = free_parts(system);
  part_ = {};
}

void ContactSliding::begin(const Vector& q, const std::vector<double>& bound, const BlockMatrix& stiffness,
                           const DynamicBlocks& couplings) {
  std::vector<std::pair<double, const std::vector<int>*>> touching;
  for (const std::vector<int>& blocks : parts_) {
    double sum = 0;
    for (const int i : blocks) sum += bound[static_cast<std::size_t>(i)];
    if (sum > 0) touching.emplace_back(sum, &blocks);
  }
  std::stable_sort(touching.begin(), touching.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (touching.size() > max_parts) touching.resize(max_parts);
  rigid_.setZero(q.size(), 6 * static_cast<Eigen::Index>(touching.size()));
  stiffness_rigid_ = rigid_;
  for (std::size_t i = 0; i < touching.size(); ++i)
    set_rigid(*touching[i].second, q, rigid_.middleCols(6 * static_cast<Eigen::Index>(i), 6));
  Vector product;
  for (Eigen::Index k = 0; k < rigid_.cols(); ++k) {
    product.setZero(q.size());
    stiffness.multiply_add(1, rigid_.col(k), product);
    couplings.multiply_add(rigid_.col(k), product);
    stiffness_rigid_.col(k) = product;
  }
}

void ContactSliding::finish(const std::vector<double>& bound, const std::vector<double>& friction_bound) {
  part_ = {};
  if (rigid_.cols() == 0) return;
  Matrix U = -stiffness_rigid_;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
    if (bound[i] > 0) U.middleRows<3>(row) += (bound[i] - friction_bound[i]) * rigid_.middleRows<3>(row);
  }
  const Matrix G = rigid_.transpose() * U;
  if (!G.allFinite() || !(G.trace() > 0)) return;
  part_.U = SharedMatrix(Matrix(U * inverse_root(G)));
  part_.S = -taken_out * Matrix::Identity(part_.U->cols(), part_.U->cols());
  part_.V = part_.U;
}

}  // namespace dashpot
