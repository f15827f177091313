#pragma once
// An elastic body of tets built straight from the library's parts, for tests that do not need a scene.

#include <functional>
#include <memory>
#include <optional>

#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot::testing {

struct ElasticBodyOptions {
  IsotropicLaw law = IsotropicLaw::stvk;
  Isotropic material{1e5, 0.3};
  double density = 1000;  ///< [kg/m^3]
  bool lumped = true;
  Vec3 gravity = Vec3::Zero();
  /// Nodes held fixed.
  std::function<bool(const Vec3&)> is_pinned;
  double alpha = 0, beta = 0;  ///< Rayleigh; 0, 0: none
  std::optional<StiffnessPart> stiffness = StiffnessPart::gauss_newton;
  /// What becomes of the Rayleigh damping: a design built on it. Gets the body's mass and rest coordinates.
  std::function<std::unique_ptr<DissipationTerm>(std::unique_ptr<Rayleigh>, const MassSource&, const Vector&)> design;
  double ether_rate = 0;
  int ether_nodes = -1;  ///< only the first so many nodes feel the ether; -1: all
  std::vector<Tie> ties;
  /// Other bodies and what acts between them, added last.
  std::function<void(SystemBuilder&)> extend;
  /// A moving support besides the pins.
  std::function<std::unique_ptr<Constraint>()> support;
};

std::shared_ptr<const System> elastic_body(const Mesh& mesh, const ElasticBodyOptions& options);

/// K at rest and M of a System whose only energy is elastic, for modes.
BlockMatrix rest_stiffness(const System& system);
BlockMatrix mass_matrix(const System& system);

}  // namespace dashpot::testing
