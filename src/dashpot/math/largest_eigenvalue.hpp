#pragma once
// The largest eigenvalue of A W by Lanczos iteration, where A is symmetric and W symmetric positive semidefinite:
//     W = I        eigenvalues of A,
//     W = M^-1     A x = lambda M x, for A = K the squares of the angular frequencies.
// A W is self-adjoint in the form (p, r) = p . W r, which may vanish for some p: those have eigenvalue 0 here.
// Three vectors are kept, not the basis: lost orthogonality repeats eigenvalues, it does not move the largest.

#include <functional>

#include "dashpot/core/types.hpp"

namespace dashpot::math {

/// y = operator x; y has the size of x and is overwritten.
using LinearMap = std::function<void(const Vector& x, Vector& y)>;

struct EigenOptions {
  double tolerance = 1e-6;  ///< of the residual, relative to the eigenvalue; the eigenvalue itself is better than that
  int max_steps = 100;      ///< products with A and W
};

struct LargestEigenvalue {
  double value = 0;     ///< Ritz value: never above the true one but for round-off; 0 when the form of `start` is 0
  double residual = 0;  ///< an eigenvalue lies within this distance: value + residual errs on the high side
  int steps = 0;
};

/// `start` should have no symmetry. `vector`, when given, becomes x = W p with p . W p = 1 and A x close to lambda p;
/// this doubles the work.
LargestEigenvalue largest_eigenvalue(const Vector& start, const LinearMap& A, const LinearMap& W,
                                     const EigenOptions& options = {}, Vector* vector = nullptr);

/// A start without symmetry, the same on every machine; entries between -1/2 and 1/2.
Vector lanczos_start(Eigen::Index size);

}  // namespace dashpot::math
