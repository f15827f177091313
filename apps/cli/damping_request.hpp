#pragma once
// What the user of `dashpot damping` asked, read from its options and checked as a whole.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/analysis/damping_units.hpp"
#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/analysis/rayleigh_fit.hpp"

namespace dashpot::cli {

/// Options as typed; empty: not given.
struct DampingOptions {
  std::string zeta, alpha, beta, loss_factor, quality_factor, log_decrement, lost_per_cycle, settle_time, viscosity,
      second_viscosity;
  std::string frequencies, band, share = "flattest", settle_to = "5 %";
  std::string young, poisson = "0.3", integrator, dt;
  std::map<std::string, std::string> integrator_parameters;  ///< by name, of whichever integrator
};

struct DampingRequest {
  std::optional<analysis::RayleighCoefficients> rayleigh;
  std::optional<analysis::RayleighFit> fit;
  std::optional<analysis::Viscosities> viscosities;
  std::optional<analysis::BetasByMotion> motions;  ///< of a pair of viscosities
  double young = 0, poisson = 0;                   ///< of the material, [Pa]; young 0: not given
  std::optional<Integrator> integrator;
  double dt = 0;    ///< [s], with an integrator
  double zeta = 0;  ///< the same at every frequency when there is no Rayleigh curve
  double settle_fraction = 0.05;
  std::vector<double> frequencies;  ///< rows of the table [Hz], increasing

  double zeta_at(double f) const { return rayleigh ? rayleigh->zeta(f) : zeta; }
};

/// Throws UsageError (all problems) when the options do not fit together, dashpot::Error when a value is impossible.
DampingRequest read_damping_request(const DampingOptions& options);

}  // namespace dashpot::cli
