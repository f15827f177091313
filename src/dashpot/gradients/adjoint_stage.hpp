#pragma once
// What the files of AdjointSweep share: one stage of a step that was taken, and dL by what the step knows.

#include <algorithm>

#include "dashpot/gradients/adjoint.hpp"
#include "dashpot/gradients/sensitivity_stage.hpp"
#include "dashpot/integrate/known_vectors.hpp"

namespace dashpot {

/// How large what is remembered is, or will be: strains, or lengths.
inline double memory_scale(const Vector& xi) {
  constexpr double least = 1e-4;
  return std::max(least, xi.size() > 0 ? xi.cwiseAbs().maxCoeff() : 0.0);
}

struct AdjointSweep::Stage {
  const State& before;
  Instant instant;
  StageState motion;
  double a1 = 0, v1 = 0;
  const StageTable* table = nullptr;  ///< null: the start, which is balanced but belongs to no step
  std::size_t s = 0;
  const StepRecord* record = nullptr;
};

/// dL/d(v_n, a_n, q_{n-1} - q_n, v_{n-1}, d_0, d_1 ...), by the numbers of Known, and dL/dq_n.
struct AdjointSweep::Bars {
  std::vector<Matrix> of_known;
  Matrix of_q;
  std::vector<Matrix> of_internal_variables;

  Matrix& operator[](Known known) { return of_known[static_cast<std::size_t>(known)]; }
  /// The linear form of x = sum of coefficient * known vector, backwards; `without` is left out.
  void spread(const LinearForm& form, double scale, const Matrix& of_x, std::optional<Known> without = {}) {
    for (std::size_t i = 0; i < of_known.size(); ++i)
      if (form[i] != 0 && (!without || static_cast<std::size_t>(*without) != i)) of_known[i] += scale * form[i] * of_x;
  }
};

}  // namespace dashpot
