#pragma once
// A solid as a scalar field: f(x) < 0 inside, f(x) > 0 outside, |f(x) - f(y)| <= |x - y| (1-Lipschitz). Away from the
// surface f need not be the distance, only a lower bound of it.
//
// The field is a tree. Leaves are signed distances (primitives.hpp); inner nodes are
//   union         smooth_min over the children, in their order
//   intersection  smooth_max over the children
//   difference    smooth_max(first, -each further child)
//   mirror        smooth_min(f(x), f(x reflected in a plane through the origin))
//   repeat        smooth_min over copies i = 0..count-1, each moved by one step more
// `smooth` is the blending radius k [m]. Every node may be scaled, turned and moved (in this order):
// x_parent = t + R S x, and f_parent(x_parent) = min(S) f(x), which keeps the bound.
//
// Besides its value a point has a region and a color: those of the child that wins in a union (colors mix over the
// blend), of the first child in an intersection or difference; where a subtracted child cuts, its own color shows.

#include <limits>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

struct FieldNode {
  enum class Kind {
    sphere,
    ellipsoid,
    capsule,
    box,
    torus,
    plane,
    cylinder,
    tube,
    unite,
    intersect,
    subtract,
    mirror,
    repeat
  };
  Kind kind = Kind::sphere;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< center, end points, radii, half sides, normal, axis: see field.cpp
  double r = 0, s = 0;                      ///< radius, second radius or rounding; offset of a plane [m]
  double smooth = 0;                        ///< blending radius k [m]
  double grow = 0;                          ///< the body is thickened by this [m]; negative: eroded
  int first = 0, count = 0;                 ///< tube: its points; repeat: number of copies
  std::vector<int> children;
  // Placement, as the inverse map: x = inverse (x_parent - offset); value_parent = scale * value.
  bool is_placed = false;
  Mat3 inverse = Mat3::Identity();
  Vec3 offset = Vec3::Zero();
  double scale = 1;
  // repeat: copy i + 1 sees the point  step_inverse (x_i - step_offset).
  Mat3 step_inverse = Mat3::Identity();
  Vec3 step_offset = Vec3::Zero();
  int region = -1;           ///< index into region names; -1: of its parent
  int color = -1;            ///< index into colors; -1: of its parent
  int line = 0, column = 0;  ///< where the file says so
};

/// A point of a tube: a ball rolled along the polyline.
struct TubePoint {
  Vec3 x = Vec3::Zero();
  double r = 0;
};

struct FieldSample {
  double value = 0;
  int region = -1;
  Vec3 color = Vec3::Zero();  ///< sRGB, 0..1
  bool has_own_color = false;
};

/// An axis-aligned box that holds {f < 0}, or all space.
struct FieldBounds {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  bool is_infinite = false, is_empty = false;
};

class Field {
 public:
  std::vector<FieldNode> nodes;  ///< a child comes before its parent
  std::vector<TubePoint> tube_points;
  std::vector<Vec3> colors;  ///< sRGB

  /// Prepares evaluation; to be called once all nodes are there. Without it values are the same, only slower.
  void finish();

  double value(int node, const Vec3& x) const;
  /// Value with region and color; those of the node's ancestors may be passed in.
  FieldSample sample(int node, const Vec3& x, int region = -1, int color = -1) const;
  /// A box around {f < level}, in the node's parent's coordinates.
  FieldBounds bounds(int node, double level = 0) const;
  /// Number of primitives one evaluation visits.
  double cost(int node) const;

  /// A cheap lower bound of f(x); -infinity where none is known.
  double lower_bound(int node, const Vec3& x) const;
  /// Whether f(x) > value, as far as that bound tells.
  bool is_beyond(int node, const Vec3& x, double value) const;
  /// Value of a leaf at x in its own coordinates.
  double primitive(const FieldNode& node, const Vec3& x) const;

 private:
  /// f(x) >= slope |x - center| - reach, in the coordinates of the node's parent; lets a union skip what is far away.
  struct FarBound {
    Vec3 center = Vec3::Zero();
    double slope = 0, reach = std::numeric_limits<double>::infinity();
  };
  FarBound local_far_bound(const FieldNode& node) const;
  FarBound repeated_far_bound(const FieldNode& node) const;
  double tube(const FieldNode& node, const Vec3& x) const;
  FieldBounds primitive_bounds(const FieldNode& node) const;
  FieldBounds operator_bounds(const FieldNode& node, double level) const;
  std::vector<FarBound> far_bounds_;
};

/// Color of what has none: a warm gray.
inline Vec3 default_shape_color() { return {0.72, 0.70, 0.67}; }

}  // namespace dashpot
