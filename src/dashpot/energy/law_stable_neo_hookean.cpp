#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot::maker {
namespace {

struct Named : formula::StableNeoHookean {
  static constexpr const char* name = "stable_neo_hookean";
};

}  // namespace

std::unique_ptr<TetElasticity> stable_neo_hookean(const LameInput& input) {
  return make_source<TetElasticityOf<StretchLaw<Named>>>(input);
}

}  // namespace dashpot::maker
