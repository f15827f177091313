#include "dashpot/contact/cloth_contact.hpp"
#include "dashpot/contact/held_rubs.hpp"

namespace dashpot::contact {
namespace {

struct ClothFrictionScratch final : RubScratch {
  ClothNeighbors neighbors;
  std::vector<Vec3> x;
  std::vector<ClothTouch> touches;
};

}  // namespace

DissipationTraits ClothFriction::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.linear_in_velocity = false;  // Coulomb's cone
  return traits;
}

std::unique_ptr<TermScratch> ClothFriction::make_scratch_beside(std::span<const EnergyScratch>) const {
  return std::make_unique<ClothFrictionScratch>();
}

void ClothFriction::begin_step(const State& state, TermScratch* scratch) const {
  auto& own = static_cast<ClothFrictionScratch&>(*scratch);
  const ClothSurface& surface = meeting_->surface;
  own.rubs.clear();
  own.held.hold(*meeting_->kinematics, surface.points, state.q);
  meeting_->positions(state.q, own.x);
  own.neighbors.update(surface, own.x, meeting_->law.thickness);
  find_touches(surface, own.neighbors, own.x, meeting_->law.thickness, own.touches);
  const PointPositions positions(*meeting_->kinematics, state.q);
  for (std::size_t i = 0; i < own.touches.size();) {
    // All touches of one node press together: their resultant acts where the strongest of them is.
    const ClothTouch& first = own.touches[i];
    Vec3 pressing = Vec3::Zero();
    std::size_t strongest = i;
    double most = 0;
    do {
      const ClothTouch& touch = own.touches[i];
      const double force = -touch.scale * touch.parallel.value * barrier(touch.gap.gap, meeting_->law).slope;
      pressing += force * touch.gap.normal;
      if (force > most) {
        most = force;
        strongest = i;
      }
      ++i;
    } while (!first.is_edge_pair && i < own.touches.size() && !own.touches[i].is_edge_pair &&
             own.touches[i].nodes[0] == first.nodes[0]);
    if (most == 0 || pressing.norm() == 0) continue;
    const ClothTouch& touch = own.touches[strongest];
    int points[4];
    for (int k = 0; k < touch.gap.num_points; ++k) points[k] = surface.points[at(touch.nodes[at(k)])];
    std::array<int, 3> triangle = surface.triangles[at(touch.triangle)];
    for (int& corner : triangle) corner = surface.points[at(corner)];
    const std::size_t count = at(touch.gap.num_points);
    const RubPlace place{{points, count}, {touch.gap.weights, count}, touch.gap.gap * touch.gap.normal, &triangle};
    own.rubs.push_back(make_rub(positions, mu_, pressing, place));
  }
}

double ClothFriction::evaluate(const DissipationRequest& request) const {
  return evaluate_rubs(*meeting_->kinematics, static_cast<const ClothFrictionScratch&>(*request.scratch), v_eps_,
                       request);
}

bool ClothFriction::add_impulse(const ImpulseRequest& request) const {
  return add_rub_impulses(*meeting_->kinematics, static_cast<const ClothFrictionScratch&>(*request.scratch), v_eps_,
                          request);
}

ParameterList ClothFriction::parameters() const { return {{"friction", Quantity::number, {mu_}}}; }

std::shared_ptr<DissipationTerm> ClothFriction::remade(const double* values, const Replacements&) const {
  return std::make_shared<ClothFriction>(meeting_, values[0], v_eps_);
}

}  // namespace dashpot::contact
