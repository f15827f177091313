#pragma once
// A linear bunny on pinned feet whose damping can also be the form that paper A rejected, which no scene offers.

#include <memory>
#include <vector>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/render/figure.hpp"
#include "dashpot/render/html_report.hpp"
#include "dashpot/scene/compile.hpp"
#include "reproductions.hpp"

namespace dashpot::cli {

class AblationBody {
 public:
  /// Writes the scene of the bunny into the folder too.
  AblationBody(const ReproductionRequest& request, int tets);

  /// Displacements under these forces on the head [N], one column each.
  Matrix pulls(const std::vector<Vec3>& forces) const;
  /// The first vibration modes.
  Matrix modes(int count) const;

  struct Design {
    Matrix X;  ///< examples; none: Rayleigh alone
    Vector gamma;
    Coupling coupling = Coupling::lowdin;
  };
  std::shared_ptr<const System> system_with(const Design& design) const;
  /// C + M X (Gamma - I) (C X)^T with X made mass-orthonormal.
  std::shared_ptr<const System> system_with_mass_orthonormal(const Matrix& X, const Vector& gamma) const;

  /// Damping forces at rest for velocities V, column by column [N].
  Matrix damp(const System& system, const Matrix& V) const;
  /// Energy over the initial one after a kick with velocity v (trapezoid rule).
  render::Series energy(const std::string& name, const System& system, const Vector& v, double dt, double end) const;
  render::Picture picture(const ReproductionRequest& request) const;

 private:
  std::string scene_text(const std::string& start) const;
  std::shared_ptr<const System> build(
      const std::function<std::unique_ptr<DissipationTerm>(
          std::unique_ptr<DissipationTerm> base, const ViscousOperator* C, const MassSource& mass)>& damping) const;
  int tets_;
  CompiledScene scene_;
};

}  // namespace dashpot::cli
