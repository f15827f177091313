#pragma once
// Pins: nodes held where they are, wholly or along some axes.

#include "dashpot/model/constraint.hpp"

namespace dashpot {

/// Holds dofs at given values.
class Pins final : public Constraint {
 public:
  Pins(std::vector<int> dofs, std::vector<double> values);
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override;
  bool is_fixed() const override { return true; }

 private:
  std::vector<int> dofs_;
  std::vector<double> values_;
};

}  // namespace dashpot
