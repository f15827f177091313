#pragma once
// How gains gamma_i asked for along examples become a damping between them: the matrix Pi of
//     Chat = C + U (Pi - I) U^T,   U = C Q,   Q^T C Q = I,   X = Q R,   Gamma = diag(gamma).
//
//   raw          Pi = Pibar = R Gamma R^-1: Chat X = C X Gamma exactly [XuBarbic2017, eqs. 8-10], but in general
//   neither
//                symmetric nor safe: sym(Pibar) may have negative eigenvalues, and the damping then creates energy.
//   symmetrized  Pi = sym(Pibar): symmetric, still not safe.
//   nonnegative  Pi = Pibar - sum_{lambda_i < 0} lambda_i v_i v_i^T over eigenpairs of sym(Pibar) [XuBarbic2017, app.
//   B]:
//                power >= 0, but unbounded: nearly parallel examples with different gains are damped by far more than
//                any gain asked for.
//   lowdin       Pi = Gamma in the symmetric (Loewdin) basis: symmetric, power >= 0, independent of the order of the
//                examples, never outside [min(1, gamma), max(1, gamma)]; equal to all others for C-orthogonal examples.
//                Ours; not in the paper.

#include <string>

#include "dashpot/dissipation/example_basis.hpp"

namespace dashpot {

enum class Coupling { raw, symmetrized, nonnegative, lowdin };
/// The names users write: "raw", "symmetrized", "nonnegative", "lowdin".
std::string to_string(Coupling coupling);

inline bool is_safe(Coupling coupling) { return coupling == Coupling::nonnegative || coupling == Coupling::lowdin; }
inline bool is_symmetric(Coupling coupling) {
  return coupling == Coupling::symmetrized || coupling == Coupling::lowdin;
}
inline ExampleBasisKind basis_kind(Coupling coupling) {
  return coupling == Coupling::lowdin ? ExampleBasisKind::symmetric : ExampleBasisKind::triangular;
}

/// Pi for the gains of the kept examples (size p).
Matrix coupling_matrix(Coupling coupling, const ExampleBasis& basis, const Vector& gamma);

/// Column i is (dPi/dgamma_i) w times scale_i: what a change of gain i does to Pi w. Exact; at a zero eigenvalue of
/// sym(Pibar), where `nonnegative` has a kink, the one-sided derivative.
Matrix coupling_derivative(Coupling coupling, const ExampleBasis& basis, const Vector& gamma, const Vector& w,
                           const Vector& scale);

}  // namespace dashpot
