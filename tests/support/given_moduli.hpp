#pragma once
// Lame parameters of tets that belong to no energy, for dampings in proportion to moduli.

#include <memory>
#include <utility>

#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::testing {

class GivenModuli final : public ModuliSource {
 public:
  GivenModuli(std::shared_ptr<TetBatch> batch, double lambda, double mu) : batch_(std::move(batch)) {
    moduli_.kind = Moduli::Kind::lame;
    for (int e = 0; e < batch_->num_tets(); ++e) moduli_.of_element.insert(moduli_.of_element.end(), {lambda, mu});
  }
  Moduli moduli() const override { return moduli_; }
  std::shared_ptr<ElementBatch> shared_batch() const override { return batch_; }

 private:
  std::shared_ptr<TetBatch> batch_;
  Moduli moduli_;
};

}  // namespace dashpot::testing
