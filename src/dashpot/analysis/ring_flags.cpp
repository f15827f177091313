#include "dashpot/analysis/ring_down.hpp"

namespace dashpot::analysis {

std::string flag_name(RingDownFlag flag) {
  static constexpr const char* names[] = {
      "too_few_cycles", "overdamped", "coarse_sampling", "noisy",   "drifting_rest", "amplitude_dependent",
      "several_modes",  "gaps",       "not_decaying",    "poor_fit"};
  return names[static_cast<std::size_t>(flag)];
}

std::string flag_text(RingDownFlag flag) {
  switch (flag) {
    case RingDownFlag::too_few_cycles:
      return "Fewer than three full cycles rise above the noise: read the damping ratio as a rough value.";
    case RingDownFlag::overdamped:
      return "The motion creeps back without swinging: it has a decay rate but no frequency.";
    case RingDownFlag::coarse_sampling:
      return "Fewer than 8 samples per cycle: peaks are interpolated from very little; record faster.";
    case RingDownFlag::noisy:
      return "The noise exceeds 2 % of the initial amplitude: small amplitudes were left out.";
    case RingDownFlag::drifting_rest:
      return "The rest position moves by more than 5 % of the initial amplitude; the peaks' reading is not affected by "
             "it.";
    case RingDownFlag::amplitude_dependent:
      return "The damping ratio changes with amplitude: one number does not describe it, see the table by amplitude.";
    case RingDownFlag::several_modes:
      return "Several modes ring at once; the others were subtracted before the peaks were read.";
    case RingDownFlag::gaps:
      return "Samples are missing or unevenly spaced; gaps were bridged by straight lines.";
    case RingDownFlag::not_decaying:
      return "The motion does not decay within this record.";
    case RingDownFlag::poor_fit:
      return "A linear decay leaves more than 5 % of the motion unexplained; trust the table by amplitude instead.";
  }
  return {};
}

}  // namespace dashpot::analysis
