// Composite trapezoid over h/2, then BDF2 over (t, t + h/2, t + h) [Bathe2007; XuBarbic2017, eqs. 20-25, corrected].

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {
namespace {

StageTable bathe_table(double h) {
  const LinearForm v_n = Known::v_n, a_n = Known::a_n, d_0 = stage_unknown(0), d_1 = stage_unknown(1);
  StageTable table;
  const LinearForm v_half = (4 / h) * d_0 - v_n;
  const LinearForm a_half = (4 / h) * (v_half - v_n) - a_n;
  const LinearForm v = (3.0 * d_1 - 4.0 * d_0) / h;
  const LinearForm a = (3.0 * v - 4.0 * v_half + v_n) / h;
  table.stages = {Stage{0.5, v_half, a_half, 0.5 * h * v_n + 0.125 * h * h * a_n},
                  Stage{1, v, a, d_0 + 0.5 * h * v_half + 0.125 * h * h * a_half}};
  table.displacement_end = d_1;
  table.v_end = v;
  table.a_end = a;
  const std::vector<Weight> first = {{Evaluation::start, 0.5}, {at_stage(0), 0.5}};
  // v_1 - v_half = h/2 times the weighted forces: what dampings hold over a step is booked as it enters the velocity.
  const std::vector<Weight> impulse = {{Evaluation::start, 1.0 / 6}, {at_stage(0), 1.0 / 6}, {at_stage(1), 2.0 / 3}};
  table.work = {WorkInterval{d_0, 0.5, first, first, first},
                WorkInterval{d_1 - d_0, 0.5, impulse, {{at_stage(1), 1}}, impulse}};
  table.starts_from_last_balance = true;
  return table;
}

}  // namespace

IntegratorEntry bathe() {
  return {"damps only what the step cannot resolve", "Bathe2007",
          [](const ParameterValues&, double h, double) { return bathe_table(h); }};
}

}  // namespace dashpot::integrators
