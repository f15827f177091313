#pragma once
// A small body for each damping of the registry to be tried on: a bar of tets, or cloth for what acts on sheets alone.
#include <fmt/format.h>

#include <string>

#include "dashpot/scene/format/registry.hpp"

namespace dashpot::testing {

/// Mesh and material of a body; `mass`: "consistent" or "lumped".
inline std::string mesh_and_material(const ModelEntry& damping, const char* mass) {
  if (damping.is_for_sheets)
    return fmt::format(R"("mesh": {{"cloth": {{"size": [0.3, 0.2], "cells": [3, 2]}}}},
      "material": {{"model": "cloth", "young": "100 kPa", "poisson": 0.3, "density": 1000, "thickness": "1 cm",
        "mass": "{}"}})",
                       mass);
  return fmt::format(R"("mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}},
      "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "{}"}})",
                     mass);
}

}  // namespace dashpot::testing
