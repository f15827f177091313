#include "dashpot/shape/field.hpp"

#include "dashpot/core/types.hpp"
#include "dashpot/shape/field_combine.hpp"
#include "dashpot/shape/primitives.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

/// The children of a node, for shape_formula::combine; value_of(child, x) evaluates one of them.
template <class Value>
struct Children {
  const Field& field;
  const FieldNode& node;
  Value value_of;

  int child(int i) const {
    const bool is_single = node.kind == Kind::mirror || node.kind == Kind::repeat;
    return node.children[is_single ? 0 : at(i)];
  }
  int size() const {
    return node.kind == Kind::mirror   ? 2
           : node.kind == Kind::repeat ? node.count
                                       : static_cast<int>(node.children.size());
  }
  int slot(int i) const { return i; }
  auto value(int i, const Vec3& x) const { return value_of(child(i), x); }
  bool is_far(int i, const Vec3& x, double value) const { return field.is_beyond(child(i), x, value); }
};
template <class Value>
Children(const Field&, const FieldNode&, Value) -> Children<Value>;  // clang 14 does not find it by itself

}  // namespace

double Field::lower_bound(int n, const Vec3& x) const {
  if (far_bounds_.empty()) return -std::numeric_limits<double>::infinity();
  const FarBound& bound = far_bounds_[at(n)];
  return bound.slope * (x - bound.center).norm() - bound.reach;
}

bool Field::is_beyond(int n, const Vec3& x, double value) const {
  if (far_bounds_.empty()) return false;
  const FarBound& bound = far_bounds_[at(n)];
  const double limit = value + bound.reach;
  return limit < 0 || bound.slope * bound.slope * (x - bound.center).squaredNorm() > limit * limit;
}

double Field::tube(const FieldNode& node, const Vec3& x) const {
  double value = std::numeric_limits<double>::infinity();
  for (int i = node.first; i + 1 < node.first + node.count; ++i) {
    const TubePoint &p = tube_points[at(i)], &q = tube_points[at(i + 1)];
    // The piece lies in a ball about its middle.
    const double limit = value + std::max(p.r, q.r), half = 0.5 * (q.x - p.x).norm();
    if (limit + half < 0 || (x - 0.5 * (p.x + q.x)).squaredNorm() > (limit + half) * (limit + half)) continue;
    value = std::min(value, shape_formula::tapered_capsule(x, p.x, q.x, p.r, q.r));
  }
  return value;
}

double Field::primitive(const FieldNode& node, const Vec3& x) const {
  using namespace shape_formula;
  switch (node.kind) {
    case Kind::sphere:
      return sphere(x - node.a, node.r);
    case Kind::ellipsoid:
      return ellipsoid(x - node.a, node.b);
    case Kind::capsule:
      return tapered_capsule(x, node.a, node.b, node.r, node.s);
    case Kind::box:
      return box(x - node.a, node.b, node.r);
    case Kind::torus:
      return torus(x - node.a, node.b, node.r, node.s);
    case Kind::plane:
      return node.a.dot(x) - node.r;
    case Kind::cylinder:
      return capped_cone(x, node.a, node.b, node.r, node.s);
    default:
      return tube(node, x);
  }
}

double Field::value(int n, const Vec3& x_parent) const {
  const FieldNode& node = nodes[at(n)];
  const Vec3 x = node.is_placed ? Vec3(node.inverse * (x_parent - node.offset)) : x_parent;
  const auto value_of = [this](int child, const Vec3& y) { return value(child, y); };
  const double local = node.children.empty() ? primitive(node, x)
                                             : shape_formula::combine<double>(node, x, Children{*this, node, value_of});
  return node.scale * (local - node.grow);
}

FieldSample Field::sample(int n, const Vec3& x_parent, int region, int color) const {
  const FieldNode& node = nodes[at(n)];
  const Vec3 x = node.is_placed ? Vec3(node.inverse * (x_parent - node.offset)) : x_parent;
  if (node.region >= 0) region = node.region;
  if (node.color >= 0) color = node.color;
  FieldSample result;
  if (node.children.empty()) {
    result = {primitive(node, x), region, color >= 0 ? colors[at(color)] : default_shape_color(), false};
  } else {
    const auto value_of = [&](int child, const Vec3& y) { return sample(child, y, region, color); };
    result = shape_formula::combine<FieldSample>(node, x, Children{*this, node, value_of});
  }
  result.has_own_color = result.has_own_color || node.color >= 0;
  result.value = node.scale * (result.value - node.grow);
  return result;
}

double Field::cost(int n) const {
  const FieldNode& node = nodes[at(n)];
  if (node.children.empty()) return node.kind == Kind::tube ? node.count : 1;
  double sum = 0;
  for (const int child : node.children) sum += cost(child);
  return node.kind == Kind::mirror ? 2 * sum : node.kind == Kind::repeat ? node.count * sum : sum;
}

}  // namespace dashpot
