#pragma once
// Points moved by formulas: x = X + u(X, t), u given as three formulas of X, Y, Z [m] and t [s]. Velocities and
// accelerations come from evaluating the same formulas with jets (math/jet.hpp): exact, also across abs, min and max
// except at their kinks.

#include <array>

#include "dashpot/math/formula.hpp"
#include "dashpot/model/motion.hpp"

namespace dashpot {

class FormulaMotion final : public PointMotion {
 public:
  FormulaMotion(std::array<Formula, 3> displacement, std::vector<Vec3> rest)
      : displacement_(std::move(displacement)), rest_(std::move(rest)) {}
  int num_points() const override { return static_cast<int>(rest_.size()); }
  void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const override;

 private:
  std::array<Formula, 3> displacement_;
  std::vector<Vec3> rest_;
};

}  // namespace dashpot
