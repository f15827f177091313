#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot::maker {
namespace {

struct Named : formula::Corotational {
  static constexpr const char* name = "corotational";
};

}  // namespace

std::unique_ptr<TetElasticity> corotational(const LameInput& input) {
  return make_projective<TetElasticityOf<StretchLaw<Named>>>(input, 1);
}

}  // namespace dashpot::maker
