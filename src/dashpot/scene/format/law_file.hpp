#pragma once
// What was learned of a material, as a small JSON file that any scene can use:
//
//     "material": {"model": "learned", "law": "rubber.law.json", "density": 1000},
//     "damping": [{"model": "stretch_rayleigh", "law": "rubber.law.json"}]
//
// The file holds a material and dampings as scenes write them, and how they were learned. Its numbers stand in the
// place of what the scene leaves out: what the scene says itself counts. Numbers are written so that they read back
// exactly. The density is the body's own: the scene gives it. Time step and integrator belong to what was learned,
// because their numerical damping does [reference D, section 7]: `check` warns where the scene has others.

#include <string>
#include <vector>

#include "dashpot/core/json_document.hpp"
#include "dashpot/element/tet_stretches.hpp"

namespace dashpot {

struct LawFile {
  std::string title;
  JsonValue material = JsonValue::object();  ///< {"model": "learned", ...}: its own values, without density and regions
  std::vector<JsonValue> damping;            ///< {"model": "stretch_rayleigh", ...}

  double dt = 0;                            ///< time step it was learned with [s]; 0: not known
  JsonValue stepper = JsonValue::object();  ///< as a scene names it, {"backward_euler": {}}; empty: not known
  double density = 0;                       ///< [kg/m^3] that it was learned with; 0: not known
  StretchRange visited;                     ///< strains it was learned from; beyond them it is extrapolated
  std::vector<std::string> data;            ///< what it was learned from
  std::string version, commit;              ///< of the program that wrote it
};

/// The text of the file.
std::string write_law(const LawFile& law);
/// Reads a text; `file` names it in messages. dashpot::Error with all problems. Models and their numbers are checked
/// where a scene uses them.
LawFile read_law(const std::string& text, const std::string& file);

}  // namespace dashpot
