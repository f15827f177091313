#pragma once
// What projective dynamics and Laplacian damping need of an energy: difference operators and projections
// [Bouaziz2014, LiLiuKavan2018].
//
//     Psi(q) = sum_j w_j/2 |G_j x - p_j|^2,    p_j = the point of a set M_j that is nearest to G_j x
//
// x holds the node positions, one row of 3 per block; G_j is a small matrix over the nodes of element j (a deformation
// gradient F^T for tets and triangles, an edge for springs); M_j is the set of undeformed values (rotations, vectors of
// one length). Then
//
//     dPsi/dx = L x - sum_j w_j G_j^T p_j,      L = sum_j w_j G_j^T G_j,
//
// with L constant and the same for the x, y and z components: one scalar matrix, factored once. Laws that are no
// distance to a set take part with p_j = F - P(F)/w_j, where w_j bounds the curvature of psi: the gradient is exact,
// the matrix a majorant.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/model/state.hpp"

namespace dashpot {

class BlockMatrix;

/// L without projections. Gives graph Laplacians to damping models, as StiffnessSource gives K.
class LaplacianSource {
 public:
  virtual ~LaplacianSource() = default;
  virtual int num_elements() const = 0;
  /// of_slot[s] += sum_j element_scale[j] w_j (G_j^T G_j)_s: one number [N/m] per slot of the bound BlockPattern, both
  /// triangles. element_scale has num_elements entries.
  virtual void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const = 0;
  /// f += sum_j element_scale[j] w_j G_j^T (omega_j x G_j x): what of L v is local rotation, with the rate omega_j
  /// [1/s] that fits G_j v best, sum_k g_k x (omega_j x g_k) = sum_k g_k x gdot_k over the rows g_k of G_j x and gdot_k
  /// of G_j v (for tets (tr B I - B) omega = ax(Fdot F^T - F Fdot^T), B = F F^T). Where that is singular (an edge), the
  /// smallest omega.
  virtual void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                              Vector& f) const = 0;
  /// tangent += dv_scale de/dv + dq_scale de/dq of that force e, for Newton steps (math/best_spin.hpp has the blocks of
  /// an element). de/dv is symmetric, positive semidefinite and at most L; de/dq is not symmetric.
  virtual void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                double dv_scale, double dq_scale, BlockMatrix& tangent) const = 0;
};

/// Arithmetic of the projections. L, its factor and the sums stay double.
enum class ProjectionPrecision { double_precision, single_precision };

class ProjectiveForm : public LaplacianSource {
 public:
  /// Storage for warm starts, used by one thread of steps at a time.
  virtual std::unique_ptr<TermScratch> make_projection_scratch(ProjectionPrecision precision) const = 0;
  /// Starts anew from q: what add_projection() finds afterwards depends on q and on what it was called with since, and
  /// on nothing before. Same State, same bits.
  virtual void begin_projection(const Vector& q, TermScratch* scratch) const = 0;
  /// f += sum_j w_j G_j^T p_j(q), 3 numbers per block. Bits do not depend on the thread count.
  virtual void add_projection(const Vector& q, TermScratch* scratch, Vector& f) const = 0;
};

}  // namespace dashpot
