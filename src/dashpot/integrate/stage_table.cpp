#include "dashpot/integrate/stage_table.hpp"

namespace dashpot {
namespace {

constexpr LinearForm v_n = LinearForm::of(Known::v_n);
constexpr LinearForm a_n = LinearForm::of(Known::a_n);
constexpr LinearForm d_previous = LinearForm::of(Known::previous_displacement);
constexpr LinearForm v_previous = LinearForm::of(Known::v_previous);
constexpr LinearForm d_0 = LinearForm::of(Known::d_0);
constexpr LinearForm d_1 = LinearForm::of(Known::d_1);

/// A table whose single stage ends the step.
StageTable one_stage(const LinearForm& v, const LinearForm& a, const LinearForm& guess,
                     const std::vector<Weight>& force, std::vector<Weight> imbalance) {
  StageTable table;
  table.stages = {Stage{1, v, a, guess}};
  table.displacement_end = d_0;
  table.v_end = v;
  table.a_end = a;
  table.work = {WorkInterval{d_0, 1, force, std::move(imbalance), force}};
  return table;
}

}  // namespace

LinearForm operator+(LinearForm a, const LinearForm& b) { return a += b; }
LinearForm operator-(const LinearForm& a, const LinearForm& b) { return a + (-1.0) * b; }
LinearForm operator*(double scale, LinearForm a) {
  for (double& c : a.coefficient) c *= scale;
  return a;
}
LinearForm operator/(const LinearForm& a, double divisor) { return (1 / divisor) * a; }

bool StageTable::evaluates(Evaluation where) const {
  for (const WorkInterval& interval : work)
    for (const Weight& weight : interval.force)
      if (weight.where == where && weight.weight != 0) return true;
  return false;
}

StageTable backward_euler_table(double h) {
  const LinearForm v = d_0 / h;
  const LinearForm a = (v - v_n) / h;
  return one_stage(v, a, h * v_n, {{Evaluation::stage_0, 1}}, {{Evaluation::stage_0, 1}});
}

StageTable newmark_table(double h, double beta, double gamma) {
  const LinearForm a = (d_0 - h * v_n - h * h * (0.5 - beta) * a_n) / (beta * h * h);
  const LinearForm v = v_n + h * ((1 - gamma) * a_n + gamma * a);
  const std::vector<Weight> ends = {{Evaluation::start, 1 - gamma}, {Evaluation::stage_0, gamma}};
  StageTable table = one_stage(v, a, h * v_n + 0.5 * h * h * a_n, ends, ends);
  table.starts_from_last_balance = true;
  return table;
}

StageTable midpoint_table(double h) {
  StageTable table;
  const LinearForm v = (2 / h) * d_0;  // (q_{n+1} - q_n) / h, the velocity of the middle
  const LinearForm a = (2 / h) * (v - v_n);
  table.stages = {Stage{0.5, v, a, 0.5 * h * v_n}};
  table.displacement_end = 2.0 * d_0;
  table.v_end = 2.0 * v - v_n;
  table.a_end = a;  // not used by the scheme; the acceleration of the middle is what is known
  const std::vector<Weight> middle = {{Evaluation::stage_0, 1}};
  table.work = {WorkInterval{2.0 * d_0, 1, middle, middle, middle}};
  table.ends_at_last_stage = false;
  return table;
}

StageTable generalized_alpha_table(double h, double rho_inf) {
  const double alpha_m = (2 * rho_inf - 1) / (rho_inf + 1);
  const double alpha_f = rho_inf / (rho_inf + 1);
  const double gamma = 0.5 - alpha_m + alpha_f;
  const double beta = 0.25 * (1 - alpha_m + alpha_f) * (1 - alpha_m + alpha_f);
  // The unknown d_0 is the displacement at the force time t_{n+1-alpha_f}.
  const LinearForm d_end = d_0 / (1 - alpha_f);
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
                             {{Evaluation::start, late}, {Evaluation::stage_0, 1}, {Evaluation::end, -late}},
                             {{Evaluation::stage_0, 1}},
                             {{Evaluation::start, late}, {Evaluation::stage_0, 1 - late}}}};
  table.starts_from_last_balance = true;
  table.ends_at_last_stage = alpha_f == 0;
  if (table.ends_at_last_stage) table.work[0].force = {{Evaluation::start, late}, {Evaluation::stage_0, 1 - late}};
  return table;
}

StageTable bathe_table(double h) {
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
  const std::vector<Weight> first = {{Evaluation::start, 0.5}, {Evaluation::stage_0, 0.5}};
  // v_1 - v_half = h/2 times the weighted forces: what dampings hold over a step is booked as it enters the velocity.
  const std::vector<Weight> impulse = {
      {Evaluation::start, 1.0 / 6}, {Evaluation::stage_0, 1.0 / 6}, {Evaluation::stage_1, 2.0 / 3}};
  table.work = {WorkInterval{d_0, 0.5, first, first, first},
                WorkInterval{d_1 - d_0, 0.5, impulse, {{Evaluation::stage_1, 1}}, impulse}};
  table.starts_from_last_balance = true;
  return table;
}

StageTable bdf2_table(double h, double h_previous) {
  // y'(t_{n+1}) = [ (1+2r)/(1+r) y_{n+1} - (1+r) y_n + r^2/(1+r) y_{n-1} ] / h with r = h / h_previous.
  const double r = h / h_previous;
  const double new_weight = (1 + 2 * r) / (1 + r), present_weight = -(1 + r), old_weight = r * r / (1 + r);
  const LinearForm v = (new_weight * d_0 + old_weight * d_previous) / h;
  const LinearForm a = (new_weight * v + present_weight * v_n + old_weight * v_previous) / h;
  StageTable table = one_stage(v, a, h * v_n + 0.5 * h * h * ((v_n - v_previous) / h_previous),
                               {{Evaluation::start, 0.5}, {Evaluation::stage_0, 0.5}}, {{Evaluation::stage_0, 1}});
  // The forces of older steps enter v_{n+1} - v_n with weights 2/3, 2/9, 2/27 ...: half a step late on average.
  table.starts_from_last_balance = true;
  return table;
}

}  // namespace dashpot
