// The trapezoid rule: Newmark with beta = 1/4, gamma = 1/2.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {

IntegratorEntry trapezoid() {
  return {"no numerical damping of linear systems", "Newmark1959",
          [](const ParameterValues&, double h, double h_previous) {
            return Integrator("newmark", {{"beta", 0.25}, {"gamma", 0.5}}).table(h, h_previous);
          }};
}

}  // namespace dashpot::integrators
