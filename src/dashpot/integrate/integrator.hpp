#pragma once
// Integrators, each described once. A file integrators/<name>.cpp holds one IntegratorEntry: its table, its parameters,
// and a few words about it; the build lists the files. Scenes, the command line, numerical damping and the tables of
// the documentation are read from these entries; order, stability, cost and the like are derived from the table
// (table_analysis.hpp). Adding an integrator is such a file, and what is asserted and written about it
// (docs/design/0005).

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dashpot/integrate/stage_table.hpp"

namespace dashpot {

/// Parameters by name; those without a default may be missing.
using ParameterValues = std::map<std::string, double>;

/// A number the user may choose.
struct IntegratorParameter {
  std::string name, symbol, meaning;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;       ///< the bound itself is not allowed
  std::optional<double> fallback = std::nullopt;  ///< default; none: the table chooses
  std::string advice = {};                        ///< appended to range errors

  bool contains(double value) const;
};

/// An explicit step: v += first_kick h a(start), q += h v, and, where first_kick < 1, the rest of the kick with a at
/// the new positions. With first_kick = 1 the acceleration is made anew from (q_n, v_n); otherwise it is that of the
/// last step's end, and damping there is evaluated at the velocity extrapolated with it.
struct KickDrift {
  double first_kick = 1;
};
/// Its table, as far as data go: impulses and filters between kick and drift are the stepper's (explicit_stepper.hpp).
StageTable kick_drift_table(double h, const KickDrift& scheme);

/// Table of a step of length h [s] after one of h_previous [s]; 0: there is no history yet.
using TableFunction = StageTable (*)(const ParameterValues& values, double h, double h_previous);

struct IntegratorEntry {
  std::string character;  ///< what it is good for; order, cost and the like are not said but derived
  std::string reference;  ///< key in docs/references.bib
  std::variant<TableFunction, KickDrift> scheme;
  std::vector<IntegratorParameter> parameters = {};
  std::string stability_advice = {};  ///< what to do where the chosen parameters are stable for small steps only
  std::string name = {};              ///< that of its file, given by the list
};

/// All integrators of this build, by name.
const std::vector<IntegratorEntry>& all_integrators();
std::vector<std::string> integrator_names();

/// An integrator with its parameters.
class Integrator {
 public:
  /// dashpot::Error for an unknown name (with the nearest known one), an unknown parameter or a value out of range.
  Integrator(const std::string& name = "bathe", ParameterValues values = {});  // implicit: a name is an integrator
  Integrator(const char* name) : Integrator(std::string(name)) {}

  const std::string& name() const { return entry_->name; }
  const IntegratorEntry& entry() const { return *entry_; }
  /// Value of a parameter that has a default or was given.
  double value(const std::string& parameter) const { return values_.at(parameter); }

  /// Null: implicit.
  const KickDrift* kick_drift() const { return std::get_if<KickDrift>(&entry_->scheme); }
  bool is_explicit() const { return kick_drift() != nullptr; }
  StageTable table(double h, double h_previous) const;

 private:
  const IntegratorEntry* entry_;  ///< one of all_integrators()
  ParameterValues values_;
};

}  // namespace dashpot
