#include "dashpot/dissipation/rate_law.hpp"

#include "dashpot/dissipation/law_rate.hpp"

namespace dashpot {

std::shared_ptr<const PointLaw> make_rate_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& coefficients,
                                              const StrainRateOptions& options) {
  switch (coefficients.kind) {
    case Moduli::Kind::lame:
    case Moduli::Kind::solid:
      return tet_rate_law(std::static_pointer_cast<const TetBatch>(batch), coefficients, options);
    case Moduli::Kind::sheet:
      return sheet_rate_law(std::static_pointer_cast<const TriangleBatch>(batch), coefficients, options);
    case Moduli::Kind::line:
      return line_rate_law(std::static_pointer_cast<const LineBatch>(batch), coefficients, options);
    case Moduli::Kind::hinge:
      return hinge_rate_law(std::static_pointer_cast<const HingeBatch>(batch), coefficients, options);
  }
  return nullptr;
}

}  // namespace dashpot
