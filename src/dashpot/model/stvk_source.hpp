#pragma once
// Tets whose energy is St. Venant-Kirchhoff's: a polynomial of degree four in the coordinates of any subspace.

#include <vector>

#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

class StvkSource {
 public:
  virtual ~StvkSource() = default;
  virtual const TetBatch& stvk_batch() const = 0;
  /// Lame parameters [Pa] of each mesh element.
  struct Lame {
    double lambda = 0, mu = 0;
  };
  virtual std::vector<Lame> stvk_parameters() const = 0;
};

}  // namespace dashpot
