// Laplacian damping inside projective dynamics, against the tables of reference ABCE, section 4.
#include <fmt/format.h>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/dissipation/laplacian.hpp"
#include "steps.hpp"
#include "support/bar16.hpp"

namespace dashpot::testing::test_projective_laplacian {
namespace {

Bar16::Damping plain(double alpha = 0, double beta = Bar16::beta) {
  return [=](const Bar16::Parts& parts) {
    return std::make_unique<LaplacianDamping>("body", parts.laplacian_parts(alpha, beta));
  };
}
Bar16::Damping conserving(FreeRotation rotation, double beta = Bar16::beta) {
  return [=](const Bar16::Parts& parts) {
    return std::make_unique<ConservingLaplacianDamping>("body", parts.laplacian_parts(0, beta), rotation);
  };
}

struct Row {
  const char* name;
  Bar16::Damping damping;
  std::string kind;
  double kinetic, elastic, Lz;
};

TEST(ProjectiveLaplacian, TakesTheStepOfTheReferenceWithEveryVariant) {
  const Row table[] = {
      {"none", nullptr, "midpoint", 3.874977722514, 6.943744177608, .338225291366},
      {"plain", plain(), "midpoint", 3.573623355335, 6.994040434265, .331946392578},
      {"global", conserving(FreeRotation::global), "midpoint", 3.575924224772, 6.993881498913, .338225291366},
      {"element", conserving(FreeRotation::element), "midpoint", 3.646820258823, 6.980577298766, .338225291366},
      {"backward Euler", plain(), "backward_euler", 2.796310925187, 5.981020497737, .329351950881},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.name);
    const Bar16 bar(row.damping);
    State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
    const auto stepper = projective(row.kind, converged(1e-13));
    take_steps(*bar.system, *stepper, state, Bar16::h, 1);
    const Energies end = energies(*bar.system, state);
    EXPECT_NEAR(end.kinetic, row.kinetic, 1e-8);
    EXPECT_NEAR(end.potential[0], row.elastic, 1e-8);
    EXPECT_NEAR(bar.angular_momentum(state.q, state.v).z(), row.Lz, 1e-9);
  }
}

TEST(ProjectiveLaplacian, SpinsAsInTheReferenceForFiftySteps) {
  struct Spin {
    const char* name;
    Bar16::Damping damping;
    double Lz, energy, kinetic;
  };
  const Spin table[] = {{"none", nullptr, 7.093535011, 7.339786554, 7.055574797},
                        {"plain", plain(), 3.608941886, 1.917756939, 1.846498343},
                        {"global", conserving(FreeRotation::global), 7.093535011, 7.181025872, 7.006182804},
                        {"element", conserving(FreeRotation::element), 7.093535011, 7.198180036, 7.011113206}};
  for (const Spin& row : table) {
    SCOPED_TRACE(row.name);
    const Bar16 bar(row.damping);
    State state = start_from(*bar.system, bar.system->rest(), bar.spinning_v());
    const Vec3 L0 = bar.angular_momentum(state.q, state.v);
    EXPECT_NEAR(L0.z(), 7.093535011, 1e-8);
    take_steps(*bar.system, *projective("midpoint", converged(1e-13)), state, Bar16::h, 50);
    const Vec3 L = bar.angular_momentum(state.q, state.v);
    EXPECT_NEAR(L.z(), row.Lz, 2e-8);
    EXPECT_NEAR(energies(*bar.system, state).total(), row.energy, 2e-8);
    EXPECT_NEAR(energies(*bar.system, state).kinetic, row.kinetic, 2e-8);
    if (std::string(row.name) != "plain") EXPECT_LT((L - L0).norm(), 1e-10 * L0.norm());
  }
}

TEST(ProjectiveLaplacian, RestorationKeepsAngularMomentumToRoundOffAtAnyNumberOfIterations) {
  for (const FreeRotation rotation : {FreeRotation::element, FreeRotation::global})
    for (const std::string kind : {"midpoint", "backward_euler"})
      for (const int iterations : {1, 3, 10}) {
        SCOPED_TRACE(fmt::format("{} iterations, {}", iterations, kind));
        const Bar16 bar(conserving(rotation));
        double change[2];
        for (const bool restored : {false, true}) {
          ProjectiveOptions options;
          options.iterations = iterations;
          options.restore_momentum = restored;
          State state = start_from(*bar.system, bar.system->rest(), bar.spinning_v());
          const Vec3 L0 = bar.angular_momentum(state.q, state.v);
          const auto stepper = projective(kind, options);
          take_steps(*bar.system, *stepper, state, 2 * Bar16::h, 30);
          change[restored ? 1 : 0] = (bar.angular_momentum(state.q, state.v) - L0).norm() / L0.norm();
        }
        EXPECT_GT(change[0], 100 * change[1]);
        EXPECT_LT(change[1], 1e-12);
      }
}

// Far from the origin L q is a difference of large numbers, and what round-off adds to the momentum has a long lever.
TEST(ProjectiveLaplacian, RestorationKeepsLinearMomentumBetterThanIterationsDo) {
  const Bar16 bar(conserving(FreeRotation::element));
  double change[2];
  for (const bool restored : {false, true}) {
    ProjectiveOptions options;
    options.restore_momentum = restored;
    Vector q = bar.system->rest();
    for (int i = 0; i < q.size(); i += 3) q.segment<3>(i) += Vec3(1e3, -2e3, 0);
    State state = start_from(*bar.system, q, bar.spinning_v());
    const Vec3 P0 = bar.system->inertia().momentum(state.q, state.v).linear;
    take_steps(*bar.system, *projective("midpoint", options), state, Bar16::h, 100);
    change[restored ? 1 : 0] = (bar.system->inertia().momentum(state.q, state.v).linear - P0).norm();
  }
  EXPECT_GT(change[0], 20 * change[1]);
  EXPECT_LT(change[1], 1e-12);
}

TEST(ProjectiveLaplacian, RestorationLeavesWhatDampingBrakes) {
  const Bar16 bar(plain());
  Vec3 end[2];
  for (const bool restored : {false, true}) {
    ProjectiveOptions options = converged(1e-13);
    if (restored) options.iterations = 4, options.restore_momentum = true;
    State state = start_from(*bar.system, bar.system->rest(), bar.spinning_v());
    take_steps(*bar.system, *projective("midpoint", options), state, Bar16::h, 50);
    end[restored ? 1 : 0] = bar.angular_momentum(state.q, state.v);
  }
  ASSERT_LT(end[0].norm(), 4);  // of 7.09
  EXPECT_LT((end[1] - end[0]).norm(), 0.02 * end[0].norm());
}

TEST(ProjectiveLaplacian, TenIterationsFollowTheRotationOfTheBodyWithinTheStep) {
  // In a frame of ten iterations the rate of rotation is renewed, since it changes with the velocities that are sought.
  for (const FreeRotation rotation : {FreeRotation::element, FreeRotation::global}) {
    const Bar16 bar(conserving(rotation, 10 * Bar16::beta));
    Vector end[2];
    for (const int iterations : {0, 10}) {
      ProjectiveOptions options = converged(1e-12);
      options.iterations = iterations;
      State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
      take_steps(*bar.system, *projective("midpoint", options), state, Bar16::h, 5);
      end[iterations == 0 ? 0 : 1] = state.v;
    }
    EXPECT_LT((end[1] - end[0]).norm(), 2e-2 * end[0].norm());
  }
}

TEST(ProjectiveLaplacian, AcceleratedStepsDoNotRememberTheStepBefore) {
  // Motion that dies away: the first change of a step may well be smaller than the last one of the step before.
  const Bar16 bar(plain(0, 10 * Bar16::beta));
  for (const int iterations : {1, 2}) {
    ProjectiveOptions options;
    options.iterations = iterations;
    options.acceleration = Acceleration::anderson;
    State whole = start_from(*bar.system, bar.noisy_q(), bar.noisy_v()), resumed = whole;
    take_steps(*bar.system, *projective("midpoint", options), whole, Bar16::h, 10);
    for (int i = 0; i < 10; ++i) take_steps(*bar.system, *projective("midpoint", options), resumed, Bar16::h, 1);
    EXPECT_EQ(whole.hash(), resumed.hash()) << iterations;
  }
}

TEST(ProjectiveLaplacian, IterationsEndAtRoundOffWhateverIsAskedFor) {
  const Bar16 bar(plain());
  State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
  Workspace workspace = bar.system->make_workspace();
  const auto stepper = projective("midpoint", converged(1e-19));
  const StepReport report = stepper->step(*bar.system, state, workspace, Bar16::h);
  EXPECT_LT(report.newton_iterations, 1000);
  EXPECT_LT(report.residual, 1e-14);
}

TEST(ProjectiveLaplacian, IsOfTheOrderOfItsIntegratorDampingIncluded) {
  const Bar16 bar(plain(0.1));
  // A smooth start: bent gently, so that every step resolves the motion.
  Vector q = bar.system->rest(), v = Vector::Zero(q.size());
  for (int i = 0; i < q.size(); i += 3) q[i + 1] += 0.02 * q[i] * q[i], v[i + 2] = 0.1 * q[i];
  const double end = 0.04;
  const auto run = [&](const std::string& kind, int steps) {
    State state = start_from(*bar.system, q, v);
    take_steps(*bar.system, *projective(kind, converged(1e-12)), state, end / steps, steps);
    return state.q;
  };
  const Vector exact = run("midpoint", 512);
  const std::pair<std::string, double> orders[] = {{"backward_euler", 1}, {"midpoint", 2}, {"bdf2", 2}};
  for (const auto& [kind, order] : orders) {
    const double coarse = (run(kind, 32) - exact).norm(), fine = (run(kind, 64) - exact).norm();
    ASSERT_GT(fine, 1e-9);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << kind;
  }
}

TEST(ProjectiveLaplacian, FollowsALiveChangeOfTheCoefficient) {
  const Bar16 bar([&](const Bar16::Parts& parts) {
    return std::make_unique<LaplacianDamping>("body", parts.laplacian_parts(0.1, Bar16::beta));
  });
  State by_newton = start_from(*bar.system, bar.noisy_q(), bar.noisy_v()), by_projection = by_newton;
  const auto reference = newton("midpoint"), tried = projective("midpoint", converged(1e-12));
  Vector before;
  for (const double factor : {1.0, 5.0, 0.2}) {
    std::vector<double> values;
    bar.system->parameters().set("body/laplacian/alpha", 0.1 * factor, values);
    bar.system->parameters().set("body/laplacian/beta", Bar16::beta * factor, values);
    const std::shared_ptr<const System> system = bar.system->with(values);
    take_steps(*system, *reference, by_newton, Bar16::h, 3);
    take_steps(*system, *tried, by_projection, Bar16::h, 3);
    EXPECT_LT((by_newton.q - by_projection.q).norm(), 1e-8 * by_newton.q.norm()) << factor;
  }
}

TEST(ProjectiveLaplacian, SinglePrecisionAgreesWithDouble) {
  const Bar16 bar(plain());
  Vector end[2];
  for (const bool single : {false, true}) {
    ProjectiveOptions options;
    options.precision = single ? ProjectionPrecision::single_precision : ProjectionPrecision::double_precision;
    State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
    take_steps(*bar.system, *projective("midpoint", options), state, Bar16::h, 20);
    end[single ? 1 : 0] = state.q;
  }
  EXPECT_GT((end[0] - end[1]).norm(), 0);
  EXPECT_LT((end[0] - end[1]).norm(), 1e-5 * end[0].norm());
}

TEST(ProjectiveLaplacian, ExamplesOverItAreNewtonsSolutionOnTheScalarFactor) {
  const Bar16 bar([](const Bar16::Parts& parts) {
    auto base = std::make_unique<LaplacianDamping>("body", parts.laplacian_parts(0.1, Bar16::beta));
    Vector shape = Vector::Zero(parts.rest.size());
    for (int i = 0; i < shape.size(); i += 3) shape[i + 1] = parts.rest[i] * parts.rest[i];
    const math::GainCurve gain =
        math::GainCurve::through({{0, 0.5}, {0.05, 20}, {5, 20}}, math::GainCurve::Kind::monotone);
    ExampleBasedOptions options;
    options.input = GainInput::displacement;
    const ViscousOperator* C = base.get();
    const int nodes = static_cast<int>(shape.size()) / 3;
    return std::make_unique<ExampleBased>("body", std::move(base), C, *parts.mass, parts.rest, 0, nodes,
                                          std::vector<DampingExample>{{"bend", shape, gain}}, options);
  });
  State by_newton = start_from(*bar.system, bar.noisy_q(), bar.noisy_v()), by_projection = by_newton;
  take_steps(*bar.system, *newton("midpoint"), by_newton, Bar16::h, 5);
  take_steps(*bar.system, *projective("midpoint", converged(1e-12)), by_projection, Bar16::h, 5);
  EXPECT_LT((by_newton.q - by_projection.q).norm(), 1e-8 * by_newton.q.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_projective_laplacian
