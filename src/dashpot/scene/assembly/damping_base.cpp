#include "dashpot/scene/assembly/damping_base.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/dissipation/held_damping.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

namespace {

/// Linear in v, with a matrix that only depends on where the body is.
bool can_be_held(const DissipationTerm& part) {
  return part.traits().linear_in_velocity && part.num_internal_variables() == 0 &&
         part.capabilities().point_law != nullptr;
}

}  // namespace

DampingBase make_damping_base(const Settings& damping, BodyAssembly& body) {
  const ModelSpec over = damping.model("over", Category::damping);
  DampingBase base;
  if (const auto* make = std::get_if<DampingFactory>(&over.entry->factory)) {
    std::vector<std::unique_ptr<DissipationTerm>> parts = (*make)(over.settings, body);
    if (parts.size() == 1 && parts.front()->capabilities().viscous != nullptr) {
      base.term = std::move(parts.front());
    } else if (std::all_of(parts.begin(), parts.end(), [](const auto& part) { return can_be_held(*part); })) {
      std::vector<std::shared_ptr<DissipationTerm>> held;
      for (std::unique_ptr<DissipationTerm>& part : parts) held.push_back(std::move(part));
      base.term = std::make_unique<HeldDamping>(std::move(held));
    }
  }
  base.C = base.term ? base.term->capabilities().viscous : nullptr;
  if (base.C == nullptr)
    throw Error(Problem{over.settings.place(), fmt::format("{}, which is not of the form C v over a step", over.name()),
                        "a damping that is, such as \"rayleigh\""});
  return base;
}

Vector rest_of(const BodyAssembly& body) {
  Vector rest = Vector::Zero(body.system_dofs());
  for (int i = 0; i < body.num_nodes(); ++i)
    rest.segment<3>(3 * (body.first_block() + i)) = body.mesh().nodes[static_cast<std::size_t>(i)];
  return rest;
}

}  // namespace dashpot
