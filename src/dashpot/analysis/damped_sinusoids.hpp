#pragma once
// Sums of damped sinusoids on a drifting rest position, found and refined:
//     x(t) = c0 + c1 (t - t0) + sum_i exp(-sigma_i (t - t0)) (a_i cos w_i (t - t0) + b_i sin w_i (t - t0)).
// find_modes: matrix pencil [HuaSarkar1990] on an evenly sampled stretch: eigenvalues of the shift of its signal
// subspace
//   are exp((-sigma + i w) dt). No starting guess; the number of modes follows from the noise.
// fit_modes: Levenberg-Marquardt over the given (also unevenly sampled) signal, in stretches that grow from the start
// so
//   that the phase never slips, with standard deviations from the residual.
// Limits: linear modes (a damping that depends on amplitude leaves a residual), at most about 6 modes.
#include <span>
#include <vector>

#include "dashpot/analysis/signal.hpp"

namespace dashpot::analysis {

/// One damped sinusoid. Amplitude and phase are those at the fit's start time.
struct DampedMode {
  double decay_rate = 0;            ///< sigma [1/s]; negative: growing
  double omega = 0;                 ///< damped circular frequency [rad/s]
  double cosine = 0;                ///< a, unit of the signal
  double sine = 0;                  ///< b, unit of the signal
  double decay_rate_deviation = 0;  ///< standard deviation of sigma [1/s]
  double omega_deviation = 0;       ///< standard deviation of omega [rad/s]

  double amplitude() const;  ///< sqrt(a^2 + b^2)
  double zeta() const;       ///< sigma / sqrt(sigma^2 + omega^2)
  double zeta_deviation() const;
  double frequency() const;          ///< damped, omega / 2 pi [Hz]
  double natural_frequency() const;  ///< undamped, sqrt(sigma^2 + omega^2) / 2 pi [Hz]
  double value(double t) const;      ///< contribution t seconds after the start
};

struct ModeFit {
  double start_time = 0;          ///< t0 [s]
  double rest = 0;                ///< c0
  double drift = 0;               ///< c1 [unit/s]
  std::vector<DampedMode> modes;  ///< most energetic over the record first
  double residual_rms = 0;        ///< unit of the signal
  bool converged = false;
  double value(double time) const;  ///< model at an absolute time [s]
};

/// Oscillating modes of an evenly sampled signal (at most about 400 samples: cost grows with the cube).
/// Amplitudes below `relative_threshold` of the largest, or below 3 `noise`, are left out. May return none.
std::vector<DampedMode> find_modes(const Samples& even, double noise, double relative_threshold, int max_modes);

/// Refines `initial` over all samples; amplitudes and phases of `initial` are not used.
ModeFit fit_modes(const Samples& samples, std::vector<DampedMode> initial);

}  // namespace dashpot::analysis
