#pragma once
// Numbers of each family of yarns as parameters "warp/<name>" and "weft/<name>".

#include <string>

#include "dashpot/model/parameters.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

ParameterList family_parameters(const std::string& name, Quantity quantity, const PerFamily& values, double low,
                                bool is_open);
/// Throws Error where a value is not finite or out of range.
void check_family_values(const std::string& body, const ParameterList& list);

}  // namespace dashpot
