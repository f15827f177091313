#include "dashpot/analysis/damping_units.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void require(bool holds, const char* name, double value, const char* expected, const char* remedy) {
  if (!holds) throw Error(Problem{"", fmt::format("{} = {}", name, value), expected, remedy});
}

void require_frequency(double frequency) {
  require(std::isfinite(frequency) && frequency > 0, "frequency", frequency, "a frequency above zero in Hz",
          "state the undamped natural frequency");
}

void require_fraction(double fraction) {
  require(fraction > 0 && fraction < 1, "settle fraction", fraction, "a share between 0 and 1",
          "0.05 means: settled at 5 % of the initial amplitude");
}

}  // namespace

DampingMeasures damping_measures(double zeta, double frequency, double settle_fraction) {
  require(std::isfinite(zeta) && zeta >= 0, "zeta", zeta, "a damping ratio of at least zero", "");
  require_frequency(frequency);
  require_fraction(settle_fraction);
  const double omega = two_pi * frequency;
  const bool oscillates = zeta < 1;
  const double root = std::sqrt(std::abs(1 - zeta * zeta));
  DampingMeasures m;
  m.zeta = zeta;
  m.frequency = frequency;
  m.damped_frequency = oscillates ? frequency * root : 0;
  m.loss_factor = 2 * zeta;
  m.quality_factor = zeta > 0 ? 1 / (2 * zeta) : infinity;
  m.log_decrement = oscillates ? two_pi * zeta / root : not_a_number;
  m.amplitude_lost_per_cycle = -std::expm1(-m.log_decrement);
  m.energy_lost_per_cycle = -std::expm1(-2 * m.log_decrement);
  // omega / (zeta + root) is zeta - root of the slow real root without cancellation.
  m.decay_rate = oscillates ? zeta * omega : omega / (zeta + root);
  m.settle_fraction = settle_fraction;
  m.settle_time = zeta > 0 ? -std::log(settle_fraction) / m.decay_rate : infinity;
  m.half_life = zeta > 0 ? std::numbers::ln2 / m.decay_rate : infinity;
  return m;
}

double zeta_from_loss_factor(double loss_factor) {
  require(std::isfinite(loss_factor) && loss_factor >= 0, "loss factor", loss_factor, "a value of at least zero", "");
  return loss_factor / 2;
}

double zeta_from_quality_factor(double quality_factor) {
  require(quality_factor > 0, "quality factor", quality_factor, "a value above zero", "");
  return 1 / (2 * quality_factor);
}

double zeta_from_log_decrement(double log_decrement) {
  require(std::isfinite(log_decrement) && log_decrement >= 0, "logarithmic decrement", log_decrement,
          "a value of at least zero", "");
  return log_decrement / std::hypot(two_pi, log_decrement);
}

double zeta_from_amplitude_lost_per_cycle(double share) {
  require(share >= 0 && share < 1, "amplitude lost per cycle", share, "a share from 0 to below 1", "10 % is 0.1");
  return zeta_from_log_decrement(-std::log1p(-share));
}

double zeta_from_energy_lost_per_cycle(double share) {
  require(share >= 0 && share < 1, "energy lost per cycle", share, "a share from 0 to below 1", "10 % is 0.1");
  return zeta_from_log_decrement(-std::log1p(-share) / 2);
}

double zeta_from_decay_rate(double decay_rate, double frequency) {
  require_frequency(frequency);
  const double zeta = decay_rate / (two_pi * frequency);
  require(zeta >= 0 && zeta <= 1, "decay rate", decay_rate, "between 0 and 2 pi f, the fastest decay without return",
          "no damping makes an oscillator settle faster than critical damping: raise the frequency");
  return zeta;
}

double zeta_from_settle_time(double settle_time, double frequency, double settle_fraction) {
  require_fraction(settle_fraction);
  require(settle_time > 0, "settle time", settle_time, "a time above zero in seconds", "");
  return zeta_from_decay_rate(-std::log(settle_fraction) / settle_time, frequency);
}

}  // namespace dashpot::analysis
