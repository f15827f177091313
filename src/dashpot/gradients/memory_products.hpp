#pragma once
// A damping that remembers, backwards: products of what its force and its memory depend on with vectors from the left.
// The memory xi of an element is its own: the force on its nodes and what it remembers next follow from its own motion
// and its own xi (model/element_batch.hpp; numbers of four elements stand side by side, pack after pack). So
// differences tell all elements with few evaluations, whatever the law is: of xi for elements that share no node at
// once, of positions and velocities for blocks of which no element has two (colored_jacobian.hpp).

#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/gradients/colored_jacobian.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class ElementBatch;

class MemoryProducts {
 public:
  /// Whether a term that remembers tells which elements its memory belongs to.
  static bool are_offered_by(const DissipationTerm& term);
  explicit MemoryProducts(const DissipationTerm& term);

  /// of_xi += (df/dxi)^T mu, a column each. `force(xi, f)` adds f to zeros; xi is moved by +- shift.
  void add_force_product(const Vector& xi, double shift, FunctionRef<void(const Vector& xi, Vector& f)> force,
                         const DofLayout& layout, const Matrix& mu, Matrix& of_xi) const;
  /// of_xi += (dg/dxi)^T lambda of the memory g(xi) that a step leaves.
  void add_memory_product(const Vector& xi, double shift, FunctionRef<void(const Vector& xi, Vector& next)> memory,
                          const Matrix& lambda, Matrix& of_xi) const;
  /// of_x += (dg/dx)^T lambda for positions or velocities x.
  void add_motion_product(const Vector& x, double shift, FunctionRef<void(const Vector& x, Vector& next)> memory,
                          const ColoredJacobian& colors, const DofLayout& layout, const Matrix& lambda,
                          Matrix& of_x) const;

 private:
  /// Place of the k-th number that element e remembers.
  Eigen::Index place(int e, int k) const;

  const ElementBatch* batch_;
  int per_element_ = 0;                        ///< numbers of xi
  std::vector<std::vector<int>> independent_;  ///< elements that share no block, together all of them
};

}  // namespace dashpot
