#pragma once
// How the terms of a System take part in projective dynamics:
//   energies   ProjectiveForm: in the matrix, with projections on the right-hand side; gravity: a steady force;
//              colliders: gradients on the right-hand side, a bound of their stiffness in the matrix;
//   dampings   ScalarDamping: in the scalar matrix, for nothing; anything else: its tangent at the start of the step in
//              the matrix (a full one, factored again in every step where it changes), the difference to its force on
//              the right-hand side, low-rank parts by Woodbury's identity.
// Everything else is refused by name.

#include <cstddef>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/scalar_damping.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

struct ProjectiveTerms {
  struct Damping {
    std::size_t index = 0;  ///< in System::dissipations()
    const ScalarDamping* scalar = nullptr;
    bool is_linear = false;   ///< f = C v with C held over the step, nothing else: never evaluated in the iterations
    bool is_contact = false;  ///< friction: only a bound of its stiffness is in the matrix
  };
  std::vector<const ProjectiveForm*> forms;
  std::vector<const EnergyTerm*> steady;
  std::vector<std::size_t> contacts;  ///< indices of energies
  std::vector<Damping> dampings;
};

/// What of a System projective dynamics cannot do, by name; empty: all of it works.
std::vector<Problem> projective_problems(const System& system);
/// Throws dashpot::Error with those problems.
ProjectiveTerms sort_terms(const System& system);

}  // namespace dashpot
