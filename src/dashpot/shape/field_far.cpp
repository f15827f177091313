#include <algorithm>

#include "dashpot/shape/field.hpp"

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

}  // namespace

Field::FarBound Field::local_far_bound(const FieldNode& node) const {
  if (node.children.empty()) {
    const FieldBounds box = primitive_bounds(node);
    if (box.is_infinite) return {};
    return {0.5 * (box.low + box.high), 1, 0.5 * (box.high - box.low).norm()};
  }
  if (node.kind == Kind::mirror || node.kind == Kind::repeat) return repeated_far_bound(node);
  // Cutting only raises values.
  if (node.kind != Kind::unite || node.children.size() == 1) return far_bounds_[at(node.children[0])];
  FarBound all{Vec3::Zero(), 1, 0};
  for (const int child : node.children) {
    all.center += far_bounds_[at(child)].center / static_cast<double>(node.children.size());
    all.slope = std::min(all.slope, far_bounds_[at(child)].slope);
  }
  for (const int child : node.children) {
    const FarBound& part = far_bounds_[at(child)];
    all.reach = std::max(all.reach, part.reach + part.slope * (all.center - part.center).norm());
  }
  all.reach += 0.25 * node.smooth * static_cast<double>(node.children.size() - 1);  // each blend lowers by k/4 at most
  return all;
}

Field::FarBound Field::repeated_far_bound(const FieldNode& node) const {
  const FarBound& one = far_bounds_[at(node.children[0])];
  std::vector<Vec3> centers{one.center};
  if (node.kind == Kind::mirror) centers.emplace_back(one.center - 2 * node.a.dot(one.center) * node.a);
  for (int i = 1; node.kind == Kind::repeat && i < node.count; ++i)
    centers.emplace_back(node.step_inverse.transpose() * centers.back() + node.step_offset);
  FarBound all{Vec3::Zero(), one.slope, 0};
  for (const Vec3& c : centers) all.center += c / static_cast<double>(centers.size());
  for (const Vec3& c : centers) all.reach = std::max(all.reach, (c - all.center).norm());
  all.reach = one.reach + one.slope * all.reach + 0.25 * node.smooth * static_cast<double>(centers.size() - 1);
  return all;
}

void Field::finish() {
  far_bounds_.clear();
  for (const FieldNode& node : nodes) {
    FarBound bound = local_far_bound(node);
    // x_parent = A x + t with A = R S; |x - c| >= |x_parent - c_parent| / max(S).
    const Vec3 sizes = node.inverse.rowwise().norm().cwiseInverse();
    bound.center = node.inverse.transpose() * sizes.cwiseProduct(sizes).cwiseProduct(bound.center) + node.offset;
    bound.reach = node.scale * (bound.reach + node.grow);
    bound.slope *= node.scale / sizes.maxCoeff();
    far_bounds_.push_back(bound);
  }
}

}  // namespace dashpot
