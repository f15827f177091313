#pragma once
// Dampings that were made for given masses (of nodes, of modes) and cannot follow a change of density.

#include <string>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/model/replacements.hpp"

namespace dashpot {

/// Throws dashpot::Error where masses changed.
inline void refuse_new_masses(const Replacements& replacements, const std::string& model, const std::string& body) {
  if (!replacements.has_masses()) return;
  throw Error(Problem{"density", fmt::format("a change of density with {} damping of '{}'", model, body),
                      "the masses that this damping was made for", "change the scene and start again"});
}

}  // namespace dashpot
