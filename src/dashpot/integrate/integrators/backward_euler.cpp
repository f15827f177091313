// v = d / h, a = (v - v_n) / h.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {

IntegratorEntry backward_euler() {
  return {"strong numerical damping", "BaraffWitkin1998", [](const ParameterValues&, double h, double) {
            const LinearForm v_n = Known::v_n, d = stage_unknown(0), v = d / h;
            const std::vector<Weight> stage = {{at_stage(0), 1}};
            return one_stage_table(v, (v - v_n) / h, h * v_n, stage, stage);
          }};
}

}  // namespace dashpot::integrators
