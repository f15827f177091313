#include "dashpot/scene/assembly/formula_motion.hpp"

namespace dashpot {

void FormulaMotion::evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const {
  for (std::vector<Vec3>* out : {x, v, a})
    if (out != nullptr) out->resize(rest_.size());
  for (std::size_t i = 0; i < rest_.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const math::Jet u = displacement_[static_cast<std::size_t>(axis)].evaluate(rest_[i], time);
      if (x) (*x)[i][axis] = rest_[i][axis] + u.value;
      if (v) (*v)[i][axis] = u.d;
      if (a) (*a)[i][axis] = u.dd;
    }
}

}  // namespace dashpot
