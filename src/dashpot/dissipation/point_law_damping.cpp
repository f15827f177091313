#include "dashpot/dissipation/point_law_damping.hpp"

#include "dashpot/element/point_law.hpp"

namespace dashpot {

DissipationCapabilities PointLawDamping::capabilities() const {
  DissipationCapabilities offers;
  offers.point_law = law_.get();
  offers.batch = batch_.get();
  return offers;
}

double PointLawDamping::evaluate(const DissipationRequest& request) const { return evaluate_alone(*law_, request); }

}  // namespace dashpot
