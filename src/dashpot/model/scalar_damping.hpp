#pragma once
// Dampings that fit into the constant scalar matrix of projective dynamics:
//     f(q, v) = D v - e(q, v),
// where D is constant, symmetric, positive semidefinite and the same for the x, y and z components, and e (zero for
// plain Laplacian damping) is what is taken out again, for instance the part of the motion that is local rotation.
// D >= df/dv >= 0, so that iterations with D in the matrix and e on the right-hand side contract.

#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

class ScalarDamping {
 public:
  virtual ~ScalarDamping() = default;
  /// of_slot[s] += scale * D_s [N s/m], one number per slot of the bound BlockPattern.
  virtual void add_scalar_damping(double scale, std::vector<double>& of_slot) const = 0;
  virtual bool has_rotation_part() const = 0;
  /// f += e(q, v).
  virtual void add_rotation_part(const Vector& q, const Vector& v, Vector& f) const = 0;
};

}  // namespace dashpot
