#pragma once
// Damping proportional to mass and stiffness, element by element: what reductions need to know of it to make C in a
// subspace without the full one.

#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

class ProportionalDamping {
 public:
  virtual ~ProportionalDamping() = default;
  /// Coefficients per element of its mass [1/s] and stiffness [s], and which K they multiply.
  virtual const std::vector<double>& alpha() const = 0;
  virtual const std::vector<double>& beta() const = 0;
  virtual StiffnessPart part() const = 0;
};

}  // namespace dashpot
