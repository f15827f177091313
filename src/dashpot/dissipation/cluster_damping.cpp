#include "dashpot/dissipation/cluster_damping.hpp"

#include "dashpot/dissipation/frozen_masses.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/dissipation/relative_motion.hpp"

namespace dashpot {
namespace {

constexpr int largest_small_cluster = 4;
constexpr int clusters_in_chunk = 256;  // 5 us

void check_masses(const std::string& body, const std::vector<double>& mass) {
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (!(mass[i] >= 0))
      throw Error(Problem{fmt::format("relative damping of '{}'", body),
                          fmt::format("mass {} kg of point {}", mass[i], i), "masses >= 0", ""});
}

}  // namespace

ClusterDamping::ClusterDamping(std::string body, int first_block, std::vector<double> mass, const Clusters& clusters,
                               TorqueElimination elimination, FilterGain gain, const std::vector<Edge>& edges,
                               int iterations)
    : body_(std::move(body)),
      first_block_(first_block),
      elimination_(elimination),
      gain_(gain),
      iterations_(iterations),
      mass_(std::move(mass)),
      inverse_copies_(mass_.size(), 0) {
  check_masses(body_, mass_);
  if (iterations < 1)
    throw Error(Problem{fmt::format("relative damping of '{}'", body_), fmt::format("{} iterations", iterations),
                        "at least 1", ""});
  const std::vector<int> copies = clusters.copies();
  for (std::size_t i = 0; i < copies.size(); ++i)
    if (copies[i] > 0) inverse_copies_[i] = 1.0 / copies[i];
  is_whole_ = clusters.size() == 1 && clusters[0].size() == mass_.size() && is_streamed(elimination);
  if (is_whole_) return;

  std::vector<std::vector<Edge>> within(at(clusters.size()));
  if (needs_edges(elimination)) {
    within = edges_within(clusters, edges);
    if (clusters.size() > 0 && std::all_of(within.begin(), within.end(), [](const auto& e) { return e.empty(); }))
      throw Error(Problem{
          fmt::format("relative damping of '{}'", body_),
          fmt::format("elimination of torque \"{}\", but no edge lies within a cluster", to_string(elimination)),
          "edges between the points of a cluster", "use \"rigid\" or \"center\", which need none"});
  }
  std::array<std::vector<int>, largest_small_cluster + 1> small;
  for (int c = 0; c < clusters.size(); ++c) {
    const std::span<const int> points = clusters[c];
    if (points.size() < small.size() && is_streamed(elimination)) {
      small[points.size()].insert(small[points.size()].end(), points.begin(), points.end());
      continue;
    }
    Group group{{points.begin(), points.end()}, {}, std::move(within[at(c)])};
    for (const int i : points) group.mass.push_back(mass_[at(i)] * inverse_copies_[at(i)]);
    groups_.push_back(std::move(group));
  }
  for (std::size_t n = 2; n < small.size(); ++n) {
    if (small[n].empty()) continue;
    std::vector<int> as_given(small[n].size() / n);
    std::iota(as_given.begin(), as_given.end(), 0);
    elements_.push_back({static_cast<int>(n), ElementBatch(static_cast<int>(n), small[n], as_given,
                                                           static_cast<int>(mass_.size()), 0, clusters_in_chunk)});
  }
}

DissipationTraits ClusterDamping::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.keeps_angular_momentum = elimination_ != TorqueElimination::none;
  // Forces on edges do no work on a rigid motion, so that the safe factor takes none of them; printed ones do.
  traits.objective = is_safe(elimination_) && elimination_ != TorqueElimination::none;
  return traits;
}

void ClusterDamping::apply(const Vector& q, double dt, Vector& v) const {
  const double gamma = gain_.over(dt / iterations_);
  if (gamma == 0 || mass_.empty()) return;
  for (int k = 0; k < iterations_; ++k) apply_once(q, gamma, v);
}

void ClusterDamping::apply_once(const Vector& q, double gamma, Vector& v) const {
  const Eigen::Index first = 3 * static_cast<Eigen::Index>(first_block_);
  if (is_whole_)
    return damp_relative_motion(elimination_, gamma, static_cast<int>(mass_.size()), mass_.data(), q.data() + first,
                                v.data() + first);
  const Vector before = v;
  if (!elements_.empty()) damp_elements(q, gamma, before, v);
  for (const Group& group : groups_) damp_group(group, q, gamma, before, v);
}

void ClusterDamping::damp_elements(const Vector& q, double gamma, const Vector& v, Vector& damped) const {
  const std::size_t n = mass_.size();
  std::vector<PointInCluster> points(n + 1, PointInCluster{});
  std::vector<VelocityChange> changes(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const Eigen::Index k = 3 * (first_block_ + static_cast<Eigen::Index>(i));
    points[i] = {{q[k], q[k + 1], q[k + 2]}, mass_[i] * inverse_copies_[i], {v[k], v[k + 1], v[k + 2]}};
  }
  for (const Elements& elements : elements_)
    add_cluster_changes(elements.batch, elements.per_cluster, elimination_, gamma, points, changes);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      damped[3 * (first_block_ + static_cast<Eigen::Index>(i)) + static_cast<Eigen::Index>(c)] +=
          inverse_copies_[i] * changes[i].v[c];
}

void ClusterDamping::damp_group(const Group& group, const Vector& q, double gamma, const Vector& v,
                                Vector& damped) const {
  const std::size_t n = group.points.size();
  std::vector<Vec3> x(n), u(n), change(n);
  double total = 0;
  Vec3 momentum = Vec3::Zero();
  for (std::size_t a = 0; a < n; ++a) {
    const Eigen::Index k = 3 * (first_block_ + static_cast<Eigen::Index>(group.points[a]));
    x[a] = q.segment<3>(k);
    u[a] = v.segment<3>(k);
    total += group.mass[a];
    momentum += group.mass[a] * u[a];
  }
  if (!(total > 0)) return;
  if (is_streamed(elimination_)) {
    change = u;
    damp_relative_motion(elimination_, gamma, static_cast<int>(n), group.mass.data(), x.front().data(),
                         change.front().data());
    for (std::size_t a = 0; a < n; ++a) change[a] -= u[a];
  } else {
    // Forces over a step of length one: f = -gamma m u changes u by f/m.
    for (std::size_t a = 0; a < n; ++a) {
      u[a] -= momentum / total;
      change[a] = -gamma * group.mass[a] * u[a];
    }
    const StruckVelocities motion{u, 1};
    make_torque_free(elimination_, {group.mass, x, group.edges}, &motion, change);
    for (std::size_t a = 0; a < n; ++a)
      change[a] = group.mass[a] > 0 ? Vec3(change[a] / group.mass[a]) : Vec3(Vec3::Zero());
  }
  for (std::size_t a = 0; a < n; ++a)
    damped.segment<3>(3 * (first_block_ + static_cast<Eigen::Index>(group.points[a]))) +=
        inverse_copies_[at(group.points[a])] * change[a];
}

std::shared_ptr<VelocityFilter> ClusterDamping::remade(const double* values, const Replacements& replacements) const {
  refuse_new_masses(replacements, model(), body_);
  auto successor = std::make_shared<ClusterDamping>(*this);
  successor->gain_ = gain_.with(values[0]);
  return successor;
}

}  // namespace dashpot
