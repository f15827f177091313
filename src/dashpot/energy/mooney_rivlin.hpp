#pragma once
// Compressible Mooney-Rivlin rubber (energy/formula/mooney_rivlin.hpp), by Young's modulus E, Poisson's ratio nu and
// the share m of the shear modulus mu that the second invariant carries:
//
//     c1 = (1 - m) mu/2,   c2 = m mu/2,   c = lambda/2 - m mu
//
// so that small strain is linear elasticity with (E, nu) whatever m. m = 0 is a neo-Hookean solid; rubbers in tension
// have m of 0.1 to 0.4. Pulled along one axis by a stretch s, nearly incompressible rubber has the engineering stress
// 2 (c1 + c2/s) (s - 1/s^2): m is the slope of its Mooney plot. c >= 0 asks for m <= nu/(1 - 2 nu).

#include <memory>
#include <string>

#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot {

struct MooneyRivlinParts {
  PartwiseValue young{1e5};         ///< E [Pa] > 0
  PartwiseValue poisson{0.45};      ///< nu, -1 < nu < 0.5
  PartwiseValue second_share{0.2};  ///< m, 0 <= m <= 1
};

/// Throws Error, all problems at once.
std::unique_ptr<TetElasticity> make_mooney_rivlin(std::string body, std::shared_ptr<TetBatch> batch,
                                                  const MooneyRivlinParts& parts);

}  // namespace dashpot
