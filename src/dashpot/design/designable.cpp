#include "dashpot/design/designable.hpp"

#include <Eigen/Cholesky>

#include "dashpot/core/error.hpp"

namespace dashpot::design {

ExampleShares::ExampleShares(const System& system, const Matrix& shapes) {
  Matrix MX(shapes.rows(), shapes.cols());
  const Vector still = Vector::Zero(shapes.rows());
  for (Eigen::Index i = 0; i < shapes.cols(); ++i) {
    Vector column = Vector::Zero(shapes.rows());
    system.inertia().add_force(system.rest(), still, shapes.col(i), column);
    MX.col(i) = column;
  }
  const Matrix G = shapes.transpose() * MX;
  const Eigen::LDLT<Matrix> factor(G);
  if (!(factor.rcond() > 1e-12))
    throw Error(Problem{"", "examples that can be made of each other", "examples that differ in shape",
                        "remove one of them; 'dashpot examples' shows the angles between them"});
  P_ = factor.solve(MX.transpose());
}

}  // namespace dashpot::design
