#pragma once
// Laws every damping must obey, generic over models: what a model claims in its traits is checked both ways (a claimed
// invariance must hold, an unclaimed one must be seen to fail, otherwise the claim is too modest).

#include "dashpot/model/system.hpp"

namespace dashpot::testing {

struct DampingLawOptions {
  int num_states = 1000;     ///< random states for power >= 0
  double deformation = 0.1;  ///< size of random displacements relative to the body
  unsigned seed = 1;
  bool check_modesty = true;  ///< an unclaimed trait must be seen to fail
  bool exact_rate = true;     ///< two half steps of a filter are one step; false: up to dt^2
};

/// Slopes of df/dv and df/dq (low-rank parts included), power >= 0, zero force at zero velocity, rigid motion,
/// momentum, symmetry and constancy of dissipation term `j` of a System of nodes in space.
void expect_dissipation_laws(const System& system, std::size_t j, const DampingLawOptions& options = {});

/// Kinetic energy never grows, momentum as claimed, rest stays rest, two half steps equal one step (when
/// `is_rate`; see exact_rate).
void expect_filter_laws(const System& system, std::size_t k, bool is_rate, const DampingLawOptions& options = {});

}  // namespace dashpot::testing
