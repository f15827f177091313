#pragma once
// Parameters that a run turns on its way: --turn "0.5 s: /bodies/0/damping/0/beta = 20 ms".
#include <string>
#include <vector>

#include "dashpot/record/run.hpp"

namespace dashpot::cli {

struct Turn {
  double time = 0;  ///< [s]
  std::string name;
  double value = 0;  ///< in SI units
};

/// dashpot::Error with all that cannot be read, is out of range or names no parameter, or with what the terms of the
/// System refuse: nothing of that shall come up in the middle of a run.
std::vector<Turn> read_turns(const std::vector<std::string>& texts, const System& system);
/// Sets what is due. Asked again it sets the same, so that a resumed run turns as it would have.
void turn_due(const std::vector<Turn>& turns, double time, const ParameterLayout& layout, std::vector<double>& values);

}  // namespace dashpot::cli
