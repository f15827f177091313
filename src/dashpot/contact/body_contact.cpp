#include "dashpot/contact/body_contact.hpp"

#include <fmt/format.h>

#include "dashpot/contact/pair_scatter.hpp"
#include "dashpot/contact/penalty_law.hpp"

namespace dashpot::contact {
namespace {

/// Nodes a touch acts on: those of the sample, then those of the simplex, with the weights of the gap's gradient.
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
  for (const ContactSurface* surface : {&pair_->first(), &pair_->second()}) {
    for (const std::array<int, 3>& t : surface->triangles) pattern.add_group(t.data(), 3);
    for (const std::array<int, 2>& e : surface->edges) pattern.add_group(e.data(), 2);
  }
}

BlockRange BodyContact::touched_blocks() const {
  BlockRange range;
  for (const ContactSurface* surface : {&pair_->first(), &pair_->second()}) {
    for (const std::array<int, 3>& t : surface->triangles) range = hull(range, range_of(t));
    for (const std::array<int, 2>& e : surface->edges) range = hull(range, range_of(e));
    for (const Sample& sample : surface->samples)
      for (int k = 0; k < sample.num_nodes(); ++k) range = hull(range, {sample.nodes[at(k)], sample.nodes[at(k)] + 1});
    range = hull(range, range_of(surface->corners));
  }
  return range;
}

double BodyContact::evaluate(const EnergyRequest& request) const {
  double energy = 0;
  const bool projected = request.projection == Projection::positive_semidefinite;
  for (const Touch& touch : pair_->touches(request.q)) {
    const FeatureGap gap = pair_->gap(request.q, touch);
    const Penalty<double> psi = penalty(pair_->clear_gap(gap), pair_->law().stiffness, pair_->law().onset);
    if (psi.value == 0 && psi.slope == 0) continue;
    energy += touch.scale * psi.value;
    const Stencil stencil(touch, gap);
    if (request.gradient != nullptr)
      for (int k = 0; k < stencil.count; ++k)
        request.gradient->segment<3>(3 * Eigen::Index{stencil.nodes[k]}) +=
            (touch.scale * psi.slope * stencil.weights[k]) * gap.normal;
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
    scatter_symmetric(*pattern_, stencil.nodes, stencil.count, block, *request.hessian, request.couplings);
  }
  return energy;
}

std::string BodyContact::step_problem(const State& state, double dt) const {
  const double speed = pair_->approach_speed(state.q, state.v, dt), limit = pair_->reach_per_step();
  if (speed * dt <= limit) return {};
  return fmt::format(
      "'{}' and '{}' approach at {:.3g} m/s and could pass through each other; contact follows {:.3g} m a step (skin "
      "and "
      "depth limit)",
      pair_->first().body, pair_->second().body, speed, limit);
}

}  // namespace dashpot::contact
