#include "dashpot/contact/collider_contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/model/point_tangent.hpp"

namespace dashpot {
namespace {

constexpr int grain = 1024;

void check(const ColliderPair& pair) {
  std::vector<Problem> problems;
  if (!pair.kinematics) throw Error(Problem{pair.name, "points without kinematics", "the kinematics of the System"});
  if (pair.stiffness.size() != pair.points.size() || pair.onset.size() != pair.points.size())
    throw Error(Problem{pair.name,
                        fmt::format("{} stiffnesses and {} onsets for {} points", pair.stiffness.size(),
                                    pair.onset.size(), pair.points.size()),
                        "one of each per point"});
  if (!std::is_partitioned(pair.points.begin(), pair.points.end(),
                           [&](int point) { return pair.kinematics->is_node(point); }))
    throw Error(Problem{pair.name, "nodes behind points of other bodies", "nodes first"});
  if (!std::isfinite(pair.thickness) || pair.thickness < 0)
    problems.push_back({pair.name, fmt::format("thickness = {:.6g} m", pair.thickness), "thickness >= 0"});
  for (std::size_t i = 0; i < pair.points.size() && problems.size() < 10; ++i) {
    if (!(pair.stiffness[i] > 0) || !std::isfinite(pair.stiffness[i]))
      problems.push_back({pair.name, fmt::format("contact stiffness = {:.6g} N/m at point {}", pair.stiffness[i], i),
                          "stiffness > 0"});
    if (!(pair.onset[i] > 0) || !std::isfinite(pair.onset[i]))
      problems.push_back({pair.name, fmt::format("onset = {:.6g} m at point {}", pair.onset[i], i), "onset > 0"});
  }
  if (!problems.empty()) throw Error(problems);
}

/// Calls visit(i, x, sample, penalty) for every point of [begin, end) in reach.
template <class Visit>
void for_touching(const ColliderPair& pair, const ColliderInstant& now, const Vector& q, bool with_curvature, int begin,
                  int end, Visit visit) {
  SurfaceSample sample;
  for (int i = begin; i < end; ++i) {
    const Vec3 x = pair.kinematics->position(q, pair.points[at(i)]);
    const double onset = pair.onset[at(i)];
    if (!now.sample(x, pair.thickness + 0.5 * onset, with_curvature, sample)) continue;
    visit(i, x, sample, contact::penalty(sample.distance - pair.thickness, pair.stiffness[at(i)], onset));
  }
}

}  // namespace

ParameterList ColliderPair::parameters() const {
  if (pressure_stiffness == 0) return {};
  return {{"stiffness",
           Quantity::pressure_stiffness,
           {pressure_stiffness},
           0,
           std::numeric_limits<double>::infinity(),
           true}};
}

std::shared_ptr<const ColliderPair> ColliderPair::with(const double*& values) const {
  auto successor = std::make_shared<ColliderPair>(*this);
  if (pressure_stiffness == 0) return successor;
  successor->pressure_stiffness = *values++;
  for (std::size_t i = 0; i < areas.size(); ++i)
    if (areas[i] > 0) successor->stiffness[i] = successor->pressure_stiffness * areas[i];
  return successor;
}

ColliderContact::ColliderContact(std::shared_ptr<const ColliderPair> pair) : pair_(std::move(pair)) {
  check(*pair_);
  while (num_nodes_ < pair_->size() && pair_->kinematics->is_node(pair_->points[at(num_nodes_)])) ++num_nodes_;
}

std::unique_ptr<TermScratch> ColliderContact::make_scratch() const {
  return pair_->collider->is_fixed() ? nullptr : std::make_unique<KeptInstant>();
}

double ColliderContact::evaluate(const EnergyRequest& request) const {
  const std::shared_ptr<const ColliderInstant> now =
      instant_at(*pair_->collider, request.time, static_cast<KeptInstant*>(request.scratch));
  const Kinematics& kinematics = *pair_->kinematics;
  const bool with_curvature = request.hessian != nullptr;
  const bool projected = request.projection == Projection::positive_semidefinite;
  const auto energy_of = [&](int begin, int end) {
    double energy = 0;
    for_touching(*pair_, *now, request.q, with_curvature, begin, end,
                 [&](int i, const Vec3&, const SurfaceSample& sample, const contact::Penalty<double>& psi) {
                   const Vec3& n = sample.normal;
                   const int point = pair_->points[at(i)];
                   energy += psi.value;
                   if (request.gradient != nullptr)
                     kinematics.add_force(request.q, point, psi.slope * n, *request.gradient);
                   if (!with_curvature) return;
                   Mat3 block = psi.curvature * n * n.transpose();
                   // H has eigenvalues of one sign on every shape: its trace tells which.
                   const bool drops = projected && psi.slope * sample.curvature.trace() < 0;
                   if (!drops) block += psi.slope * sample.curvature;
                   add_point_tangent(kinematics, request.q, point, request.hessian_scale * block, *request.hessian);
                   if (!projected)
                     add_point_curvature(kinematics, request.q, point, request.hessian_scale * psi.slope * n,
                                         *request.hessian);
                 });
    return energy;
  };
  const double of_nodes = parallel_sum(num_nodes_, grain, energy_of);
  return num_nodes_ == pair_->size() ? of_nodes : of_nodes + energy_of(num_nodes_, pair_->size());
}

double ColliderContact::driven_power(const Vector& q, double time, TermScratch* scratch) const {
  if (pair_->collider->is_fixed()) return 0;
  const std::shared_ptr<const ColliderInstant> now =
      instant_at(*pair_->collider, time, static_cast<KeptInstant*>(scratch));
  return parallel_sum(pair_->size(), grain, [&](int begin, int end) {
    double power = 0;
    for_touching(*pair_, *now, q, false, begin, end,
                 [&](int, const Vec3& x, const SurfaceSample& sample, const contact::Penalty<double>& psi) {
                   power -= psi.slope * sample.normal.dot(now->surface_velocity(x, sample));
                 });
    return power;
  });
}

std::shared_ptr<EnergyTerm> ColliderContact::remade(const double* values, const Replacements&) const {
  if (pair_->pressure_stiffness == 0 || values[0] == pair_->pressure_stiffness) return nullptr;
  return std::make_shared<ColliderContact>(pair_->with(values));
}

LinearAngular contact_force(const ColliderPair& pair, const Vector& q, double time) {
  LinearAngular total;
  for_touching(pair, *pair.collider->at(time), q, false, 0, pair.size(),
               [&](int, const Vec3& x, const SurfaceSample& sample, const contact::Penalty<double>& psi) {
                 const Vec3 force = -psi.slope * sample.normal;
                 total.linear += force;
                 total.angular += x.cross(force);
               });
  return total;
}

double deepest_overlap(const ColliderPair& pair, const Vector& q, double time) {
  double deepest = 0;
  for_touching(pair, *pair.collider->at(time), q, false, 0, pair.size(),
               [&](int, const Vec3&, const SurfaceSample& sample, const contact::Penalty<double>&) {
                 deepest = std::max(deepest, pair.thickness - sample.distance);
               });
  return deepest;
}

}  // namespace dashpot
