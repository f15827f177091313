#pragma once
// Solvers that approach the solution: whoever needs only a few digits of it may say so and saves the rest.

namespace dashpot {

class IterativeSolver {
 public:
  virtual ~IterativeSolver() = default;
  /// From now on solve() may stop at ||b - A x|| <= tolerance ||b||. Less than the tolerance the solver was made with
  /// is not asked for: it stays the finest.
  virtual void set_tolerance(double tolerance) = 0;
};

}  // namespace dashpot
