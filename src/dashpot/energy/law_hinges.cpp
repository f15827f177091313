// The passes of HingeBending, four hinges at a time. Floor of forces: four nodes gathered and scattered, an arc tangent
// a hinge.

#include <numbers>

#include "dashpot/element/hinge_pass.hpp"
#include "dashpot/energy/hinge_bending.hpp"

namespace dashpot {

using math::Pack4;

double HingeBending::run(const HingeTask& task) const {
  const double* packs = packs_.data();
  const auto elastic = [packs](int pack, Pack4 angle) {
    const Pack4 w = Pack4::load(packs + 8 * pack), rest = Pack4::load(packs + 8 * pack + 4), pi(std::numbers::pi),
                turn(2 * std::numbers::pi);
    Pack4 beyond = angle - rest;
    beyond = select(beyond > pi, beyond - turn, beyond);
    beyond = select(beyond < -pi, beyond + turn, beyond);
    return kernel::HingeElastic{Pack4(0.5) * w * beyond * beyond, w * beyond, w};
  };
  return batch_->sum_over_chunks(
      [&](int begin, int end) { return kernel::run_hinges(*batch_, task, begin, end, elastic); });
}

double HingeBending::evaluate(const EnergyRequest& request) const {
  HingeTask task;
  task.q = request.q.data();
  task.gradient = request.gradient != nullptr ? request.gradient->data() : nullptr;
  task.stiffness = request.hessian;
  task.stiffness_scale = request.hessian_scale;
  task.with_curvature = request.projection == Projection::none;
  const HingeCompany company(request.companions);
  if (!company.is_empty()) task.company = &company;
  return run(task);
}

void HingeBending::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                 BlockMatrix& K) const {
  HingeTask task;
  task.q = part == StiffnessPart::rest ? rest_.data() : q.data();
  task.stiffness = &K;
  task.element_scale = element_scale.data();
  task.with_curvature = false;
  run(task);
}

}  // namespace dashpot
