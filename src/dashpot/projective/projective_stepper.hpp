#pragma once
// Projective dynamics behind the Stepper interface: any implicit stage table, stages solved by local/global steps.

#include <memory>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/projective/projective_options.hpp"

namespace dashpot {

/// The integrator must be implicit (dashpot::Error otherwise). Terms are looked at in the first step; ask
/// projective_problems() before.
std::unique_ptr<Stepper> make_projective_stepper(const Integrator& integrator, const ProjectiveOptions& options);

}  // namespace dashpot
