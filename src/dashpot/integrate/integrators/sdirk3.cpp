// Three stages with one matrix, third order, L-stable [Alexander1977; HairerWanner1996, IV.6]: gamma is the root
// 0.43586652 of gamma^3 - 3 gamma^2 + (3/2) gamma - 1/6 = 0, stages at gamma, (1 + gamma) / 2 and 1,
//     b_1 = -(6 gamma^2 - 16 gamma + 1) / 4,   b_2 = (6 gamma^2 - 20 gamma + 5) / 4 < 0,   b_3 = gamma.
// With b_2 < 0 the work of a damping over one step may come out below zero where its power varies much within the step.

#include "dashpot/integrate/integrator.hpp"
#include "dashpot/integrate/runge_kutta_table.hpp"

namespace dashpot::integrators {

IntegratorEntry sdirk3() {
  return {"accurate where motions are smooth; kills what the step cannot resolve", "Alexander1977",
          [](const ParameterValues&, double h, double) {
            constexpr double gamma = 0.43586652150845899942;
            constexpr double b_1 = -(6 * gamma * gamma - 16 * gamma + 1) / 4,
                             b_2 = (6 * gamma * gamma - 20 * gamma + 5) / 4;
            return runge_kutta_table(h, {{{0, gamma}, {0, (1 - gamma) / 2, gamma}, {0, b_1, b_2, gamma}}});
          }};
}

}  // namespace dashpot::integrators
