#pragma once
// Laws of damping that are tried on captured ring-downs: what a scene says under "damping", with the numbers that are
// looked for, and where the search begins. All of them lose, at the start of the search, what was measured.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/units.hpp"

namespace dashpot::learn {

/// A positive number that is looked for.
struct LawUnknown {
  std::string name;
  Quantity quantity = Quantity::number;
  double start = 0;
  bool is_own = false;  ///< every run has its own
};

struct DampingLaw {
  std::string id, name;  ///< "rayleigh", "Rayleigh, alpha and beta"
  std::vector<LawUnknown> unknowns;
  /// The list under "damping", as JSON, for values of the unknowns.
  std::function<std::string(const std::vector<double>&)> json;
  bool is_rayleigh = false;
  /// Other settings of the scene that the law needs: pointer and JSON, for values of the unknowns.
  std::function<std::vector<std::pair<std::string, std::string>>(const std::vector<double>&)> more = {};
};

/// What was measured: the loads move the frequency, so there are a lowest and a highest [Hz].
struct RingBand {
  double lowest = 1, highest = 1, zeta = 0.05;
  double strain = 0.01;  ///< largest strain of the motion, roughly
  double size = 0.01;    ///< mass-weighted rms displacement of the largest motion [m], roughly
};

/// alpha; beta; rayleigh; structural; prony; prony_2; curve; hysteresis; prony_hysteresis; air_drag. Moduli of laws
/// with memory hold at the middle of the band.
std::vector<DampingLaw> default_laws(const RingBand& band);

}  // namespace dashpot::learn
