#include "dashpot/dissipation/ether_drag.hpp"

#include <cmath>

namespace dashpot {

EtherDrag::EtherDrag(std::string body, int first_block, int num_blocks, double rate, double gamma)
    : body_(std::move(body)), first_block_(first_block), num_blocks_(num_blocks), rate_(rate), gamma_(gamma) {}

EtherDrag EtherDrag::with_rate(std::string body, int first_block, int num_blocks, double rate) {
  return EtherDrag(std::move(body), first_block, num_blocks, rate, -1);
}

EtherDrag EtherDrag::with_gamma_per_step(std::string body, int first_block, int num_blocks, double gamma) {
  return EtherDrag(std::move(body), first_block, num_blocks, 0, gamma);
}

void EtherDrag::apply(const Vector&, double dt, Vector& v) const {
  const double keep = gamma_ >= 0 ? 1 - gamma_ : std::exp(-rate_ * dt);
  v.segment(3 * first_block_, 3 * num_blocks_) *= keep;
}

}  // namespace dashpot
