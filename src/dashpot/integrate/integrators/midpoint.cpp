// Implicit midpoint rule: the unknown is the displacement of the middle.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {
namespace {

StageTable midpoint_table(double h) {
  const LinearForm v_n = Known::v_n, d = stage_unknown(0);
  StageTable table;
  const LinearForm v = (2 / h) * d;  // (q_{n+1} - q_n) / h, the velocity of the middle
  const LinearForm a = (2 / h) * (v - v_n);
  table.stages = {Stage{0.5, v, a, 0.5 * h * v_n}};
  table.displacement_end = 2.0 * d;
  table.v_end = 2.0 * v - v_n;
  table.a_end = a;  // not used by the scheme; the acceleration of the middle is what is known
  const std::vector<Weight> middle = {{at_stage(0), 1}};
  table.work = {WorkInterval{2.0 * d, 1, middle, middle, middle}};
  table.ends_at_last_stage = false;
  return table;
}

}  // namespace

IntegratorEntry midpoint() {
  return {"no numerical damping of linear systems, keeps angular momentum", "HairerLubichWanner2006",
          [](const ParameterValues&, double h, double) { return midpoint_table(h); }};
}

}  // namespace dashpot::integrators
