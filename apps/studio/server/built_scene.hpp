#pragma once
// The scene document of a session, compiled. Gains of examples are exchanged without compiling again; so are title and
// targets of a design.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::studio {

/// An example as the page shows it.
struct ExampleInfo {
  std::string name, body;
  std::string at;        ///< JSON pointer
  double frequency = 0;  ///< of the Rayleigh quotient of its shape [Hz]; NaN: not elastic
  double zeta = 0;       ///< of the body's own damping along it; NaN: not known
  GainInput measure = GainInput::constant;
  double size = 0;  ///< largest displacement [m]
  math::GainCurve gain;
  std::size_t damping = 0, index = 0;  ///< where it is among the dissipations of the System
  std::vector<Vec3> shape;             ///< displacement of all points [m]
};

struct BuiltScene {
  JsonValue document;
  std::filesystem::path folder;  ///< where file names of the document start
  std::string path;              ///< in the project folder; empty: never saved
  std::shared_ptr<const CompiledScene> scene;
  std::shared_ptr<const System> designed;  ///< with the gains of the document
  std::vector<ExampleInfo> examples;
  bool exchanges_gains = false;  ///< examples can get other gains without compiling

  const ExampleInfo* example(const std::string& name) const;
};

/// Where a document comes from and may lead to.
struct SceneSite {
  std::filesystem::path project, folder;  ///< real folders
  std::string path;
};

/// dashpot::Error with all problems. `earlier`: the scene before this change; null: none.
BuiltScene build_scene(const JsonValue& document, const SceneSite& site, const BuiltScene* earlier = nullptr);

/// The System of `scene` with the body's own damping only: examples have gain 1.
std::shared_ptr<const System> without_examples(const BuiltScene& scene);

/// Pointer of the damping that dissipation j of a System comes from: "/bodies/0/damping/0".
std::string place_of_damping(const System& system, std::size_t j);

/// What a scene file of the project, or its text, is: dashpot::Error with place and remedy where it is no JSON.
JsonValue document_from(const std::string& text, const std::string& file);

}  // namespace dashpot::studio
