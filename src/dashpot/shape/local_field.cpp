#include "dashpot/shape/local_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/types.hpp"
#include "dashpot/shape/field_combine.hpp"

namespace dashpot {

struct LocalField::Part {
  int node = 0;
  double cost = 1;
  struct Kid {
    int slot;
    std::shared_ptr<const Part> part;
  };
  std::vector<Kid> kids;  ///< in the order of their slots; empty: a primitive
};

namespace {

using Part = LocalField::Part;
using PartPtr = std::shared_ptr<const Part>;
using Kind = FieldNode::Kind;

Vec3 own_coordinates(const FieldNode& node, const Vec3& x) {
  return node.is_placed ? Vec3(node.inverse * (x - node.offset)) : x;
}

double value_of_part(const Field& field, const Part& part, const Vec3& x);

struct Kids {
  const Field& field;
  const std::vector<Part::Kid>& kids;
  int size() const { return static_cast<int>(kids.size()); }
  int slot(int i) const { return kids[at(i)].slot; }
  double value(int i, const Vec3& x) const { return value_of_part(field, *kids[at(i)].part, x); }
  bool is_far(int i, const Vec3& x, double value) const { return field.is_beyond(kids[at(i)].part->node, x, value); }
};

/// Without blending the smallest value wins in whatever order, so the kid that seems nearest can be asked first.
bool may_go_nearest_first(const FieldNode& node, const Part& part) {
  return node.smooth == 0 && part.kids.size() > 4 && shape_formula::is_join(node.kind);
}

/// Its value; x in the coordinates of the node.
double value_of_nearest(const Field& field, const FieldNode& node, const Part& part, Vec3 x) {
  double smallest = std::numeric_limits<double>::infinity();
  const Part* nearest = part.kids[0].part.get();
  Vec3 nearest_x = x;
  int copy = 0;
  for (const Part::Kid& kid : part.kids) {
    const Vec3 y = shape_formula::seen_by(node, kid.slot, copy, x);
    const double bound = field.lower_bound(kid.part->node, y);
    if (!(bound < smallest)) continue;
    smallest = bound;
    nearest = kid.part.get();
    nearest_x = y;
  }
  return value_of_part(field, *nearest, nearest_x);
}

double nearest_first(const Field& field, const FieldNode& node, const Part& part, Vec3 x) {
  double result = value_of_nearest(field, node, part, x);
  int copy = 0;
  for (const Part::Kid& kid : part.kids) {
    const Vec3 y = shape_formula::seen_by(node, kid.slot, copy, x);
    if (!field.is_beyond(kid.part->node, y, result)) result = std::min(result, value_of_part(field, *kid.part, y));
  }
  return result;
}

double value_of_part(const Field& field, const Part& part, const Vec3& x_parent) {
  const FieldNode& node = field.nodes[at(part.node)];
  const Vec3 x = own_coordinates(node, x_parent);
  const double local = part.kids.empty() ? field.primitive(node, x)
                       : may_go_nearest_first(node, part)
                           ? nearest_first(field, node, part, x)
                           : shape_formula::combine<double>(node, x, Kids{field, part.kids});
  return node.scale * (local - node.grow);
}

/// A part cut down to a ball, and its value at the center.
struct Pruned {
  PartPtr part;
  double value = 0;
};

class Pruner {
 public:
  explicit Pruner(const Field& field) : field_(field) {}

  Pruned prune(const PartPtr& part, const Vec3& x_parent, double radius_parent) const {
    const FieldNode& node = field_.nodes[at(part->node)];
    const Vec3 x = own_coordinates(node, x_parent);
    const auto finished = [&](PartPtr kept, double local) {
      return Pruned{std::move(kept), node.scale * (local - node.grow)};
    };
    if (part->kids.empty()) return finished(part, field_.primitive(node, x));
    const double radius = radius_parent / node.scale;
    std::vector<Part::Kid> kept;
    const double local =
        shape_formula::is_join(node.kind) ? join(node, *part, x, radius, kept) : cut(node, *part, x, radius, kept);
    const bool is_same = kept.size() == part->kids.size() &&
                         std::equal(kept.begin(), kept.end(), part->kids.begin(),
                                    [](const Part::Kid& a, const Part::Kid& b) { return a.part == b.part; });
    if (is_same) return finished(part, local);
    auto smaller = std::make_shared<Part>();
    smaller->node = part->node;
    smaller->cost = 0;
    for (const Part::Kid& kid : kept) smaller->cost += kid.part->cost;
    smaller->kids = std::move(kept);
    return finished(std::move(smaller), local);
  }

 private:
  double join(const FieldNode& node, const Part& part, Vec3 x, double radius, std::vector<Part::Kid>& kept) const {
    double value = 0, low = 0, high = 0;  // of what was joined so far: at the center, and over the ball
    std::vector<double> values;           // of those kept, at the center
    const double limit = may_go_nearest_first(node, part) ? value_of_nearest(field_, node, part, x) + 2 * radius
                                                          : std::numeric_limits<double>::infinity();
    int copy = 0;
    for (const Part::Kid& kid : part.kids) {
      const Vec3 y = shape_formula::seen_by(node, kid.slot, copy, x);
      if (field_.is_beyond(kid.part->node, y, limit)) continue;
      if (!kept.empty() && field_.is_beyond(kid.part->node, y, high + node.smooth + radius)) continue;
      const Pruned next = prune(kid.part, y, radius);
      if (!kept.empty() && next.value - radius > high + node.smooth) continue;
      if (kept.empty() || low > next.value + radius + node.smooth) {
        kept.clear();
        values.clear();
        value = next.value;
        low = value - radius;
        high = value + radius;
      } else {
        value = shape_formula::unite(value, next.value, node.smooth);
        low = shape_formula::unite(low, next.value - radius, node.smooth);
        high = shape_formula::unite(high, next.value + radius, node.smooth);
      }
      kept.push_back({kid.slot, next.part});
      values.push_back(next.value);
    }
    if (node.smooth > 0) return value;
    // Without blending the order does not matter: what came first goes too when something later is nearer.
    std::size_t left = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (values[i] - radius <= high) std::swap(kept[left++], kept[i]);
    kept.resize(left);
    return value;
  }

  double cut(const FieldNode& node, const Part& part, const Vec3& x, double radius,
             std::vector<Part::Kid>& kept) const {
    double value = 0, low = 0, high = 0;
    for (const Part::Kid& kid : part.kids) {
      const Pruned next = prune(kid.part, x, radius);
      const double cutting = node.kind == Kind::subtract && kid.slot > 0 ? -next.value : next.value;
      if (kid.slot == 0) {
        value = cutting;
        low = value - radius;
        high = value + radius;
      } else {
        if (cutting + radius < low - node.smooth) continue;
        value = shape_formula::intersect(value, cutting, node.smooth);
        low = shape_formula::intersect(low, cutting - radius, node.smooth);
        high = shape_formula::intersect(high, cutting + radius, node.smooth);
      }
      kept.push_back({kid.slot, next.part});
    }
    return value;
  }

  const Field& field_;
};

}  // namespace

LocalField::LocalField(const Field& field, int root) : field_(&field) {
  std::vector<PartPtr> parts;  // a child comes before its parent
  for (int n = 0; n <= root; ++n) {
    const FieldNode& node = field.nodes[at(n)];
    auto part = std::make_shared<Part>();
    part->node = n;
    if (node.kind == Kind::tube) part->cost = node.count;
    if (!node.children.empty()) {
      part->cost = 0;
      const bool is_single = node.kind == Kind::mirror || node.kind == Kind::repeat;
      const int count = node.kind == Kind::mirror ? 2 : is_single ? node.count : static_cast<int>(node.children.size());
      for (int slot = 0; slot < count; ++slot) {
        part->kids.push_back({slot, parts[at(node.children[is_single ? 0 : at(slot)])]});
        part->cost += part->kids.back().part->cost;
      }
    }
    parts.push_back(std::move(part));
  }
  part_ = parts.back();
}

double LocalField::value(const Vec3& x) const { return value_of_part(*field_, *part_, x); }

LocalField LocalField::within(const Vec3& center, double radius) const {
  // One percent covers what primitives and sums are inexact by.
  return {*field_, Pruner(*field_).prune(part_, center, 1.01 * radius).part};
}

double LocalField::cost() const { return part_->cost; }

}  // namespace dashpot
