#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/stretch_law.hpp"

namespace dashpot::maker {
namespace {

struct Named : formula::Arap {
  static constexpr const char* name = "arap";
};

}  // namespace

std::unique_ptr<TetElasticity> arap(const LameInput& input) { return make<TetElasticityOf<StretchLaw<Named>>>(input); }

}  // namespace dashpot::maker
