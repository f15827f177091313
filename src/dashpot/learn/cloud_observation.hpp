#pragma once
// A surface seen as point clouds. Nobody says which point of the body a measured point c was; that is found from the
// positions that are given, anew at each evaluation. n is the outward normal of a triangle of the simulated surface.
//
// point_to_plane (recommended) [ChenMedioni1992]: c belongs to the nearest triangle among those that face its camera, n
// . v > facing,
//
//   d = n . (c - q) / sigma,     r = e / sqrt(1 + e^2 / c^2),     dr/dx_i = -b_i n / sigma (1 + e^2 / c^2)^(-3/2),
//
//   q the foot of c on the plane of the triangle, b its barycentric coordinates there (they may lie outside 0..1: then
//   the slope is exact, turning of the normal included). e = d where c lies over the triangle, or beside it by no more
//   than 3 sigma, as noise does at a silhouette; what lies further beside it is an outlier whose distance counts too,
//   e^2 = d^2 + (beside / sigma - 3)^2 [ours: d alone would take points far out in the plane of a face for perfect
//   ones]. The kernel is Geman and McClure's; `scale` c is tightened from 30 over 10 to 5, because a small one would
//   lock the error of the first material out as outliers. No scale: r = e.
//
// The patches [WangEtAl2020, sec. 5.3] keep one residual a node, of a node k the centroid of the points that belong to
// it,
//   p_kn = exp(-|c_n - x_k|^2 / 2 s^2) / (w0 + sum_k' exp(-|c_n - x_k'|^2 / 2 s^2)),  less than 0.05 dropped,
//   cbar_k = sum_n p_kn c_n / W_k,  W_k = sum_n p_kn,
// with s the spacing of the nodes and w0 = 0.01 for outliers: a posterior, where the paper has a threshold on a
// density.
//
// patch, the paper's eq. 11 stacked by nodes: r = sqrt(min(W_k, 20)) (x_k - cbar_k) / s. It is biased: the centroid of
//   what a camera sees of a patch is not its node, at silhouettes, at edges, with a side missing. For comparison only.
// differential_patch: the current surface is sampled as the cameras would see it, and its own centroid takes the node's
//   place, r = sqrt(min(W_k, Wm_k)) (mbar_k - cbar_k) / sqrt(sigma^2 + (0.2 s)^2): the bias cancels.
// Weights are held in their slopes: these are not exact derivatives, as in the reference.

#include "dashpot/learn/observation.hpp"
#include "dashpot/learn/point_cloud.hpp"

namespace dashpot::learn {

enum class CloudResidual { point_to_plane, differential_patch, patch };

struct CloudOptions {
  CloudResidual residual = CloudResidual::point_to_plane;
  double sigma = 0;     ///< noise of a point [m]; 0: the sequence's
  double facing = 0.1;  ///< cosine between normal and camera above which a triangle can have been measured
  double spacing = 0;   ///< s of the patches [m]; 0: mean length of the edges of the surface at rest
};

class CloudObservation final : public Observation {
 public:
  /// `surface`: triangles between points of the System; `rest`: where these are at rest [m]. The clouds are in the
  /// frame and on the clock of the simulated run. dashpot::Error when there is no surface, no noise, a frame has not as
  /// many clouds as there are cameras, or the clouds have another size than the body (units).
  CloudObservation(CloudSequence clouds, std::vector<Triangle> surface, const std::vector<Vec3>& rest,
                   const CloudOptions& options = {});

  std::string description() const override { return clouds_.source; }
  const std::vector<double>& times() const override { return times_; }
  void add_residuals(int instant, const std::vector<Vec3>& points, double scale, ResidualRows& rows) const override;
  bool is_robust() const override { return options_.residual == CloudResidual::point_to_plane; }

  const CloudSequence& clouds() const { return clouds_; }
  double sigma() const { return options_.sigma; }      ///< [m]
  double spacing() const { return options_.spacing; }  ///< [m]

 private:
  void add_point_to_plane(const CloudFrame& frame, const std::vector<Vec3>& x, double scale, ResidualRows& rows) const;
  void add_patches(const CloudFrame& frame, const std::vector<Vec3>& x, ResidualRows& rows) const;

  CloudSequence clouds_;
  std::vector<Triangle> surface_;
  std::vector<int> nodes_;  ///< of the surface, sorted
  CloudOptions options_;
  std::vector<double> times_;
};

/// The scale of the robust residuals from the first fit to the last.
inline constexpr std::array<double, 3> graduated_scales{30, 10, 5};

}  // namespace dashpot::learn
