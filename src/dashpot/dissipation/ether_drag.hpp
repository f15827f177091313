#pragma once
// Ether drag: velocities relax towards zero at a rate r [1/s], v <- v exp(-r dt). The simplest damping, and the one
// that brakes free fall and spin: its traits say so. gamma_per_step gives the form v <- (1 - gamma) v, which depends on
// dt.

#include <memory>
#include <string>

#include "dashpot/dissipation/filter_gain.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class EtherDrag final : public VelocityFilter {
 public:
  /// Acts on blocks first_block .. first_block + num_blocks - 1 (3 dofs each).
  EtherDrag(std::string body, int first_block, int num_blocks, FilterGain gain)
      : body_(std::move(body)), first_block_(first_block), num_blocks_(num_blocks), gain_(gain) {}

  const std::string& body() const override { return body_; }
  std::string model() const override { return "ether_drag"; }
  DissipationTraits traits() const override { return {}; }
  void apply(const Vector& q, double dt, Vector& v) const override;
  ParameterList parameters() const override { return gain_.parameters(); }
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  int first_block_, num_blocks_;
  FilterGain gain_;
};

}  // namespace dashpot
