// The longest step of explicit steppers with velocity filters, against the closed form and against runs.

#include <cmath>
#include <functional>

#include "dashpot/dissipation/cluster_damping.hpp"
#include "dashpot/dissipation/ether_drag.hpp"
#include "dashpot/dissipation/pbd_damping.hpp"
#include "dashpot/dissipation/spring_damping.hpp"
#include "dashpot/integrate/filtered_limit.hpp"
#include "dashpot/math/largest_eigenvalue.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"
#include "stepper_cases.hpp"
#include "support/bar16.hpp"

namespace dashpot::testing::test_filtered_limit {
namespace {

/// Any function of (dt, v).
class AnyFilter final : public VelocityFilter {
 public:
  explicit AnyFilter(std::function<void(double, Vector&)> filter) : filter_(std::move(filter)) {}
  const std::string& body() const override { return name_; }
  std::string model() const override { return "any"; }
  DissipationTraits traits() const override { return {}; }
  void apply(const Vector&, double dt, Vector& v) const override { filter_(dt, v); }

 private:
  std::function<void(double, Vector&)> filter_;
  std::string name_ = "body";
};

std::shared_ptr<const System> oscillator_with(double omega, std::function<void(double, Vector&)> filter) {
  const Matrix one = Matrix::Ones(1, 1);
  return linear_system(one, Matrix::Zero(1, 1), omega * omega * one, nullptr,
                       std::make_unique<AnyFilter>(std::move(filter)));
}

FilteredLimit limit_of(const System& system, const State& state, double undamped_dt) {
  BlockMatrix K(system.pattern());
  EnergyRequest request{state.q};
  request.hessian = &K;
  for (const auto& energy : system.energies()) energy->evaluate(request);
  return filtered_limit(system, state, K, undamped_dt);
}

/// Whether n steps of h leave the total energy below `factor` times that at the start.
bool is_stable(const System& system, const char* stepper_name, State state, double h, int n, double factor) {
  const auto stepper = stepper_named(stepper_name);
  Workspace workspace = system.make_workspace();
  const double start = energies(system, state).total();
  for (int i = 0; i < n; ++i) {
    const StepReport report = stepper->step(system, state, workspace, h);
    if (report.status == StepStatus::failed || report.end.total() > factor * start) return false;
  }
  return true;
}

TEST(FilteredLimit, OneOscillatorIsStableExactlyBelowTheClosedForm) {
  const double omega = 7;
  for (const double gamma : {0.0, 0.1, 0.5, 0.9, 0.99}) {
    SCOPED_TRACE(gamma);
    const auto system = oscillator_with(omega, [gamma](double, Vector& v) { v *= 1 - gamma; });
    const double exact = std::sqrt(2 * (2 - gamma) / (1 - gamma)) / omega;
    const FilteredLimit limit = limit_of(*system, system->initial_state(), 2 / omega);
    EXPECT_EQ(limit.kind, FilteredLimit::Kind::modes);
    EXPECT_NEAR(limit.dt, exact, 1e-8 * exact);
    for (const char* stepper : {"SymplEuler", "Leapfrog"}) {
      SCOPED_TRACE(stepper);
      const State state = start_at(*system, vec({1}), vec({0.3}));
      EXPECT_TRUE(is_stable(*system, stepper, state, 0.9995 * exact, 20000, 1e4));
      EXPECT_FALSE(is_stable(*system, stepper, state, 1.0005 * exact, 20000, 1e4));
    }
  }
}

TEST(FilteredLimit, OfARateIsTheFirstStepThatBreaks) {
  const double omega = 7, rate = 2;
  const auto system = oscillator_with(omega, [rate](double dt, Vector& v) { v *= std::exp(-rate * dt); });
  const double h = limit_of(*system, system->initial_state(), 2 / omega).dt;
  EXPECT_NEAR(h * h * omega * omega / (std::exp(rate * h) + 1), 2, 0.01);
  EXPECT_GT(h, 1.2 * 2 / omega);
  const State state = start_at(*system, vec({1}), vec({0}));
  EXPECT_TRUE(is_stable(*system, "SymplEuler", state, 0.995 * h, 5000, 1e4));
  EXPECT_FALSE(is_stable(*system, "SymplEuler", state, 1.005 * h, 5000, 1e4));
  // With h^2 omega^2 < 2 (e^(r h) + 1) for all h no step is too long.
  const auto strong = oscillator_with(omega, [](double dt, Vector& v) { v *= std::exp(-40 * dt); });
  EXPECT_TRUE(std::isinf(limit_of(*strong, strong->initial_state(), 2 / omega).dt));
}

TEST(FilteredLimit, AFilterThatReversesMotionsIsUnstableAtOnce) {
  const double omega = 7, c = 20;  // v <- (1 - c h) v reverses when h > 0.05
  const auto system = oscillator_with(omega, [c](double dt, Vector& v) { v *= 1 - c * dt; });
  const FilteredLimit limit = limit_of(*system, system->initial_state(), 2 / omega);
  EXPECT_EQ(limit.kind, FilteredLimit::Kind::overshoot);
  EXPECT_NEAR(limit.dt, 0.05, 1e-4);
  const State state = start_at(*system, vec({1}), vec({0}));
  for (const char* stepper : {"SymplEuler", "Leapfrog"}) {
    EXPECT_TRUE(is_stable(*system, stepper, state, 0.049, 5000, 100)) << stepper;
    EXPECT_FALSE(is_stable(*system, stepper, state, 0.052, 5000, 100)) << stepper;
  }
}

TEST(FilteredLimit, FiltersThatAreNotLinearOrNotSelfAdjointGiveTheUndampedLimit) {
  const auto quadratic = oscillator_with(7, [](double, Vector& v) { v *= 1 / (1 + v.norm()); });
  EXPECT_EQ(limit_of(*quadratic, quadratic->initial_state(), 0.2).kind, FilteredLimit::Kind::not_linear);
  EXPECT_EQ(limit_of(*quadratic, quadratic->initial_state(), 0.2).dt, 0.2);
  const Matrix one = Matrix::Identity(2, 2);
  const auto turning = linear_system(one, 0 * one, one, nullptr, std::make_unique<AnyFilter>([](double, Vector& v) {
                                       v = 0.9 * vec({0.8 * v[0] - 0.6 * v[1], 0.6 * v[0] + 0.8 * v[1]});
                                     }));
  EXPECT_EQ(limit_of(*turning, turning->initial_state(), 2).kind, FilteredLimit::Kind::not_linear);
  const auto capped = oscillator_with(7, [](double dt, Vector& v) { v *= dt < 0.1 ? 0.99 : 1 / (1 + v.norm()); });
  EXPECT_EQ(limit_of(*capped, capped->initial_state(), 2.0 / 7).kind, FilteredLimit::Kind::not_linear);
  const auto growing = oscillator_with(7, [](double, Vector& v) { v *= 1.01; });
  EXPECT_EQ(limit_of(*growing, growing->initial_state(), 0.2).kind, FilteredLimit::Kind::not_linear);
}

/// Longest stable step of symplectic Euler from a small disturbance, by bisection between two steps.
double longest_by_runs(const System& system, double low, double high) {
  Vector v = Vector::Zero(system.num_dofs());
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = 1e-6 * std::sin(3.0 * static_cast<double>(i * i));
  const State state = start_at(system, system.rest(), v);
  while (high - low > 2e-3 * high) {
    const double middle = 0.5 * (low + high);
    (is_stable(system, "SymplEuler", state, middle, 6000, 10) ? low : high) = middle;
  }
  return low;
}

TEST(FilteredLimit, OfATetBarIsWhereRunsBreak) {
  const EdgeGraph::Edges edges = unique_edges(make_bar(Vec3(3, 1, 1), {3, 1, 1}));
  const auto springs = [&](const Bar16::Parts& parts, double gamma) {
    Vector m = Vector::Zero(16);
    parts.mass->add_nodal_mass(m);
    return std::make_unique<SpringDamping>(SpringDamping::with_gamma_per_step(
        "bar", EdgeGraph(edges, std::vector<double>(m.begin(), m.end())), 0, gamma, {true, 2}));
  };
  const std::vector<Bar16::Filter> filters = {
      [](const Bar16::Parts& parts) {
        return std::make_unique<PbdDamping>("bar", PbdDamping::Masses{parts.mass}, 0, 16, FilterGain::per_step(0.5));
      },
      [](const Bar16::Parts& parts) {
        Vector m = Vector::Zero(16);
        parts.mass->add_nodal_mass(m);
        const Clusters tets = element_clusters(16, make_bar(Vec3(3, 1, 1), {3, 1, 1}).tets()->nodes, 4);
        return std::make_unique<ClusterDamping>("bar", 0, std::vector<double>(m.begin(), m.end()), tets,
                                                TorqueElimination::rigid, FilterGain::per_step(0.8),
                                                std::vector<Edge>{}, 3);
      },
      [](const Bar16::Parts&) { return std::make_unique<EtherDrag>("bar", 0, 16, FilterGain::rate(8)); },
      [&](const Bar16::Parts& parts) { return springs(parts, 0.9); }};
  for (std::size_t k = 0; k < filters.size(); ++k) {
    SCOPED_TRACE(k);
    Bar16::Options options;
    options.filter = filters[k];
    const Bar16 bar(options);
    const System& system = *bar.system;
    BlockMatrix K(system.pattern());
    EnergyRequest request{system.rest()};
    request.hessian = &K;
    for (const auto& energy : system.energies()) energy->evaluate(request);
    const double lambda = math::largest_eigenvalue(
                              math::lanczos_start(48), [&](const Vector& x, Vector& f) { K.multiply(x, f); },
                              [&](const Vector& p, Vector& x) {
                                for (int i = 0; i < 48; ++i) x[i] = p[i] / bar.nodal_mass[i / 3];
                              },
                              {.tolerance = 1e-9, .max_steps = 200})
                              .value;
    const double undamped = 2 / std::sqrt(lambda);
    const FilteredLimit limit = filtered_limit(system, system.initial_state(), K, undamped);
    EXPECT_EQ(limit.kind, FilteredLimit::Kind::modes);
    EXPECT_GT(limit.dt, 1.02 * undamped);
    // All motions that deform are damped alike.
    if (k == 0) EXPECT_NEAR(limit.dt, undamped * std::sqrt(1.5), 1e-3 * undamped);
    const double by_runs = longest_by_runs(system, 0.5 * undamped, 3 * undamped);
    EXPECT_NEAR(limit.dt, by_runs, 0.01 * by_runs);
  }
}

TEST(FilteredLimit, MotionsThatAreTakenOutAltogetherSetNoLimit) {
  Bar16::Options options;
  options.filter = [](const Bar16::Parts& parts) {
    return std::make_unique<PbdDamping>("bar", PbdDamping::Masses{parts.mass}, 0, 16, FilterGain::per_step(1));
  };
  const Bar16 bar(options);
  EXPECT_TRUE(std::isinf(limit_of(*bar.system, bar.system->initial_state(), 0.01).dt));
}

}  // namespace
}  // namespace dashpot::testing::test_filtered_limit
