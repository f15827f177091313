#pragma once
// The makers of strain-rate laws, each in a file of its own. For .cpp files of dissipation/ only.

#include <memory>

#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/element/point_law.hpp"
#include "dashpot/model/hinge_batch.hpp"
#include "dashpot/model/line_batch.hpp"
#include "dashpot/model/triangle_batch.hpp"

namespace dashpot {

std::shared_ptr<const PointLaw> tet_rate_law(std::shared_ptr<const TetBatch> batch, const Moduli& viscosities,
                                             const StrainRateOptions& options);
std::shared_ptr<const PointLaw> sheet_rate_law(std::shared_ptr<const TriangleBatch> batch, const Moduli& viscosities,
                                               const StrainRateOptions& options);
std::shared_ptr<const PointLaw> line_rate_law(std::shared_ptr<const LineBatch> batch, const Moduli& coefficients,
                                              const StrainRateOptions& options);
std::shared_ptr<const PointLaw> hinge_rate_law(std::shared_ptr<const HingeBatch> batch, const Moduli& coefficients,
                                               const StrainRateOptions& options);

}  // namespace dashpot
