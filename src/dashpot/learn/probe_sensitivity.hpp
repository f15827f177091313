#pragma once
// How the probes of a scene change with its parameters: d(tip.y)/d(young) at every recorded instant, by forward
// sensitivities through the integrator (gradients/sensitivity.hpp). For users' own fits, and to see what a measurement
// can tell at all: a parameter to which no probe answers cannot be learned from them.
//
// The start of the scene is the reference: a body that starts in `equilibrium` finds another one when a parameter
// changes, and that is differentiated too; any other start stays where it is.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dashpot/core/table.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::learn {

/// One number of System::parameters().
struct ParameterNumber {
  int index = 0;     ///< into System::parameter_values()
  std::string name;  ///< "/bodies/0/material/young"; "/gravity[1]" of a list
  Quantity quantity = Quantity::number;
  double value = 0;
  /// Of the derivative of a position: "m/(Pa)"; "m" for plain numbers.
  std::string slope_unit() const;
};
/// The numbers of these parameters, "/gravity" all of its list, "/gravity[1]" one; all that a scene has where `names`
/// is empty. Throws dashpot::Error with every name that there is none of.
std::vector<ParameterNumber> parameter_numbers(const System& system, const std::vector<std::string>& names);

struct ProbeSensitivities {
  RunStatus status = RunStatus::finished;
  std::string explanation;                  ///< why it stopped early; empty: it did not
  std::vector<std::string> outputs;         ///< "tip.y"
  std::vector<ParameterNumber> parameters;  ///< of which the derivatives are taken
  /// One row a record: time [s], then of each output its value [m] and its derivatives [m / unit of the parameter],
  /// columns "tip.y" and "d(tip.y)/d(/bodies/0/material/young)".
  Table table;
  double worst_residual = 0;  ///< of the linear equations, of their right sides; backwards, of the checks
  /// Derivatives are of the last row alone, by the adjoint, which took this many steps twice and this much memory.
  bool is_of_end = false;
  std::int64_t num_steps = 0, num_steps_again = 0;
  double checkpoint_bytes = 0;

  /// The derivative of an output with respect to a parameter over time.
  const std::vector<double>& slope(std::size_t output, std::size_t parameter) const;
};

/// `outputs`: "<probe>.x", ".y" or ".z"; all coordinates of all probes where there is none. Throws dashpot::Error where
/// the scene cannot be differentiated: an explicit or projective stepper, velocity filters, some but not all bodies in
/// equilibrium at the start.
ProbeSensitivities probe_sensitivities(const CompiledScene& scene, const std::vector<std::string>& outputs,
                                       const std::vector<ParameterNumber>& parameters, const RunHooks& hooks = {});

/// The same at the end alone, by one sweep back over the run (gradients/adjoint.hpp): what it costs hardly depends on
/// how many parameters there are. `on_step_back`: steps that are left. Dampings that remember are refused too.
ProbeSensitivities probe_gradients_at_end(const CompiledScene& scene, const std::vector<std::string>& outputs,
                                          const std::vector<ParameterNumber>& parameters, const RunHooks& hooks = {},
                                          const std::function<void(std::int64_t)>& on_step_back = {});
/// Whether that is the cheaper way: many parameters, few outputs (none: all), and nothing that it refuses.
bool backwards_is_cheaper(const CompiledScene& scene, const std::vector<std::string>& outputs,
                          std::size_t num_parameters);

}  // namespace dashpot::learn
