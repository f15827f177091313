#pragma once
// Principal stretches of tets. Of each element the singular values of its mean deformation gradient (10-node tets: the
// mean over the volume), in descending order. The least one is negative where the element is inverted.

#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

/// s[3 e + i]: stretch i of mesh element e. q: coordinates of the whole System [m].
void principal_stretches(const TetBatch& batch, const Vector& q, std::vector<double>& s);

/// Between which principal stretches and volume ratios something was. The middle stretch has limits of its own: a bar
/// that is pulled has one large stretch, and two large ones say nothing about it.
struct StretchRange {
  double least = 1, largest = 1;
  double least_volume = 1, largest_volume = 1;
  double least_middle = 1, largest_middle = 1;
  bool is_known() const { return least < largest; }
  /// Makes the range hold stretches that are in descending order, the last one negative where inverted.
  void hold(double first, double middle, double last);
};

/// Makes the range hold those of every quadrature point at q too.
void extend_range(const TetBatch& batch, const Vector& q, StretchRange& range);

}  // namespace dashpot
