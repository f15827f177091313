#pragma once
// Checks a document against the registry and brings it into normal form: every default filled in, quantities in SI,
// shorthands written out. All problems are collected; nothing is clamped or guessed.

#include <string>
#include <vector>

#include "dashpot/core/json_document.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

struct Normalized {
  JsonValue value;  ///< usable when no problem is an error
  std::vector<Problem> problems;
  std::vector<std::string> paths;  ///< pointers to the values that name a file or folder
};

/// `file` and `folder` serve messages and relative paths. Never throws.
Normalized normalize(const JsonValue& document, const std::string& file, const std::string& folder);

/// The normal form for people: numbers with their units ("5 ms"), ready for write_json. Normalizing it again gives the
/// same.
JsonValue with_units(const JsonValue& normal);

bool has_errors(const std::vector<Problem>& problems);

}  // namespace dashpot
