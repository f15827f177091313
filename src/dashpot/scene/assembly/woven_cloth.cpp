#include "dashpot/scene/assembly/woven_cloth.hpp"

#include <algorithm>

#include "dashpot/constraint/pins.hpp"
#include "dashpot/yarn/yarn_bending.hpp"
#include "dashpot/yarn/yarn_gravity.hpp"
#include "dashpot/yarn/yarn_jamming.hpp"
#include "dashpot/yarn/yarn_kinematics.hpp"
#include "dashpot/yarn/yarn_shear.hpp"
#include "dashpot/yarn/yarn_stretch.hpp"

namespace dashpot {
namespace {

bool acts(const PerFamily& values) { return values.warp != 0 || values.weft != 0; }

std::unique_ptr<Pins> pins_of(const WovenClothSpec& spec) {
  std::vector<int> dofs = spec.held_dofs;
  for (const int crossing : spec.held_crossings)
    for (int axis = 0; axis < 3; ++axis) dofs.push_back(crossing_size * crossing + axis);
  if (spec.holds_ends)
    for (const int dof : spec.cloth.end_labels()) dofs.push_back(dof);
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  if (dofs.empty()) return nullptr;
  std::vector<double> values;
  for (const int dof : dofs) values.push_back(spec.cloth.rest[dof]);
  return std::make_unique<Pins>(std::move(dofs), std::move(values));
}

}  // namespace

std::shared_ptr<const System> make_woven_cloth(const WovenClothSpec& spec) {
  const WovenCloth& cloth = spec.cloth;
  const int count = cloth.num_crossings();
  check_yarns(cloth.yarns, count);
  const auto segments = std::make_shared<YarnBatch>(segments_of(cloth.yarns), count);
  const auto bends = std::make_shared<YarnBatch>(bends_of(cloth.yarns), count);
  const auto corners = std::make_shared<YarnBatch>(corners_of(cloth.yarns, count), count);
  SystemBuilder builder(DofLayout(crossing_size, count), cloth.rest);
  builder.set_inertia(std::make_unique<YarnInertia>(
      spec.body, segments, spec.density, spec.is_exact ? YarnInertiaTangent::exact : YarnInertiaTangent::mass));
  builder.set_kinematics(std::make_shared<YarnKinematics>(count));
  auto stretch = std::make_unique<YarnStretch>(spec.body, segments, spec.stretch);
  auto bending = std::make_unique<YarnBending>(spec.body, bends, spec.bending);
  const YarnRateTangent tangent = spec.is_exact ? YarnRateTangent::exact : YarnRateTangent::velocity;
  if (acts(spec.stretch_damping))
    builder.add(std::make_unique<YarnStretchDamping>(*stretch, spec.stretch_damping, tangent));
  if (acts(spec.bending_damping))
    builder.add(std::make_unique<YarnBendingDamping>(*bending, spec.bending_damping, tangent));
  if (spec.friction.coefficient != 0)
    builder.add(std::make_unique<YarnFriction>(*stretch, *bending, cloth.warp_is_upper, spec.friction));
  builder.add(std::move(stretch));
  builder.add(std::move(bending));
  builder.add(std::make_unique<YarnShear>(spec.body, corners, spec.shear));
  // Crossings along a yarn are as far apart as the yarns that cross it are wide.
  if (spec.jamming != 0)
    builder.add(
        std::make_unique<YarnJamming>(spec.body, segments, spec.jamming, PerFamily{spec.width.weft, spec.width.warp}));
  if (!spec.gravity.isZero(0))
    builder.add(std::make_unique<YarnGravity>(spec.body, segments, spec.density, spec.gravity));
  if (auto pins = pins_of(spec)) builder.add(std::move(pins));
  return builder.build();
}

}  // namespace dashpot
