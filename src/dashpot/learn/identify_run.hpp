#pragma once
// One run of identify.hpp: what is compared of it at which instants, and its scene simulated there.

#include "dashpot/learn/identify.hpp"

namespace dashpot::learn {

/// One run, prepared: what is compared at which instants, and the mode by which its start is corrected.
struct PreparedRun {
  const RingRun* run = nullptr;
  MeasuredRing measured;
  Tracks window;              ///< instants that are simulated
  std::vector<double> sigma;  ///< by instant of the window [m]
  Vector mode;                ///< [dofs]; the points move by one along d
  double omega = 0;           ///< measured [rad/s]
  double amplitude = 0;       ///< of the first cycle [m]
};
/// `overrides`: of a scene near what is looked for.
PreparedRun prepare(const RingRun& run, const MeasuredRing& measured, const std::vector<SceneOverride>& overrides,
                    const IdentifyOptions& options);

/// Positions of the points along d at the instants of the window [point][instant]; empty where the run failed.
struct SimulatedRing {
  std::vector<std::vector<double>> along;
  std::string failure;
};
SimulatedRing simulate_ring(const PreparedRun& run, const std::vector<SceneOverride>& overrides, double displacement,
                            double velocity, const std::function<bool()>& should_stop);
/// Mean of the points, about its own mean.
std::vector<double> mean_signal(const SimulatedRing& ring);

/// The measured points as simulate_ring() tells simulated ones.
SimulatedRing measured_ring(const PreparedRun& run);
/// Frequency, envelope and turning points of a mean signal at the instants of the window.
analysis::RingDown ring_of(const PreparedRun& run, const std::vector<double>& signal);

}  // namespace dashpot::learn
