// A mass on a spring and a dashpot whose other ends are moved as given: what the given motion puts in is external work,
// and the dashpot loses only what it does against the relative speed.

#include <cmath>

#include "dashpot/model/nodal_inertia.hpp"
#include "stepper_cases.hpp"

namespace dashpot::testing::test_driven_forces {
namespace {

constexpr double stiffness = 90, viscosity = 0.8, end_time = 1;  // [N/m], [N s/m], [s]
const std::string contact_name = "contact";

double anchor(double t) { return 0.05 * std::sin(7 * t) * std::sin(7 * t); }
double anchor_speed(double t) { return 0.35 * std::sin(14 * t); }

void add_to_diagonal(BlockMatrix& matrix, double value) { matrix.block(matrix.pattern().diagonal_slot(0))[0] += value; }

struct DrivenSpring final : EnergyTerm {
  EnergyKind kind() const override { return EnergyKind::contact; }
  const std::string& body() const override { return contact_name; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override {
    const double stretch = request.q[0] - anchor(request.time);
    if (request.gradient) (*request.gradient)[0] += stiffness * stretch;
    if (request.hessian) add_to_diagonal(*request.hessian, request.hessian_scale * stiffness);
    return 0.5 * stiffness * stretch * stretch;
  }
  double driven_power(const Vector& q, double time, TermScratch*) const override {
    return -stiffness * (q[0] - anchor(time)) * anchor_speed(time);
  }
};

struct DrivenDashpot final : DissipationTerm {
  const std::string& body() const override { return contact_name; }
  std::string model() const override { return "friction"; }
  DissipationTraits traits() const override { return {}; }
  LossKind kind() const override { return LossKind::impact; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const DissipationRequest& request) const override {
    const double force = viscosity * (request.v[0] - anchor_speed(request.time));
    if (request.force) (*request.force)[0] += force;
    if (request.tangent) add_to_diagonal(*request.tangent, request.dv_scale * viscosity);
    if (request.driven_power) *request.driven_power += force * anchor_speed(request.time);
    return force * request.v[0];
  }
};

std::shared_ptr<const System> driven_mass() {
  SystemBuilder builder(3, Vector::Zero(3));
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{
      std::make_shared<ElementMass>(1, std::vector<int>{0}, std::vector<double>{1.0}, true)}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(1));
  builder.add(std::make_unique<DrivenSpring>());
  builder.add(std::make_unique<DrivenDashpot>());
  return builder.build();
}

struct Works {
  double external = 0, lost = 0, gained = 0;
};

/// Classical Runge-Kutta on (x, v, work put in, loss).
Works reference() {
  using Row = Eigen::Vector4d;
  const auto rate = [](const Row& y, double t) {
    const double stretch = y[0] - anchor(t), slip = y[1] - anchor_speed(t);
    const double force = stiffness * stretch + viscosity * slip;
    return Row(y[1], -force, -force * anchor_speed(t), viscosity * slip * slip);
  };
  Row y = Row::Zero();
  const int steps = 4000;
  const double h = end_time / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Row k1 = rate(y, t), k2 = rate(y + 0.5 * h * k1, t + 0.5 * h), k3 = rate(y + 0.5 * h * k2, t + 0.5 * h),
              k4 = rate(y + h * k3, t + h);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const double stretch = y[0] - anchor(end_time);
  return {y[2], y[3], 0.5 * y[1] * y[1] + 0.5 * stiffness * stretch * stretch};
}

Works drive(const System& system, const std::string& name, int steps) {
  State state = start_at(system, Vector::Zero(3), Vector::Zero(3));
  const auto stepper = stepper_named(name);
  Workspace workspace = system.make_workspace();
  Works works;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(system, state, workspace, end_time / steps);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    works.external += report.work.external;
    works.lost += report.work.damping.at(0);
    works.gained = report.end.total();
  }
  return works;
}

TEST(DrivenForces, WorkPutInAndLossConvergeAtTheOrderOfEveryStepper) {
  const Works exact = reference();
  ASSERT_GT(exact.external, 0.01);
  ASSERT_GT(exact.lost, 0.01);
  ASSERT_NEAR(exact.external, exact.lost + exact.gained, 1e-10) << "the reference closes its own balance";
  const auto system = driven_mass();
  for (const auto& [name, options] : stepper_cases()) {
    SCOPED_TRACE(name);
    const bool first_order = name == "BE" || name == "NM(.3025,.6)" || name == "SymplEuler";
    double external[2], lost[2], numerical[2];
    for (int i = 0; i < 2; ++i) {
      const Works run = drive(*system, name, 400 << i);
      external[i] = std::abs(run.external - exact.external);
      lost[i] = std::abs(run.lost - exact.lost);
      numerical[i] = std::abs(run.external - run.lost - run.gained);
    }
    const double order = first_order ? 0.85 : 1.7;
    EXPECT_GT(std::log2(external[0] / external[1]), order);
    EXPECT_GT(std::log2(lost[0] / lost[1]), order);
    EXPECT_LT(external[1], (first_order ? 0.05 : 1e-3) * exact.external);
    EXPECT_LT(lost[1], (first_order ? 0.05 : 1e-3) * exact.lost);
    EXPECT_LT(numerical[1], (first_order ? 0.1 : 1e-3) * exact.external) << "backward Euler damps by itself";
  }
}

}  // namespace
}  // namespace dashpot::testing::test_driven_forces
