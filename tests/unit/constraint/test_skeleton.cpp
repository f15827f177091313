#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/core/error.hpp"
#include "support/motion_laws.hpp"

namespace dashpot::test_skeleton {
namespace {

constexpr double pi = std::numbers::pi;

/// An arm along x: shoulder, elbow, hand; each turns by another kind of track. Children come before their parents.
const char* const arm = R"({
  "dashpot_skeleton": 1,
  "joints": [
    {"name": "hand", "parent": "elbow", "at": [2, 0, 0], "tail": [2.5, 0, 0]},
    {"name": "elbow", "parent": "shoulder", "at": [1, 0, 0]},
    {"name": "shoulder", "at": [0, 0, 0]}
  ],
  "ends": "cyclic",
  "tracks": [
    {"joint": "shoulder", "times": [0, 0.4, 1], "euler": [[0, 0, 0], [30, -20, 90], [0, 0, 0]],
     "translate": [[0, 0, 0], [0.1, 0.5, 0], [1, 0, 0]]},
    {"joint": "elbow", "times": [0, 0.3, 0.8, 1], "vector": [[0, 0, 0], [0, 60, 20], [10, 0, 90], [0, 0, 0]]},
    {"joint": "hand", "times": [0, 0.5, 1],
     "quaternion": [[1, 0, 0, 0], [0.7071067811865476, 0, 0, 0.7071067811865476], [1, 0, 0, 0]]}
  ]
})";

std::shared_ptr<const Skeleton> parse(const std::string& text) {
  return std::make_shared<const Skeleton>(Skeleton::parse(text, "arm.json", ""));
}
const std::vector<Vec3> skin{{0.5, 0.1, 0}, {0.95, 0, 0.1}, {1.05, -0.1, 0}, {2.4, 0, 0.05}};

TEST(Skeleton, SkinHasExactVelocityAndAcceleration) {
  const auto skeleton = parse(arm);
  Placement placement;
  placement.scale = 1.5;
  placement.R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  placement.p = Vec3(0.3, -2, 1);
  std::vector<Vec3> world;
  for (const Vec3& x : skin) world.push_back(placement.to_world(x));
  const SkinnedPoints points(skeleton, world, placement, skin_weights(*skeleton, skin, 0.3));
  for (const double t : {0.05, 0.2, 0.35, 0.6, 0.9, 2.1}) testing::expect_exact_derivatives(points, t, 1e-3);
  std::vector<Vec3> x;
  points.evaluate(0, &x, nullptr, nullptr);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR((x[i] - world[i]).norm(), 0, 1e-13) << "rest pose";
  points.evaluate(3, &x, nullptr, nullptr);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR((x[i] - world[i] - placement.turn(Vec3(3, 0, 0))).norm(), 0, 1e-12) << "three strides on";
}

TEST(Skeleton, QuaternionTracksStayNearTheShortestTurnWhateverTheirAxes) {
  double farthest = 0, longest = 0;
  int number = 0;
  const auto noise = [&] {
    ++number;
    return std::sin(1.7 * number * number + 0.3 * number);
  };
  for (int track = 0; track < 200; ++track) {
    Eigen::Quaterniond key = Eigen::Quaterniond::Identity();
    std::vector<Eigen::Quaterniond> keys{key};
    for (int i = 1; i < 6; ++i) {  // turns of 30 to 100 degrees about any axis: the sum passes whole turns
      const double angle = (65 + 35 * noise()) * pi / 180;
      key = Eigen::AngleAxisd(angle, Vec3(noise(), noise(), noise()).normalized()) * key;
      keys.push_back(i % 2 == 0 ? key : Eigen::Quaterniond(-key.coeffs()));  // the sign must not matter
    }
    std::vector<std::string> values;
    for (const Eigen::Quaterniond& k : keys)
      values.push_back(fmt::format("[{}, {}, {}, {}]", k.w(), k.x(), k.y(), k.z()));
    const auto skeleton = parse(fmt::format(
        R"({{"dashpot_skeleton": 1, "joints": [{{"name": "a", "at": [0, 0, 0]}}], "tracks": [
             {{"joint": "a", "times": [0, 1, 2, 3, 4, 5], "quaternion": [{}]}}]}})",
        fmt::join(values, ", ")));
    for (int i = 0; i < 100; ++i) {
      const std::size_t from = static_cast<std::size_t>(i / 20);
      const Eigen::Quaterniond there(skeleton->poses(0.05 * i)[0].R);
      const Eigen::Quaterniond shortest = keys[from].slerp(0.05 * (i % 20), keys[from + 1]);
      farthest = std::max(farthest, there.angularDistance(shortest));
      longest = std::max(longest, keys[from].angularDistance(keys[from + 1]));
      if (i % 20 == 0) EXPECT_LT(there.angularDistance(keys[from]), 1e-4);
    }
  }
  EXPECT_GT(longest, 95 * pi / 180);
  EXPECT_LT(farthest, 0.5 * longest);
}

TEST(Skeleton, ChildrenFollowTheirParents) {
  const auto skeleton = parse(arm);
  const int hand = skeleton->find("hand"), elbow = skeleton->find("elbow"), shoulder = skeleton->find("shoulder");
  EXPECT_EQ(skeleton->joints()[static_cast<std::size_t>(hand)].parent, elbow);
  const std::vector<RigidPose> poses = skeleton->poses(0.4);
  const Mat3 turn = (Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()) * Eigen::AngleAxisd(-pi / 9, Vec3::UnitY()) *
                     Eigen::AngleAxisd(pi / 6, Vec3::UnitX()))
                        .toRotationMatrix();
  const RigidPose& upper = poses[static_cast<std::size_t>(shoulder)];
  EXPECT_NEAR((upper.R - turn).norm(), 0, 1e-12) << "about x, then y, then z";
  // A joint is where its parent takes it.
  EXPECT_NEAR((poses[static_cast<std::size_t>(elbow)].point(Vec3(1, 0, 0)) - upper.point(Vec3(1, 0, 0))).norm(), 0,
              1e-14);
  EXPECT_GT((upper.point(Vec3(1, 0, 0)) - Vec3(1, 0, 0)).norm(), 0.5);
}

TEST(Skeleton, AJointIsARigidMotionOfThePlacedBody) {
  const auto skeleton = parse(arm);
  Placement placement;
  placement.scale = 0.5;
  placement.R = Eigen::AngleAxisd(1.1, Vec3::UnitY()).toRotationMatrix();
  placement.p = Vec3(1, 2, 3);
  const int hand = skeleton->find("hand");
  const auto motion = std::make_shared<JointMotion>(skeleton, hand, placement, 0.25);
  const Vec3 X(2.2, 0.1, 0);
  const Vec3 expected = placement.to_world(skeleton->poses(0.4)[static_cast<std::size_t>(hand)].point(X));
  EXPECT_NEAR((motion->pose(0.65).point(placement.to_world(X)) - expected).norm(), 0, 1e-13);
  testing::expect_exact_derivatives(CarriedPoints(motion, skin), 0.8, 1e-3);
}

TEST(SkinWeights, AreOneNearABoneAndBlendSmoothlyAcrossAJoint) {
  const auto skeleton = parse(arm);
  const int elbow = skeleton->find("elbow"), shoulder = skeleton->find("shoulder");
  const auto weight_of = [&](const Vec3& x, int joint) {
    double sum = 0, wanted = 0;
    const auto weights = skin_weights(*skeleton, {x}, 0.2);
    for (const auto& influence : weights[0]) {
      sum += influence.weight;
      if (influence.joint == joint) wanted = influence.weight;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    return wanted;
  };
  EXPECT_EQ(weight_of(Vec3(0.5, 0.1, 0), shoulder), 1);
  EXPECT_NEAR(weight_of(Vec3(1, 0.1, 0), shoulder), 0.5, 1e-12) << "in the plane of the joint both have half";
  double last = 1;
  for (int i = 1; i < 60; ++i) {
    const double now = weight_of(Vec3(0.7 + 0.01 * i, 0.1, 0), shoulder);
    EXPECT_LE(now, last);
    EXPECT_LT(last - now, 0.08) << "no jump";
    last = now;
  }
  EXPECT_EQ(last, 0);
  EXPECT_EQ(weight_of(Vec3(1.5, 0, 0), elbow), 1);
}

TEST(SkinWeights, OfTheFileMustFitTheMesh) {
  const std::string text = R"({"dashpot_skeleton": 1, "joints": [
    {"name": "a", "at": [0, 0, 0], "weights": [1, 0.5, 0]},
    {"name": "b", "at": [1, 0, 0], "weights": [0, 1.5, 0]}]})";
  const auto skeleton = parse(text);
  ASSERT_TRUE(skeleton->has_weights());
  const auto influences = given_weights(*skeleton, {0, 1}, 3);
  EXPECT_EQ(influences[0].size(), 1u);
  EXPECT_EQ(influences[1][0].weight, 0.25);
  EXPECT_THROW(given_weights(*skeleton, {2}, 3), Error);
  EXPECT_THROW(given_weights(*skeleton, {0}, 4), Error);
}

std::string refusal(const std::string& text) {
  try {
    Skeleton::parse(text, "bad.json", "/nowhere");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
std::string with_joints(const std::string& joints, const std::string& rest = "") {
  return R"({"dashpot_skeleton": 1, "joints": [)" + joints + "]" + rest + "}";
}

TEST(Skeleton, BrokenFilesAreRefusedByName) {
  const std::string one = R"({"name": "a", "at": [0, 0, 0]})";
  EXPECT_EQ(refusal(with_joints(one)), "");
  const auto mentions = [](const std::string& text, const std::string& what) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  mentions("{", "bad.json");
  mentions("[]", "a list");
  mentions(R"({"joints": []})", "dashpot_skeleton");
  mentions(R"({"dashpot_skeleton": 1})", "neither");
  mentions(with_joints(""), "0 joints");
  mentions(with_joints(R"({"name": "a"})"), "no \"at\"");
  mentions(with_joints(R"({"name": "a", "at": [0, 0]})"), "2 numbers");
  mentions(with_joints(one + "," + one), "a second time");
  mentions(with_joints(R"({"name": "a", "at": [0, 0, 0], "parent": "b"})"), "parent \"b\"");
  mentions(with_joints(R"({"name": "a", "at": [0,0,0], "parent": "b"}, {"name": "b", "at": [0,0,0], "parent": "a"})"),
           "its own ancestor");
  mentions(with_joints(one, R"(, "ends": "loop")"), "loop");
  mentions(with_joints(one, R"(, "tracks": [{"joint": "b", "times": [0], "euler": [[0, 0, 0]]}])"), "no joint \"b\"");
  mentions(with_joints(one, R"(, "tracks": [{"joint": "a", "times": [0, 1], "euler": [[0, 0, 0]]}])"), "for 2 times");
  mentions(with_joints(one, R"(, "tracks": [{"joint": "a", "times": [1, 0], "euler": [[0, 0, 0], [0, 0, 1]]}])"),
           "times that increase");
  mentions(with_joints(one, R"(, "tracks": [{"joint": "a", "times": [0], "quaternion": [[2, 0, 0, 0]]}])"), "length 2");
  mentions(
      with_joints(one, R"(, "tracks": [{"joint": "a", "times": [0], "euler": [[0, 0, 0]], "vector": [[0, 0, 0]]}])"),
      "two tracks");
  mentions(with_joints(one, R"(, "traks": [])"), "traks");
  mentions(R"({"dashpot_skeleton": 1, "skeleton": "missing.json"})", "cannot open");
}

}  // namespace
}  // namespace dashpot::test_skeleton
