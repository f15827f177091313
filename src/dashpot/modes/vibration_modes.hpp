#pragma once
// Undamped vibration modes of a System linearized at a state:
//
//     K phi_i = omega_i^2 M phi_i,    phi_i^T M phi_j = delta_ij
//
// over the free dofs; shapes are zero at prescribed ones. The lowest modes come from shift-inverted Lanczos (Spectra)
// around a small negative shift, so that K - sigma M is positive definite also for a body that floats freely; small
// systems are solved densely. Lanczos may overlook copies of a repeated eigenvalue (the six rigid modes, bending pairs
// of a square bar): found modes are therefore projected out and the search repeated until nothing is left below the
// last one.
//
// Conventions: modes ascend in omega^2; the entry of largest magnitude of a shape is positive; shapes have the unit
// 1/sqrt(kg) (times the unit of q). A negative omega^2 (an unstable state) gives a negative frequency.
// Limits: M positive definite on the free dofs (every node has mass); K and M symmetric.

#include <cstdint>
#include <string>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

struct ModesOptions {
  int num_modes = 10;  ///< modes wanted besides rigid ones
  double near_frequency =
      0;  ///< [Hz] above 0: the num_modes modes nearest to this frequency, rigid ones only if among them
  double tolerance = 1e-10;        ///< of the Lanczos iteration, relative
  double rigid_tolerance = 1e-12;  ///< a mode is rigid when omega^2 <= rigid_tolerance * max_i K_ii / M_ii
  /// Throws dashpot::Error with every problem.
  void check() const;
};

struct ModesResult {
  Vector frequencies;  ///< [Hz]; rigid modes (about 0), then num_modes elastic ones; unstable ones before both
  Vector lambda;       ///< omega^2 [rad^2/s^2]
  Matrix shapes;       ///< num_dofs x k, M-orthonormal
  /// ||K phi - omega^2 M phi|| over ||omega^2 M phi||, with the first elastic omega^2 in the denominator for rigid
  /// modes.
  Vector residuals;
  int num_unstable = 0;   ///< omega^2 clearly below zero; these come first
  int num_rigid = 0;      ///< |omega^2| within the tolerance, of either sign by round-off; these come next
  bool converged = true;  ///< false: Lanczos stopped early; read the residuals
  std::string solver;     ///< "dense", or the linear solver behind Lanczos

  int size() const { return static_cast<int>(lambda.size()); }
};

/// K [N/m] and M [kg] on one pattern; is_free has one entry per dof. Throws dashpot::Error when more modes are asked
/// for than there are free dofs, or when a free dof has no mass.
ModesResult vibration_modes(const BlockMatrix& K, const BlockMatrix& M, const std::vector<std::uint8_t>& is_free,
                            const ModesOptions& options);

}  // namespace dashpot
