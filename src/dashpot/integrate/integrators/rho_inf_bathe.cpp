// The rho_inf-Bathe method [NohBathe2019]: a trapezoid step over gamma h, then
//     y_{n+1} = y_n + h (q_0 y'_n + q_1 y'_{n+gamma} + q_2 y'_{n+1})     for y = q and y = v.
// Second order needs q_0 + q_1 + q_2 = 1 and gamma q_1 + q_2 = 1/2. Of an infinite frequency the trapezoid step leaves
// -1 and the second step (q_1 - q_0) / q_2; that this is rho_inf gives
//     q_1 = (1 + rho_inf) / (4 - 2 gamma (1 - rho_inf)),   q_0 = (gamma - 1) q_1 + 1/2,   q_2 = 1/2 - gamma q_1.
// Undamped, with z = omega h,
//     1 - |lambda|^2 = (1 - rho_inf^2) (gamma q_2 / 2)^2 z^4 / ((1 + (gamma z / 2)^2) (1 + (q_2 z)^2)) >= 0:
// stable for every step while 0 < gamma < 1. Both sub-steps have the same matrix where q_2 = gamma / 2, that is
// (1 - rho_inf) gamma^2 - 4 gamma + 2 = 0 and gamma = 2 / (2 + sqrt(2 + 2 rho_inf)): the choice where none is given.
// rho_inf = 0 with gamma = 1/2 is `bathe`; rho_inf = 1 is two trapezoid steps.
//
// Work is measured as for `bathe`, over each sub-step with the weights w that its forces have in the change of
// velocity, v_{n+1} - v_{n+gamma} = (1 - gamma) h sum w a. The loss on linear systems is then
//     (v_{n+1} - v_{n+gamma}) . M e_v + (q_{n+1} - q_{n+gamma}) . K e_q,
//     e_y = w_0 (y_n - y_{n+gamma}) + (w_2 - 1/2) (y_{n+1} - y_{n+gamma}):   none for rho_inf = 1, damped or not.

#include <cmath>

#include "dashpot/integrate/integrator.hpp"
#include "dashpot/integrate/runge_kutta_table.hpp"

namespace dashpot::integrators {
namespace {

StageTable rho_inf_bathe_table(const ParameterValues& values, double h) {
  const double rho_inf = values.at("rho_inf");
  const auto given = values.find("split");
  const bool is_chosen = given != values.end();
  const double gamma = is_chosen ? given->second : 2 / (2 + std::sqrt(2 + 2 * rho_inf));
  const double q_1 = (1 + rho_inf) / (4 - 2 * gamma * (1 - rho_inf)), q_0 = (gamma - 1) * q_1 + 0.5;
  const double q_2 = is_chosen ? 0.5 - gamma * q_1 : gamma / 2;  // the same bits in both stages: one factorization
  StageTable table = runge_kutta_table(h, {{{gamma / 2, gamma / 2}, {q_0, q_1, q_2}}});
  const LinearForm d_0 = stage_unknown(0), d_1 = stage_unknown(1);
  const std::vector<Weight> first = {{Evaluation::start, 0.5}, {at_stage(0), 0.5}};
  const std::vector<Weight> second = {{Evaluation::start, (q_0 - gamma / 2) / (1 - gamma)},
                                      {at_stage(0), (q_1 - gamma / 2) / (1 - gamma)},
                                      {at_stage(1), q_2 / (1 - gamma)}};
  table.work = {WorkInterval{d_0, gamma, first, first, first},
                WorkInterval{d_1 - d_0, 1 - gamma, second, second, second}};
  return table;
}

}  // namespace

IntegratorEntry rho_inf_bathe() {
  return {"as bathe, with a chosen loss at infinite frequency",
          "NohBathe2019",
          [](const ParameterValues& values, double h, double) { return rho_inf_bathe_table(values, h); },
          {{"rho_inf", "\u03c1\u221e", "spectral radius at infinite frequency: 1 keeps all, 0 kills it in one step", 0,
            1, false, false, 0.5},
           {"split", "\u03b3", "share of the step in its first sub-step; left out: both have the same matrix", 0, 1,
            true, true}}};
}

}  // namespace dashpot::integrators
