#pragma once
// The stress correction of [WangEtAl2020, eq. 1] beside the elasticity of a body, for comparison with what its authors
// did (formula/stress_kernels.hpp). It is linear in its weights and isotropic, but has no energy: a cycle of strain can
// take or create some. So it is no EnergyTerm. It stands among the losses: all of its work, that which comes back
// included, is booked as "damping.<body>.stress_kernels", which may fall. No balance of forces at rest, no modes and no
// explicit step limit know of it, and scenes do not offer it: use EnergyKernels (learned.hpp) for that.
//
// The tangent is that of the symmetric part of dp/ds, not projected: Newton's method converges, not quadratically.
// Parameters: "stress_kernels", three weights of each center.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/math/radial_kernel.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

struct StressKernels {
  double scale = 1e4;  ///< E0 [Pa]
  math::RadialKernel kind = math::RadialKernel::distance;
  double width = 0.1;
  std::vector<std::array<double, 3>> centers;
  std::vector<double> weights;  ///< three of each center
};

/// On the elements of an elastic energy. Throws Error.
std::unique_ptr<DissipationTerm> make_stress_kernels(std::string body, std::shared_ptr<TetBatch> batch,
                                                     const StressKernels& kernels);

}  // namespace dashpot
