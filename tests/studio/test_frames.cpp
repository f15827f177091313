// Bytes of frames: what a page reads out of them is what was put in, to half a step of the box.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "studio_frames.hpp"

namespace dashpot::test_studio_frames {

using namespace dashpot::studio;

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    EXPECT_LE(at_ + sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  Vec3 vec3() {
    const float x = take<float>(), y = take<float>(), z = take<float>();
    return {x, y, z};
  }
  void align() { at_ = (at_ + 3) & ~std::size_t{3}; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::vector<Vec3> some_positions(int count) {
  std::vector<Vec3> x;
  for (int i = 0; i < count; ++i) x.emplace_back(0.3 * std::sin(i), 1.5 + 0.2 * std::cos(3.0 * i), 1e-3 * i);
  return x;
}

TEST(StudioFrames, PositionsComeBackToHalfAStepOfTheirBox) {
  const std::vector<Vec3> x = some_positions(101);
  const std::string bytes =
      encode_frame(42, 1.25, {x, {Vec3(1, 2, 3)}}, {Vec3(9, 8, 7)}, ShownSpring{{1, 2, 3}, {4, 5, 6}, 7.5});
  Reader reader(bytes);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0x32465044U);
  EXPECT_EQ(reader.take<std::uint32_t>(), 42U);
  EXPECT_EQ(reader.take<double>(), 1.25);
  ASSERT_EQ(reader.take<std::uint32_t>(), 2U);
  const Vec3 minimum = reader.vec3(), step = reader.vec3();
  ASSERT_EQ(reader.take<std::uint32_t>(), x.size());
  double worst = 0, moved = 0;
  for (const Vec3& expected : x)
    for (int i = 0; i < 3; ++i) {
      const double value = minimum[i] + step[i] * (reader.take<std::int16_t>() + 32768);
      worst = std::max(worst, std::abs(value - expected[i]) / step[i]);
      moved = std::max(moved, std::abs(value - x.front()[i]));
    }
  EXPECT_GT(moved, 0.1);  // the body has an extent
  EXPECT_LT(worst, 0.52);
  reader.align();
  EXPECT_EQ(reader.vec3(), Vec3(1, 2, 3));
  reader.vec3();
  ASSERT_EQ(reader.take<std::uint32_t>(), 1U);
  for (int i = 0; i < 3; ++i) reader.take<std::int16_t>();
  reader.align();
  EXPECT_EQ(reader.vec3(), Vec3(9, 8, 7));  // the colliders, once for all views
  reader.vec3();
  ASSERT_EQ(reader.take<std::uint32_t>(), 1U);
  for (int i = 0; i < 3; ++i) reader.take<std::int16_t>();
  reader.align();
  EXPECT_EQ(reader.take<std::uint32_t>(), 1U);
  EXPECT_EQ(reader.vec3(), Vec3(1, 2, 3));
  EXPECT_EQ(reader.vec3(), Vec3(4, 5, 6));
  EXPECT_EQ(reader.take<float>(), 7.5F);
  EXPECT_TRUE(reader.at_end());
}

TEST(StudioFrames, AFrameOfAThousandVerticesTakesSixBytesForEach) {
  const std::string bytes = encode_frame(1, 0, {some_positions(1000)}, {}, std::nullopt);
  EXPECT_EQ(bytes.size(), 4U + 4 + 8 + 4 + (12 + 12 + 4 + 6000) + (12 + 12 + 4) + 4 + 12 + 12 + 4);
}

TEST(StudioFrames, PositionsThatAreNotFiniteDoNotSpoilTheOthers) {
  std::vector<Vec3> x = some_positions(10);
  const Vec3 kept = x[3];
  x[5] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  x[6] = Vec3(std::numeric_limits<double>::infinity(), 0, 0);
  const std::string bytes = encode_frame(1, 0, {x}, {}, std::nullopt);
  Reader reader(bytes);
  for (int i = 0; i < 5; ++i) reader.take<std::uint32_t>();
  const Vec3 minimum = reader.vec3(), step = reader.vec3();
  ASSERT_TRUE(minimum.allFinite() && step.allFinite());
  reader.take<std::uint32_t>();
  for (int i = 0; i < 9; ++i) reader.take<std::int16_t>();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(minimum[i] + step[i] * (reader.take<std::int16_t>() + 32768), kept[i], 0.52 * step[i]);
}

TEST(StudioFrames, ATopologyTellsPointsColorsTrianglesLinesAndColliders) {
  const std::string bytes = encode_topology(
      {{{7, 0, {1, 2, 3}}, {8, 1, {4, 5, 6}}, {9, 1, {7, 8, 9}}}, {{0, 1, 2}}, {{2, 1}}, 4, {{1, 2, 3}}, 2}, "{}");
  Reader reader(bytes);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0x32545044U);
  for (const std::uint32_t number : {3U, 1U, 1U, 4U, 1U, 2U}) EXPECT_EQ(reader.take<std::uint32_t>(), number);
  EXPECT_EQ(reader.take<std::uint32_t>(), 7U);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0U);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0x00030201U);
  for (int i = 0; i < 6; ++i) reader.take<std::uint32_t>();
  for (const std::uint32_t vertex : {0U, 1U, 2U, 2U, 1U, 1U, 2U, 3U}) EXPECT_EQ(reader.take<std::uint32_t>(), vertex);
  EXPECT_EQ(reader.take<std::uint32_t>(), 2U);
  EXPECT_EQ(reader.take<char>(), '{');
  EXPECT_EQ(reader.take<char>(), '}');
  EXPECT_TRUE(reader.at_end());
}

}  // namespace dashpot::test_studio_frames
