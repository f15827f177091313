#pragma once
// Strain polynomials kept on disk between runs. The file is named by a hash of everything they are made from (elements,
// materials, rest shape, basis), so that a changed scene never meets old coefficients.
//
// File: magic line, then 64-bit numbers: key, variables, values of the energy, values of the pairs; the values as
// doubles; a checksum of all before it. Nothing is believed that the length of the file does not bear out. Written
// beside its final name and renamed.

#include <cstdint>
#include <optional>
#include <string>

#include "dashpot/reduce/strain_forms.hpp"

namespace dashpot {

/// $XDG_CACHE_HOME/dashpot, else $HOME/.cache/dashpot, else empty.
std::string default_cache_folder();

/// Hash of the elements, materials, rest shape and basis.
std::uint64_t forms_key(const StrainInput& input);

struct CachedForms {
  std::optional<StrainForms> forms;
  std::string problem;  ///< why a file that was there could not be used; empty: it could, or there was none
};
CachedForms read_forms(const std::string& folder, std::uint64_t key);
/// Returns the path; throws dashpot::Error where the folder cannot be written.
std::string write_forms(const std::string& folder, std::uint64_t key, const StrainForms& forms);

}  // namespace dashpot
