#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot::maker {
namespace {

struct Named : formula::Corotational {
  static constexpr const char* name = "corotational";
};

}  // namespace

std::unique_ptr<TetElasticity> corotational(const LameInput& input) {
  return make<TetElasticityOf<StretchLaw<Named>>>(input);
}

}  // namespace dashpot::maker
