#include "dashpot/constraint/pins.hpp"

#include <cassert>

namespace dashpot {

Pins::Pins(std::vector<int> dofs, std::vector<double> values) : dofs_(std::move(dofs)), values_(std::move(values)) {
  assert(dofs_.size() == values_.size());
}

void Pins::prescribe(double, Vector* q, Vector* v, Vector* a) const {
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    if (q) (*q)[dofs_[i]] = values_[i];
    if (v) (*v)[dofs_[i]] = 0;
    if (a) (*a)[dofs_[i]] = 0;
  }
}

}  // namespace dashpot
