#pragma once
// A perspective camera and how it is placed so that everything is seen. World coordinates are in meters with `up` up;
// the picture's x runs right and its y down. A point p with d = p - eye appears at
//   x = w/2 + s (d . right) / (d . forward),   y = h/2 - s (d . up) / (d . forward),   s = h / (2 tan(fov/2)).

#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::render {

/// From where to look at something.
struct Look {
  double azimuth = 35;    ///< of the camera about `up`, from the +z axis towards +x [degrees]
  double elevation = 18;  ///< of the camera above the horizon [degrees]
  double zoom = 1;        ///< > 1: closer than needed to see everything
  double fov = 28;        ///< vertical field of view [degrees]
  Vec3 up = Vec3::UnitY();
};

struct Camera {
  Vec3 eye = Vec3::Zero();
  Vec3 right = Vec3::UnitX(), up = Vec3::UnitY(), forward = -Vec3::UnitZ();  ///< orthonormal
  double tan_half_height = 0.25;                                             ///< tan of half the vertical field of view
  double aspect = 1.5;                                                       ///< width over height
  double focus = 1;                                                          ///< distance of what is looked at [m]

  /// (x, y) of the picture [pixels] and the depth along `forward` [m]; x, y mean nothing for depth <= 0.
  Vec3 project(const Vec3& p, double width, double height) const;
  /// Unit direction from the eye through picture point (x, y).
  Vec3 ray(double x, double y, double width, double height) const;
};

/// The closest camera in that direction that sees all points, with `margin` of the half width and height left free on
/// each side, divided by look.zoom. Points that are not finite are left out; no points: one meter about the origin.
Camera frame_points(const std::vector<Vec3>& points, const Look& look, double aspect, double margin = 0.08);

/// Diagonal of the box around these points [m]; points that are not finite are left out; 0 when none is left.
double diagonal(const std::vector<Vec3>& points);

/// The same camera moved by `shift` [m].
Camera moved(const Camera& camera, const Vec3& shift);

}  // namespace dashpot::render
