#include <algorithm>

#include "dashpot/shape/field.hpp"

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

FieldBounds ball(const Vec3& center, double r) {
  return {(center.array() - r).matrix(), (center.array() + r).matrix(), false, false};
}

FieldBounds hull(const FieldBounds& a, const FieldBounds& b) {
  if (a.is_empty) return b;
  if (b.is_empty) return a;
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high), a.is_infinite || b.is_infinite, false};
}

FieldBounds common(const FieldBounds& a, const FieldBounds& b) {
  if (b.is_empty || (a.is_infinite && !a.is_empty)) return b;
  if (a.is_empty || b.is_infinite) return a;
  FieldBounds both{a.low.cwiseMax(b.low), a.high.cwiseMin(b.high), false, false};
  both.is_empty = (both.low.array() > both.high.array()).any();
  return both;
}

void widen(FieldBounds& bounds, double by) {
  bounds.low.array() -= by;
  bounds.high.array() += by;
  bounds.is_empty = bounds.is_empty || (bounds.low.array() > bounds.high.array()).any();
}

/// The box of x = A y + t over the box of y.
FieldBounds mapped(const FieldBounds& bounds, const Mat3& A, const Vec3& t) {
  if (bounds.is_infinite || bounds.is_empty) return bounds;
  const Vec3 center = A * (0.5 * (bounds.low + bounds.high)) + t;
  const Vec3 half = A.cwiseAbs() * (0.5 * (bounds.high - bounds.low));
  return {center - half, center + half, false, false};
}

}  // namespace

FieldBounds Field::primitive_bounds(const FieldNode& node) const {
  switch (node.kind) {
    case Kind::sphere:
      return ball(node.a, node.r);
    case Kind::ellipsoid:
    case Kind::box:
      return {node.a - node.b, node.a + node.b, false, false};
    case Kind::capsule:
    case Kind::cylinder:
      return hull(ball(node.a, node.r), ball(node.b, node.s));
    case Kind::torus: {
      const Vec3 reach = node.r * (1 - node.b.array().square()).max(0).sqrt().matrix();
      const FieldBounds tube = ball(node.a, node.s);
      return {tube.low - reach, tube.high + reach, false, false};
    }
    case Kind::tube: {
      FieldBounds result;
      result.is_empty = true;
      for (int i = node.first; i < node.first + node.count; ++i)
        result = hull(result, ball(tube_points[at(i)].x, tube_points[at(i)].r));
      return result;
    }
    default:
      return {Vec3::Zero(), Vec3::Zero(), true, false};  // a plane
  }
}

FieldBounds Field::operator_bounds(const FieldNode& node, double level) const {
  // Each blend of a union lowers values by k/4 at most.
  const int joined = node.kind == Kind::mirror   ? 2
                     : node.kind == Kind::repeat ? node.count
                     : node.kind == Kind::unite  ? static_cast<int>(node.children.size())
                                                 : 1;
  level += 0.25 * node.smooth * (joined - 1);
  FieldBounds result = bounds(node.children[0], level);
  if (node.kind == Kind::mirror)
    return hull(result, mapped(result, Mat3::Identity() - 2 * node.a * node.a.transpose(), Vec3::Zero()));
  if (node.kind == Kind::repeat) {
    // Every copy from the first box: boxes of turned boxes would grow with each turn.
    const FieldBounds first = result;
    const Mat3 step = node.step_inverse.transpose();  // a rotation
    Mat3 turn = Mat3::Identity();
    Vec3 shift = Vec3::Zero();
    for (int i = 1; i < node.count; ++i) {
      turn = step * turn;
      shift = step * shift + node.step_offset;
      result = hull(result, mapped(first, turn, shift));
    }
    return result;
  }
  for (std::size_t i = 1; i < node.children.size() && node.kind != Kind::subtract; ++i) {
    const FieldBounds next = bounds(node.children[i], level);
    result = node.kind == Kind::unite ? hull(result, next) : common(result, next);
  }
  return result;
}

FieldBounds Field::bounds(int n, double level) const {
  const FieldNode& node = nodes[at(n)];
  level = level / node.scale + node.grow;
  FieldBounds result;
  if (node.children.empty()) {
    result = primitive_bounds(node);
    widen(result, level);
  } else {
    result = operator_bounds(node, level);
  }
  // inverse = S^-1 R^T, so the forward map is R S = inverse^T S^2 with S^-1 the row norms of inverse.
  const Vec3 sizes = node.inverse.rowwise().norm().cwiseInverse();
  return mapped(result, node.inverse.transpose() * sizes.cwiseProduct(sizes).asDiagonal(), node.offset);
}

}  // namespace dashpot
