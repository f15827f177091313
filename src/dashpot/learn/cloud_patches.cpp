// Residuals of patches: every node against the centroid of the points that belong to it.
#include <nanoflann.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "dashpot/learn/cloud_observation.hpp"

namespace dashpot::learn {
namespace {

constexpr double outlier_weight = 0.01;   ///< w0
constexpr double least_posterior = 0.05;  ///< less is dropped
constexpr double most_points = 20;        ///< of a plain patch that count
constexpr double centroid_error = 0.2;    ///< of a differential patch, by the mesh [spacing]

struct NodePositions {
  std::vector<Vec3> x;
  std::size_t kdtree_get_point_count() const { return x.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return x[i][static_cast<int>(axis)]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// Which points belong to which node, and how surely.
class Posterior {
 public:
  Posterior(const std::vector<int>& nodes, const std::vector<Vec3>& x, double spacing)
      : spacing_(spacing), positions_{at_nodes(nodes, x)}, tree_(3, positions_) {
    tree_.buildIndex();
  }

  /// Calls visit(k, p) for the nodes, by their place in the list, to which a point belongs with probability p.
  template <class Visit>
  void of(const Vec3& c, const Visit& visit) {
    // Farther nodes have a p of less than exp(-8) / (w0 + exp(-8)) < 0.05.
    tree_.radiusSearch(c.data(), 16 * spacing_ * spacing_, near_, nanoflann::SearchParams());
    double sum = outlier_weight;
    for (auto& [k, distance2] : near_) sum += std::exp(-0.5 * distance2 / (spacing_ * spacing_));
    for (auto& [k, distance2] : near_) {
      const double p = std::exp(-0.5 * distance2 / (spacing_ * spacing_)) / sum;
      if (p >= least_posterior) visit(static_cast<std::size_t>(k), p);
    }
  }

 private:
  static std::vector<Vec3> at_nodes(const std::vector<int>& nodes, const std::vector<Vec3>& x) {
    std::vector<Vec3> own;
    for (const int node : nodes) own.push_back(x[at(node)]);
    return own;
  }
  using Tree =
      nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, NodePositions>, NodePositions, 3>;
  double spacing_;
  NodePositions positions_;
  Tree tree_;
  std::vector<std::pair<std::uint32_t, double>> near_;
};

/// Weighted centroid that grows.
struct Centroid {
  double weight = 0;
  Vec3 sum = Vec3::Zero();
  void add(double w, const Vec3& x) { weight += w, sum += w * x; }
  Vec3 mean() const { return sum / weight; }
};

/// A point of the current surface as a camera may see it.
struct SurfaceSample {
  Triangle triangle;
  Vec3 barycentric;
  double weight;  ///< measured points it stands for
};

/// Four samples a triangle, weighted by what is seen of it.
std::vector<SurfaceSample> seen_samples(const std::vector<Triangle>& surface, const std::vector<Vec3>& x,
                                        const CloudSequence& clouds, const CloudFrame& frame) {
  static const std::array<Vec3, 4> places = {Vec3(4, 1, 1) / 6, Vec3(1, 4, 1) / 6, Vec3(1, 1, 4) / 6,
                                             Vec3(1, 1, 1) / 3};
  const Occlusion occlusion(surface, x);
  std::vector<SurfaceSample> samples;
  for (std::size_t m = 0; m < clouds.cameras.size(); ++m) {
    const DepthCamera& camera = clouds.cameras[m];
    const std::size_t first = samples.size();
    double total = 0;
    for (std::size_t t = 0; t < surface.size(); ++t) {
      const Triangle& k = surface[t];
      const Vec3 center = (x[at(k[0])] + x[at(k[1])] + x[at(k[2])]) / 3;
      const double size = camera.apparent_size(area_vector(k, x), center);
      if (!(size > 0)) continue;
      for (const Vec3& b : places) {
        const Vec3 point = b[0] * x[at(k[0])] + b[1] * x[at(k[1])] + b[2] * x[at(k[2])];
        if (!occlusion.sees(camera, point, static_cast<int>(t))) continue;
        samples.push_back({k, b, size});
        total += size;
      }
    }
    for (std::size_t i = first; i < samples.size(); ++i)
      samples[i].weight *= static_cast<double>(frame.points[m].size()) / total;
  }
  return samples;
}

}  // namespace

void CloudObservation::add_patches(const CloudFrame& frame, const std::vector<Vec3>& x, ResidualRows& rows) const {
  Posterior posterior(nodes_, x, options_.spacing);
  std::vector<Centroid> measured(nodes_.size());
  for (const std::vector<Vec3>& cloud : frame.points)
    for (const Vec3& c : cloud) posterior.of(c, [&](std::size_t k, double p) { measured[k].add(p, c); });

  const auto add = [&](const Vec3& residual, double factor, const std::map<int, double>& weights) {
    std::vector<ResidualRows::Entry> row;
    for (int axis = 0; axis < 3; ++axis) {
      row.clear();
      for (const auto& [node, weight] : weights) row.push_back({node, factor * weight * Vec3::Unit(axis)});
      rows.add(factor * residual[axis], row);
    }
  };
  if (options_.residual == CloudResidual::patch) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (!(measured[k].weight >= 1)) continue;
      const double factor = std::sqrt(std::min(measured[k].weight, most_points)) / options_.spacing;
      add(x[at(nodes_[k])] - measured[k].mean(), factor, {{nodes_[k], 1.0}});
    }
    return;
  }

  std::vector<Centroid> simulated(nodes_.size());
  std::vector<std::map<int, double>> weights(nodes_.size());
  for (const SurfaceSample& sample : seen_samples(surface_, x, clouds_, frame)) {
    Vec3 point = Vec3::Zero();
    for (int i = 0; i < 3; ++i) point += sample.barycentric[i] * x[at(sample.triangle[at(i)])];
    posterior.of(point, [&](std::size_t k, double p) {
      simulated[k].add(p * sample.weight, point);
      for (int i = 0; i < 3; ++i) weights[k][sample.triangle[at(i)]] += p * sample.weight * sample.barycentric[i];
    });
  }
  const double deviation = std::hypot(options_.sigma, centroid_error * options_.spacing);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (!(measured[k].weight > 2 && simulated[k].weight > 2)) continue;
    for (auto& [node, weight] : weights[k]) weight /= simulated[k].weight;
    const double factor = std::sqrt(std::min(measured[k].weight, simulated[k].weight)) / deviation;
    add(simulated[k].mean() - measured[k].mean(), factor, weights[k]);
  }
}

}  // namespace dashpot::learn
