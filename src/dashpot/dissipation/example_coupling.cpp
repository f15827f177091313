#include "dashpot/dissipation/example_coupling.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace dashpot {
namespace {

Matrix symmetric_part(const Matrix& A) { return 0.5 * (A + A.transpose()); }

/// Divided differences of phi(x) = max(-x, 0) at all pairs of eigenvalues.
Matrix divided_differences(const Vector& lambda) {
  Matrix table(lambda.size(), lambda.size());
  for (Eigen::Index i = 0; i < lambda.size(); ++i)
    for (Eigen::Index j = 0; j < lambda.size(); ++j) {
      const double a = lambda[i], b = lambda[j];
      if (a < 0 && b < 0)
        table(i, j) = -1;
      else if (a >= 0 && b >= 0)
        table(i, j) = 0;
      else
        table(i, j) = (std::max(-a, 0.0) - std::max(-b, 0.0)) / (a - b);
    }
  return table;
}

}  // namespace

std::string to_string(Coupling coupling) {
  switch (coupling) {
    case Coupling::raw:
      return "raw";
    case Coupling::symmetrized:
      return "symmetrized";
    case Coupling::nonnegative:
      return "nonnegative";
    case Coupling::lowdin:
      return "lowdin";
  }
  return "unknown";
}

Matrix coupling_matrix(Coupling coupling, const ExampleBasis& basis, const Vector& gamma) {
  if (coupling == Coupling::lowdin) return gamma.asDiagonal();
  const Matrix Pibar = basis.R * gamma.asDiagonal() * basis.to_Q;
  if (coupling == Coupling::raw || gamma.size() == 0) return Pibar;
  if (coupling == Coupling::symmetrized) return symmetric_part(Pibar);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric_part(Pibar));
  const Vector lift = (-eigen.eigenvalues()).cwiseMax(0.0);
  return Pibar + eigen.eigenvectors() * lift.asDiagonal() * eigen.eigenvectors().transpose();
}

Matrix coupling_derivative(Coupling coupling, const ExampleBasis& basis, const Vector& gamma, const Vector& w,
                           const Vector& scale) {
  if (coupling == Coupling::lowdin || gamma.size() == 0) return w.cwiseProduct(scale).asDiagonal();
  const Matrix& R = basis.R;
  const Matrix& T = basis.to_Q;  // R^-1
  // dPibar/dgamma_i = r_i t_i^T with column i of R and row i of R^-1.
  const Vector along = T * w;
  Matrix D = R * along.cwiseProduct(scale).asDiagonal();
  if (coupling == Coupling::raw) return D;
  const Matrix transposed = T.transpose() * (R.transpose() * w).cwiseProduct(scale).asDiagonal();  // dPibar^T w
  if (coupling == Coupling::symmetrized) return 0.5 * (D + transposed);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric_part(R * gamma.asDiagonal() * T));
  const Matrix& V = eigen.eigenvectors();
  const Matrix table = divided_differences(eigen.eigenvalues());
  const Matrix VR = V.transpose() * R, TV = T * V;
  const Vector Vw = V.transpose() * w;
  for (Eigen::Index i = 0; i < gamma.size(); ++i) {
    const Matrix dS = symmetric_part(VR.col(i) * TV.row(i));
    D.col(i) += scale[i] * (V * (table.cwiseProduct(dS) * Vw));
  }
  return D;
}

}  // namespace dashpot
