// Every track in assets/ can be played: it reads, moves smoothly, and not faster than creatures do.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "dashpot/constraint/skeleton.hpp"
#include "support/motion_laws.hpp"
#include "support/source_folder.hpp"

namespace dashpot::test_shipped_tracks {
namespace {

TEST(ShippedTracks, MoveSmoothlyAtTheSpeedOfACreature) {
  int played = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/assets/tracks")) {
    SCOPED_TRACE(entry.path().string());
    const auto skeleton = std::make_shared<const Skeleton>(Skeleton::read(entry.path().string()));
    std::vector<Vec3> bones;
    for (const Joint& joint : skeleton->joints()) bones.push_back(joint.bones.back()[1]);
    double size = 0;
    for (const Vec3& a : bones)
      for (const Vec3& b : bones) size = std::max(size, (a - b).norm());
    const SkinnedPoints skin(skeleton, bones, {}, skin_weights(*skeleton, bones, 0.1 * size));
    double fastest = 0;
    std::vector<Vec3> v;
    for (int i = 0; i < 60; ++i) {
      skin.evaluate(i / 20.0, nullptr, &v, nullptr);
      for (const Vec3& velocity : v) fastest = std::max(fastest, velocity.norm());
    }
    if (fastest == 0) continue;  // joints alone, shared by tracks
    ++played;
    testing::expect_exact_derivatives(skin, 0.52, 1e-3);
    EXPECT_LT(fastest, 4 * size) << "body sizes a second";
    EXPECT_GT(fastest, 0.2 * size);
  }
  EXPECT_GE(played, 3);
}

}  // namespace
}  // namespace dashpot::test_shipped_tracks
