#pragma once
// Example deformations X = [x_1 ... x_k] made orthonormal in the norm of a damping matrix C:
//     X = Q R,  Q^T C Q = I,  U = C Q,     so that  Chat = C + U (Pi - I) U^T            [XuBarbic2017, eqs. 7-9]
// Two ways: `triangular`, R upper triangular with positive diagonal (the paper's Gram-Schmidt; here by a Cholesky
// factor of X^T C X, repeated once where that is ill-conditioned), or `symmetric` (Loewdin): columns normalized in the
// C-norm, Q = X_n (X_n^T C X_n)^-1/2, the orthonormal set nearest to the examples and independent of their order.
//
// Rank rule: an example is dropped when what is left of it after projection on those before has a C-norm of at most
// tolerance * sqrt(||C||_2) ||x||_2: it is rigid (C does not see it), or C-dependent on others. A tolerance below 1e-7
// cannot work: C-norms are square roots, so round-off is 1e-8. A dropped example has no effect.

#include <vector>

#include "dashpot/linsolve/low_rank_part.hpp"

namespace dashpot {

enum class ExampleBasisKind { triangular, symmetric };

struct ExampleBasis {
  std::vector<int> kept;  ///< examples in use, ascending; p of them
  SharedMatrix U;         ///< C Q, one column per kept example [N s/m, times 1/sqrt(N s/m) of Q]
  Matrix to_Q;            ///< Q = X(kept) to_Q, p x p
  Matrix R;               ///< inverse of to_Q: X(kept) = Q R
  double condition = 1;   ///< of R: largest over smallest singular value, of columns normalized in the C-norm
};

/// The columns of A that belong to the kept examples.
Matrix kept_columns(const Matrix& A, const std::vector<int>& kept);

/// X and CX = C X over the same dofs; norm_C: an estimate of ||C||_2 [N s/m].
ExampleBasis make_example_basis(const Matrix& X, const Matrix& CX, double norm_C, double tolerance,
                                ExampleBasisKind kind);

/// What a designer wants to know of examples under a given C.
struct ExampleDiagnosis {
  std::vector<int> kept;     ///< examples that have an effect
  std::vector<int> dropped;  ///< rigid or dependent ones
  Matrix angles;         ///< between all pairs in the inner product of C [degrees]; 0 .. 90, NaN where C sees nothing
  double condition = 1;  ///< of the kept examples; above about 10 the paper's couplings become large
};
ExampleDiagnosis diagnose_examples(const Matrix& X, const Matrix& CX, double norm_C, double tolerance);

}  // namespace dashpot
