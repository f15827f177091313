#pragma once
// Integrators as data. A step from t_n to t_n + h has any number of stages; an implicit stage finds q_s = q_n + d_s
// with
//
//     M a_s + c + f_int(q_s) + f_d(q_s, v_s) = f_ext(t_s),    v_s = sum of known vectors + v1 d_s,   a_s likewise,
//
// and a final advance gives q, v, a at t_n + h as combinations of the same vectors. Everything is a LinearForm over
//     v_n, a_n, q_{n-1} - q_n, v_{n-1}, d_0, d_1, ...
// (displacements from q_n, never positions, so that round-off does not grow with the distance from the origin).
// Because the table is data, whatever else is asked of an integrator (order, amplification, stability, cost) is derived
// from it (table_analysis.hpp), and each stage knows its Jacobians in all known vectors.
//
// The table also says how work is measured: on each interval, D_j = (sum_k w_k f_j(evaluation k)) . (displacement),
// with weights chosen such that D_j converges to the integral of power at the order of the scheme, and such that on
// linear systems the integrator's own loss has its textbook closed form (docs/theory/integrate.md).

#include <cstddef>
#include <optional>
#include <vector>

namespace dashpot {

/// Known vectors of a step, in this order; first_stage and those behind it are the unknowns of the stages.
enum class Known : int { v_n, a_n, d_previous, v_previous, first_stage };
/// The unknown of stage s: its displacement d_s from q_n, or its acceleration where the stage is explicit.
constexpr Known stage_unknown(std::size_t s) {
  return static_cast<Known>(static_cast<int>(Known::first_stage) + static_cast<int>(s));
}

/// A linear combination of the known vectors.
class LinearForm {
 public:
  LinearForm() = default;
  LinearForm(Known known);  // implicit: tables are written with the known vectors themselves
  /// Coefficients beyond size() are zero.
  std::size_t size() const { return coefficient_.size(); }
  double operator[](std::size_t i) const { return i < coefficient_.size() ? coefficient_[i] : 0; }
  double operator[](Known known) const { return (*this)[static_cast<std::size_t>(known)]; }
  LinearForm& operator+=(const LinearForm& other);
  LinearForm& operator*=(double scale);

 private:
  std::vector<double> coefficient_;
};
LinearForm operator+(LinearForm a, const LinearForm& b);
LinearForm operator-(const LinearForm& a, const LinearForm& b);
LinearForm operator*(double scale, LinearForm a);
LinearForm operator/(const LinearForm& a, double divisor);
/// Whether all coefficients agree to `tolerance`, relative to the largest of them.
bool agree(const LinearForm& a, const LinearForm& b, double tolerance);

/// One solve. An implicit stage finds its displacement; an explicit one is told displacement and velocity and finds
/// M a = f there.
struct Stage {
  /// The stage balances forces and inertia at t_n + time h. (Generalized-alpha writes inertia at another time, but its
  /// a_n lags by just as much: a_n stands for a(t_n + (alpha_m - alpha_f) h).)
  double time = 1;
  LinearForm v;      ///< velocity; its coefficient of the unknown is v1
  LinearForm a;      ///< acceleration; its coefficient of the unknown is a1
  LinearForm guess;  ///< starting value of the unknown
  /// Displacement from q_n of an explicit stage; none: the stage is implicit.
  std::optional<LinearForm> explicit_displacement = std::nullopt;
};

/// Where a force is evaluated for the ledger; first_stage and what lies behind it are the stages.
enum class Evaluation : int { start, end, first_stage };
constexpr Evaluation at_stage(std::size_t s) {
  return static_cast<Evaluation>(static_cast<int>(Evaluation::first_stage) + static_cast<int>(s));
}
struct Weight {
  Evaluation where;
  double weight;
};

/// A piece of the step over which work is measured.
struct WorkInterval {
  LinearForm displacement;
  double duration = 1;           ///< fraction of h
  std::vector<Weight> force;     ///< quadrature of damping and external forces
  std::vector<Weight> residual;  ///< how the solver's residual enters the momentum balance
  /// Quadrature of the reactions of moving supports; `start` is the last balance of the step before, State::residual.
  std::vector<Weight> reaction;
  /// Where set, `displacement` is the velocity of that evaluation times duration h, and supports are taken with their
  /// own velocity at its instant instead of the scheme's.
  std::optional<Evaluation> velocity_of = std::nullopt;
};

struct StageTable {
  std::vector<Stage> stages;
  LinearForm displacement_end, v_end, a_end;
  std::vector<WorkInterval> work;
  bool ends_at_last_stage = true;  ///< the last stage's (q, v, time) is the end of the step
  /// The step starts from an a_n (or a history) made with the forces at (q_n, v_n) as the step before held them: their
  /// work at the start is measured so too (previous_step_scratch.hpp).
  bool starts_from_last_balance = false;

  bool evaluates(Evaluation where) const;
  /// When an evaluation takes place, as a fraction of h.
  double time_of(Evaluation where) const;
};

/// A table whose single implicit stage ends the step; damping, loads and reactions share the quadrature `force`.
StageTable one_stage_table(const LinearForm& v, const LinearForm& a, const LinearForm& guess,
                           const std::vector<Weight>& force, std::vector<Weight> residual);

}  // namespace dashpot
