#pragma once
// What the registry says, for editors and readers: a JSON Schema (draft 2020-12) and the tables of
// docs/theory/scene.md.

#include <string>

#include "dashpot/core/json_document.hpp"

namespace dashpot {

/// Schema of the scene format; every model of the registry is in its $defs as "category.name".
JsonValue scene_schema();

/// Markdown tables of all sections and models, in the registry's order.
std::string scene_tables();

/// scene_models.hpp: the format as C++ structs.
std::string scene_header();

}  // namespace dashpot
