#pragma once
// The point laws of strain-rate damping, one for each kind of element (strain_rate.hpp).

#include <memory>

#include "dashpot/dissipation/strain_rate.hpp"

namespace dashpot {

class PointLaw;

/// `coefficients`: as Moduli but times seconds, by mesh element. The batch must be of the kind they say.
std::shared_ptr<const PointLaw> make_rate_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& coefficients,
                                              const StrainRateOptions& options);

}  // namespace dashpot
