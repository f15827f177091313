#pragma once
// A body shaken harmonically: how far it moves, how late, and what each cycle costs.
//
// Least squares of  x(t) = mean + drift t + sum_n Re(X_n exp(i n omega t))  for force and displacement at a known
// frequency.
//   dynamic stiffness  F_1 / X_1 = K' + i K''  [N/m]
//   loss angle         delta = arg(F_1 / X_1): the displacement lags the force by delta
//   loss factor        eta = K'' / K' = tan(delta)  (of the specimen between force and displacement; inertia must be
//   small or
//                      taken out, because K' contains -m omega^2)
//   loop area          W = closed integral of F dx = pi sum_n n Im(F_n conj(X_n))  [J per cycle]
//   equivalent dashpot c = W / (pi omega |X_1|^2)  [N s/m]
// Source: [Inman2014, ch. 2], [Lazan1968].
#include <complex>
#include <span>
#include <vector>

namespace dashpot::analysis {

/// Harmonics of a series: value(t) = mean + drift (t - t_0) + sum Re(amplitude[n-1] exp(i n omega t)), t absolute.
struct HarmonicFit {
  double frequency = 0;  ///< [Hz]
  double mean = 0;
  double drift = 0;                              ///< per second
  std::vector<std::complex<double>> amplitudes;  ///< fundamental first
  double residual_rms = 0;
};

/// Fits `num_harmonics` >= 1 harmonics of `frequency` [Hz]; dashpot::Error for unusable input or less than one cycle.
HarmonicFit fit_harmonics(std::span<const double> time, std::span<const double> value, double frequency,
                          int num_harmonics = 1);

/// Frequency [Hz] of the strongest steady harmonic, refined by least squares.
double find_drive_frequency(std::span<const double> time, std::span<const double> value);

struct ForcedResponse {
  double frequency = 0;               ///< [Hz]
  double force_amplitude = 0;         ///< of the fundamental [N]
  double displacement_amplitude = 0;  ///< of the fundamental [m]
  double loss_angle = 0;              ///< delta [rad], 0..pi for a passive body
  double loss_factor = 0;             ///< tan(delta) [-]
  double storage_stiffness = 0;       ///< K' [N/m]
  double loss_stiffness = 0;          ///< K'' [N/m]
  double energy_lost_per_cycle = 0;   ///< loop area, all harmonics [J]
  double equivalent_dashpot = 0;      ///< [N s/m]
  double distortion = 0;            ///< rms of the displacement's higher harmonics over its fundamental [-]; 0: linear
  std::complex<double> receptance;  ///< X_1 / F_1 [m/N]
};

/// Steady state at `frequency` [Hz]; leave out the transient before. Higher harmonics up to the 9th as sampling allows.
ForcedResponse measure_forced(std::span<const double> time, std::span<const double> force,
                              std::span<const double> displacement, double frequency);

/// One frequency of a frequency response.
struct FrfPoint {
  double frequency = 0;           ///< [Hz]
  std::complex<double> response;  ///< receptance, displacement per force [m/N]
};

/// A stretch of a stepped sweep driven at one frequency.
struct SweepSegment {
  double start = 0, end = 0;  ///< [s], end excluded; the first half counts as transient
  double frequency = 0;       ///< [Hz]
};
std::vector<FrfPoint> frf_from_steps(std::span<const double> time, std::span<const double> force,
                                     std::span<const double> displacement, std::span<const SweepSegment> segments);

/// Quotient of the Fourier integrals at the given frequencies [Hz]: for chirps and knocks that begin and end at rest.
std::vector<FrfPoint> frf_from_transient(std::span<const double> time, std::span<const double> force,
                                         std::span<const double> displacement, std::span<const double> frequencies);

}  // namespace dashpot::analysis
