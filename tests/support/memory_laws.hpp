#pragma once
// Laws of dampings with internal variables. What they do at a moment may give energy back; over a path they lose it.

#include "support/damping_laws.hpp"

namespace dashpot::testing {

/// Slopes of df/dv and df/dq within a step, no force without motion, forces that rigid motion does not raise, momentum,
/// symmetry, and along random paths: work minus what is stored is never negative, nor what is stored.
void expect_memory_laws(const System& system, std::size_t j, const DampingLawOptions& options);

}  // namespace dashpot::testing
