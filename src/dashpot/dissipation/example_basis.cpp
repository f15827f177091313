#include "dashpot/dissipation/example_basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {
namespace {

constexpr double good_condition = 30;  // one pass leaves Q^T C Q - I at about condition^2 round-offs

Matrix gram(const Matrix& X, const Matrix& CX) {
  const Matrix G = transposed_times_matrix(X, CX);
  return 0.5 * (G + G.transpose());
}

/// Cholesky with the rank rule: columns of G that are kept.
std::vector<int> independent_columns(const Matrix& X, const Matrix& G, double norm_C, double tolerance) {
  std::vector<int> kept;
  Matrix R = Matrix::Zero(G.rows(), G.rows());
  for (int j = 0; j < G.rows(); ++j) {
    Vector r(static_cast<Eigen::Index>(kept.size()) + 1);
    double left = G(j, j);
    for (Eigen::Index i = 0; i + 1 < r.size(); ++i) {
      const double dot = R.col(i).head(i).dot(r.head(i));
      r[i] = (G(kept[static_cast<std::size_t>(i)], j) - dot) / R(i, i);
      left -= r[i] * r[i];
    }
    const double limit = tolerance * tolerance * norm_C * X.col(j).squaredNorm();
    if (!(left > limit)) continue;
    r[r.size() - 1] = std::sqrt(left);
    R.col(r.size() - 1).head(r.size()) = r;
    kept.push_back(j);
  }
  return kept;
}

/// T with T^T G T = I: the inverse Cholesky factor, or G^-1/2.
Matrix orthonormalizer(const Matrix& G, ExampleBasisKind kind) {
  const Eigen::Index p = G.rows();
  if (kind == ExampleBasisKind::triangular) {
    const Eigen::LLT<Matrix> llt(G);
    return llt.matrixU().solve(Matrix::Identity(p, p));
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(G);
  const Vector root = eigen.eigenvalues().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
  return eigen.eigenvectors() * root.asDiagonal() * eigen.eigenvectors().transpose();
}

/// Condition of R for columns normalized in the C-norm.
double normalized_condition(const Matrix& G) {
  if (G.rows() < 2) return 1;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(G, Eigen::EigenvaluesOnly);
  const double smallest = std::max(eigen.eigenvalues()[0], std::numeric_limits<double>::epsilon());
  return std::sqrt(eigen.eigenvalues()[G.rows() - 1] / smallest);
}

}  // namespace

Matrix kept_columns(const Matrix& A, const std::vector<int>& kept) {
  if (static_cast<Eigen::Index>(kept.size()) == A.cols()) return A;
  Matrix result(A.rows(), static_cast<Eigen::Index>(kept.size()));
  for (std::size_t i = 0; i < kept.size(); ++i) result.col(static_cast<Eigen::Index>(i)) = A.col(kept[i]);
  return result;
}

ExampleBasis make_example_basis(const Matrix& X, const Matrix& CX, double norm_C, double tolerance,
                                ExampleBasisKind kind) {
  ExampleBasis basis;
  const Matrix G = gram(X, CX);
  basis.kept = independent_columns(X, G, norm_C, tolerance);
  const Eigen::Index p = static_cast<Eigen::Index>(basis.kept.size());
  if (p == 0) {
    basis.U = Matrix(X.rows(), 0);
    basis.R = basis.to_Q = Matrix(0, 0);
    return basis;
  }
  Vector scale(p);  // 1 / C-norm
  Matrix Gn(p, p);
  for (Eigen::Index i = 0; i < p; ++i) scale[i] = 1 / std::sqrt(G(basis.kept[at(i)], basis.kept[at(i)]));
  for (Eigen::Index i = 0; i < p; ++i)
    for (Eigen::Index j = 0; j < p; ++j) Gn(i, j) = scale[i] * G(basis.kept[at(i)], basis.kept[at(j)]) * scale[j];
  basis.condition = normalized_condition(Gn);
  Matrix T = scale.asDiagonal() * orthonormalizer(Gn, kind);
  Matrix U = p == X.cols() ? times_small(CX, T) : times_small(kept_columns(CX, basis.kept), T);
  if (basis.condition > good_condition) {
    const Matrix Q = times_small(kept_columns(X, basis.kept), T), again = orthonormalizer(gram(Q, U), kind);
    T = T * again;
    U = times_small(U, again);
  }
  basis.U = std::move(U);
  basis.to_Q = T;
  basis.R = T.partialPivLu().inverse();
  if (kind == ExampleBasisKind::triangular) basis.R.triangularView<Eigen::StrictlyLower>().setZero();
  return basis;
}

ExampleDiagnosis diagnose_examples(const Matrix& X, const Matrix& CX, double norm_C, double tolerance) {
  ExampleDiagnosis diagnosis;
  const Matrix G = gram(X, CX);
  const ExampleBasis basis = make_example_basis(X, CX, norm_C, tolerance, ExampleBasisKind::triangular);
  diagnosis.kept = basis.kept;
  diagnosis.condition = basis.condition;
  diagnosis.angles = Matrix::Zero(X.cols(), X.cols());
  const double degrees = 180 / std::acos(-1.0);
  for (int i = 0; i < X.cols(); ++i) {
    if (!std::binary_search(basis.kept.begin(), basis.kept.end(), i)) diagnosis.dropped.push_back(i);
    for (int j = 0; j < X.cols(); ++j) {
      const double seen = tolerance * tolerance * norm_C;
      const bool blind = G(i, i) <= seen * X.col(i).squaredNorm() || G(j, j) <= seen * X.col(j).squaredNorm();
      const double cosine = std::min(1.0, std::abs(G(i, j)) / std::sqrt(G(i, i) * G(j, j)));
      diagnosis.angles(i, j) = blind    ? std::numeric_limits<double>::quiet_NaN()
                               : i == j ? 0
                                        : degrees * std::acos(cosine);
    }
  }
  return diagnosis;
}

}  // namespace dashpot
