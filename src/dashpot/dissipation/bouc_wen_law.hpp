#pragma once
// The point laws of Bouc-Wen hysteresis (bouc_wen.hpp), of springs and of hinges.

#include <complex>
#include <memory>

#include "dashpot/dissipation/bouc_wen.hpp"
#include "dashpot/dissipation/memory_law.hpp"

namespace dashpot {

class BoucWenLaw : public MemoryLaw {
 public:
  /// u . K* u [J] of the first harmonic of steady cycles with the displacement amplitude * u; zero: vanishing ones.
  virtual std::complex<double> cycle_work(const Vector& q, const Vector& u, double amplitude) const = 0;
};

/// The batch is of springs or hinges, as `moduli` say.
std::shared_ptr<const BoucWenLaw> make_bouc_wen_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                                    const BoucWenOptions& options);

}  // namespace dashpot
