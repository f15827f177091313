#pragma once
// Damping of position based dynamics [MullerHeidelbergerHennixRatcliff2007, 3.5]: velocities relax towards the rigid
// motion of the body that has its momentum,
//     v <- v + gamma (v_cm + omega x r - v),   gamma = 1 - exp(-rate dt),
// where v_cm and omega are those of the mass-weighted best rigid motion: linear and angular momentum are kept to
// round-off, and the kinetic energy of the rest falls by the factor (1 - gamma)^2. gamma_per_step gives the papers'
// form, which depends on dt.
//
// It sends momentum through the whole body at once: the far end of a ribbon moves before a wave could have arrived.
// Its use is to compare.
//
// Degenerate bodies: one point, or points without mass, keep their velocity; of points on one line the motion along it
// is damped and no spin about it is assumed. Nodes without mass follow the rigid motion of the others.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/filter_gain.hpp"
#include "dashpot/model/nodal_inertia.hpp"

namespace dashpot {

class PbdDamping final : public VelocityFilter {
 public:
  using Masses = std::vector<std::shared_ptr<const ElementMass>>;
  /// Acts on blocks first_block .. first_block + num_blocks - 1, whose mass is that of `masses` (consistent or lumped).
  PbdDamping(std::string body, Masses masses, int first_block, int num_blocks, FilterGain gain)
      : body_(std::move(body)),
        masses_(std::move(masses)),
        first_block_(first_block),
        num_blocks_(num_blocks),
        gain_(gain) {}

  const std::string& body() const override { return body_; }
  std::string model() const override { return "pbd"; }
  DissipationTraits traits() const override;
  void apply(const Vector& q, double dt, Vector& v) const override;
  ParameterList parameters() const override { return gain_.parameters(); }
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  Masses masses_;
  int first_block_, num_blocks_;
  FilterGain gain_;
};

}  // namespace dashpot
