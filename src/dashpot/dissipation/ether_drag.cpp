#include "dashpot/dissipation/ether_drag.hpp"

namespace dashpot {

void EtherDrag::apply(const Vector&, double dt, Vector& v) const {
  v.segment(3 * first_block_, 3 * num_blocks_) *= 1 - gain_.over(dt);
}

std::shared_ptr<VelocityFilter> EtherDrag::remade(const double* values, const Replacements&) const {
  auto successor = std::make_shared<EtherDrag>(*this);
  successor->gain_ = gain_.with(values[0]);
  return successor;
}

}  // namespace dashpot
