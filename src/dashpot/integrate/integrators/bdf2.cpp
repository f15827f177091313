// Variable-step BDF2 of q and of v; one midpoint step to start.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {
namespace {

StageTable bdf2_table(double h, double h_previous) {
  const LinearForm v_n = Known::v_n, v_previous = Known::v_previous, d_previous = Known::d_previous,
                   d = stage_unknown(0);
  // y'(t_{n+1}) = [ (1+2r)/(1+r) y_{n+1} - (1+r) y_n + r^2/(1+r) y_{n-1} ] / h with r = h / h_previous.
  const double r = h / h_previous;
  const double new_weight = (1 + 2 * r) / (1 + r), present_weight = -(1 + r), old_weight = r * r / (1 + r);
  const LinearForm v = (new_weight * d + old_weight * d_previous) / h;
  const LinearForm a = (new_weight * v + present_weight * v_n + old_weight * v_previous) / h;
  StageTable table = one_stage_table(v, a, h * v_n + 0.5 * h * h * ((v_n - v_previous) / h_previous),
                                     {{Evaluation::start, 0.5}, {at_stage(0), 0.5}}, {{at_stage(0), 1}});
  // The forces of older steps enter v_{n+1} - v_n with weights 2/3, 2/9, 2/27 ...: half a step late on average.
  table.starts_from_last_balance = true;
  return table;
}

}  // namespace

IntegratorEntry bdf2() {
  return {"moderate numerical damping of high frequencies", "HairerWanner1996",
          [](const ParameterValues&, double h, double h_previous) {
            return h_previous > 0 ? bdf2_table(h, h_previous) : Integrator("midpoint").table(h, h_previous);
          }};
}

}  // namespace dashpot::integrators
