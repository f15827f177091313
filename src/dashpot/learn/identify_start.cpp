#include "dashpot/learn/identify_start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::learn {
namespace {

std::string ring_length(double meters) { return describe_quantity(meters, Quantity::length, 3); }

/// A damping that loses what was measured of one run, to begin with.
std::string first_damping(const MeasuredRing& ring) {
  const double omega = 2 * M_PI * ring.ring.natural_frequency, zeta = std::clamp(ring.ring.zeta, 1e-4, 0.4);
  return fmt::format(R"([{{"model": "rayleigh", "alpha": {:.17g}, "beta": {:.17g}}}])", zeta * omega, zeta / omega);
}

/// Units: the motion of the scene and that of the capture, which nobody scaled, should be about as large.
void check_size(const PreparedRun& run, const std::vector<double>& signal, std::vector<std::string>& warnings) {
  const analysis::RingDown simulated = ring_of(run, signal);
  if (!(simulated.initial_amplitude > 0)) return;
  const double ratio = run.measured.ring.initial_amplitude / simulated.initial_amplitude;
  for (const auto& [unit, meters] : guessed_units()) {
    if (unit == "m") continue;
    for (const double factor : {1 / meters, meters})
      if (std::abs(std::log(ratio / factor)) < 0.5 && std::abs(std::log(factor)) > 1.5)
        throw Error(Problem{
            run.run->name,
            fmt::format("the body rings with {}, in the scene with {}",
                        ring_length(run.measured.ring.initial_amplitude), ring_length(simulated.initial_amplitude)),
            "motions of about the same size",
            factor > 1 ? fmt::format("the coordinates seem to be in {}: --unit {}", unit, unit)
                       : fmt::format("the coordinates seem to be in meters, or the scene in {}", unit)});
  }
  if (ratio > 3 || ratio < 1.0 / 3)
    warnings.push_back(fmt::format("{}: the body rings with {}, the scene with {}: check loads, and how it is released",
                                   run.run->name, ring_length(run.measured.ring.initial_amplitude),
                                   ring_length(simulated.initial_amplitude)));
}

void check_rate(const PreparedRun& run, double simulated, std::vector<std::string>& warnings) {
  const double measured = run.measured.ring.frequency;
  const double ratio = measured / simulated;
  if (ratio < 2.5 && ratio > 0.4) return;
  warnings.push_back(fmt::format(
      "{}: it rings at {:.4g} Hz, the scene as it is at {:.4g} Hz: either its modulus is {:.3g} times what the scene "
      "says, or the frames were taken at {:.3g} times the rate of the file's clock (--rate)",
      run.run->name, measured, simulated, ratio * ratio, 1 / ratio));
}

}  // namespace

StartingModulus starting_modulus(const std::vector<RingRun>& runs, const std::vector<MeasuredRing>& measured, int body,
                                 double young, const IdentifyOptions& options) {
  StartingModulus result;
  for (int pass = 0; pass < 3; ++pass) {
    double log_factor = 0, worst = 0;
    result.runs.clear();
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (options.should_stop && options.should_stop()) return result;
      if (options.on_progress)
        options.on_progress("starting values",
                            0.05 * (pass + static_cast<double>(r) / static_cast<double>(runs.size())) / 3);
      const MeasuredRing& seen = measured[r];
      const auto changes = body_overrides(body, options, young, 0, first_damping(seen));
      result.runs.push_back(prepare(runs[r], seen, changes, options));
      const PreparedRun& run = result.runs.back();
      SimulatedRing ring = simulate_ring(run, changes, 0, 0, options.should_stop);
      ++result.num_simulations;
      if (!ring.failure.empty())
        throw Error(Problem{runs[r].name, "the scene cannot be simulated to the end of the capture: " + ring.failure,
                            "a scene that runs", "try it with 'dashpot run', with a smaller time step"});
      std::vector<double> signal = mean_signal(ring);
      double size = 0;
      for (const double x : signal) size = std::max(size, std::abs(x));
      if (size < 1e-4 * run.amplitude) {  // the scene starts at rest: what was measured is put in
        ring = simulate_ring(run, changes, run.amplitude, 0, options.should_stop);
        signal = mean_signal(ring);
      } else if (pass == 0) {
        check_size(run, signal, result.warnings);
      }
      const analysis::RingDown simulated = ring_of(run, signal);
      if (!(simulated.frequency > 0))
        throw Error(Problem{runs[r].name, "the simulated body does not oscillate", "a scene that rings", ""});
      const double ratio = seen.ring.frequency / simulated.frequency;
      if (pass == 0) check_rate(run, simulated.frequency, result.warnings);
      log_factor += 2 * std::log(ratio) / static_cast<double>(runs.size());
      worst = std::max(worst, std::abs(std::log(ratio)));
    }
    if (options.keeps_young) break;
    young *= std::exp(log_factor);
    if (worst < 0.005) break;
  }
  result.young = young;
  return result;
}

std::vector<SceneOverride> body_overrides(int body, const IdentifyOptions& options, double young, double density,
                                          const std::string& damping) {
  const auto pointer = [body](const char* key) { return fmt::format("/bodies/{}/{}", body, key); };
  std::vector<SceneOverride> changes{{pointer("damping"), damping}};
  if (!options.keeps_young) changes.push_back({pointer("material/young"), fmt::format("{:.17g}", young)});
  if (density > 0) changes.push_back({pointer("material/density"), fmt::format("{:.17g}", density)});
  return changes;
}

}  // namespace dashpot::learn
