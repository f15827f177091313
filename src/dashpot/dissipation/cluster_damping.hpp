#pragma once
// Global and local damping of relative motion [SchmeddingGisslerTeschner2009], the limit of iterated spring damping:
// every cluster's velocities relax towards the motion its points have as one,
//     v_i <- v_i - (gamma/N_i) sum over the clusters of i of (v_i - v_cm - ...),     gamma = 1 - exp(-rate dt),
// with what `TorqueElimination` does about the torque of these changes. One cluster of all points: global damping;
// elements or neighbors: local damping. It needs masses and positions, no stiffness and, but for edge forms, no
// connectivity. With a safe elimination kinetic energy cannot grow, whatever the masses.
//
// The printed eq. (8), f = -gamma v_rel, has the wrong unit; with f = -gamma (m/h) v_rel gamma in [0, 1] means the
// fraction removed. Local damping feels strain within a cluster: a smooth motion of wavelength l loses about
// (cluster size/l)^2 of what a jagged one loses, so its effect on the visible motion depends on the mesh.
//
// `iterations` repeats it k times within a step, each over dt/k: with k -> infinity clusters that overlap relax by
// exp(-rate dt G), exactly as over many small steps, and jagged motions vanish while smooth ones stay.
//
// Needs lumped masses. Points in no cluster and points of clusters without mass keep their velocity; clusters of one
// point do nothing. Limits and proofs: docs/theory/dissipation_clusters.md.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/cluster_kernel.hpp"
#include "dashpot/dissipation/clusters.hpp"
#include "dashpot/dissipation/filter_gain.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class ClusterDamping final : public VelocityFilter {
 public:
  /// Point i is block first_block + i and has mass[i] [kg] >= 0. `edges` join points; only eliminations on edges need
  /// them. dashpot::Error for negative masses, fewer than one iteration, or when an elimination on edges finds none.
  ClusterDamping(std::string body, int first_block, std::vector<double> mass, const Clusters& clusters,
                 TorqueElimination elimination, FilterGain gain, const std::vector<Edge>& edges = {},
                 int iterations = 1);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "relative"; }
  DissipationTraits traits() const override;
  void apply(const Vector& q, double dt, Vector& v) const override;
  ParameterList parameters() const override { return gain_.parameters(); }
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;

 private:
  /// A cluster that no kernel of four takes, with the masses its points have in it.
  struct Group {
    std::vector<int> points;
    std::vector<double> mass;
    std::vector<Edge> edges;
  };
  /// Clusters of one small size.
  struct Elements {
    int per_cluster;
    ElementBatch batch;
  };
  void apply_once(const Vector& q, double gamma, Vector& v) const;
  void damp_elements(const Vector& q, double gamma, const Vector& v, Vector& damped) const;
  void damp_group(const Group& group, const Vector& q, double gamma, const Vector& v, Vector& damped) const;

  std::string body_;
  int first_block_;
  TorqueElimination elimination_;
  FilterGain gain_;
  int iterations_;
  std::vector<double> mass_;
  std::vector<double> inverse_copies_;  ///< 1/N_i; 0: in no cluster
  std::vector<Elements> elements_;
  std::vector<Group> groups_;
  bool is_whole_ = false;  ///< one cluster of all points: v is damped in place
};

}  // namespace dashpot
