#pragma once
// Asks a term that lives in other coordinates (the full body, the frame at rest) for what a request wants of it: the
// results are kept here, for the caller to bring back into its own coordinates.

#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot {

struct InnerEnergy {
  double value = 0;
  Vector gradient;      ///< empty unless asked for
  BlockMatrix hessian;  ///< without pattern unless asked for; not scaled
};
/// `term` belongs to `inner`; q in its coordinates.
InnerEnergy evaluate_in_full_coordinates(const EnergyTerm& term, const System& inner, const Vector& q,
                                         const EnergyRequest& outer);

struct InnerDamping {
  double power = 0;
  Vector force;                   ///< empty unless asked for
  BlockMatrix tangent;            ///< without pattern unless asked for; scaled
  std::vector<LowRank> low_rank;  ///< scaled
};
/// Memory, scratch and time are those of the outer request.
InnerDamping evaluate_in_full_coordinates(const DissipationTerm& term, const System& inner, const Vector& q,
                                          const Vector& v, const DissipationRequest& outer);

}  // namespace dashpot
