#include "dashpot/contact/body_contact.hpp"

#include <fmt/format.h>

#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/model/point_tangent.hpp"

namespace dashpot::contact {
namespace {

/// Points a touch acts on: those of the sample, then those of the simplex, with the weights of the gap's gradient.
struct Stencil {
  int count = 0;
  int nodes[5];
  double weights[5];   ///< of the node in sum w_k z_k
  int corner[5];       ///< index into the gap's points: 0 for the sample
  double fraction[5];  ///< of that point which is this node

  Stencil(const Touch& touch, const FeatureGap& gap) {
    const auto put = [&](int node, int point, double part) {
      nodes[count] = node;
      corner[count] = point;
      fraction[count] = part;
      weights[count++] = part * gap.weights[point];
    };
    for (int k = 0; k < touch.sample->num_nodes(); ++k)
      put(touch.sample->nodes[static_cast<std::size_t>(k)], 0, touch.sample->weights[static_cast<std::size_t>(k)]);
    for (int k = 0; k < touch.num_points; ++k) put(touch.nodes[static_cast<std::size_t>(k)], k + 1, 1);
  }
};

}  // namespace

void BodyContact::couple(PatternBuilder& pattern) const {
  // What lies inside one body is there from the start: two nodes of a sample, corners of a simplex.
  const Kinematics& kinematics = pair_->kinematics();
  for (const ContactSurface* surface : {&pair_->first(), &pair_->second()}) {
    for (const std::array<int, 3>& t : surface->triangles) kinematics.couple(t.data(), 3, pattern);
    for (const std::array<int, 2>& e : surface->edges) kinematics.couple(e.data(), 2, pattern);
    for (const int corner : surface->corners) kinematics.couple(&corner, 1, pattern);
  }
}

BlockRange BodyContact::touched_blocks() const {
  BlockRange range;
  for (const ContactSurface* surface : {&pair_->first(), &pair_->second()}) {
    for (const Sample& sample : surface->samples)
      for (int k = 0; k < sample.num_nodes(); ++k)
        range = hull(range, pair_->kinematics().block_range(sample.nodes[at(k)]));
    range = hull(range, pair_->kinematics().block_range(surface->corners));  // of all simplices
  }
  return range;
}

double BodyContact::evaluate(const EnergyRequest& request) const {
  double energy = 0;
  const Kinematics& kinematics = pair_->kinematics();
  const bool projected = request.projection == Projection::positive_semidefinite;
  for (const Touch& touch : pair_->touches(request.q)) {
    const FeatureGap gap = pair_->gap(request.q, touch);
    const Penalty<double> psi = penalty(pair_->clear_gap(gap), pair_->law().stiffness, pair_->law().onset);
    if (psi.value == 0 && psi.slope == 0) continue;
    energy += touch.scale * psi.value;
    const Stencil stencil(touch, gap);
    if (request.gradient != nullptr)
      for (int k = 0; k < stencil.count; ++k)
        kinematics.add_force(request.q, stencil.nodes[k], (touch.scale * psi.slope * stencil.weights[k]) * gap.normal,
                             *request.gradient);
    // The first part is positive semidefinite; the second, with slope < 0, and subtracted simplices need not be.
    if (request.hessian == nullptr || (projected && touch.scale < 0)) continue;
    const double scale = request.hessian_scale * touch.scale;
    const Mat3 nn = gap.normal * gap.normal.transpose();
    const auto block = [&](int k, int l) -> Mat3 {
      Mat3 value = (scale * psi.curvature * stencil.weights[k] * stencil.weights[l]) * nn;
      if (!projected)
        value += (scale * psi.slope * stencil.fraction[k] * stencil.fraction[l]) *
                 gap_hessian_block(gap, stencil.corner[k], stencil.corner[l]);
      return value;
    };
    add_point_tangent(kinematics, request.q, stencil.nodes, stencil.count, block, *request.hessian, request.couplings);
    for (int k = 0; k < stencil.count && !projected; ++k)
      add_point_curvature(kinematics, request.q, stencil.nodes[k],
                          (scale * psi.slope * stencil.weights[k]) * gap.normal, *request.hessian);
  }
  return energy;
}

std::string BodyContact::refusal_reason(const State& state, double dt) const {
  const double speed = pair_->approach_speed(state.q, state.v, dt), limit = pair_->reach_per_step();
  if (speed * dt <= limit) return {};
  return fmt::format(
      "'{}' and '{}' approach at {:.3g} m/s and could pass through each other; contact follows {:.3g} m a step (skin "
      "and "
      "depth limit)",
      pair_->first().body, pair_->second().body, speed, limit);
}

}  // namespace dashpot::contact
