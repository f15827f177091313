#pragma once
// A body was plucked and rings: how fast, how long, how damped, and does the damping depend on the amplitude?
//
// Two independent readings of one signal x(t):
// * Fit: damped sinusoid(s) on a drifting rest position over the whole record (damped_sinusoids.hpp): frequency and
// damping
//   ratio with standard deviation. Exact for linear bodies, an average over the record for others.
// * Peaks: extrema x_k by sub-sample interpolation; the second difference y_k = x_k - 2 x_{k+1} + x_{k+2} does not see
// an
//   offset or a steady drift; the logarithmic decrement of each cycle is delta = ln |y_k / y_{k+2}| and
//       zeta = delta / sqrt(4 pi^2 + delta^2),   amplitude = |y| r / (1 + r)^2,  r = exp(-delta / 2),
//   the amplitude being that of the middle extremum. Sorted by amplitude they give zeta(amplitude) with its scatter.
// Further modes are found by a matrix pencil and subtracted before the peaks are read.
//
// Limits: one dominant mode; at least 3 extrema above the noise for the peaks; at least 6 samples a cycle. What is
// wrong with a record is said in `flags`, never by silence. A plateau before the release is recognized and left out.
#include <span>
#include <string>
#include <vector>

#include "dashpot/analysis/damped_sinusoids.hpp"

namespace dashpot::analysis {

enum class RingDownFlag {
  too_few_cycles,       ///< fewer than 3 cycles above the noise: the scatter says little
  overdamped,           ///< no oscillation found; zeta is NaN, decay_rate is that of the tail
  coarse_sampling,      ///< fewer than 8 samples a cycle
  noisy,                ///< noise above 2 % of the initial amplitude
  drifting_rest,        ///< the rest position moves by more than 5 % of the initial amplitude
  amplitude_dependent,  ///< zeta changes with amplitude by clearly more than its scatter
  several_modes,        ///< other modes above 1 % of the dominant one were found and subtracted
  gaps,                 ///< rows were missing or the sampling is uneven by more than 10 %
  not_decaying,         ///< the fitted amplitude stays or grows
  poor_fit              ///< the linear model leaves more than 5 % of the motion (rms) unexplained
};
/// One plain sentence for users.
std::string flag_text(RingDownFlag flag);
/// "too_few_cycles", ... for JSON.
std::string flag_name(RingDownFlag flag);

struct RingDownOptions {
  double start = -1e300;    ///< ignore samples before this time [s]
  double end = 1e300;       ///< ignore samples after this time [s]
  int max_modes = 5;        ///< modes to look for, 1..8
  double noise_factor = 8;  ///< cycles with an amplitude below this times the noise are not read
};

/// One cycle, read from its peaks.
struct RingCycle {
  double time = 0;       ///< of its middle [s]
  double amplitude = 0;  ///< unit of the signal
  double zeta = 0;       ///< [-]
  double frequency = 0;  ///< damped [Hz]
};

/// Cycles of similar amplitude.
struct AmplitudeBin {
  double amplitude = 0, amplitude_low = 0, amplitude_high = 0;  ///< median and range, unit of the signal
  double zeta = 0, zeta_spread = 0;                             ///< median; robust standard deviation of single cycles
  double frequency = 0;                                         ///< median, damped [Hz]
  int num_cycles = 0;                                           ///< readings (every half cycle gives one)
};

/// Time to stay within a share of the initial amplitude.
struct SettleTime {
  double fraction = 0;   ///< 0.05, 0.02, 0.01
  double measured = 0;   ///< from release until the motion stays inside [s]; NaN when the record ends before
  double predicted = 0;  ///< -ln(fraction) / decay rate of the fit [s]
};

struct RingDown {
  double start_time = 0;         ///< release: first extremum, or start of the record [s]
  double initial_amplitude = 0;  ///< distance from rest at the release, unit of the signal
  double frequency = 0;          ///< damped, fitted [Hz]
  double frequency_deviation = 0;
  double natural_frequency = 0;  ///< undamped [Hz]
  double peak_frequency = 0;     ///< damped, from the times of the extrema alone [Hz]
  double zeta = 0;               ///< fitted over the record [-]
  double zeta_deviation =
      0;                  ///< its standard deviation; the larger of the fit's own and what the cycles' scatter implies
  double decay_rate = 0;  ///< [1/s]
  double noise = 0;       ///< standard deviation of the measuring noise, unit of the signal
  double rest = 0;        ///< rest position at the end of the record, unit of the signal
  double samples_per_cycle = 0;
  ModeFit fit;                             ///< all modes, dominant first
  std::vector<Extremum> extrema;           ///< of the dominant mode (others subtracted)
  std::vector<RingCycle> cycles;           ///< in order of time
  std::vector<AmplitudeBin> by_amplitude;  ///< falling amplitude
  std::vector<SettleTime> settle;          ///< 5 %, 2 %, 1 %
  std::vector<RingDownFlag> flags;
  bool has(RingDownFlag flag) const;
};

/// Times [s] and displacements. dashpot::Error for unusable input (see clean_samples) or options out of range.
RingDown measure_ring_down(std::span<const double> time, std::span<const double> value,
                           const RingDownOptions& options = {});

}  // namespace dashpot::analysis
