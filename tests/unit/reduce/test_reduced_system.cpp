#include "dashpot/reduce/reduced_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/reduce/reduced_stvk.hpp"
#include "reduced_bar.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::test_reduced_system {
namespace {

using testing::bar_mesh;
using testing::elastic_body;
using testing::ElasticBodyOptions;
using testing::held_bar;

ReducedModel reduced(const std::shared_ptr<const System>& full, int modes, int size) {
  return *reduce_system(full, *modal_basis(*full, {modes, size}));
}

/// Energy, force and tangent of a reduced System against those of the full one, projected.
void expect_same_forces(const ReducedModel& model, const Vector& z, double tolerance) {
  const System &small = *model.system, &full = model.subspace->full();
  const Vector q = model.subspace->lift(z);
  ASSERT_EQ(small.energies().size(), full.energies().size());
  for (std::size_t i = 0; i < small.energies().size(); ++i) {
    Vector f = Vector::Zero(full.num_dofs()), g = Vector::Zero(small.num_dofs());
    BlockMatrix K(full.pattern()), H(small.pattern());
    EnergyRequest of_full{q}, of_small{z};
    of_full.gradient = &f, of_full.hessian = &K;
    of_small.gradient = &g, of_small.hessian = &H;
    const double energy = full.energies()[i]->evaluate(of_full);
    EXPECT_NEAR(small.energies()[i]->evaluate(of_small), energy, tolerance * std::abs(energy));
    const Vector expected = model.subspace->project_force(f);
    ASSERT_GT(expected.norm(), 0);
    EXPECT_LT((g - expected).norm(), tolerance * expected.norm());
    const Matrix stiffness = model.subspace->project(K);
    EXPECT_LE((H.dense() - stiffness).norm(), tolerance * stiffness.norm());
  }
}

class ReducedLaw : public ::testing::TestWithParam<IsotropicLaw> {};

TEST_P(ReducedLaw, HasTheForcesOfTheFullBodyInItsSubspace) {
  ElasticBodyOptions options = held_bar();
  options.law = GetParam();
  options.gravity = {0, -9.81, 1};
  const ReducedModel model = reduced(elastic_body(bar_mesh({4, 1, 1}), options), 4, 9);
  const double size = 0.2 / model.subspace->basis().shapes.cwiseAbs().maxCoeff();
  expect_same_forces(model, size * Vector::LinSpaced(9, 1, -0.5), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Laws, ReducedLaw,
                         ::testing::Values(IsotropicLaw::stvk, IsotropicLaw::linear, IsotropicLaw::corotational,
                                           IsotropicLaw::stable_neo_hookean),
                         [](const auto& law) { return std::string(law.param.name); });

class ReducedRayleigh : public ::testing::TestWithParam<StiffnessPart> {};

TEST_P(ReducedRayleigh, LosesThePowerTheFullBodyLoses) {
  ElasticBodyOptions options = held_bar();
  options.alpha = 0.3;
  options.beta = 0.01;
  options.stiffness = GetParam();
  const ReducedModel model = reduced(elastic_body(bar_mesh({4, 1, 1}), options), 4, 9);
  const System &small = *model.system, &full = model.subspace->full();
  // Stretched: the tangent needs no projection, so that both models mean the same matrix.
  Vector stretch = model.subspace->basis().rest;
  for (Eigen::Index i = 0; i < stretch.size(); i += 3) stretch[i] *= 1.2;
  State state = small.initial_state();
  state.q = model.subspace->basis().coordinates(stretch);
  state.v = Vector::LinSpaced(9, -1, 2);
  State full_state = model.subspace->full_state(state.q, state.v, 0);
  Workspace work = small.make_workspace(), full_work = full.make_workspace();
  small.begin_step(state, work);
  full.begin_step(full_state, full_work);
  const Vector none;
  Vector force = Vector::Zero(9), full_force = Vector::Zero(full.num_dofs());
  BlockMatrix C(small.pattern());
  DissipationRequest request{state.q, state.v, none, 0, work.dissipation[0].get()};
  request.force = &force;
  request.tangent = &C;
  request.dv_scale = 2;
  DissipationRequest full_request{full_state.q, full_state.v, none, 0, full_work.dissipation[0].get()};
  full_request.force = &full_force;
  const double power = full.dissipations()[0]->evaluate(full_request);
  ASSERT_GT(power, 0);
  EXPECT_NEAR(small.dissipations()[0]->evaluate(request), power, 1e-9 * power);
  const Vector expected = model.subspace->project_force(full_force);
  EXPECT_LT((force - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LT((C.dense() * state.v - 2 * force).norm(), 1e-12 * force.norm());
  EXPECT_EQ(small.dissipations()[0]->traits().constant, GetParam() == StiffnessPart::rest);
}

INSTANTIATE_TEST_SUITE_P(Parts, ReducedRayleigh,
                         ::testing::Values(StiffnessPart::rest, StiffnessPart::projected_tangent,
                                           StiffnessPart::gauss_newton));

/// Energies and losses of some steps from a state.
struct Course {
  std::vector<double> tip;
  double closure = 0;     ///< largest defect of the balance of one step over the energy at the start
  double dissipated = 0;  ///< [J]
};

Course follow(const System& system, State state, double dt, int steps, int point) {
  const auto stepper = make_stepper("bathe", {}, {});
  Workspace work = system.make_workspace();
  make_consistent(system, state, work);
  Course course;
  const double scale = energies(system, state).total();
  double before = scale;
  std::vector<Vec3> x;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(system, state, work, dt);
    EXPECT_EQ(report.status, StepStatus::ok) << report.explanation;
    for (const double loss : report.work.damping) course.dissipated += loss;
    const double after = report.end.total();
    EXPECT_LE(after, before + 1e-6 * scale);
    before = after;
    system.kinematics().positions(state.q, x);
    course.tip.push_back(x[static_cast<std::size_t>(point)].y());
  }
  return course;
}

TEST(ReducedSystem, SwingsLikeTheFullBarWithinAFewPercent) {
  ElasticBodyOptions options = held_bar();
  options.gravity = {0, -3, 0};
  options.beta = 0.005;
  const Mesh mesh = bar_mesh({8, 2, 2});
  const auto full = elastic_body(mesh, options);
  const ReducedModel model = reduced(full, 8, 30);
  const int tip = mesh.num_nodes() - 1;
  const Course a = follow(*full, full->initial_state(), 0.01, 60, tip);
  const Course b = follow(*model.system, model.system->initial_state(), 0.01, 60, tip);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.tip.size(); ++i) {
    largest = std::max(largest, std::abs(a.tip[i] - mesh.nodes[static_cast<std::size_t>(tip)].y()));
    difference = std::max(difference, std::abs(a.tip[i] - b.tip[i]));
  }
  ASSERT_GT(largest, 0.1);  // a tenth of the length: far from linear
  EXPECT_LT(difference, 0.03 * largest);
  ASSERT_GT(a.dissipated, 0);
  EXPECT_NEAR(b.dissipated, a.dissipated, 0.05 * a.dissipated);
}

// The bar bends by a third of its length with modes that swing many times a step: a Newton step from positions
// extrapolated with their accelerations would blow up.
TEST(ReducedSystem, OneNewtonIterationASubStepReadsThePolynomialsOnceAndStaysNearTheConvergedMotion) {
  ElasticBodyOptions options = held_bar();
  options.gravity = {0, -3, 0};
  options.beta = 0.005;
  const Mesh mesh = bar_mesh({8, 2, 2});
  const ReducedModel model = reduced(elastic_body(mesh, options), 8, 30);
  const System& system = *model.system;
  NewtonOptions once;
  once.fixed_iterations = 1;
  const auto quick = make_stepper("bathe", once, {}), exact = make_stepper("bathe", {}, {});
  State a = system.initial_state(), b = system.initial_state();
  Workspace scratch_a = system.make_workspace(), scratch_b = system.make_workspace();
  ASSERT_TRUE(make_consistent(system, a, scratch_a) && make_consistent(system, b, scratch_b));
  double largest = 0, difference = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t before = ReducedStvk::num_passes(*scratch_a.energy[0]);
    ASSERT_EQ(quick->step(system, a, scratch_a, 0.01).newton_iterations, 2);
    // After the first steps z_n and both ends of sub-steps are known when they are asked for again.
    // The other run keeps its results to itself.
    if (i > 2) EXPECT_EQ(ReducedStvk::num_passes(*scratch_a.energy[0]) - before, 2U);
    ASSERT_EQ(exact->step(system, b, scratch_b, 0.01).status, StepStatus::ok);
    largest = std::max(largest, b.q.norm());
    difference = std::max(difference, (a.q - b.q).norm());
  }
  ASSERT_GT(largest, 0);
  EXPECT_LT(difference, 0.1 * largest);
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ReducedStvk::num_passes(*scratch_a.energy[0]);
    quick->step(system, a, scratch_a, 0.01);
    if (i > 0) EXPECT_EQ(ReducedStvk::num_passes(*scratch_a.energy[0]) - before, 2U);
  }
}

TEST(ReducedSystem, ModesAloneAreTooStiffForLargeBendingAndDerivativesMendIt) {
  ElasticBodyOptions options = held_bar();
  options.gravity = {0, -3, 0};
  const Mesh mesh = bar_mesh({8, 2, 2});
  const auto full = elastic_body(mesh, options);
  const int tip = mesh.num_nodes() - 1;
  const auto sag = [&](const System& system) {
    const Course course = follow(system, system.initial_state(), 0.01, 40, tip);
    return mesh.nodes[static_cast<std::size_t>(tip)].y() - *std::min_element(course.tip.begin(), course.tip.end());
  };
  const double truth = sag(*full), stiff = sag(*reduced(full, 6, 6).system), mended = sag(*reduced(full, 6, 25).system);
  EXPECT_LT(stiff, 0.8 * truth);
  EXPECT_NEAR(mended, truth, 0.05 * truth);
}

TEST(ReducedSystem, ConvergesAtTheOrderOfItsIntegrator) {
  ElasticBodyOptions options = held_bar();
  options.beta = 0.01;
  options.stiffness = StiffnessPart::rest;
  const ReducedModel model = reduced(elastic_body(bar_mesh({4, 1, 1}), options), 3, 7);
  State start = model.system->initial_state();
  start.q[0] = 0.1 / model.subspace->basis().shapes.col(0).cwiseAbs().maxCoeff();
  const auto end = [&](int steps) {
    State state = start;
    NewtonOptions newton;
    newton.tolerance = 1e-12;
    const auto stepper = make_stepper("bathe", newton, {});
    Workspace work = model.system->make_workspace();
    make_consistent(*model.system, state, work);
    for (int i = 0; i < steps; ++i) stepper->step(*model.system, state, work, 0.4 / steps);
    return state.q;
  };
  const Vector truth = end(1600), coarse = end(50), fine = end(100);
  ASSERT_GT((coarse - truth).norm(), 1e-9);
  const double order = std::log2((coarse - truth).norm() / (fine - truth).norm());
  EXPECT_NEAR(order, 2, 0.15);
}

class ReducedExamples : public ::testing::TestWithParam<GainInput> {};

TEST_P(ReducedExamples, DampLikeTheExamplesOfTheFullBody) {
  ElasticBodyOptions options = held_bar();
  options.beta = 0.01;
  options.stiffness = StiffnessPart::gauss_newton;
  const auto plain = elastic_body(bar_mesh({4, 1, 1}), options);
  const ReducedBasis basis = *modal_basis(*plain, {4, 9});
  const math::GainCurve gain = GetParam() == GainInput::constant
                                   ? math::GainCurve::constant(5)
                                   : math::GainCurve::through({{0, 1}, {2, 8}}, math::GainCurve::Kind::linear);
  options.design = [&](std::unique_ptr<Rayleigh> damping, const MassSource& mass, const Vector& rest) {
    const Rayleigh* C = damping.get();
    ExampleBasedOptions how;
    how.input = GetParam();
    std::vector<DampingExample> examples{{"bend", 0.3 * basis.shapes.col(0), gain},
                                         {"twist", basis.shapes.col(2), gain}};
    return std::make_unique<ExampleBased>("body", std::move(damping), C, mass, rest, 0,
                                          static_cast<int>(rest.size()) / 3, std::move(examples), how);
  };
  const ReducedModel model = *reduce_system(elastic_body(bar_mesh({4, 1, 1}), options), basis);
  const System &small = *model.system, &full = model.subspace->full();
  State state = small.initial_state();
  state.q = 0.2 * Vector::LinSpaced(9, 1, -0.5);
  state.v = Vector::LinSpaced(9, -1, 2);
  const State full_state = model.subspace->full_state(state.q, state.v, 0);
  Workspace work = small.make_workspace(), full_work = full.make_workspace();
  small.begin_step(state, work);
  full.begin_step(full_state, full_work);
  const Vector none;
  Vector force = Vector::Zero(9), full_force = Vector::Zero(full.num_dofs());
  DissipationRequest request{state.q, state.v, none, 0, work.dissipation[0].get()};
  request.force = &force;
  DissipationRequest full_request{full_state.q, full_state.v, none, 0, full_work.dissipation[0].get()};
  full_request.force = &full_force;
  const double power = full.dissipations()[0]->evaluate(full_request);
  ASSERT_GT(power, 0);
  EXPECT_NEAR(small.dissipations()[0]->evaluate(request), power, 1e-8 * power);
  const Vector expected = model.subspace->project_force(full_force);
  EXPECT_LT((force - expected).norm(), 1e-8 * expected.norm());
  EXPECT_NE(model.methods.back().find("from the polynomials"), std::string::npos) << model.methods.back();
  follow(small, state, 0.01, 5, 3);
}

INSTANTIATE_TEST_SUITE_P(Inputs, ReducedExamples,
                         ::testing::Values(GainInput::constant, GainInput::displacement, GainInput::velocity));

TEST(ReducedSystem, KnowsTheMomentumOfTheFullBody) {
  const ReducedModel model = reduced(elastic_body(bar_mesh({4, 1, 1}), held_bar()), 3, 7);
  const Vector z = 0.3 * Vector::LinSpaced(7, 1, 2), v = Vector::LinSpaced(7, -2, 1);
  const System& full = model.subspace->full();
  const LinearAngular a = full.inertia().momentum(model.subspace->lift(z), model.subspace->lift_rate(v));
  const LinearAngular b = model.system->inertia().momentum(z, v);
  ASSERT_GT(a.angular.norm(), 0);
  EXPECT_LT((a.linear - b.linear).norm(), 1e-12 * a.linear.norm());
  EXPECT_LT((a.angular - b.angular).norm(), 1e-11 * a.angular.norm());
  EXPECT_NEAR(model.system->inertia().kinetic_energy(z, v),
              full.inertia().kinetic_energy(model.subspace->lift(z), model.subspace->lift_rate(v)), 1e-9);
}

TEST(ReducedSystem, SaysHowMuchOfAPoseLiesOutsideTheSubspace) {
  const ReducedModel model = reduced(elastic_body(bar_mesh({4, 1, 1}), held_bar()), 3, 7);
  State inside = model.subspace->full_state(Vector::LinSpaced(7, 1, 2), Vector::Zero(7), 0), outside = inside;
  EXPECT_LT(model.project(inside).position_error, 1e-10);
  EXPECT_LT((model.project(inside).state.q - Vector::LinSpaced(7, 1, 2)).norm(), 1e-9);
  outside.q.tail<3>() += Vec3(0.1, -0.2, 0.1);
  EXPECT_GT(model.project(outside).position_error, 0.01);
}

TEST(ReducedSystem, GivesTheSameBitsWhenItIsAskedTwice) {
  const ReducedModel model = reduced(elastic_body(bar_mesh({4, 1, 1}), held_bar()), 3, 7);
  State start = model.system->initial_state();
  start.q[0] = 0.1;
  EXPECT_EQ(follow(*model.system, start, 0.01, 10, 5).tip, follow(*model.system, start, 0.01, 10, 5).tip);
}

}  // namespace
}  // namespace dashpot::test_reduced_system
