// A clamped bar of tets against Timoshenko's beam theory: static deflection and first bending frequency.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/modes/vibration_modes.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_cantilever_theory {
namespace {

constexpr double length = 1, side = 0.2, young = 1e6, density = 1000;
constexpr double area = side * side, inertia = side * side * side * side / 12;

double shear_stiffness(double poisson) {
  const double kappa = 10 * (1 + poisson) / (12 + 11 * poisson);  // Cowper, rectangle
  return kappa * young / (2 * (1 + poisson)) * area;
}

/// Tip deflection under a tip load P [m/N].
double timoshenko_compliance(double poisson) {
  return length * length * length / (3 * young * inertia) + length / shear_stiffness(poisson);
}

/// First frequency [Hz]: state (w, phi, M, V) along the beam; clamped at 0, free at L.
double timoshenko_frequency(double poisson) {
  const auto determinant = [&](double omega) {
    Matrix A = Matrix::Zero(4, 4);
    A(0, 1) = 1;
    A(0, 3) = 1 / shear_stiffness(poisson);
    A(1, 2) = 1 / (young * inertia);
    A(2, 1) = -density * inertia * omega * omega;
    A(2, 3) = -1;
    A(3, 0) = -density * area * omega * omega;
    const Matrix Y = (length * A).exp();
    return Y(2, 2) * Y(3, 3) - Y(2, 3) * Y(3, 2);
  };
  double low = 0.1, high = low;
  while (determinant(low) * determinant(high) > 0) high *= 1.05;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (determinant(low) * determinant(middle) > 0 ? low : high) = middle;
  }
  return low / (2 * std::numbers::pi);
}

std::shared_ptr<const System> cantilever(int cells_through, ElementKind kind, double poisson) {
  BoxOptions box;
  box.kind = kind;
  ElasticBodyOptions options;
  options.law = IsotropicLaw::linear;
  options.material = {young, poisson};
  options.density = density;
  options.lumped = false;
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  return elastic_body(make_bar(Vec3(length, side, side), {5 * cells_through, cells_through, cells_through}, box),
                      options);
}

double first_frequency(const System& system) {
  ModesOptions options;
  options.num_modes = 2;
  return vibration_modes(rest_stiffness(system), mass_matrix(system), system.is_free(), options).frequencies[0];
}

/// Mean deflection of the tip face per newton, the load spread evenly over the nodes of the tip face.
double compliance(const System& system) {
  State state = system.initial_state();
  std::vector<int> tip;
  for (int i = 0; i < system.num_dofs(); i += 3)
    if (system.rest()[i] > length - 1e-9) tip.push_back(i);
  Vector force = Vector::Zero(system.num_dofs());
  for (const int dof : tip) force[dof + 1] = 1e-3 / static_cast<double>(tip.size());
  EXPECT_TRUE(solve_static(system, state, force, {}).converged);
  double deflection = 0;
  for (const int dof : tip) deflection += (state.q[dof + 1] - system.rest()[dof + 1]) / static_cast<double>(tip.size());
  return deflection / 1e-3;
}

TEST(TimoshenkoTheory, TendsToEulerBernoulliForASlenderBeam) {
  // The reference solution itself: with infinite shear stiffness and no rotary inertia f = 3.516 / (2 pi) sqrt(EI / rho
  // A) / L^2.
  const double slender = 3.51601527 / (2 * std::numbers::pi) * std::sqrt(young * inertia / (density * area));
  EXPECT_LT(timoshenko_frequency(0), slender);
  EXPECT_GT(timoshenko_frequency(0), 0.95 * slender);
}

TEST(CantileverOfLinearTets, ConvergesToTimoshenkoTheoryAtSecondOrder) {
  double error_f[2], error_c[2];
  for (int i = 0; i < 2; ++i) {
    const auto system = cantilever(4 << i, ElementKind::tet4, 0);
    error_f[i] = std::abs(first_frequency(*system) / timoshenko_frequency(0) - 1);
    error_c[i] = std::abs(compliance(*system) / timoshenko_compliance(0) - 1);
  }
  RecordProperty("frequency_error_coarse", std::to_string(error_f[0]));
  RecordProperty("frequency_error_fine", std::to_string(error_f[1]));
  EXPECT_GT(error_f[0], 1e-4);
  EXPECT_GE(std::log2(error_f[0] / error_f[1]), 1.8) << error_f[0] << " " << error_f[1];
  EXPECT_GE(std::log2(error_c[0] / error_c[1]), 1.8) << error_c[0] << " " << error_c[1];
}

TEST(CantileverOfQuadraticTets, IsWithinOnePercentAtFourCellsThroughTheThickness) {
  const auto system = cantilever(4, ElementKind::tet10, 0);
  EXPECT_NEAR(first_frequency(*system) / timoshenko_frequency(0), 1, 0.01);
  EXPECT_NEAR(compliance(*system) / timoshenko_compliance(0), 1, 0.01);
}

TEST(CantileverNearIncompressible, LinearTetsLockAndQuadraticOnesDoNot) {
  const double linear = first_frequency(*cantilever(4, ElementKind::tet4, 0.49)) / timoshenko_frequency(0.49);
  const double quadratic = first_frequency(*cantilever(4, ElementKind::tet10, 0.49)) / timoshenko_frequency(0.49);
  RecordProperty("linear_over_theory", std::to_string(linear));
  RecordProperty("quadratic_over_theory", std::to_string(quadratic));
  EXPECT_GT(linear, 1.1)
      << "4-node tets lock at nu = 0.49; if they no longer do, tell the user so in docs/theory/energy.md";
  EXPECT_NEAR(quadratic, 1, 0.05) << "the clamp holds back lateral contraction, which beam theory does not know";
}

}  // namespace
}  // namespace dashpot::testing::test_cantilever_theory
