#include "dashpot/scene/assembly/damping_base.hpp"

#include <fmt/format.h>

#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

DampingBase make_damping_base(const Settings& damping, BodyAssembly& body) {
  const ModelSpec over = damping.model("over", Category::damping);
  DampingBase base;
  if (const auto* make = std::get_if<DampingFactory>(&over.entry->factory)) {
    base.term = (*make)(over.settings, body);
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
