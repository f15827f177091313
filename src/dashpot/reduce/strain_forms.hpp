#pragma once
// The elastic energy of a St. Venant-Kirchhoff body in subspace coordinates, as exact polynomials.
//
// With x = X + Phi z and z_0 = 1 the deformation gradient is F = sum_a z_a A_a, the Green strain E = sum_{a<=b} z_a z_b
// e_ab is quadratic, and Psi = sum over points w (lambda/2 tr(E)^2 + mu E:E) is a homogeneous quartic in (1, z):
//
//     Psi = 1/2 sum_{P,Q} T_PQ z_P z_Q,   T_PQ = sum w e_P : C : e_Q,   z_P = z_a z_b for the pair P = (a <= b).
//
// T is summed once over all elements (a product of matrices, blocked); folding it by monomials gives the QuarticForm.
// T itself is kept on request: the geometric part of the Hessian is G_ab = (1 + delta_ab) sum_Q T_(ab)Q z_Q, and H - G
// is the Gauss-Newton part that objective Rayleigh damping needs. Lame parameters may differ from element to element.
//
// Cost: about pairs^2 * 6 * points / 2 multiply-adds, pairs = (r+1)(r+2)/2. Limits: at most max_subspace columns.

#include <optional>
#include <vector>

#include "dashpot/model/tet_batch.hpp"
#include "dashpot/reduce/hooks.hpp"
#include "dashpot/reduce/quartic_form.hpp"

namespace dashpot {

/// Most basis vectors an exact reduced St. Venant-Kirchhoff energy is made for: T then takes 560 MB.
constexpr int max_subspace = 128;

/// A symmetric matrix over the pairs (a <= b) of n variables, packed by rows of its upper triangle.
class PairForm {
 public:
  PairForm() = default;
  /// T(P, Q) with P <= Q is read.
  PairForm(int num_variables, const Matrix& T);
  bool empty() const { return values_.size() == 0; }
  int num_variables() const { return num_variables_; }
  std::size_t bytes() const { return static_cast<std::size_t>(values_.size()) * sizeof(double); }
  const Vector& values() const { return values_; }
  /// Values written by values() for this many variables; false when their number does not fit.
  bool set_values(int num_variables, Vector values);
  /// G_ab = (1 + delta_ab) sum_Q T_(ab)Q z_Q, n x n.
  void geometric(const ConstVectorRef& z, Matrix& G) const;

 private:
  int num_variables_ = 0;
  Vector values_;
};

struct StrainForms {
  QuarticForm energy;
  PairForm pairs;  ///< empty unless asked for
};

/// What the polynomials are made of. Lame parameters [Pa] per mesh element.
struct StrainInput {
  const TetBatch& batch;
  const std::vector<double>& lambda;
  const std::vector<double>& mu;
  const Vector& rest;   ///< q at z = 0 [m]
  const Matrix& basis;  ///< Phi, num_dofs x r
  bool keep_pairs = false;
};

/// Nothing when the hooks said stop. Throws dashpot::Error when the basis has too many columns.
std::optional<StrainForms> strain_forms(const StrainInput& input, const PrecomputeHooks& hooks = {});

}  // namespace dashpot
