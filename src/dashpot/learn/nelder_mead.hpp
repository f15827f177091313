#pragma once
// The simplex of [NelderMead1965] with the coefficients of [GaoHan2012], which depend on the number n of unknowns,
//
//     reflection 1,   expansion 1 + 2/n,   contraction 3/4 - 1/(2n),   shrinkage 1 - 1/n    (n >= 2),
//
// so that it does not collapse in many dimensions. Points outside of the box are brought to its border. A simplex that
// has become small is started anew around the best point, with half the first size, until that finds nothing better:
// collapsed simplices look converged. Good for up to about ten unknowns.

#include "dashpot/learn/derivative_free.hpp"

namespace dashpot::learn {

/// `start` is brought into the box. dashpot::Error where sizes do not fit or the box is empty.
SearchOutcome nelder_mead(const BoxedFunction& function, const Vector& start, const SearchBudget& budget);

}  // namespace dashpot::learn
