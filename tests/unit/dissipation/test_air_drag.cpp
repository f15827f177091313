#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/air_drag.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/derivative_slope.hpp"
#include "support/rolled_cloth.hpp"

namespace dashpot::testing::test_air_drag {
namespace {

/// One triangle of 2 m x 3 m in the plane z = 0.
struct Sail {
  std::shared_ptr<TriangleBatch> triangle =
      std::make_shared<TriangleBatch>(std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}}, std::vector<int>{0, 1, 2}, 0);
  Vector q = (Vector(9) << 0, 0, 0, 2, 0, 0, 0, 3, 0).finished();

  Vec3 force(const AirDragOptions& options, const Vec3& velocity, double* power = nullptr, double* driven = nullptr,
             double time = 0) const {
    const AirDrag drag("sail", triangle, options);
    Vector v(9), f = Vector::Zero(9), none;
    v << velocity, velocity, velocity;
    DissipationRequest request{q, v, none, 0.01, nullptr};
    request.force = &f;
    request.driven_power = driven;
    request.time = time;
    const double found = drag.evaluate(request);
    if (power != nullptr) *power = found;
    return f.segment<3>(0) + f.segment<3>(3) + f.segment<3>(6);
  }
};

TEST(AirDrag, PressesAcrossAndRubsAlong) {
  const Sail sail;
  const AirDragOptions air{1.2, 1.1, 0.05};
  const double half = 0.5 * 1.2 * 3;  // area 3 m^2
  EXPECT_LT((sail.force(air, {0, 0, 4}) - Vec3(0, 0, half * 1.1 * 16)).norm(), 1e-12);
  EXPECT_LT((sail.force(air, {0, 0, -4}) + Vec3(0, 0, half * 1.1 * 16)).norm(), 1e-12);
  EXPECT_LT((sail.force(air, {3, 0, 0}) - Vec3(half * 0.05 * 9, 0, 0)).norm(), 1e-12);
  const Vec3 both = sail.force(air, {3, 4, -2});
  EXPECT_LT((both - Vec3(half * 0.05 * 5 * 3, half * 0.05 * 5 * 4, -half * 1.1 * 4)).norm(), 1e-12);
}

TEST(AirDrag, WindPushesAndItsWorkIsExternal) {
  const Sail sail;
  AirDragOptions air{1.2, 1, 0.1, Vec3(0, 0, 5)};
  EXPECT_EQ(sail.force(air, {0, 0, 5}).norm(), 0) << "going along with the wind";
  double power = 0, driven = 0;
  const Vec3 pushed = sail.force(air, {0, 0, 1}, &power, &driven);  // the force stands on the left-hand side
  EXPECT_NEAR(pushed.z(), -0.5 * 1.2 * 3 * 16, 1e-12);
  EXPECT_NEAR(power, pushed.z() * 1, 1e-12);
  EXPECT_NEAR(driven, pushed.z() * 5, 1e-12);
  EXPECT_GT(power - driven, 0) << "what is lost";
  air.gust = 0.5;
  air.period = 4;
  EXPECT_NEAR(sail.force(air, {0, 0, 0}, nullptr, nullptr, 1).z(), -0.5 * 1.2 * 3 * 7.5 * 7.5, 1e-9) << "in the gust";
}

TEST(AirDrag, TangentIsTheSlopeOfTheForceInVelocities) {
  const RolledCloth cloth;
  const auto surface = std::make_shared<TriangleBatch>(cloth.X(), cloth.triangles(), RolledCloth::first_block);
  AirDrag drag("cloth", surface, {1.2, 1, 0.3, Vec3(1, -2, 0.5)});
  RolledCloth bound = cloth;
  bound.bind(drag);
  const auto force = [&](const Vector& v) {
    Vector f = Vector::Zero(v.size());
    const Vector none;
    DissipationRequest request{cloth.q, v, none, 0.01, nullptr};
    request.force = &f;
    drag.evaluate(request);
    return f;
  };
  BlockMatrix C(bound.pattern);
  const Vector none, d = cloth.direction();
  DissipationRequest request{cloth.q, cloth.v, none, 0.01, nullptr};
  request.tangent = &C;
  request.dv_scale = 1;
  drag.evaluate(request);
  EXPECT_TRUE(derivative_slope(force, cloth.v, d, C.dense() * d).ok());
}

TEST(AirDrag, AFlatSheetFallsAtItsTerminalSpeedAndTheLedgerCloses) {
  // 0.2 kg/m^2 in air of 1.2 kg/m^3: sqrt(2 * 0.2 * 9.81 / 1.2) = 1.8083 m/s.
  const CompiledScene scene = compile(parse_scene(R"({
    "dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "5 ms", "end": "2 s", "stepper": "midpoint"},
    "bodies": [{"name": "sheet", "mesh": {"cloth": {"size": [0.5, 0.5], "cells": [4, 4]}},
      "material": {"model": "cloth", "young": "1 MPa", "thickness": "1 mm", "density": 200, "mass": "lumped"},
      "damping": [{"model": "air_drag", "tangential": 0}]}]})"));
  const RunResult result = simulate(scene, {});
  ASSERT_EQ(result.status, RunStatus::finished) << result.explanation;
  const double mass = 0.05, speed = std::sqrt(2 * result.final_value("kinetic") / mass);
  EXPECT_NEAR(speed, std::sqrt(2 * 0.2 * 9.81 / 1.2), 0.01);
}

TEST(AirDrag, RefusesNonsense) {
  const Sail sail;
  EXPECT_THROW(AirDrag("sail", sail.triangle, {-1}), Error);
  EXPECT_THROW(AirDrag("sail", sail.triangle, {1.2, std::nan("")}), Error);
  EXPECT_THROW(AirDrag("sail", sail.triangle, {1.2, 1, 0, Vec3::Zero(), 0.5, 0}), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_air_drag
