#pragma once
// Steps by projective dynamics and by Newton's method.

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/projective/projective_stepper.hpp"
#include "support/elastic_body.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing {

inline ProjectiveOptions converged(double tolerance = 1e-11) {
  ProjectiveOptions options;
  options.iterations = 0;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  return options;
}

inline std::unique_ptr<Stepper> projective(const std::string& kind, const ProjectiveOptions& options) {
  return make_projective_stepper(kind, options);
}

inline std::unique_ptr<Stepper> newton(const std::string& kind, double tolerance = 1e-12) {
  NewtonOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 60;
  return make_stepper(kind, options, {});
}

inline State start_from(const System& system, const Vector& q, const Vector& v) {
  State state = system.initial_state();
  state.q = q;
  state.v = v;
  system.prescribe(0, &state.q, &state.v, nullptr);
  Workspace workspace = system.make_workspace();
  EXPECT_TRUE(make_consistent(system, state, workspace));
  return state;
}

/// Steps; returns the largest residual reported.
inline double take_steps(const System& system, Stepper& stepper, State& state, double h, int count) {
  Workspace workspace = system.make_workspace();
  double residual = 0;
  for (int i = 0; i < count; ++i) {
    const StepReport report = stepper.step(system, state, workspace, h);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    if (report.status == StepStatus::failed) return 1;
    residual = std::max(residual, report.residual);
  }
  return residual;
}

}  // namespace dashpot::testing
