#pragma once
// Implicit integrators as data. A step from t_n to t_n + h is one or two stages; each stage finds q_s = q_n + d_s with
//
//     M a_s + c + f_int(q_s) + f_d(q_s, v_s) = f_ext(t_s),    v_s = sum of known vectors + v1 d_s,   a_s likewise,
//
// and a final advance gives q, v, a at t_n + h as combinations of the same vectors. Everything is a LinearForm over
//     v_n, a_n, q_{n-1} - q_n, v_{n-1}, d_0, d_1
// (displacements from q_n, never positions, so that round-off does not grow with the distance from the origin).
// Because the table is data, each stage knows its Jacobians in all known vectors: sub-stepping, sensitivities and
// adjoints can be derived from the same table.
//
// The table also says how work is measured: on each interval, D_j = (sum_k w_k f_j(evaluation k)) . (displacement),
// with weights chosen such that D_j converges to the integral of power at the order of the scheme, and such that on
// linear systems the integrator's own loss has its textbook closed form (docs/theory/integrate.md).

#include <array>
#include <string>
#include <vector>

namespace dashpot {

/// Known vectors of a step, in this order.
enum class Known { v_n, a_n, previous_displacement, v_previous, d_0, d_1, count };
constexpr int num_known = static_cast<int>(Known::count);

/// A linear combination of the known vectors.
struct LinearForm {
  std::array<double, num_known> coefficient{};

  static constexpr LinearForm of(Known known) {
    LinearForm form;
    form.coefficient[static_cast<std::size_t>(known)] = 1;
    return form;
  }
  double operator[](Known known) const { return coefficient[static_cast<std::size_t>(known)]; }
  LinearForm& operator+=(const LinearForm& other) {
    for (std::size_t i = 0; i < coefficient.size(); ++i) coefficient[i] += other.coefficient[i];
    return *this;
  }
};
LinearForm operator+(LinearForm a, const LinearForm& b);
LinearForm operator-(const LinearForm& a, const LinearForm& b);
LinearForm operator*(double scale, LinearForm a);
LinearForm operator/(const LinearForm& a, double divisor);

/// One implicit solve; its unknown is d_0 (first stage) or d_1 (second).
struct Stage {
  /// The stage balances forces and inertia at t_n + time h. (Generalised-alpha writes inertia at another time, but its
  /// a_n lags by just as much: a_n stands for a(t_n + (alpha_m - alpha_f) h).)
  double time = 1;
  LinearForm v;      ///< velocity; its coefficient of the unknown is v1
  LinearForm a;      ///< acceleration; its coefficient of the unknown is a1
  LinearForm guess;  ///< starting value of the unknown
};

/// Where a force is evaluated for the ledger.
enum class Evaluation { start, stage_0, stage_1, end };
struct Weight {
  Evaluation where;
  double weight;
};

/// A piece of the step over which work is measured.
struct WorkInterval {
  LinearForm displacement;
  double duration = 1;            ///< fraction of h
  std::vector<Weight> force;      ///< quadrature of damping and external forces
  std::vector<Weight> imbalance;  ///< how the solver's residual enters the momentum balance
  /// Quadrature of the reactions of moving supports; `start` is the last balance of the step before, State::imbalance.
  std::vector<Weight> reaction;
};

struct StageTable {
  std::vector<Stage> stages;
  LinearForm displacement_end, v_end, a_end;
  std::vector<WorkInterval> work;
  bool ends_at_last_stage = true;  ///< the last stage's (q, v, time) is the end of the step
  /// The step starts from an a_n (or a history) made with the forces at (q_n, v_n) as the step before held them: their
  /// work at the start is measured so too (held_scratch.hpp).
  bool starts_from_last_balance = false;

  bool evaluates(Evaluation where) const;
};

StageTable backward_euler_table(double h);
/// Newmark with beta > 0; (1/4, 1/2) is the trapezoid rule.
StageTable newmark_table(double h, double beta, double gamma);
StageTable midpoint_table(double h);
/// Generalised-alpha of Chung and Hulbert with spectral radius rho_inf in [0, 1] at infinite frequency.
StageTable generalized_alpha_table(double h, double rho_inf);
/// Composite trapezoid + BDF2 [Bathe2007; XuBarbic2017, eqs. 20-25, corrected].
StageTable bathe_table(double h);
/// Variable-step BDF2; h_previous is the length of the step before.
StageTable bdf2_table(double h, double h_previous);

}  // namespace dashpot
