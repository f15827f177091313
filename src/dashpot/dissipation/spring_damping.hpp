#pragma once
// Spring damping: a dashpot between the two nodes of every edge, as a change of predicted velocities,
//     v <- v - h M^-1 sum over edges ij of c P_ij (v_i - v_j)  at i, the opposite at j,
// all edges from the same v. Along the edges (P = n n^T, n = (x_i - x_j)/|x_i - x_j|) both momenta are kept and rigid
// motion is free; with P = I linear momentum only, and the spin of the body is braked. `iterations` repeats it within
// the step: unprojected it then tends to v_cm of each connected part, which is what global damping reaches at once.
//
// The coefficient c [kg/s] is a physical dashpot: to first order in h what it does does not depend on h (k iterations
// act as k c). A motion is multiplied by 1 - c h lambda: steps with c h lambda_max >= 2 would add energy and are
// refused by refusal_reason; above 1 the motion is reversed (explicit steppers are then unstable; see integrate's
// filtered_limit.hpp). gamma_per_step takes c = gamma/(h lambda) with lambda the guaranteed bound of the edges
// (edge_graph.hpp), so that nothing ever overshoots; it depends on h.
//
// Needs lumped masses. Nodes without mass or without edges keep their velocity; ends in one place have no direction,
// and are not damped along it.
// Source: [SchmeddingGisslerTeschner2009, sections 2, 3.1]; the printed projection divides by |x_e| instead of |x_e|^2.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/edge_graph.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

struct SpringDampingOptions {
  bool project = true;  ///< along the edges only
  int iterations = 1;   ///< >= 1, within each step
};

class SpringDamping final : public VelocityFilter {
 public:
  /// Node i of the graph is block first_block + i. c [kg/s] >= 0; 0 <= gamma <= 1; dashpot::Error otherwise.
  static SpringDamping with_coefficient(std::string body, EdgeGraph graph, int first_block, double c,
                                        SpringDampingOptions options = {});
  static SpringDamping with_gamma_per_step(std::string body, EdgeGraph graph, int first_block, double gamma,
                                           SpringDampingOptions options = {});

  const std::string& body() const override { return body_; }
  std::string model() const override { return "spring"; }
  DissipationTraits traits() const override;
  void apply(const Vector& q, double dt, Vector& v) const override;
  ParameterList parameters() const override;
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;
  std::string refusal_reason(double dt) const override;
  /// Longest step [s] that does not add energy: 2/(c lambda_max); infinite for gamma_per_step.
  double longest_step() const;

 private:
  SpringDamping(std::string body, EdgeGraph graph, int first_block, SpringDampingOptions options);
  /// f += E^T P E v; f has the nodes of the graph, q and v are of the whole System.
  void add_edge_forces(const Vector& q, const Vector& v, Vector& f) const;

  std::string body_;
  EdgeGraph graph_;
  int first_block_;
  SpringDampingOptions options_;
  double coefficient_ = 0;  ///< c [kg/s]
  double gamma_ = 0;        ///< for gamma_per_step
  double per_step_ = -1;    ///< c h [kg] for gamma_per_step; < 0: use coefficient_
  double lambda_ = 0;       ///< lambda_max [1/kg], for coefficient_
};

}  // namespace dashpot
