#include "dashpot/model/projective_form.hpp"

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

void LaplacianSource::add_spin_tangent(const Vector&, const Vector&, const std::vector<double>&, double, double,
                                       BlockMatrix&) const {
  throw Error(Problem{"", "a damping without element rotations, on elements that give no derivative of them",
                      "a projective stepper, or other elements", ""});
}

}  // namespace dashpot
