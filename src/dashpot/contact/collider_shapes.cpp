#include "dashpot/contact/collider_shapes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

std::string text(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]); }

void require(bool holds, const std::string& found, const std::string& expected, const std::string& remedy = "") {
  if (!holds) throw Error(Problem{"", found, expected, remedy});
}
void require_finite(const Vec3& x, const char* what) {
  require(x.allFinite(), fmt::format("{} = {}", what, text(x)), "finite coordinates");
}

/// A unit sphere as latitudes and longitudes; poles along z. `waist` doubles the equator so that it can be stretched.
struct Globe {
  static constexpr int rings = 12, sectors = 24;
  std::vector<Vec3> directions;
  std::vector<int> upper;  ///< 1 for nodes of the upper half
  std::vector<int> triangles;

  Globe() {
    const auto ring = [&](double latitude, int up) {
      for (int s = 0; s < sectors; ++s) {
        const double angle = 2 * M_PI * s / sectors;
        directions.emplace_back(std::cos(latitude) * std::cos(angle), std::cos(latitude) * std::sin(angle),
                                std::sin(latitude));
        upper.push_back(up);
      }
    };
    directions.emplace_back(0, 0, -1);
    upper.push_back(0);
    for (int r = 1; r <= rings / 2; ++r) ring(-M_PI / 2 + M_PI * r / rings, 0);
    for (int r = rings / 2; r < rings; ++r) ring(-M_PI / 2 + M_PI * r / rings, 1);
    directions.emplace_back(0, 0, 1);
    upper.push_back(1);
    const int last = static_cast<int>(directions.size()) - 1;
    for (int s = 0; s < sectors; ++s) {
      const int next = (s + 1) % sectors;
      triangles.insert(triangles.end(), {0, 1 + next, 1 + s});
      for (int r = 0; r < rings; ++r) {
        const int low = 1 + r * sectors, high = low + sectors;
        if (high < last)
          triangles.insert(triangles.end(), {low + s, low + next, high + next, low + s, high + next, high + s});
      }
      triangles.insert(triangles.end(), {last, last - sectors + s, last - sectors + next});
    }
  }
};

}  // namespace

PlaneShape::PlaneShape(const Vec3& point, const Vec3& normal) : point_(point), normal_(normal) {
  require_finite(point, "point");
  require(normal.allFinite() && normal.norm() > 1e-12, "normal = " + text(normal), "a direction that is not zero",
          "[0, 1, 0] is a floor");
  normal_.normalize();
}

bool PlaneShape::sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const {
  const double distance = normal_.dot(X - point_);
  if (distance > reach) return false;
  sample.distance = distance;
  sample.normal = normal_;
  if (with_curvature) sample.curvature.setZero();
  return true;
}

CapsuleShape::CapsuleShape(const Vec3& a, const Vec3& b, double radius)
    : a_(a), axis_(b - a), length_(axis_.norm()), radius_(radius) {
  require_finite(a, "end");
  require_finite(b, "end");
  require(std::isfinite(radius) && radius > 0, fmt::format("radius = {:.6g} m", radius), "radius > 0");
  if (length_ > 0) axis_ /= length_;
}

bool CapsuleShape::sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const {
  const double along = std::clamp(axis_.dot(X - a_), 0.0, length_);
  const Vec3 arm = X - a_ - along * axis_;
  const double r = arm.norm();
  if (r - radius_ > reach) return false;
  sample.distance = r - radius_;
  const bool beside = along > 0 && along < length_;
  if (r > 1e-12 * radius_) {
    sample.normal = arm / r;
    if (with_curvature) {
      sample.curvature = (Mat3::Identity() - sample.normal * sample.normal.transpose()) / r;
      if (beside) sample.curvature -= axis_ * axis_.transpose() / r;
    }
  } else {  // on the medial axis: any direction across will do
    sample.normal = length_ > 0 ? axis_.unitOrthogonal() : Vec3(Vec3::UnitY());
    if (with_curvature) sample.curvature.setZero();
  }
  return true;
}

Mesh CapsuleShape::outline() const {
  const Globe globe;
  const Vec3 pole = length_ > 0 ? axis_ : Vec3(Vec3::UnitY());
  const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), pole).toRotationMatrix();
  Mesh mesh;
  for (std::size_t i = 0; i < globe.directions.size(); ++i)
    mesh.nodes.push_back(a_ + radius_ * turn * globe.directions[i] + (globe.upper[i] != 0 ? length_ : 0.0) * axis_);
  ElementGroup& group = mesh.group_or_new(ElementKind::triangle);
  for (std::size_t k = 0; k < globe.triangles.size(); k += 3) {
    const int* t = &globe.triangles[k];
    const Vec3 &x = mesh.nodes[static_cast<std::size_t>(t[0])], &y = mesh.nodes[static_cast<std::size_t>(t[1])],
               &z = mesh.nodes[static_cast<std::size_t>(t[2])];
    if ((y - x).cross(z - x).norm() > 0) group.nodes.insert(group.nodes.end(), t, t + 3);  // a sphere has no waist
  }
  return mesh;
}

BoxShape::BoxShape(const Vec3& center, const Vec3& half, double rounding, const Mat3& rotation)
    : center_(center), core_(half.array() - rounding), rounding_(rounding), rotation_(rotation) {
  require_finite(center, "center");
  require(half.allFinite() && half.minCoeff() > 0, "half extents " + text(half) + " m", "half extents > 0");
  require(std::isfinite(rounding) && rounding >= 0 && rounding <= half.minCoeff(),
          fmt::format("rounding = {:.6g} m", rounding),
          fmt::format("0 <= rounding <= {:.6g} m, the smallest half extent", half.minCoeff()));
  require(rotation.allFinite() && (rotation.transpose() * rotation - Mat3::Identity()).norm() < 1e-9,
          "a matrix that does not turn", "a rotation");
}

bool BoxShape::sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const {
  const Vec3 local = rotation_.transpose() * (X - center_);
  const Vec3 q = local.cwiseAbs() - core_;  // > 0: outside the core's slab along that axis
  const Vec3 out = q.cwiseMax(0.0);
  const double length = out.norm();
  if (length - rounding_ > reach) return false;
  Eigen::Index nearest = 0;
  const double deepest = q.maxCoeff(&nearest);
  const bool outside = deepest > 0;
  sample.distance = (outside ? length : deepest) - rounding_;
  Vec3 n = outside ? Vec3(out / length) : Vec3(Vec3::Unit(nearest));
  for (int i = 0; i < 3; ++i) n[i] = std::copysign(n[i], local[i]);
  sample.normal = rotation_ * n;
  if (with_curvature) {
    Mat3 bend = Mat3::Zero();
    if (outside) {  // a plane, cylinder or sphere about the core, by the number of slabs left
      for (int i = 0; i < 3; ++i) bend(i, i) = q[i] > 0 ? 1 : 0;
      bend = (bend - n * n.transpose()).eval() / length;
    }
    sample.curvature = rotation_ * bend * rotation_.transpose();
  }
  return true;
}

Mesh BoxShape::outline() const {
  Mesh mesh;
  ElementGroup& group = mesh.group_or_new(ElementKind::triangle);
  // A grid on each face of the cube, pressed onto the rounded box by the distance itself.
  constexpr int n = 8;
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double side = face % 2 == 0 ? -1 : 1;
    const int first = mesh.num_nodes();
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        // Half of the lines lie on the rounding.
        const auto coordinate = [&](int k, int along) {
          const double h = core_[along];
          if (k == 0) return -h - rounding_;
          if (k == n) return h + rounding_;
          if (k <= 2) return -h - rounding_ * std::tan(M_PI / 4 * (2 - k) / 2.0);
          if (k >= n - 2) return h + rounding_ * std::tan(M_PI / 4 * (k - n + 2) / 2.0);
          return h * (2.0 * (k - 2) / (n - 4) - 1);
        };
        Vec3 x;
        x[axis] = side * (core_[axis] + rounding_);
        x[u] = coordinate(i, u);
        x[v] = coordinate(j, v);
        const Vec3 core = x.cwiseMax(-core_).cwiseMin(core_), arm = x - core;
        if (arm.norm() > 0) x = core + rounding_ * arm.normalized();
        mesh.nodes.push_back(center_ + rotation_ * x);
      }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int a = first + i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
        if (side > 0)
          group.nodes.insert(group.nodes.end(), {a, b, c, a, c, d});
        else
          group.nodes.insert(group.nodes.end(), {a, c, b, a, d, c});
      }
  }
  return mesh;
}

}  // namespace dashpot
