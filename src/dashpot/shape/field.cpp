#include "dashpot/shape/field.hpp"

#include "dashpot/shape/primitives.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;
std::size_t index(int i) { return static_cast<std::size_t>(i); }

FieldSample unite(const FieldSample& a, const FieldSample& b, double k) {
  const FieldSample& winner = b.value < a.value ? b : a;
  FieldSample result = winner;
  if (k > 0) {
    result.value = shape_formula::smooth_min(a.value, b.value, k);
    const double share = std::clamp(0.5 + 0.5 * (b.value - a.value) / k, 0.0, 1.0);
    result.color = share * a.color + (1 - share) * b.color;
  }
  return result;
}
double unite(double a, double b, double k) { return k > 0 ? shape_formula::smooth_min(a, b, k) : std::min(a, b); }

/// The first body cut by another; `b` is already turned inside out for a difference.
FieldSample intersect(const FieldSample& a, const FieldSample& b, double k) {
  FieldSample result = a;
  if (b.has_own_color && b.value > a.value) result.color = b.color;
  result.value = k > 0 ? shape_formula::smooth_max(a.value, b.value, k) : std::max(a.value, b.value);
  return result;
}
double intersect(double a, double b, double k) { return k > 0 ? shape_formula::smooth_max(a, b, k) : std::max(a, b); }

FieldSample inside_out(FieldSample s) {
  s.value = -s.value;
  return s;
}
double inside_out(double value) { return -value; }

Vec3 mirrored(const Vec3& x, const Vec3& normal) { return x - 2 * normal.dot(x) * normal; }

double value_of(double value) { return value; }
double value_of(const FieldSample& s) { return s.value; }

}  // namespace

/// Combines the children of an operator; at(child, x) evaluates one of them.
template <class Result, class At>
Result Field::combine(const FieldNode& node, Vec3 x, At at) const {
  Result result = at(node.children[0], x);
  // Beyond the blending radius a further body changes nothing, to the last bit.
  const auto is_far = [&](int child, const Vec3& y) { return is_beyond(child, y, value_of(result) + node.smooth); };
  if (node.kind == Kind::mirror) {
    const Vec3 y = mirrored(x, node.a);
    return is_far(node.children[0], y) ? result : unite(result, at(node.children[0], y), node.smooth);
  }
  if (node.kind == Kind::repeat) {
    for (int i = 1; i < node.count; ++i) {
      x = node.step_inverse * (x - node.step_offset);
      if (!is_far(node.children[0], x)) result = unite(result, at(node.children[0], x), node.smooth);
    }
    return result;
  }
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    if (node.kind == Kind::unite && is_far(node.children[i], x)) continue;
    const Result next = at(node.children[i], x);
    if (node.kind == Kind::unite)
      result = unite(result, next, node.smooth);
    else
      result = intersect(result, node.kind == Kind::subtract ? inside_out(next) : next, node.smooth);
  }
  return result;
}

bool Field::is_beyond(int n, const Vec3& x, double value) const {
  if (far_bounds_.empty()) return false;
  const FarBound& bound = far_bounds_[index(n)];
  const double limit = value + bound.reach;
  return limit < 0 || bound.slope * bound.slope * (x - bound.center).squaredNorm() > limit * limit;
}

double Field::tube(const FieldNode& node, const Vec3& x) const {
  double value = std::numeric_limits<double>::infinity();
  for (int i = node.first; i + 1 < node.first + node.count; ++i) {
    const TubePoint &p = tube_points[index(i)], &q = tube_points[index(i + 1)];
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
  const FieldNode& node = nodes[index(n)];
  const Vec3 x = node.is_placed ? Vec3(node.inverse * (x_parent - node.offset)) : x_parent;
  const double local = node.children.empty()
                           ? primitive(node, x)
                           : combine<double>(node, x, [this](int child, const Vec3& y) { return value(child, y); });
  return node.scale * (local - node.grow);
}

FieldSample Field::sample(int n, const Vec3& x_parent, int region, int color) const {
  const FieldNode& node = nodes[index(n)];
  const Vec3 x = node.is_placed ? Vec3(node.inverse * (x_parent - node.offset)) : x_parent;
  if (node.region >= 0) region = node.region;
  if (node.color >= 0) color = node.color;
  FieldSample result;
  if (node.children.empty()) {
    result = {primitive(node, x), region, color >= 0 ? colors[index(color)] : default_shape_color(), false};
  } else {
    result = combine<FieldSample>(node, x, [&](int child, const Vec3& y) { return sample(child, y, region, color); });
  }
  result.has_own_color = result.has_own_color || node.color >= 0;
  result.value = node.scale * (result.value - node.grow);
  return result;
}

double Field::cost(int n) const {
  const FieldNode& node = nodes[index(n)];
  if (node.children.empty()) return node.kind == Kind::tube ? node.count : 1;
  double sum = 0;
  for (const int child : node.children) sum += cost(child);
  return node.kind == Kind::mirror ? 2 * sum : node.kind == Kind::repeat ? node.count * sum : sum;
}

}  // namespace dashpot
