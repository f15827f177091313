// Converged projective dynamics is Newton's solution of the same stage: same laws, supports, dampings, contacts.
#include <fmt/format.h>

#include "dashpot/constraint/driven_nodes.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/mesh/generate.hpp"
#include "steps.hpp"

namespace dashpot::testing::test_projective_newton {
namespace {

struct Case {
  ElasticBodyOptions body;
  double amplitude = 0.05;  ///< of the noise at the start, of the size of a cell
};

Mesh bar() { return make_bar({0.3, 0.1, 0.1}, {3, 1, 1}); }

/// A start with every tet deformed and in motion.
State noisy_start(const System& system, double amplitude) {
  Vector q = system.rest(), v = Vector::Zero(q.size());
  for (int i = 0; i < q.size(); ++i) q[i] += 0.1 * amplitude * rnd(i), v[i] = 0.3 * rnd(50 + i);
  return start_from(system, q, v);
}

/// Largest difference of position over the way traveled, after some steps.
double difference(const System& system, const std::string& kind, double amplitude, const ProjectiveOptions& options,
                  int steps = 5, double h = 2e-3) {
  const State start = noisy_start(system, amplitude);
  State by_newton = start, by_projection = start;
  const auto reference = newton(kind), tried = projective(kind, options);
  take_steps(system, *reference, by_newton, h, steps);
  take_steps(system, *tried, by_projection, h, steps);
  const double way = (by_newton.q - start.q).lpNorm<Eigen::Infinity>();
  EXPECT_GT(way, 1e-4);
  return (by_newton.q - by_projection.q).lpNorm<Eigen::Infinity>() / way;
}

ElasticBodyOptions soft(IsotropicLaw law) {
  ElasticBodyOptions options;
  options.law = law;
  options.material = {3e4, 0.3};
  options.gravity = {0, -9.81, 0};
  return options;
}

/// The free end of a bar whose other end goes up and down.
ElasticBodyOptions shaken_bar() {
  ElasticBodyOptions options = soft(IsotropicLaw::arap);
  options.support = [] {
    std::vector<int> dofs, points, axes;
    const Mesh mesh = bar();
    for (int i = 0; i < mesh.num_nodes(); ++i)
      for (int axis = 0; axis < 3 && mesh.nodes[static_cast<std::size_t>(i)].x() < 1e-9; ++axis) {
        dofs.push_back(3 * i + axis);
        points.push_back(i);
        axes.push_back(axis);
      }
    HarmonicMotion motion;
    motion.amplitude = Vec3(0, 0.05, 0);
    motion.frequency = 5;
    motion.ramp = 0.02;
    auto table = std::make_shared<CarriedPoints>(std::make_shared<ShakenTable>(motion), mesh.nodes);
    return std::make_unique<DrivenNodes>(std::move(table), dofs, points, axes);
  };
  return options;
}

TEST(ProjectiveDynamics, ConvergesToNewtonsSolutionForEveryImplicitIntegrator) {
  for (const std::string kind : {"backward_euler", "midpoint", "bdf2", "trapezoid", "bathe", "generalized_alpha"}) {
    SCOPED_TRACE(kind);
    EXPECT_LT(difference(*elastic_body(bar(), soft(IsotropicLaw::arap)), kind, 0.05, converged()), 1e-8);
  }
}

TEST(ProjectiveDynamics, ConvergesToNewtonsSolutionOfTheCorotationalLaw) {
  EXPECT_LT(difference(*elastic_body(bar(), soft(IsotropicLaw::corotational)), "midpoint", 0.05, converged()), 1e-8);
}

TEST(ProjectiveDynamics, ConvergesToNewtonsSolutionWithConsistentMassAndHeldNodes) {
  ElasticBodyOptions options = soft(IsotropicLaw::arap);
  options.lumped = false;
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  EXPECT_LT(difference(*elastic_body(bar(), options), "midpoint", 0.05, converged()), 1e-8);
}

TEST(ProjectiveDynamics, ConvergesToNewtonsSolutionWhereSupportsMoveAndDampingFeelsTheirVelocity) {
  // At the start of a fading-in motion the velocity of a support is far from its way over the time step.
  ElasticBodyOptions options = shaken_bar();
  options.lumped = false;
  options.alpha = 0.5;
  options.beta = 5e-3;
  for (const std::string kind : {"backward_euler", "midpoint", "bdf2"})
    for (const StiffnessPart part : {StiffnessPart::rest, StiffnessPart::gauss_newton}) {
      SCOPED_TRACE(kind);
      options.stiffness = part;
      EXPECT_LT(difference(*elastic_body(bar(), options), kind, 0.05, converged()), 1e-8);
    }
}

TEST(ProjectiveDynamics, ConvergesToNewtonsSolutionWithRayleighDampingOfEveryKind) {
  for (const StiffnessPart part :
       {StiffnessPart::rest, StiffnessPart::projected_tangent, StiffnessPart::gauss_newton}) {
    ElasticBodyOptions options = soft(IsotropicLaw::arap);
    options.alpha = 0.5;
    options.beta = 5e-3;
    options.stiffness = part;
    EXPECT_LT(difference(*elastic_body(bar(), options), "midpoint", 0.05, converged()), 1e-8);
  }
}

TEST(ProjectiveDynamics, ConvergesToNewtonsSolutionWithExamplesOfConstantAndVaryingGain) {
  for (const GainInput input : {GainInput::constant, GainInput::displacement, GainInput::velocity}) {
    SCOPED_TRACE(to_string(input));
    ElasticBodyOptions options = soft(IsotropicLaw::arap);
    options.alpha = 0.5;
    options.beta = 5e-3;
    options.stiffness = StiffnessPart::rest;
    options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
    options.design = [input](std::unique_ptr<Rayleigh> base, const MassSource& mass, const Vector& rest) {
      Vector shape = Vector::Zero(rest.size());
      for (int i = 1; i < rest.size(); i += 3) shape[i] = rest[i - 1] * rest[i - 1];
      const math::GainCurve gain =
          input == GainInput::constant
              ? math::GainCurve::constant(20)
              : math::GainCurve::through({{0, 0.5}, {0.05, 20}, {5, 20}}, math::GainCurve::Kind::monotone);
      ExampleBasedOptions example_options;
      example_options.input = input;
      const ViscousOperator* C = base.get();
      const int nodes = static_cast<int>(rest.size()) / 3;
      return std::make_unique<ExampleBased>("body", std::move(base), C, mass, rest, 0, nodes,
                                            std::vector<DampingExample>{{"bend", shape, gain}}, example_options);
    };
    EXPECT_LT(difference(*elastic_body(bar(), options), "midpoint", 0.05, converged()), 1e-8);
  }
}

// A slender stiff bar bends ten times stiffer than ten iterations can follow; energy must not come out of that.
TEST(ProjectiveDynamics, FewIterationsAreAsStableAsTheirIntegrator) {
  ElasticBodyOptions options;
  options.law = IsotropicLaw::arap;
  options.material = {5e6, 0.3};
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  const auto system = elastic_body(make_bar({1, 0.05, 0.05}, {20, 1, 1}), options);
  for (const std::string kind : {"backward_euler", "bdf2", "midpoint", "trapezoid", "bathe", "generalized_alpha"})
    for (const int iterations : {1, 3, 10}) {
      SCOPED_TRACE(fmt::format("{}, {} iterations", kind, iterations));
      ProjectiveOptions few;
      few.iterations = iterations;
      const auto stepper = projective(kind, few);
      Vector q = system->rest(), v = Vector::Zero(q.size());
      for (int i = 0; i < q.size(); ++i) v[i] = 1e-3 * rnd(i);
      State state = start_from(*system, q, v);
      const double start = energies(*system, state).total();
      ASSERT_GT(start, 0);
      double most = 0;
      for (int i = 0; i < 40; ++i) {
        take_steps(*system, *stepper, state, 5e-3, 5);
        most = std::max(most, energies(*system, state).total());
      }
      EXPECT_LT(most, 20 * start) << "true springs hold more than the softer ones that act, but not ever more";
    }
}

TEST(ProjectiveDynamics, AndersonAccelerationNeedsFewerIterations) {
  ElasticBodyOptions stiff = soft(IsotropicLaw::arap);
  stiff.material.young = 3e6;
  stiff.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  const auto system = elastic_body(bar(), stiff);
  int iterations[2] = {0, 0};
  Vector end[2];
  for (const bool accelerated : {false, true}) {
    ProjectiveOptions options = converged(1e-10);
    options.acceleration = accelerated ? Acceleration::anderson : Acceleration::none;
    const auto stepper = projective("midpoint", options);
    State state = noisy_start(*system, 0.05);
    Workspace workspace = system->make_workspace();
    for (int i = 0; i < 5; ++i) {
      const StepReport report = stepper->step(*system, state, workspace, 1e-2);
      ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
      iterations[accelerated ? 1 : 0] += report.newton_iterations;
    }
    end[accelerated ? 1 : 0] = state.q;
  }
  EXPECT_LT((end[0] - end[1]).norm(), 1e-7 * end[0].norm());
  EXPECT_LT(iterations[1], 0.5 * iterations[0]);
}

TEST(ProjectiveDynamics, StopsAsSoonAsItsResidualIsBelowTheToleranceAndNotBefore) {
  ElasticBodyOptions held = soft(IsotropicLaw::arap);
  held.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  for (const bool moves : {false, true}) {
    const auto system = elastic_body(bar(), moves ? shaken_bar() : held);
    int before = 0;
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      SCOPED_TRACE(tolerance);
      const auto stepper = projective("midpoint", converged(tolerance));
      State state = noisy_start(*system, 0.05);
      Workspace workspace = system->make_workspace();
      int iterations = 0;
      for (int i = 0; i < 5; ++i) {
        const StepReport report = stepper->step(*system, state, workspace, 2e-3);
        ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
        EXPECT_LE(report.residual, tolerance);
        EXPECT_GT(report.residual, 1e-4 * tolerance) << "iterations nobody asked for";
        iterations += report.newton_iterations;
      }
      EXPECT_GT(iterations, before);
      EXPECT_LT(iterations, 5 * 40);
      before = iterations;
    }
  }
}

// Forces are differences of far larger numbers; when they vanish no tolerance can be a share of them.
TEST(ProjectiveDynamics, ABodyThatHasComeToRestStepsOn) {
  ElasticBodyOptions options = soft(IsotropicLaw::arap);
  options.gravity = Vec3::Zero();
  const auto system = elastic_body(bar(), options);
  for (const double speed : {1e-6, 1e-9, 1e-12, 0.0}) {
    Vector v(system->num_dofs());
    for (int i = 0; i < v.size(); ++i) v[i] = speed * rnd(i);
    State state = start_from(*system, system->rest(), v);
    take_steps(*system, *projective("midpoint", converged(1e-13)), state, 2e-3, 5);
    EXPECT_LE((state.q - system->rest()).lpNorm<Eigen::Infinity>(), 0.02 * speed + 1e-15);
  }
}

TEST(ProjectiveDynamics, SaysSoWhereItsIterationsDoNotSuffice) {
  const auto system = elastic_body(bar(), soft(IsotropicLaw::arap));
  ProjectiveOptions options = converged(1e-11);
  options.max_iterations = 2;
  State state = noisy_start(*system, 0.05);
  Workspace workspace = system->make_workspace();
  const StepReport report = projective("midpoint", options)->step(*system, state, workspace, 2e-3);
  EXPECT_EQ(report.status, StepStatus::failed);
  EXPECT_NE(report.explanation.find("max_iterations"), std::string::npos) << report.explanation;
}

TEST(ProjectiveDynamics, RefusesWhatItCannotDoByName) {
  ElasticBodyOptions options = soft(IsotropicLaw::stvk);
  const auto system = elastic_body(bar(), options);
  State state = noisy_start(*system, 0.01);
  Workspace workspace = system->make_workspace();
  try {
    projective("midpoint", {})->step(*system, state, workspace, 1e-3);
    FAIL() << "a law without a projective form was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("elastic energy of 'body'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(projective("leapfrog", {}), Error);
  ProjectiveOptions restoring;
  restoring.restore_momentum = true;
  EXPECT_THROW(projective("bdf2", restoring), Error);
}

TEST(ProjectiveDynamics, ClosesItsLedgerAtAnyNumberOfIterations) {
  ElasticBodyOptions options = soft(IsotropicLaw::arap);
  options.alpha = 0.5;
  options.beta = 2e-3;
  const auto system = elastic_body(bar(), options);
  for (const int iterations : {1, 3, 10}) {
    ProjectiveOptions solver;
    solver.iterations = iterations;
    const auto stepper = projective("midpoint", solver);
    State state = noisy_start(*system, 0.05);
    Workspace workspace = system->make_workspace();
    for (int i = 0; i < 10; ++i) {
      const double before = energies(*system, state).total();
      const StepReport report = stepper->step(*system, state, workspace, 2e-3);
      ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
      const double numerical =
          report.work.external - report.work.damping[0] - report.work.solver - (report.end.total() - before);
      // Midpoint has no loss of its own in a quadratic energy; ARAP is nearly one over such a step.
      EXPECT_LT(std::abs(numerical), 2e-3 * before);
      EXPECT_GT(report.work.damping[0], 0);
    }
  }
}

}  // namespace
}  // namespace dashpot::testing::test_projective_newton
