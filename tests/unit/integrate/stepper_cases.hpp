#pragma once
// The steppers by the names the reference tables use, and a run from t = 0. An integrator that these tables do not know
// goes by its own name: what is asserted of every stepper is asserted of it too.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/integrate/table_analysis.hpp"
#include "support/small_systems.hpp"

namespace dashpot::testing {

inline const std::map<std::string, Integrator>& stepper_cases() {
  static const std::map<std::string, Integrator> cases = [] {
    std::map<std::string, Integrator> known = {
        {"BE", {"backward_euler"}},
        {"TR", {"trapezoid"}},
        {"IM", {"midpoint"}},
        {"NM(.3,.5)", {"newmark", {{"beta", 0.3}, {"gamma", 0.5}}}},
        {"NM(.3025,.6)", {"newmark", {{"beta", 0.3025}, {"gamma", 0.6}}}},
        {"GA(.5)", {"generalized_alpha", {{"rho_inf", 0.5}}}},
        {"GA(.8)", {"generalized_alpha", {{"rho_inf", 0.8}}}},
        {"Bathe", {"bathe"}},
        {"BDF2", {"bdf2"}},
        {"SymplEuler", {"symplectic_euler"}},
        {"Leapfrog", {"leapfrog"}},
    };
    for (const std::string& name : integrator_names()) {
      const auto is_it = [&](const auto& entry) { return entry.second.name() == name; };
      if (std::none_of(known.begin(), known.end(), is_it)) known.emplace(name, name);
    }
    return known;
  }();
  return cases;
}

inline std::unique_ptr<Stepper> stepper_named(const std::string& name, double tolerance = 1e-13) {
  NewtonOptions newton;
  newton.tolerance = tolerance;
  newton.max_iterations = 60;
  return make_stepper(stepper_cases().at(name), newton, {});
}

/// State at (q, v) with consistent acceleration.
inline State start_at(const System& system, const Vector& q, const Vector& v) {
  State state = system.initial_state();
  state.q = q;
  state.v = v;
  Workspace workspace = system.make_workspace();
  EXPECT_TRUE(make_consistent(system, state, workspace));
  return state;
}

/// Advances n steps of length h; the returned flag tells whether all succeeded.
inline bool run_steps(const System& system, Stepper& stepper, State& state, double h, int n) {
  Workspace workspace = system.make_workspace();
  for (int i = 0; i < n; ++i)
    if (stepper.step(system, state, workspace, h).status == StepStatus::failed) return false;
  return true;
}

inline Vector vec(std::initializer_list<double> values) {
  Vector result(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) result[i++] = value;
  return result;
}

}  // namespace dashpot::testing
