#include <atomic>

#include <fmt/format.h>

#include "dashpot/contact/cloth_contact.hpp"
#include "dashpot/contact/travel_check.hpp"
#include "dashpot/core/parallel.hpp"

namespace dashpot::contact {
namespace {

constexpr int pairs_per_range = 1024;

struct GuardScratch final : TermScratch {
  ClothNeighbors neighbors, swept;
  std::vector<Vec3> from, to;
};

/// Whether `misses`(i) holds for all i < count.
template <class Misses>
bool all_miss(std::size_t count, Misses misses) {
  std::atomic<bool> met{false};
  parallel_for(static_cast<int>(count), pairs_per_range, [&](int begin, int end) {
    for (int i = begin; i < end && !met.load(std::memory_order_relaxed); ++i)
      if (!misses(at(i))) met.store(true, std::memory_order_relaxed);
  });
  return !met.load();
}

}  // namespace

std::string ClothStepGuard::reason() const {
  return fmt::format("{} would pass through {} within a step", meeting_->surface.bodies,
                     meeting_->surface.is_pair ? "each other" : "itself");
}

std::unique_ptr<TermScratch> ClothStepGuard::make_scratch() const { return std::make_unique<GuardScratch>(); }

bool ClothStepGuard::admits(const StepTrial& trial) const {
  GuardScratch own;
  GuardScratch& scratch = trial.scratch != nullptr ? static_cast<GuardScratch&>(*trial.scratch) : own;
  const ClothSurface& surface = meeting_->surface;
  meeting_->positions(trial.q_start, scratch.from);
  meeting_->positions(trial.q, scratch.to);
  for (const Vec3& x : scratch.to)
    if (!x.allFinite()) return false;
  const std::vector<Vec3>&from = scratch.from, &to = scratch.to;
  if (from == to) return true;
  // Pairs that are not listed stay further apart than the thickness on all straight ways that the list covers. Longer
  // ways are searched by the boxes of what moves along them.
  const double thickness = meeting_->law.thickness;
  bool is_short = scratch.neighbors.covers(from) && scratch.neighbors.covers(to);
  if (!is_short && largest_change(from, to) <= ClothNeighbors::allowed_change(thickness)) {
    scratch.neighbors.update(surface, from, thickness);
    is_short = scratch.neighbors.covers(to);
  }
  if (!is_short) scratch.swept.update_swept(surface, from, to);
  const ClothNeighbors& neighbors = is_short ? scratch.neighbors : scratch.swept;
  const auto points = [](const std::vector<Vec3>& x, int a, int b, int c, int d) {
    return FourPoints{x[at(a)], x[at(b)], x[at(c)], x[at(d)]};
  };
  const bool nodes_miss = all_miss(neighbors.node_triangles().size(), [&](std::size_t i) {
    const NodeTriangle& pair = neighbors.node_triangles()[i];
    const std::array<int, 3>& t = surface.triangles[at(pair.triangle)];
    return node_misses_triangle(points(from, pair.node, t[0], t[1], t[2]), points(to, pair.node, t[0], t[1], t[2]));
  });
  return nodes_miss && all_miss(neighbors.edge_pairs().size(), [&](std::size_t i) {
           const EdgePair& pair = neighbors.edge_pairs()[i];
           const std::array<int, 2>&a = surface.edges[at(pair.first)], &b = surface.edges[at(pair.second)];
           return edges_miss_each_other(points(from, a[0], a[1], b[0], b[1]), points(to, a[0], a[1], b[0], b[1]));
         });
}

}  // namespace dashpot::contact
