#pragma once
// What the evaluation of a reduced St. Venant-Kirchhoff body costs, against its floor: reading its coefficients once.

#include "dashpot/reduce/quartic_form.hpp"

namespace dashpot::cli {

struct EvaluationCost {
  double evaluate_ms = 0, read_ms = 0;  ///< medians
  double ratio() const { return evaluate_ms / read_ms; }
};

/// Force and stiffness at a random point, and a sum of the same array by as many threads, in turn.
EvaluationCost evaluation_cost(const QuarticForm& form, int repeats);

}  // namespace dashpot::cli
