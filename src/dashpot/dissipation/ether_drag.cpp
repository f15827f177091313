#include "dashpot/dissipation/ether_drag.hpp"

namespace dashpot {

void EtherDrag::apply(const Vector&, double dt, Vector& v) const {
  v.segment(3 * first_block_, 3 * num_blocks_) *= 1 - gain_.over(dt);
}

}  // namespace dashpot
