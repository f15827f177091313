#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot {
namespace {

struct Named : formula::Corotational {
  static constexpr const char* name = "corotational";
};

}  // namespace

constinit const IsotropicLaw IsotropicLaw::corotational{
    Named::name, &maker::make_projective<TetElasticityOf<StretchLaw<Named>>, true>};

}  // namespace dashpot
