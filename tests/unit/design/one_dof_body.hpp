#pragma once
// One mass on a spring, 1 Hz, damping ratio 5 %, whose damping is designed along its only motion (reference ABCE, 1.9).

#include <numbers>

#include "dashpot/design/designable.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "support/small_systems.hpp"

namespace dashpot::testing {

inline design::Designable one_dof_body(double dt = 1.0 / 200) {
  design::Designable body;
  body.names = {"swing"};
  body.shapes = Matrix::Ones(1, 1);
  body.with_gains = [](const design::Gains& gains) {
    const double omega = 2 * std::numbers::pi;
    const Matrix M = Matrix::Ones(1, 1), K = M * omega * omega, C = M * 2 * 0.05 * omega;
    const auto mass = std::make_shared<DenseMass>(M);
    auto base = std::make_unique<DenseDamping>(C);
    const DenseDamping* linear = base.get();
    ExampleBasedOptions options;
    options.input = gains[0].is_constant() ? GainInput::constant : GainInput::displacement;
    auto term =
        std::make_unique<ExampleBased>("mass", std::move(base), linear, *mass, Vector::Zero(1), 0, 1,
                                       std::vector<DampingExample>{{"swing", Vector::Ones(1), gains[0]}}, options);
    return linear_system(M, std::move(term), K, mass);
  };
  body.make_stepper = [] { return make_stepper("bathe", {.tolerance = 1e-13}, {}); };
  body.dt = dt;
  return body;
}

inline design::Gains constant_gain(double gamma) { return {math::GainCurve::constant(gamma)}; }

}  // namespace dashpot::testing
