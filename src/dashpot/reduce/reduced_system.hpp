#pragma once
// A System in subspace coordinates z, made from a full one: every stepper, ledger, recorder and exporter works on it as
// on any other System.
//
//     z'' + sum dPsi/dz + sum f~_j = Phi^T f_ext(t),   x = X + Phi z,   Phi^T M Phi = I
//
// St. Venant-Kirchhoff energies become exact polynomials; quadratic energies (linear elasticity, gravity) and constant
// dampings small matrices; Rayleigh damping with the tangent or Gauss-Newton part of a polynomial body is taken from
// the polynomials. Other terms are evaluated on the full body and projected: exact, but as slow as the full body.
// `methods` says what was done with each. Here the tangent part of Rayleigh is projected as a whole to be positive
// semidefinite, not element by element.
//
// Refused by name (dashpot::Error): contact, moving supports, attachments; they would lead out of the subspace.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/reduce/basis.hpp"
#include "dashpot/reduce/hooks.hpp"
#include "dashpot/reduce/subspace.hpp"

namespace dashpot {

struct ReducedModel {
  std::shared_ptr<const System> system;  ///< in z; keeps the full one alive
  std::shared_ptr<const Subspace> subspace;
  std::vector<std::string> methods;  ///< "elastic.beam: exact polynomials, 1426425 coefficients"
  double seconds = 0;                ///< of precomputation
  std::size_t bytes = 0;             ///< of polynomials

  /// A full state as seen from the subspace: nearest in the norm of M.
  struct Projected {
    State state;                ///< consistent accelerations are the caller's to make
    double position_error = 0;  ///< |q - X - Phi z|_M / |q - X|_M; 0 where q = X
    double velocity_error = 0;  ///< likewise
  };
  Projected project(const State& full) const;
};

struct ReduceOptions {
  /// Where polynomials are kept between runs (forms_cache.hpp: default_cache_folder()); empty: nowhere. A damaged file
  /// is replaced, and a folder that cannot be written is left alone; `methods` says so.
  std::string cache_folder;
};

/// Nothing when the hooks said stop.
std::optional<ReducedModel> reduce_system(std::shared_ptr<const System> full, ReducedBasis basis,
                                          const PrecomputeHooks& hooks = {}, const ReduceOptions& options = {});

}  // namespace dashpot
