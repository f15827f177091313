#pragma once
// The damping "over" which another one is designed, made by its own factory.

#include <memory>

#include "dashpot/model/viscous_operator.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class BodyAssembly;

struct DampingBase {
  std::unique_ptr<DissipationTerm> term;
  const ViscousOperator* C = nullptr;  ///< of term
};

/// From the parameter "over" of a damping. dashpot::Error where that damping is not linear over a step.
DampingBase make_damping_base(const Settings& damping, BodyAssembly& body);

/// Rest coordinates of the System as far as this body is concerned; zero elsewhere.
Vector rest_of(const BodyAssembly& body);

}  // namespace dashpot
