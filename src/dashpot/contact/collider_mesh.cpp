#include "dashpot/contact/collider_mesh.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot {
namespace {

/// Half the shortest side of its box: no inside point is deeper.
double depth_of(const SignedSurface& surface) {
  if (!surface.is_closed()) return 0;
  const Box3 box = surface.tree().bounds();
  return 0.5 * (box.high - box.low).minCoeff();
}

Mesh outline_of(const SignedSurface& surface) {
  Mesh mesh;
  mesh.nodes = surface.positions();
  ElementGroup& group = mesh.group_or_new(ElementKind::triangle);
  for (const std::array<int, 3>& t : surface.triangles()) group.nodes.insert(group.nodes.end(), t.begin(), t.end());
  return mesh;
}

class DeformedInstant final : public ColliderInstant {
 public:
  DeformedInstant(SignedSurface surface, std::vector<Vec3> velocities)
      : surface_(std::move(surface)), velocities_(std::move(velocities)) {}
  bool sample(const Vec3& x, double reach, bool with_curvature, SurfaceSample& sample) const override {
    return surface_.sample(x, reach, with_curvature, sample);
  }
  Vec3 surface_velocity(const Vec3& x, const SurfaceSample&) const override {
    NearestTriangle spot;
    if (!surface_.tree().nearest(x, std::numeric_limits<double>::infinity(), spot)) return Vec3::Zero();
    const std::array<int, 3>& t = surface_.triangles()[static_cast<std::size_t>(spot.triangle)];
    Vec3 velocity = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k)
      velocity += spot.barycentric[static_cast<Eigen::Index>(k)] * velocities_[static_cast<std::size_t>(t[k])];
    return velocity;
  }

 private:
  SignedSurface surface_;
  std::vector<Vec3> velocities_;
};

}  // namespace

SignedSurface collider_surface(const Mesh& mesh, std::vector<std::string>& warnings, std::vector<int>* nodes) {
  std::vector<std::array<int, 3>> triangles = boundary_surface(mesh).triangles;
  // Only the vertices of the surface: the others would be carried along for nothing.
  std::vector<int> new_of_old(mesh.nodes.size(), -1);
  std::vector<Vec3> x;
  for (std::array<int, 3>& t : triangles)
    for (int& v : t) {
      int& place = new_of_old[static_cast<std::size_t>(v)];
      if (place < 0) {
        place = static_cast<int>(x.size());
        x.push_back(mesh.nodes[static_cast<std::size_t>(v)]);
        if (nodes != nullptr) nodes->push_back(v);
      }
      v = place;
    }
  SignedSurface surface(triangles, x);
  if (!surface.is_closed()) {
    warnings.push_back(
        fmt::format("the surface is open ({} rim edges): it pushes only what is within its thickness, to the side its "
                    "triangles face",
                    boundary_edges(triangles).size()));
  } else if (enclosed_volume(x, triangles) < 0) {
    for (std::array<int, 3>& t : triangles) std::swap(t[1], t[2]);
    surface = SignedSurface(triangles, x);
    warnings.push_back("the triangles faced inwards; they were turned");
  }
  if (const int crossings = count_self_crossings(surface.tree(), 1000); crossings > 0)
    warnings.push_back(
        fmt::format("{}{} pairs of triangles cross or touch: where parts overlap, the nearer sheet decides what "
                    "is inside",
                    crossings == 1000 ? "at least " : "", crossings));
  return surface;
}

MeshShape::MeshShape(SignedSurface surface) : surface_(std::move(surface)), depth_(depth_of(surface_)) {}

bool MeshShape::sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const {
  return surface_.sample(X, reach, with_curvature, sample);
}

Mesh MeshShape::outline() const { return outline_of(surface_); }

DeformingCollider::DeformingCollider(SignedSurface surface, std::shared_ptr<const PointMotion> motion)
    : surface_(std::move(surface)), motion_(std::move(motion)), depth_(depth_of(surface_)) {
  if (motion_->num_points() != static_cast<int>(surface_.positions().size()))
    throw Error(Problem{"", fmt::format("a motion of {} points", motion_->num_points()),
                        fmt::format("one for each of the {} vertices of the surface", surface_.positions().size())});
}

std::shared_ptr<const ColliderInstant> DeformingCollider::at(double time) const {
  std::vector<Vec3> x, v;
  motion_->evaluate(time, &x, &v, nullptr);
  SignedSurface now = surface_;
  now.move(x);
  return std::make_shared<DeformedInstant>(std::move(now), std::move(v));
}

Mesh DeformingCollider::outline() const {
  Mesh mesh = outline_of(surface_);
  motion_->evaluate(0, &mesh.nodes, nullptr, nullptr);
  return mesh;
}

void DeformingCollider::outline_at(double time, std::vector<Vec3>* x, std::vector<Vec3>* v) const {
  motion_->evaluate(time, x, v, nullptr);
}

}  // namespace dashpot
