#pragma once
// Whether a scene is stable at a time step, by running it there. Stable means, over the whole trial:
//   * no step fails, and none is split;
//   * kinetic plus potential energy never exceeds the energy at the start, plus what loads and moved supports put in,
//     by more than `allowed_gain`;
//   * no more tets are turned inside out at once than `allowed_inverted` of all.
// Damping does not enter: what a filter takes from predicted velocities may be what the step had just made, so the sum
// of energy and losses grows in stable runs too.
//
// An instability grows from what is there of its motion. The velocities at the start therefore get a random part
// (`jitter`), different for every seed; and short trials are continued to `least_steps`. Near the border the growth per
// step is about twice the relative distance from it, so a trial of n steps finds the border to about 10/n.

#include <cstdint>
#include <functional>
#include <string>

#include "dashpot/scene/compile.hpp"

namespace dashpot {

struct TrialOptions {
  double end = 0;               ///< [s]
  int least_steps = 500;        ///< the trial is longer than `end` where that has fewer
  double allowed_gain = 0;      ///< [J]; > 0
  double allowed_inverted = 1;  ///< share of all tets [1]; 1: not looked at
  double jitter = 0;            ///< largest random velocity along each axis [m/s]
  std::uint64_t seed = 0;
};

struct TrialResult {
  bool is_stable = false;
  std::string reason;   ///< why not, in words; empty: stable
  double time = 0;      ///< reached [s]
  double gain = 0;      ///< largest energy above that at the start plus external work [J]
  double inverted = 0;  ///< largest share of tets inside out at once [1]
  State end;
};

/// `should_stop` (may be empty) is polled before every step; a stopped trial is not stable.
TrialResult try_step(const CompiledScene& scene, double dt, const TrialOptions& options,
                     const std::function<bool()>& should_stop = {});

/// Share of the tets of all bodies whose volume is not positive at q [1].
double inverted_share(const CompiledScene& scene, const Vector& q);

}  // namespace dashpot
