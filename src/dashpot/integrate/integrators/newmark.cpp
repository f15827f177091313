// Newmark's family with beta > 0:
//     q_{n+1} = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1}),   v_{n+1} = v_n + h ((1 - gamma) a_n + gamma
//     a_{n+1}).

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {
namespace {

StageTable newmark_table(double h, double beta, double gamma) {
  const LinearForm v_n = Known::v_n, a_n = Known::a_n, d = stage_unknown(0);
  const LinearForm a = (d - h * v_n - h * h * (0.5 - beta) * a_n) / (beta * h * h);
  const LinearForm v = v_n + h * ((1 - gamma) * a_n + gamma * a);
  const std::vector<Weight> ends = {{Evaluation::start, 1 - gamma}, {at_stage(0), gamma}};
  StageTable table = one_stage_table(v, a, h * v_n + 0.5 * h * h * a_n, ends, ends);
  table.starts_from_last_balance = true;
  return table;
}

}  // namespace

IntegratorEntry newmark() {
  const IntegratorParameter beta{"beta", "\u03b2", "displacement weight of the end acceleration", 0, 1, true,
                                 false,  0.25};
  const IntegratorParameter gamma{"gamma", "\u03b3", "velocity weight of the end acceleration",
                                  0.5,     1,        false,
                                  false,   0.5,      "less than 1/2 creates energy"};
  return {"a family: gamma above 1/2 dissipates and is of order 1",
          "Newmark1959",
          [](const ParameterValues& values, double h, double) {
            return newmark_table(h, values.at("beta"), values.at("gamma"));
          },
          {beta, gamma},
          "use beta = (gamma + 1/2)^2 / 4 for the largest high-frequency loss; beta >= gamma / 2 is always stable"};
}

}  // namespace dashpot::integrators
