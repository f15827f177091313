#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "dashpot/shape/solid_mesh.hpp"

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

/// Where a node's coordinates are in space: x_world = A x + t; lengths shrink by `scale` at most.
struct Frame {
  Mat3 A = Mat3::Identity();
  Vec3 t = Vec3::Zero();
  double scale = 1;
};

struct SolidPart {
  Vec3 core = Vec3::Zero();  ///< a point in its middle [m]
  double thickness = 0;      ///< [m]
  int line = 0;
};

/// All primitives that add material, with their frames.
class PartFinder {
 public:
  explicit PartFinder(const Shape& shape) : shape_(shape) { visit(shape.root, {}, 0); }
  std::vector<SolidPart> parts;

 private:
  void visit(int n, const Frame& parent, double grow) {
    const FieldNode& node = shape_.field.nodes[at(n)];
    // inverse = S^-1 R^T, so R S = inverse^T S^2 with S^-1 the row norms of inverse.
    const Vec3 sizes = node.inverse.rowwise().norm().cwiseInverse();
    const Mat3 forward = node.inverse.transpose() * sizes.cwiseProduct(sizes).asDiagonal();
    const Frame frame{parent.A * forward, parent.A * node.offset + parent.t, parent.scale * node.scale};
    grow += frame.scale * node.grow;
    if (node.children.empty()) {
      add(node, frame, grow);
      return;
    }
    if (node.kind == Kind::repeat) {
      Frame copy = frame;
      for (int i = 0; i < node.count; ++i) {
        visit(node.children[0], copy, grow);
        copy.t += copy.A * node.step_offset;
        copy.A = copy.A * node.step_inverse.transpose();
      }
      return;
    }
    // What cuts has no thickness of its own; a mirror image is as thick as the original.
    const std::size_t count = node.kind == Kind::unite ? node.children.size() : 1;
    for (std::size_t i = 0; i < count; ++i) visit(node.children[i], frame, grow);
  }

  void add(const FieldNode& node, const Frame& frame, double grow) {
    const auto part = [&](const Vec3& core, double radius) {
      parts.push_back({frame.A * core + frame.t, 2 * (frame.scale * radius + grow), node.line});
    };
    if (node.kind == Kind::sphere) part(node.a, node.r);
    if (node.kind == Kind::ellipsoid || node.kind == Kind::box) part(node.a, node.b.minCoeff());
    // A taper ends where it likes; its middle and its thick end count.
    if (node.kind == Kind::capsule || node.kind == Kind::cylinder) {
      part(node.r > node.s ? node.a : node.b, std::max(node.r, node.s));
      part(0.5 * (node.a + node.b), 0.5 * (node.r + node.s));
    }
    if (node.kind == Kind::torus) part(node.a + node.r * node.b.unitOrthogonal(), node.s);
    for (int i = node.first + 1; node.kind == Kind::tube && i + 1 < node.first + node.count; ++i)
      part(shape_.field.tube_points[at(i)].x, shape_.field.tube_points[at(i)].r);
  }

  const Shape& shape_;
};

}  // namespace

ThinPart find_thin_parts(const Shape& shape, const LocalField& field, double spacing) {
  ThinPart thinnest;
  const PartFinder finder(shape);
  for (const SolidPart& part : finder.parts) {
    if (part.thickness >= spacing || part.thickness <= 0) continue;
    // A part that lies in a thicker one, or was cut away, does not count: the body is deeper or absent at its core.
    const double depth = -field.value(part.core);
    if (depth > 0.7 * part.thickness || depth <= 0) continue;
    if (thinnest.count == 0 || part.thickness < thinnest.thickness) {
      thinnest.thickness = part.thickness;
      thinnest.line = part.line;
    }
    ++thinnest.count;
  }
  return thinnest;
}

}  // namespace dashpot
