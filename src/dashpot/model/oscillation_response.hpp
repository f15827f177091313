#pragma once
// A damping with memory as small oscillations meet it: its forces depend on the past, so that neither a stiffness nor a
// viscosity describes them, but at a given frequency a complex stiffness K*(omega) = K' + i K'' does.

#include <complex>

#include "dashpot/core/types.hpp"

namespace dashpot {

class OscillationResponse {
 public:
  virtual ~OscillationResponse() = default;
  /// u . K*(s) u [J] for the motion q + a Re(u exp(s t)), s = i omega for a steady oscillation at omega [rad/s], with a
  /// negative real part for one that dies out. At s = i omega the work of a cycle is pi a^2 times the imaginary part.
  /// `amplitude` a > 0 matters where the memory is not linear; zero: vanishing oscillations.
  virtual std::complex<double> oscillation_work(const Vector& q, const Vector& u, std::complex<double> s,
                                                double amplitude) const = 0;
};

}  // namespace dashpot
