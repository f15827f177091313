#pragma once
// What example-based damping keeps over a step; for its own sources only (example_based.cpp, example_forces.cpp).

#include <memory>
#include <vector>

#include "dashpot/dissipation/example_based.hpp"

namespace dashpot {

struct ExampleBased::Scratch final : TermScratch {
  std::unique_ptr<TermScratch> base;
  ExampleBasis basis;
  Mat3 rotation = Mat3::Identity();  ///< R_n
  std::vector<Mat3> rotations;       ///< R_i where examples turn locally
  Matrix turned_P;                   ///< P^T in the frame of the world; empty where it does not turn
  SharedMatrix V, reach;             ///< of the low-rank parts: P^T and X of the kept examples
  std::vector<int> shared;           ///< the kept examples that V and reach were made for
  bool has_basis = false;
};

/// Rotates every block of 3 rows.
inline void turn(const Mat3& R, Eigen::Ref<Matrix> X) {
  for (Eigen::Index k = 0; k < X.cols(); ++k)
    for (Eigen::Index i = 0; i < X.rows(); i += 3) X.col(k).segment<3>(i) = Vec3(R * X.col(k).segment<3>(i));
}

}  // namespace dashpot
