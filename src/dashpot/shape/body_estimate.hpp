#pragma once
// How much space {f < level} takes, without meshing it: the yardstick for a mesh. An octree settles cubes by the bound
// |f(x) - f(y)| <= |x - y|; in cubes of the wanted size that the surface may cross, four points at places drawn by a
// fixed hash are looked at. The volume is unbiased however thin the body is; its error falls with the square root of
// the number of points (about 1 % for a sheet of 2000 cells). Internal to mesh_shape.

#include "dashpot/shape/local_field.hpp"

namespace dashpot {

struct BodyEstimate {
  double volume = 0;                                  ///< [m^3]
  Vec3 low = Vec3::Constant(1), high = Vec3::Zero();  ///< a box that the body fills: around all inside points seen
  bool has_inside = false;                            ///< an inside point was seen
  bool is_exhaustive = false;  ///< no cube was left open: without an inside point, the body is empty
  double cell = 0;             ///< size of the cubes that were left open [m]
};

/// `cell` [m] is the size to stop at; coarser when that would take more than 2e5 cubes a level.
BodyEstimate estimate_body(const LocalField& field, const FieldBounds& bounds, double cell, double level = 0);

/// A search for any inside point, with smaller and smaller cells.
BodyEstimate find_inside(const LocalField& field, const FieldBounds& bounds, double level = 0);

}  // namespace dashpot
