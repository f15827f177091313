#include "dashpot/learn/cloud_observation.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dashpot/contact/box_tree.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/learn/tracks.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/nearest_on_triangle.hpp"

namespace dashpot::learn {
namespace {

/// How far beside the nearest triangle noise puts a point [sigma].
constexpr double beside_tolerance = 3;
/// Distances that differ by less than this part are equal.
constexpr double tie = 1e-9;

double mean_edge(const std::vector<Triangle>& surface, const std::vector<Vec3>& x) {
  double sum = 0;
  for (const Triangle& t : surface)
    for (std::size_t k = 0; k < 3; ++k) sum += (x[at(t[k])] - x[at(t[(k + 1) % 3])]).norm();
  return surface.empty() ? 0 : sum / static_cast<double>(3 * surface.size());
}

/// Refuses clouds of another size than the body, and says in which unit they would fit.
void check_size(const CloudSequence& clouds, double body, std::vector<Problem>& problems) {
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> along;
    for (const std::vector<Vec3>& points : clouds.frames.front().points)
      for (const Vec3& x : points) along.push_back(x[axis]);
    if (along.empty()) return;
    std::ranges::sort(along);
    const std::size_t cut = along.size() / 20;  // outliers at both ends
    square += std::pow(along[along.size() - 1 - cut] - along[cut], 2);
  }
  const double size = std::sqrt(square);
  if (!(size > 0) || (size < 5 * body && size > 0.05 * body)) return;
  std::string remedy = "check the unit of the clouds, and that they show this body";
  for (const auto& [unit, meters] : guessed_units())
    if (std::abs(std::log(size * meters / body)) < std::log(3.0))
      remedy = fmt::format("their coordinates seem to be in {}: set \"unit\": \"{}\" in the index", unit, unit);
  problems.push_back({clouds.source,
                      fmt::format("clouds {} large for a body {} large", describe_quantity(size, Quantity::length),
                                  describe_quantity(body, Quantity::length)),
                      "clouds of about the size of the body", remedy});
}

}  // namespace

CloudObservation::CloudObservation(CloudSequence clouds, std::vector<Triangle> surface, const std::vector<Vec3>& rest,
                                   const CloudOptions& options)
    : clouds_(std::move(clouds)), surface_(std::move(surface)), options_(options) {
  std::vector<Problem> problems;
  const auto problem = [&](std::string found, std::string expected, std::string remedy) {
    problems.push_back({clouds_.source, std::move(found), std::move(expected), std::move(remedy)});
  };
  if (options_.sigma == 0) options_.sigma = clouds_.noise;
  if (!(options_.sigma > 0) || !std::isfinite(options_.sigma))
    problem(fmt::format("a noise of {} m", options_.sigma), "a standard deviation above zero",
            "give sigma, or \"noise\" in the index of the clouds");
  if (surface_.empty())
    problem("a body without a surface", "a solid or a surface", "clouds cannot show wires and points");
  if (clouds_.frames.empty()) problem("no frames", "point clouds", "");
  for (const CloudFrame& frame : clouds_.frames) {
    times_.push_back(frame.time);
    if (frame.points.size() != clouds_.cameras.size())
      problem(fmt::format("{} clouds at {} s", frame.points.size(), frame.time),
              fmt::format("{}, one for each camera", clouds_.cameras.size()), "");
  }
  for (const Triangle& t : surface_) nodes_.insert(nodes_.end(), t.begin(), t.end());
  std::ranges::sort(nodes_);
  nodes_.erase(std::ranges::unique(nodes_).begin(), nodes_.end());
  if (!surface_.empty() && !clouds_.frames.empty()) {
    std::vector<Vec3> own;
    for (const int node : nodes_) own.push_back(rest[at(node)]);
    check_size(clouds_, bounding_box(own).diagonal(), problems);
  }
  if (!problems.empty()) throw Error(std::move(problems));
  if (options_.spacing == 0) options_.spacing = mean_edge(surface_, rest);
}

void CloudObservation::add_residuals(int instant, const std::vector<Vec3>& points, double scale,
                                     ResidualRows& rows) const {
  const CloudFrame& frame = clouds_.frames[at(instant)];
  if (options_.residual == CloudResidual::point_to_plane)
    add_point_to_plane(frame, points, scale, rows);
  else
    add_patches(frame, points, rows);
}

namespace {

/// The triangles of a surface that a camera can have measured, to be searched.
class FacingTriangles {
 public:
  FacingTriangles(const std::vector<Triangle>& surface, const std::vector<Vec3>& x, const DepthCamera& camera,
                  double facing)
      : x_(x), tree_(boxes(surface, camera, facing)) {}

  bool empty() const { return triangles_.empty(); }
  struct Hit {
    Triangle triangle{};
    NearestOnTriangle nearest;
  };
  /// Beyond a convex edge two triangles are equally near, beyond a corner more: the one above whose plane the point
  /// lies highest is taken, so that the residual is continuous and no matter of round-off.
  Hit nearest(const Vec3& c) const {
    Hit best;
    double distance = std::numeric_limits<double>::infinity(), height = 0;
    tree_.near(c, distance, [&](int i) {
      const Triangle& t = triangles_[at(i)];
      const NearestOnTriangle found = nearest_on_triangle(c, x_[at(t[0])], x_[at(t[1])], x_[at(t[2])]);
      const double own = (found.point - c).norm();
      if (own <= distance * (1 + tie)) {
        const double own_height = std::abs(area_vector(t, x_).normalized().dot(c - found.point));
        if (own < distance * (1 - tie) || own_height > height) {
          best = {t, found};
          height = own_height;
        }
        distance = std::min(distance, own);
      }
      return distance * (1 + tie);
    });
    return best;
  }

 private:
  std::vector<contact::Box> boxes(const std::vector<Triangle>& surface, const DepthCamera& camera, double facing) {
    std::vector<contact::Box> boxes;
    for (const Triangle& t : surface) {
      const Vec3 area = area_vector(t, x_), center = (x_[at(t[0])] + x_[at(t[1])] + x_[at(t[2])]) / 3;
      if (!(area.dot(camera.towards(center)) > facing * area.norm())) continue;
      triangles_.push_back(t);
      boxes.emplace_back(x_[at(t[0])]);
      boxes.back().extend(x_[at(t[1])]).extend(x_[at(t[2])]);
    }
    return boxes;
  }
  const std::vector<Vec3>& x_;
  std::vector<Triangle> triangles_;
  contact::BoxTree tree_;
};

/// Barycentric coordinates of the foot of c on the plane of a triangle.
Vec3 foot_on_plane(const Vec3& c, const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  const Vec3 a = x1 - x0, b = x2 - x0, d = c - x0;
  const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), da = d.dot(a), db = d.dot(b);
  const double determinant = aa * bb - ab * ab;
  const double v = (bb * da - ab * db) / determinant, w = (aa * db - ab * da) / determinant;
  return Vec3(1 - v - w, v, w);
}

struct PlaneRow {
  double value = 0;
  std::array<ResidualRows::Entry, 3> entries{};
};

PlaneRow plane_row(const Vec3& c, const FacingTriangles::Hit& hit, const std::vector<Vec3>& x, double sigma,
                   double scale) {
  const Triangle& t = hit.triangle;
  const Vec3 normal = area_vector(t, x).normalized();
  const Vec3 foot = foot_on_plane(c, x[at(t[0])], x[at(t[1])], x[at(t[2])]);
  const double d = normal.dot(c - x[at(t[0])]) / sigma;
  const Vec3 miss = c - hit.nearest.point;
  const double beside = std::sqrt(std::max(0.0, miss.squaredNorm() - d * d * sigma * sigma));  // [m]
  const double excess = std::max(0.0, beside / sigma - beside_tolerance);
  const double e = excess > 0 ? std::copysign(std::hypot(d, excess), d) : d;
  const double kernel = 1 / std::sqrt(1 + e * e / (scale * scale));
  PlaneRow row;
  row.value = e * kernel;
  for (int k = 0; k < 3; ++k) {
    Vec3 slope = -foot[k] / sigma * normal;  // of d
    if (excess > 0) {
      // beside^2 = |miss|^2 - (sigma d)^2, and d|miss|^2/dx = -2 b miss with b of the nearest point.
      const Vec3 of_beside = (-hit.nearest.barycentric[k] * miss - sigma * sigma * d * slope) / beside;
      slope = (d * slope + excess / sigma * of_beside) / e;
    }
    row.entries[at(k)] = {t[at(k)], kernel * kernel * kernel * slope};
  }
  return row;
}

}  // namespace

void CloudObservation::add_point_to_plane(const CloudFrame& frame, const std::vector<Vec3>& x, double scale,
                                          ResidualRows& rows) const {
  for (std::size_t m = 0; m < frame.points.size(); ++m) {
    const std::vector<Vec3>& cloud = frame.points[m];
    const FacingTriangles facing(surface_, x, clouds_.cameras[m], options_.facing);
    if (facing.empty()) {  // all of it is as wrong as can be
      for (std::size_t n = 0; n < cloud.size() && std::isfinite(scale); ++n) rows.add(scale, {});
      continue;
    }
    std::vector<PlaneRow> found(cloud.size());
    parallel_for(static_cast<int>(cloud.size()), 128, [&](int begin, int end) {
      for (int n = begin; n < end; ++n)
        found[at(n)] = plane_row(cloud[at(n)], facing.nearest(cloud[at(n)]), x, options_.sigma, scale);
    });
    for (const PlaneRow& row : found) rows.add(row.value, row.entries);
  }
}

}  // namespace dashpot::learn
