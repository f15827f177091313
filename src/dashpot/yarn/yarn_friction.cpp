#include "dashpot/yarn/yarn_friction.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/yarn/bend_elements.hpp"
#include "dashpot/yarn/formula/friction.hpp"
#include "dashpot/yarn/segment_elements.hpp"

namespace dashpot {
namespace {

constexpr int crossings_per_range = 1024;

struct FrictionScratch final : TermScratch {
  Vector start;              ///< coordinates at the start of the step
  std::vector<double> most;  ///< mu N of each crossing [N]
};

/// Elastic forces on crossings of the yarns of one family, and directions of its yarns there.
struct FamilyForces {
  std::vector<Vec3> force, direction;
};

Vec3 of(const math::Vector3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

YarnFriction::YarnFriction(const YarnStretch& stretch, const YarnBending& bending,
                           std::vector<std::uint8_t> warp_is_upper, const YarnFrictionOptions& options)
    : stretch_(&stretch),
      bending_(&bending),
      num_crossings_(static_cast<int>(warp_is_upper.size())),
      warp_is_upper_(std::move(warp_is_upper)),
      options_(options) {
  std::vector<Problem> problems;
  const auto need = [&](double value, bool holds, const char* name, const char* expected) {
    if (!std::isfinite(value) || !holds)
      problems.push_back({body() + ": friction", fmt::format("{} = {:.6g}", name, value), expected, ""});
  };
  need(options.coefficient, options.coefficient >= 0, "coefficient", "coefficient >= 0");
  need(options.stiffness, options.stiffness > 0, "stiffness", "stiffness > 0 N/m");
  need(options.damping, options.damping >= 0, "damping", "damping >= 0 N s/m");
  need(options.pressing_force, options.pressing_force >= 0, "pressing force", "pressing force >= 0 N");
  if (!problems.empty()) throw Error(problems);
}

DissipationTraits YarnFriction::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;  // labels alone
  traits.has_memory = true;
  traits.linear_in_velocity = false;
  return traits;
}

void YarnFriction::bind(const BlockPattern& pattern) {
  diagonal_.resize(at(num_crossings_));
  for (int i = 0; i < num_crossings_; ++i) diagonal_[at(i)] = pattern.diagonal_slot(i);
}

double YarnFriction::stored_energy(const Vector& internal_variables) const {
  return 0.5 * options_.stiffness * internal_variables.squaredNorm();
}

std::unique_ptr<TermScratch> YarnFriction::make_scratch_beside(std::span<const EnergyScratch>) const {
  return std::make_unique<FrictionScratch>();
}

void YarnFriction::normal_forces(const Vector& q, std::vector<double>& N) const {
  FamilyForces of_family[2];
  for (FamilyForces& family : of_family) {
    family.force.assign(at(num_crossings_), Vec3::Zero());
    family.direction.assign(at(num_crossings_), Vec3::Zero());
  }
  const YarnBatch& segments = stretch_->batch();
  segments.for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      FamilyForces& family = of_family[static_cast<std::size_t>(segments.family(i))];
      const formula::Segment<double> s = segment_at(segments, q, i);
      const formula::SegmentStretch<double> strain = formula::segment_stretch(s);
      const Vec3 pull = stretch_->stiffness()[segments.family(i)] * strain.strain * of(strain.direction);
      const auto a = at(segments.blocks(i)[0]), b = at(segments.blocks(i)[1]);
      family.force[a] += pull;  // the force on the crossing is minus the gradient
      family.force[b] -= pull;
      family.direction[a] += of(strain.direction);
      family.direction[b] += of(strain.direction);
    }
  });
  const YarnBatch& bends = bending_->batch();
  bends.for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      FamilyForces& family = of_family[static_cast<std::size_t>(bends.family(i))];
      const formula::Bend<double> bend = bend_at(bends, bend_along, q, i);
      formula::BendGradient<double> g;
      formula::bend_energy(bending_->stiffness()[bends.family(i)], bend, formula::bend_frame(bend), g);
      const Vec3 a = of(g.a), b = of(g.b);
      family.force[at(bends.blocks(i)[0])] += a;
      family.force[at(bends.blocks(i)[1])] += b - a;
      family.force[at(bends.blocks(i)[2])] -= b;
    }
  });
  N.assign(at(num_crossings_), 0);
  parallel_for(num_crossings_, crossings_per_range, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const std::size_t i = at(k);
      const Vec3 n = of_family[0].direction[i].cross(of_family[1].direction[i]).stableNormalized();
      const double sign = warp_is_upper_[i] != 0 ? 1 : -1;  // n.(F_lower - F_upper) where warp is upper; else turned
      N[i] = std::max(0.0, options_.pressing_force + sign * 0.5 * n.dot(of_family[1].force[i] - of_family[0].force[i]));
    }
  });
}

void YarnFriction::begin_step(const State& state, TermScratch* scratch) const {
  auto& held = static_cast<FrictionScratch&>(*scratch);
  held.start = state.q;
  normal_forces(state.q, held.most);
  for (double& most : held.most) most *= options_.coefficient;
}

double YarnFriction::evaluate(const DissipationRequest& request) const {
  const auto& held = static_cast<const FrictionScratch&>(*request.scratch);
  return parallel_sum(num_crossings_, crossings_per_range, [&](int begin, int end) {
    double power = 0;
    for (int i = begin; i < end; ++i)
      for (const YarnFamily family : {YarnFamily::warp, YarnFamily::weft}) {
        const Eigen::Index dof = Eigen::Index{crossing_size} * i + label_of(family);
        const Eigen::Index variable = Eigen::Index{2} * i + static_cast<int>(family);
        const double stretch = request.internal_variables[variable] + request.q[dof] - held.start[dof];
        const formula::SlidingFriction f =
            formula::sliding_friction(options_.stiffness, options_.damping, held.most[at(i)], stretch, request.v[dof]);
        power += f.force * request.v[dof];
        if (request.force != nullptr) (*request.force)[dof] += f.force;
        if (request.new_internal_variables != nullptr) (*request.new_internal_variables)[variable] = f.stretch;
        if (request.tangent != nullptr)
          request.tangent->block(diagonal_[at(i)])[(crossing_size + 1) * label_of(family)] +=
              request.dv_scale * f.by_rate + request.dq_scale * f.by_label;
      }
    return power;
  });
}

}  // namespace dashpot
