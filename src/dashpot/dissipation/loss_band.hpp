#pragma once
// Prony series from what engineers measure. With z = i omega tau, the complex modulus over the static one is
//     m(omega) = 1 + sum_k g_k z_k / (1 + z_k) = m' + i m'',   loss factor eta = m''/m'.
//
// Zener (standard linear solid): one branch, whose loss factor has a peak eta_p at omega_p,
//     g = 2 eta_p (eta_p + sqrt(1 + eta_p^2)),   tau = 1 / (omega_p sqrt(1 + g)).
// Structural damping: eta the same over a band of frequencies. Branches two a decade, from half a decade below the band
// to half a decade above it; shares by non-negative least squares on m'' - eta m' = 0 at frequencies of the band.
//
// What loses must stiffen (Kramers-Kronig): m' grows over the band by about (f_2/f_1)^(2 eta / pi). So a modulus holds
// at one frequency only; modulus_factor says how the one at f relates to the static one.

#include <vector>

namespace dashpot {

struct LossBranch {
  double share = 0;  ///< g >= 0 of the static modulus
  double tau = 0;    ///< [s]
};

/// m at a frequency [Hz].
struct ModulusFactor {
  double storage = 1, loss = 0;
  double loss_factor() const { return loss / storage; }
};
ModulusFactor modulus_factor(const std::vector<LossBranch>& branches, double frequency);

/// Peak loss factor >= 0 and its frequency > 0 [Hz]; dashpot::Error otherwise.
LossBranch zener_branch(double loss_factor, double frequency);

struct LossBand {
  std::vector<LossBranch> branches;
  double worst_error = 0;  ///< largest |eta(f)/eta - 1| over the band
  double stiffening = 1;   ///< m' at the end of the band over m' at its beginning
};
/// 0 <= eta < 1, 0 < low < high [Hz]; dashpot::Error otherwise.
LossBand constant_loss_factor(double eta, double low, double high);

}  // namespace dashpot
