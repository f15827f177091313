#pragma once
// Few shapes that span many frames: proper orthogonal decomposition [Sirovich1987] of coordinates q about their mean,
//
//     q = mean + Phi z,    Phi^T Phi = 1,
//
// with as many modes as asked for, or as the frames hold. Dofs that are not free have no part in Phi; what they are is
// said by the constraints.

#include <cstdint>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::learn {

struct PodBasis {
  Vector mean;             ///< size num_dofs
  Matrix modes;            ///< Phi, num_dofs x r
  Vector singular_values;  ///< of the frames less their mean, descending, all of them

  Eigen::Index size() const { return modes.cols(); }
  Vector project(const Vector& q) const { return modes.transpose() * (q - mean); }
  Vector lift(const Vector& z) const { return mean + modes * z; }
};

/// A column a frame. Modes whose singular value is below 1e-9 of the largest are left out.
PodBasis pod_basis(const Matrix& frames, const std::vector<std::uint8_t>& is_free, int max_modes);
/// All free dofs, one mode each: no reduction.
PodBasis full_basis(const Vector& mean, const std::vector<std::uint8_t>& is_free);

}  // namespace dashpot::learn
