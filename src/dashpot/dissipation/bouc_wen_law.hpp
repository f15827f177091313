#pragma once
// The point laws of hysteresis (bouc_wen.hpp): one number of springs and hinges, a strain of tets and triangles.

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

/// First harmonic of y over the amplitude of u, when u goes as A sin(t): in phase and a quarter ahead.
std::complex<double> first_harmonic(double A, const BoucWenOptions& options);

/// Of springs or hinges, as `moduli` say.
std::shared_ptr<const BoucWenLaw> make_bouc_wen_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                                    const BoucWenOptions& options);
/// Of tets or triangles: Dahl's model of their strain.
std::shared_ptr<const BoucWenLaw> make_dahl_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                                const BoucWenOptions& options);

}  // namespace dashpot
