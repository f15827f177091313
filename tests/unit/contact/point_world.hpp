#pragma once
// Mass points that fall on colliders: the smallest world in which contact can be known exactly.

#include <functional>
#include <memory>
#include <numeric>

#include "dashpot/contact/collider_friction.hpp"
#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/contact/collider_step_limit.hpp"
#include "dashpot/energy/gravity.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/record/ledger.hpp"

namespace dashpot::testing {

struct PointWorld {
  std::vector<Vec3> points{Vec3::Zero()};
  double mass = 2;  ///< of each [kg]
  Vec3 gravity = Vec3(0, -9.81, 0);
  std::shared_ptr<const Collider> collider =
      std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()));
  double stiffness = 2e5, onset = 1e-5, thickness = 0;
  double friction = 0, slip_speed = 1e-3, damping = 0;
  bool step_limit = false;
  std::function<std::unique_ptr<VelocityFilter>()> filter;  ///< none unless given
  std::function<std::unique_ptr<Constraint>()> constraint;

  std::shared_ptr<const ColliderPair> pair() const {
    auto pair = std::make_shared<ColliderPair>();
    pair->name = "floor";
    pair->collider = collider;
    pair->thickness = thickness;
    pair->kinematics = std::make_shared<NodalKinematics>(static_cast<int>(points.size()));
    pair->points.resize(points.size());
    std::iota(pair->points.begin(), pair->points.end(), 0);
    pair->stiffness.assign(points.size(), stiffness);
    pair->onset.assign(points.size(), onset);
    return pair;
  }

  std::shared_ptr<const System> build() const {
    Vector rest(3 * static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) rest.segment<3>(3 * static_cast<Eigen::Index>(i)) = points[i];
    SystemBuilder builder(3, rest);
    const std::vector<double> masses(points.size(), mass);
    builder.set_inertia(std::make_unique<NodalInertia>(
        std::vector<std::shared_ptr<ElementMass>>{std::make_shared<ElementMass>(1, pair()->points, masses, true)}));
    builder.set_kinematics(std::make_unique<NodalKinematics>(static_cast<int>(points.size())));
    if (!gravity.isZero(0)) builder.add(std::make_unique<Gravity>("points", masses, points, 0, gravity));
    auto energy = std::make_unique<ColliderContact>(pair());
    const ColliderContact* contact = energy.get();
    builder.add(std::move(energy));
    if (friction > 0) builder.add(std::make_unique<ColliderFriction>(pair(), friction, slip_speed, contact));
    if (step_limit) builder.add(std::make_unique<ColliderStepLimit>(pair()));
    if (damping > 0) builder.add(std::make_unique<ColliderDamping>(pair(), damping, contact));
    if (filter) builder.add(filter());
    if (constraint) builder.add(constraint());
    return builder.build();
  }
};

/// A System on its way, with its ledger.
struct Play {
  std::shared_ptr<const System> system;
  State state;
  Workspace workspace;
  std::unique_ptr<Stepper> stepper;
  std::unique_ptr<EnergyLedger> ledger;

  Play(std::shared_ptr<const System> world, const std::string& kind, const Vec3& velocity = Vec3::Zero())
      : system(std::move(world)), state(system->initial_state()), workspace(system->make_workspace()) {
    stepper = make_stepper(kind, NewtonOptions{}, LinearSolverOptions{});
    for (Eigen::Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) = velocity;
    start();
  }
  /// To be called again after a change of state by hand.
  void start() {
    make_consistent(*system, state, workspace);
    ledger = std::make_unique<EnergyLedger>(*system, state);
  }
  StepReport step(double dt) {
    StepReport report = advance(*stepper, *system, state, workspace, dt);
    if (report.status != StepStatus::failed) ledger->book(*system, state, report);
    return report;
  }
  double column(const std::string& name) const {
    const std::vector<std::string>& names = ledger->columns();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return ledger->row()[i];
    return std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace dashpot::testing
