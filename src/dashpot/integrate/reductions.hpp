#pragma once
// What integrators and solvers ask of whole vectors: sums, norms, the largest entry, whether all is finite. They ask
// here and nowhere else (tools/check_layers.py sees to it), so that a System spread over processes or held on a device
// needs another reductions.cpp and no other integrator. Sums are taken in a fixed order.

#include "dashpot/model/system.hpp"

namespace dashpot {

using VectorView = Eigen::Ref<const Vector>;

/// Over vectors of all dofs, or over the same part of two.
double dot(const System& system, const VectorView& x, const VectorView& y);
/// Over the free dofs, or over all others.
double free_dot(const System& system, const Vector& x, const Vector& y);
double prescribed_dot(const System& system, const Vector& x, const Vector& y);
double norm(const System& system, const Vector& x);
/// Norm over the free dofs, with what acts on tied dofs condensed into them.
double free_norm(const System& system, const Vector& f);
/// The largest |x_i|; 0 for an empty vector.
double largest(const System& system, const Vector& x);
bool all_finite(const System& system, const Vector& x);

/// Over the dofs of one term or body.
double dot(const System& system, const DofRange& dofs, const Vector& x, const Vector& y);
bool is_zero(const System& system, const DofRange& dofs, const Vector& x);

}  // namespace dashpot
