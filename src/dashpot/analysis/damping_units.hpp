#pragma once
// One number, many names: how much a linear oscillator  q'' + 2 zeta omega q' + omega^2 q = 0  loses, in every unit in
// which people state it. omega = 2 pi f is the undamped circular frequency.
//
//   loss factor            eta   = 2 zeta                               (at resonance)
//   quality factor         Q     = 1 / (2 zeta)
//   logarithmic decrement  delta = 2 pi zeta / sqrt(1 - zeta^2)         (ln of successive peaks on one side)
//   amplitude lost/cycle         = 1 - exp(-delta)
//   energy lost/cycle            = 1 - exp(-2 delta)                    (share of the energy at the cycle's start)
//   decay rate             sigma = zeta omega                [1/s]      (zeta >= 1: the slower of the two rates)
//   settle time to p             = -ln(p) / sigma            [s]        (envelope falls to the share p)
//
// Limits: decrement, amplitude and energy per cycle exist only for 0 <= zeta < 1; an oscillator without loss has
// infinite quality factor and settle time. Source: [Inman2014, ch. 1].
namespace dashpot::analysis {

/// Every name of one amount of damping. Infinite or NaN where the measure does not exist for this zeta.
struct DampingMeasures {
  double zeta = 0;                      ///< damping ratio [-]
  double frequency = 0;                 ///< undamped natural frequency f [Hz]
  double damped_frequency = 0;          ///< f sqrt(1 - zeta^2) [Hz]; 0 when zeta >= 1
  double loss_factor = 0;               ///< eta [-]
  double quality_factor = 0;            ///< Q [-]
  double log_decrement = 0;             ///< delta [-]
  double amplitude_lost_per_cycle = 0;  ///< share 0..1
  double energy_lost_per_cycle = 0;     ///< share 0..1
  double decay_rate = 0;                ///< sigma [1/s]
  double settle_fraction = 0.05;        ///< share p of the initial amplitude that counts as settled
  double settle_time = 0;               ///< [s]
  double half_life = 0;                 ///< time in which the amplitude halves [s]
};

/// All measures of damping ratio `zeta` >= 0 at undamped frequency `frequency` > 0 [Hz]; dashpot::Error when out of
/// range.
DampingMeasures damping_measures(double zeta, double frequency, double settle_fraction = 0.05);

// Inverses. Each throws dashpot::Error when the value cannot belong to a passive oscillator.
double zeta_from_loss_factor(double loss_factor);                  ///< eta >= 0
double zeta_from_quality_factor(double quality_factor);            ///< Q > 0, infinity allowed
double zeta_from_log_decrement(double log_decrement);              ///< delta >= 0
double zeta_from_amplitude_lost_per_cycle(double share);           ///< 0 <= share < 1
double zeta_from_energy_lost_per_cycle(double share);              ///< 0 <= share < 1
double zeta_from_decay_rate(double decay_rate, double frequency);  ///< 0 <= sigma <= omega, f > 0
/// Envelope falls to `settle_fraction` (0..1) in `settle_time` [s]; under-damped solution.
double zeta_from_settle_time(double settle_time, double frequency, double settle_fraction = 0.05);

}  // namespace dashpot::analysis
