#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot {
namespace {

struct Named : formula::StableNeoHookean {
  static constexpr const char* name = "stable_neo_hookean";
};

}  // namespace

constinit const IsotropicLaw IsotropicLaw::stable_neo_hookean{Named::name,
                                                              &maker::make_source<TetElasticityOf<StretchLaw<Named>>>};

}  // namespace dashpot
