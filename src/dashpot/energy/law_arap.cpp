#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot {
namespace {

struct Named : formula::Arap {
  static constexpr const char* name = "arap";
};

}  // namespace

constinit const IsotropicLaw IsotropicLaw::arap{
    Named::name, &maker::make_projective<TetElasticityOf<StretchLaw<Named>>, false>, false};

}  // namespace dashpot
