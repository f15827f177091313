#pragma once
// The Laplacian of a body of tets, L = sum_e sum_p w_ep G_ep^T G_ep with G x = F^T and w = modulus times volume [J],
// and its spin force (model/projective_form.hpp). The modulus is 2 mu, the shear part of the stiffness at rest; laws
// with a projection take the modulus that belongs to it (energy/tet_projection.hpp). 4- and 10-node tets. Forces and
// entries have the same bits for every thread count.

#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

class BlockMatrix;
class ElementRanges;

class TetLaplacian {
 public:
  /// modulus [Pa] by element of the batch (its own order).
  TetLaplacian(std::shared_ptr<const TetBatch> batch, std::vector<double> modulus);
  /// element_scale by mesh element, as everywhere.
  void add(const std::vector<double>& element_scale, std::vector<double>& of_slot) const;
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale, Vector& f) const;
  /// tangent += dv_scale de/dv + dq_scale de/dq of that force e. For Newton steps: not as fast as the force.
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const;

 private:
  void add_linear(const Vector& q, const Vector& v, const double* element_scale, Vector& f) const;
  void add_quadratic(const double* q, const double* v, const double* element_scale, int pack, double* f) const;

  std::shared_ptr<const TetBatch> batch_;
  std::vector<double> modulus_;                  ///< filled up with zeros to whole packs
  std::shared_ptr<const ElementRanges> ranges_;  ///< of tets of 4 nodes; null: others
  std::vector<int> range_packs_;                 ///< packs of the batch in the order of the ranges
};

}  // namespace dashpot
