#pragma once
// Points driven by a point cache (.pc2, .mdd): C2 splines through its frames (math/spline.hpp). What animation packages
// get wrong is refused before the run, by name: a cache of another mesh, frames that are missing, points that teleport.

#include <vector>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/math/spline.hpp"
#include "dashpot/mesh/point_cache.hpp"
#include "dashpot/model/motion.hpp"

namespace dashpot {

/// Limits a cache must keep.
struct CacheLimits {
  int num_nodes = 0;     ///< points it must have
  double max_gap = 0;    ///< longest time between frames [s]; 0: five times the median
  double max_speed = 0;  ///< of a point between neighboring frames [m/s]; 0: none
};

/// Throws dashpot::Error naming every way (up to ten) in which a cache breaks its limits.
void check_cache(const PointCache& cache, const CacheLimits& limits);

class CacheMotion final : public PointMotion {
 public:
  /// Nodes `nodes` of the cache, whose positions `placement` takes to the world.
  CacheMotion(const PointCache& cache, const std::vector<int>& nodes, math::Spline::Ends ends,
              const Placement& placement);
  int num_points() const override { return path_.dimension() / 3; }
  void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const override;

 private:
  math::Spline path_;
};

/// A teleport is a speed of more than this many body sizes (diagonals of its box) a second, unless the user says how
/// fast it may be. At 24 frames a second that is 1.25 sizes from one frame to the next.
inline constexpr double teleport_sizes_per_second = 30;

/// Looks at a motion at `samples` times from 0 to `end` [s]: throws dashpot::Error when something is not finite, or
/// faster than max_speed [m/s] (0: no limit).
void check_motion(const PointMotion& motion, double end, int samples, double max_speed);

}  // namespace dashpot
