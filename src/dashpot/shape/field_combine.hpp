#pragma once
// How the children of an operator node make its value; for values alone and for values with region and color.
// Internal to field.cpp and local_field.cpp, which must agree to the last bit.

#include "dashpot/shape/field.hpp"
#include "dashpot/shape/primitives.hpp"

namespace dashpot::shape_formula {

inline FieldSample unite(const FieldSample& a, const FieldSample& b, double k) {
  const FieldSample& winner = b.value < a.value ? b : a;
  FieldSample result = winner;
  if (k > 0) {
    result.value = smooth_min(a.value, b.value, k);
    const double share = std::clamp(0.5 + 0.5 * (b.value - a.value) / k, 0.0, 1.0);
    result.color = share * a.color + (1 - share) * b.color;
  }
  return result;
}
inline double unite(double a, double b, double k) { return k > 0 ? smooth_min(a, b, k) : std::min(a, b); }

/// The first body cut by another; `b` is already turned inside out for a difference.
inline FieldSample intersect(const FieldSample& a, const FieldSample& b, double k) {
  FieldSample result = a;
  if (b.has_own_color && b.value > a.value) result.color = b.color;
  result.value = k > 0 ? smooth_max(a.value, b.value, k) : std::max(a.value, b.value);
  return result;
}
inline double intersect(double a, double b, double k) { return k > 0 ? smooth_max(a, b, k) : std::max(a, b); }

inline FieldSample inside_out(FieldSample s) {
  s.value = -s.value;
  return s;
}
inline double inside_out(double value) { return -value; }

inline Vec3 mirrored(const Vec3& x, const Vec3& normal) { return x - 2 * normal.dot(x) * normal; }

inline double value_of(double value) { return value; }
inline double value_of(const FieldSample& s) { return s.value; }

/// Whether the children are joined (else the first one is cut by the others).
inline bool is_join(FieldNode::Kind kind) {
  return kind != FieldNode::Kind::intersect && kind != FieldNode::Kind::subtract;
}

/// Goes from the coordinates of copy `copy` of a repeated body to those of copy `wanted` >= copy.
inline void step_to(const FieldNode& node, int wanted, int& copy, Vec3& x) {
  for (; copy < wanted; ++copy) x = node.step_inverse * (x - node.step_offset);
}

/// Where child number `slot` sees the point x; `copy` and `x` are kept between calls with growing slots.
inline Vec3 seen_by(const FieldNode& node, int slot, int& copy, Vec3& x) {
  if (node.kind == FieldNode::Kind::repeat) step_to(node, slot, copy, x);
  return node.kind == FieldNode::Kind::mirror && slot == 1 ? mirrored(x, node.a) : x;
}

/// `kids` has size(), slot(i): which child (of a repeat: which copy, of a mirror: 1 for the image) the i-th one is,
/// value(i, x): its value, and is_far(i, x, value): whether its value is surely larger.
template <class Result, class Kids>
Result combine(const FieldNode& node, Vec3 x, const Kids& kids) {
  int copy = 0;
  Result result = kids.value(0, seen_by(node, kids.slot(0), copy, x));
  const bool joins = is_join(node.kind);
  for (int i = 1, n = kids.size(); i < n; ++i) {
    const Vec3 y = seen_by(node, kids.slot(i), copy, x);
    // Beyond the blending radius a further body changes nothing, to the last bit.
    if (joins && kids.is_far(i, y, value_of(result) + node.smooth)) continue;
    const Result next = kids.value(i, y);
    if (joins)
      result = unite(result, next, node.smooth);
    else
      result = intersect(result, node.kind == FieldNode::Kind::subtract ? inside_out(next) : next, node.smooth);
  }
  return result;
}

}  // namespace dashpot::shape_formula
