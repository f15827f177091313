#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot::maker {
namespace {

struct Named : formula::Arap {
  static constexpr const char* name = "arap";
};

}  // namespace

std::unique_ptr<TetElasticity> arap(const LameInput& input) {
  return make_projective<TetElasticityOf<StretchLaw<Named>>>(input, 0);
}

}  // namespace dashpot::maker
