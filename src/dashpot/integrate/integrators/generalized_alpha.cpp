// Generalized-alpha [ChungHulbert1993] with spectral radius rho_inf at infinite frequency: forces at t_{n+1-alpha_f},
// inertia (1 - alpha_m) a_{n+1} + alpha_m a_n, and Newmark's relations between the ends.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {
namespace {

StageTable generalized_alpha_table(double h, double rho_inf) {
  const LinearForm v_n = Known::v_n, a_n = Known::a_n, d = stage_unknown(0);
  const double alpha_m = (2 * rho_inf - 1) / (rho_inf + 1);
  const double alpha_f = rho_inf / (rho_inf + 1);
  const double gamma = 0.5 - alpha_m + alpha_f;
  const double beta = 0.25 * (1 - alpha_m + alpha_f) * (1 - alpha_m + alpha_f);
  // The unknown is the displacement at the force time t_{n+1-alpha_f}.
  const LinearForm d_end = d / (1 - alpha_f);
  const LinearForm a_end = (d_end - h * v_n - h * h * (0.5 - beta) * a_n) / (beta * h * h);
  const LinearForm v_end = v_n + h * ((1 - gamma) * a_n + gamma * a_end);

  StageTable table;
  Stage stage;
  stage.time = 1 - alpha_f;
  stage.v = (1 - alpha_f) * v_end + alpha_f * v_n;
  stage.a = (1 - alpha_m) * a_end + alpha_m * a_n;
  stage.guess = (1 - alpha_f) * (h * v_n + 0.5 * h * h * a_n);
  table.stages = {stage};
  table.displacement_end = d_end;
  table.v_end = v_end;
  table.a_end = a_end;
  // Forces held over a step enter v_end - v_n late by 1/2 - alpha_f steps on average; so they do here, and for linear
  // forces the sum is the mean of start and end. Reactions are known at this stage and at the one before, h earlier;
  // interpolated to the middle of the step.
  const double late = 0.5 - alpha_f;
  table.work = {WorkInterval{d_end,
                             1,
                             {{Evaluation::start, late}, {at_stage(0), 1}, {Evaluation::end, -late}},
                             {{at_stage(0), 1}},
                             {{Evaluation::start, late}, {at_stage(0), 1 - late}}}};
  table.starts_from_last_balance = true;
  table.ends_at_last_stage = alpha_f == 0;
  if (table.ends_at_last_stage) table.work[0].force = {{Evaluation::start, late}, {at_stage(0), 1 - late}};
  return table;
}

}  // namespace

IntegratorEntry generalized_alpha() {
  return {
      "chosen loss at infinite frequency",
      "ChungHulbert1993",
      [](const ParameterValues& values, double h, double) { return generalized_alpha_table(h, values.at("rho_inf")); },
      {{"rho_inf", "\u03c1\u221e", "spectral radius at infinite frequency: 1 keeps all, 0 kills it in one step", 0, 1,
        false, false, 0.8}}};
}

}  // namespace dashpot::integrators
