#include "dashpot/model/inner_request.hpp"

namespace dashpot {

InnerEnergy evaluate_in_full_coordinates(const EnergyTerm& term, const System& inner, const Vector& q,
                                         const EnergyRequest& outer) {
  InnerEnergy result;
  EnergyRequest request{q};
  request.time = outer.time;
  request.projection = outer.projection;
  request.scratch = outer.scratch;
  if (outer.gradient) {
    result.gradient.setZero(inner.num_dofs());
    request.gradient = &result.gradient;
  }
  if (outer.hessian) {
    result.hessian = BlockMatrix(inner.pattern());
    request.hessian = &result.hessian;
  }
  result.value = term.evaluate(request);
  return result;
}

InnerDamping evaluate_in_full_coordinates(const DissipationTerm& term, const System& inner, const Vector& q,
                                          const Vector& v, const DissipationRequest& outer) {
  InnerDamping result;
  DissipationRequest request{q, v, outer.internal_variables, outer.dt, outer.scratch};
  request.time = outer.time;
  request.dv_scale = outer.dv_scale;
  request.dq_scale = outer.dq_scale;
  request.new_internal_variables = outer.new_internal_variables;
  request.follows_rates = outer.follows_rates;
  request.driven_power = outer.driven_power;
  if (outer.force) {
    result.force.setZero(inner.num_dofs());
    request.force = &result.force;
  }
  if (outer.tangent) {
    result.tangent = BlockMatrix(inner.pattern());
    request.tangent = &result.tangent;
    request.low_rank = outer.low_rank ? &result.low_rank : nullptr;
  }
  result.power = term.evaluate(request);
  return result;
}

}  // namespace dashpot
