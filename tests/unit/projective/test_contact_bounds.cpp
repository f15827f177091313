// Contact whose stiffness grows without more force: what the iterations do where the bounds of the guess are none.
#include <cmath>

#include "dashpot/model/nodal_inertia.hpp"
#include "steps.hpp"

namespace dashpot::testing::test_contact_bounds {
namespace {

/// psi = f sqrt(x^2 + e^2): pushes a node towards x = 0 with |force| < f everywhere, stiffness f / e there and hardly
/// any elsewhere, as a surface pushes a node just behind one of its edges.
class Groove final : public EnergyTerm {
 public:
  static constexpr double force = 1, edge = 1e-6;  ///< [N], [m]

  EnergyKind kind() const override { return EnergyKind::contact; }
  const std::string& body() const override { return body_; }
  void couple(PatternBuilder& pattern) const override {
    const int node = 0;
    pattern.add_group(&node, 1);
  }
  void bind(const BlockPattern& pattern) override { slot_ = pattern.diagonal_slot(0); }
  double evaluate(const EnergyRequest& request) const override {
    const double x = request.q[0], r = std::hypot(x, edge);
    if (request.gradient != nullptr) (*request.gradient)[0] += force * x / r;
    if (request.hessian != nullptr)
      request.hessian->block(slot_)[0] += request.hessian_scale * force * edge * edge / (r * r * r);
    return force * r;
  }

 private:
  std::string body_ = "groove";
  int slot_ = 0;
};

constexpr double mass = 1e-3, h = 1e-2;  // [kg], [s]

std::shared_ptr<const System> node_in_groove() {
  SystemBuilder builder(3, Vector::Zero(3));
  const auto point = std::make_shared<ElementMass>(1, std::vector<int>{0}, std::vector<double>{mass}, true);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{point}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(1));
  builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<Groove>()));
  return builder.build();
}

TEST(ContactBounds, ANodeSettlesWhereContactIsAMillionTimesStifferThanAtTheGuess) {
  for (const Acceleration acceleration : {Acceleration::none, Acceleration::anderson}) {
    const auto system = node_in_groove();
    State state = system->initial_state();
    state.q[0] = 1e-3;
    state.v[2] = 0.2;
    state.v[0] = -0.099;  // free, it would come to x = 10 um
    Workspace workspace = system->make_workspace();
    ProjectiveOptions options = converged(1e-10);
    options.acceleration = acceleration;
    const StepReport report = projective("backward_euler", options)->step(*system, state, workspace, h);
    ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
    EXPECT_LT(report.newton_iterations, 300);
    // m (x - 10 um) / h^2 = -f x / sqrt(x^2 + e^2): in the groove nearly linear.
    const double x = state.q[0], pull = mass / (h * h) * (x - 1e-5);
    EXPECT_NEAR(x, 1e-10, 1e-12);
    EXPECT_NEAR(Groove::force * x / std::hypot(x, Groove::edge), -pull, 1e-8 * -pull);
    EXPECT_NEAR(state.q[2], 0.2 * h, 1e-12) << "along the groove it is free";
  }
}

// What few iterations leave of a contact's balance is no lost momentum: velocities stay those of the positions reached.
TEST(ContactBounds, MomentumRestorationLeavesAContactAlone) {
  const auto system = node_in_groove();
  State end[2];
  for (const bool restored : {false, true}) {
    State state = system->initial_state();
    state.q[0] = 1e-3;
    state.v[0] = -0.099;
    Workspace workspace = system->make_workspace();
    ProjectiveOptions options;
    options.iterations = 1;
    options.restore_momentum = restored;
    const StepReport report = projective("backward_euler", options)->step(*system, state, workspace, h);
    ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
    EXPECT_GT(report.residual, 1e-3) << "one iteration is not enough here";
    end[restored ? 1 : 0] = state;
  }
  EXPECT_EQ(end[1].v, end[0].v);
}

}  // namespace
}  // namespace dashpot::testing::test_contact_bounds
