#include "dashpot/learn/half_spaces.hpp"

#include <Eigen/Cholesky>

#include "dashpot/math/nonnegative_least_squares.hpp"

namespace dashpot::learn {

std::optional<Vector> least_in(const Matrix& H, const Vector& g, const std::vector<HalfSpace>& half_spaces) {
  const Eigen::LLT<Matrix> factor(H);
  if (factor.info() != Eigen::Success) return {};
  const auto L = factor.matrixL();
  const Eigen::Index n = H.rows(), m = static_cast<Eigen::Index>(half_spaces.size());
  const Vector shift = L.solve(g);
  if (m == 0) return Vector(-factor.solve(g));
  // Rows in y of unit length, bounds of the order of one: what round-off is hangs on neither.
  Matrix G(n, m);
  Vector h(m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const HalfSpace& half_space = half_spaces[static_cast<std::size_t>(k)];
    const Vector row = L.solve(half_space.normal);
    const double length = row.norm();
    if (!(length > 0)) {
      if (half_space.bound > 0) return {};
      G.col(k).setZero(), h[k] = -1;
      continue;
    }
    G.col(k) = row / length;
    h[k] = half_space.bound / length + G.col(k).dot(shift);
  }
  const double size = h.cwiseAbs().maxCoeff();
  Vector y = Vector::Zero(n);
  if (h.maxCoeff() > 0) {
    Matrix E(n + 1, m);
    E.topRows(n) = G;
    E.row(n) = h.transpose() / size;
    const Vector u = math::nonnegative_least_squares(E, Vector::Unit(n + 1, n));
    const Vector r = E * u - Vector::Unit(n + 1, n);
    if (!(-r[n] > 1e-12)) return {};
    y = -size / r[n] * r.head(n);
  }
  const Vector s = factor.matrixU().solve(y - shift);
  if (!s.allFinite()) return {};
  return s;
}

}  // namespace dashpot::learn
