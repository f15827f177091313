#pragma once
// Point damping: every node is braked by f = -c v, the same c [kg/s] for all, as a change of predicted velocities,
//     v_i <- (1 - c h / m_i) v_i.
// It brakes free fall and spin (its traits say so), light nodes more than heavy ones. Its mass-proportional twin is
// ether_drag, whose rate is the same for all nodes and which no step is too long for. Steps with c h / m_min >= 2 would
// add energy and are refused; above 1 light nodes are reversed. Nodes without mass keep their velocity. Needs lumped
// masses.
// Source: [SchmeddingGisslerTeschner2009, eq. 2].

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

class PointDamping final : public VelocityFilter {
 public:
  /// Node i is block first_block + i and has masses[i] [kg] >= 0. c [kg/s] >= 0; dashpot::Error otherwise.
  PointDamping(std::string body, const std::vector<double>& masses, int first_block, double c);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "point"; }
  DissipationTraits traits() const override { return {}; }
  void apply(const Vector& q, double dt, Vector& v) const override;
  ParameterList parameters() const override;
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;
  std::string refusal_reason(double dt) const override;
  /// Longest step [s] that does not add energy, 2 m_min/c; infinite without damping.
  double longest_step() const;

 private:
  std::string body_;
  int first_block_;
  double coefficient_;          ///< c [kg/s]
  std::vector<double> masses_;  ///< [kg]
  std::vector<double> rate_;    ///< c/m of each node [1/s]
  double largest_rate_ = 0;
};

}  // namespace dashpot
