#include "woven_patch.hpp"

#include "support/noise_vector.hpp"

namespace dashpot::testing {
namespace {

/// Holds coordinates where they are at rest.
class Held final : public Constraint {
 public:
  Held(std::vector<int> dofs, const Vector& rest) : dofs_(std::move(dofs)), rest_(rest) {}
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double, Vector* q, Vector* v, Vector* a) const override {
    for (const int dof : dofs_) {
      if (q != nullptr) (*q)[dof] = rest_[dof];
      if (v != nullptr) (*v)[dof] = 0;
      if (a != nullptr) (*a)[dof] = 0;
    }
  }
  bool is_fixed() const override { return true; }

 private:
  std::vector<int> dofs_;
  Vector rest_;
};

}  // namespace

WovenPatch woven_patch(const WovenPatchOptions& o) {
  WovenPatch patch;
  patch.cloth = weave_sheet(o.sheet);
  const WovenCloth& cloth = patch.cloth;
  const int n = cloth.num_crossings();
  const auto segments = std::make_shared<YarnBatch>(segments_of(cloth.yarns), n);
  const auto bends = std::make_shared<YarnBatch>(bends_of(cloth.yarns), n);
  const auto corners = std::make_shared<YarnBatch>(corners_of(cloth.yarns, n), n);
  const std::string body = "cloth";
  SystemBuilder builder(DofLayout(crossing_size, n), cloth.rest);
  builder.set_inertia(std::make_unique<YarnInertia>(body, segments, o.density,
                                                    o.is_exact ? YarnInertiaTangent::exact : YarnInertiaTangent::mass));
  builder.set_kinematics(std::make_shared<YarnKinematics>(n));
  auto stretch = std::make_unique<YarnStretch>(body, segments, o.stretch);
  auto bending = std::make_unique<YarnBending>(body, bends, o.bending);
  const YarnRateTangent tangent = o.is_exact ? YarnRateTangent::exact : YarnRateTangent::velocity;
  if (o.stretch_damping.warp + o.stretch_damping.weft > 0)
    builder.add(std::make_unique<YarnStretchDamping>(*stretch, o.stretch_damping, tangent));
  if (o.bending_damping.warp + o.bending_damping.weft > 0)
    builder.add(std::make_unique<YarnBendingDamping>(*bending, o.bending_damping, tangent));
  if (o.friction.coefficient > 0)
    builder.add(std::make_unique<YarnFriction>(*stretch, *bending, cloth.warp_is_upper, o.friction));
  builder.add(std::move(stretch));
  builder.add(std::move(bending));
  builder.add(std::make_unique<YarnShear>(body, corners, o.shear));
  if (o.jamming > 0) builder.add(std::make_unique<YarnJamming>(body, segments, o.jamming, o.width));
  if (!o.gravity.isZero(0)) builder.add(std::make_unique<YarnGravity>(body, segments, o.density, o.gravity));
  std::vector<int> held = o.held_dofs;
  if (o.holds_ends)
    for (const int dof : cloth.end_labels()) held.push_back(dof);
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  if (!held.empty()) builder.add(std::make_unique<Held>(held, cloth.rest));
  patch.system = builder.build();
  return patch;
}

Vector shaken(const Vector& q, double place, double label, int seed) {
  Vector result = q;
  const Vector noise = testing::noise(q.size(), seed);
  for (Eigen::Index i = 0; i < q.size(); ++i) result[i] += (i % crossing_size < 3 ? place : label) * noise[i];
  return result;
}

}  // namespace dashpot::testing
