#include "dashpot/contact/collider_contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr int grain = 1024;

void check(const ColliderPair& pair) {
  std::vector<Problem> problems;
  if (pair.stiffness.size() != pair.blocks.size() || pair.onset.size() != pair.blocks.size())
    throw Error(Problem{pair.name,
                        fmt::format("{} stiffnesses and {} onsets for {} nodes", pair.stiffness.size(),
                                    pair.onset.size(), pair.blocks.size()),
                        "one of each per node"});
  if (!std::isfinite(pair.thickness) || pair.thickness < 0)
    problems.push_back({pair.name, fmt::format("thickness = {:.6g} m", pair.thickness), "thickness >= 0"});
  for (std::size_t i = 0; i < pair.blocks.size() && problems.size() < 10; ++i) {
    if (!(pair.stiffness[i] > 0) || !std::isfinite(pair.stiffness[i]))
      problems.push_back(
          {pair.name, fmt::format("contact stiffness = {:.6g} N/m at node {}", pair.stiffness[i], i), "stiffness > 0"});
    if (!(pair.onset[i] > 0) || !std::isfinite(pair.onset[i]))
      problems.push_back({pair.name, fmt::format("onset = {:.6g} m at node {}", pair.onset[i], i), "onset > 0"});
  }
  if (!problems.empty()) throw Error(problems);
}

/// Calls visit(i, x, sample, penalty) for every node of [begin, end) in reach.
template <class Visit>
void for_touching(const ColliderPair& pair, const ColliderInstant& now, const double* q, bool with_curvature, int begin,
                  int end, Visit visit) {
  SurfaceSample sample;
  for (int i = begin; i < end; ++i) {
    const Vec3 x = Vec3::Map(q + 3 * pair.blocks[at(i)]);
    const double onset = pair.onset[at(i)];
    if (!now.sample(x, pair.thickness + 0.5 * onset, with_curvature, sample)) continue;
    visit(i, x, sample, contact::penalty(sample.distance - pair.thickness, pair.stiffness[at(i)], onset));
  }
}

}  // namespace

ColliderContact::ColliderContact(std::shared_ptr<const ColliderPair> pair) : pair_(std::move(pair)) { check(*pair_); }

void ColliderContact::bind(const BlockPattern& pattern) {
  slots_.clear();
  for (const int block : pair_->blocks) slots_.push_back(pattern.diagonal_slot(block));
}

double ColliderContact::evaluate(const EnergyRequest& request) const {
  const std::shared_ptr<const ColliderInstant> now = pair_->collider->at(request.time);
  const bool with_curvature = request.hessian != nullptr;
  return parallel_sum(pair_->size(), grain, [&](int begin, int end) {
    double energy = 0;
    for_touching(*pair_, *now, request.q.data(), with_curvature, begin, end,
                 [&](int i, const Vec3&, const SurfaceSample& sample, const contact::Penalty<double>& psi) {
                   const Vec3& n = sample.normal;
                   energy += psi.value;
                   if (request.gradient != nullptr)
                     Vec3::Map(request.gradient->data() + 3 * pair_->blocks[at(i)]) += psi.slope * n;
                   if (!with_curvature) return;
                   Mat3 block = psi.curvature * n * n.transpose();
                   // H has eigenvalues of one sign on every shape: its trace tells which.
                   const bool drops = request.projection == Projection::positive_semidefinite &&
                                      psi.slope * sample.curvature.trace() < 0;
                   if (!drops) block += psi.slope * sample.curvature;
                   Mat3::Map(request.hessian->block(slots_[at(i)])) += request.hessian_scale * block;
                 });
    return energy;
  });
}

double ColliderContact::driven_power(const Vector& q, double time) const {
  if (pair_->collider->is_fixed()) return 0;
  const std::shared_ptr<const ColliderInstant> now = pair_->collider->at(time);
  return parallel_sum(pair_->size(), grain, [&](int begin, int end) {
    double power = 0;
    for_touching(*pair_, *now, q.data(), false, begin, end,
                 [&](int, const Vec3& x, const SurfaceSample& sample, const contact::Penalty<double>& psi) {
                   power -= psi.slope * sample.normal.dot(now->surface_velocity(x, sample));
                 });
    return power;
  });
}

Wrench contact_force(const ColliderPair& pair, const Vector& q, double time) {
  Wrench total;
  for_touching(pair, *pair.collider->at(time), q.data(), false, 0, pair.size(),
               [&](int, const Vec3& x, const SurfaceSample& sample, const contact::Penalty<double>& psi) {
                 const Vec3 force = -psi.slope * sample.normal;
                 total.linear += force;
                 total.angular += x.cross(force);
               });
  return total;
}

double deepest_overlap(const ColliderPair& pair, const Vector& q, double time) {
  double deepest = 0;
  for_touching(pair, *pair.collider->at(time), q.data(), false, 0, pair.size(),
               [&](int, const Vec3&, const SurfaceSample& sample, const contact::Penalty<double>&) {
                 deepest = std::max(deepest, pair.thickness - sample.distance);
               });
  return deepest;
}

}  // namespace dashpot
