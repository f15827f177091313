#pragma once
// A linear subspace x = X + Phi z for the motion of a System, mass-orthonormal: Phi^T M Phi = I, zero at prescribed
// dofs.
//
//   modal_basis  the lowest vibration modes phi_i, exactly, and the principal directions of their modal derivatives
//                K psi_ij = -(dK/dq : phi_j) phi_i: where a body goes to second order when it moves far along its modes
//                (the stretch that makes up for a linear bend). dK/dq is a central difference of tangents, exact for
//                St. Venant-Kirchhoff, whose K is quadratic in q. Derivatives are weighted by lambda_1^2 / (lambda_i
//                lambda_j) before the principal directions are taken [BarbicJames2005]. Unlike there, the modes stay in
//                the basis as they are: the reduced body has exactly their frequencies.
//   pod_basis    principal directions of displacements seen in a run, in the norm of M.
//
// Limits: the body must be held (pins), because a linear subspace cannot follow a large rotation; motions of supports,
// ties and attachments are not in it.

#include <optional>
#include <string>

#include "dashpot/model/system.hpp"
#include "dashpot/reduce/hooks.hpp"

namespace dashpot {

struct ReducedBasis {
  std::string origin;   ///< "modes", "modes and derivatives" or "pod"
  Vector rest;          ///< X: q at z = 0 [m], size num_dofs
  Matrix shapes;        ///< Phi, num_dofs x r [1/sqrt(kg)]
  Matrix weighted;      ///< M Phi
  Vector frequencies;   ///< [Hz] of the modes that are the first columns; empty for pod
  double captured = 1;  ///< share (0 .. 1) of the mass-weighted squares of what the basis was made from
  int size() const { return static_cast<int>(shapes.cols()); }

  /// Coordinates of the point of the subspace nearest to q in the norm of M.
  Vector coordinates(const Vector& q) const { return weighted.transpose() * (q - rest); }
  Vector positions(const Vector& z) const { return rest + shapes * z; }
};

struct ModalBasisOptions {
  int num_modes = 20;
  int size = 74;  ///< columns in all; fewer when the derivatives do not span as many. size = num_modes: modes alone
  /// Throws dashpot::Error with every problem.
  void check() const;
};

/// About the rest shape of the System. Nothing when the hooks said stop. Throws dashpot::Error for bodies that float
/// freely, moving supports and ties.
std::optional<ReducedBasis> modal_basis(const System& system, const ModalBasisOptions& options,
                                        const PrecomputeHooks& hooks = {});

/// From displacements q - X [m], one column each (num_dofs x k); at most `size` directions, those that hold less than
/// 1e-12 of the squares left out. Throws dashpot::Error when there is nothing to take.
ReducedBasis pod_basis(const System& system, const Matrix& displacements, int size);

/// Puts displacements (one column each) into a basis: they are then in the subspace exactly. What is in it already adds
/// no column.
void extend_basis(const System& system, const Matrix& displacements, ReducedBasis& basis);

}  // namespace dashpot
