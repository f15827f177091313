// Point caches: what is written reads back, byte for byte as the formats say, and nothing hostile gets through.
#include "dashpot/mesh/point_cache.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::test_point_cache {
namespace {

PointCache wave(std::size_t frames, std::size_t points, double step) {
  PointCache cache;
  for (std::size_t f = 0; f < frames; ++f) {
    cache.times.push_back(0.25 + step * static_cast<double>(f));
    cache.frames.emplace_back();
    for (std::size_t p = 0; p < points; ++p)
      cache.frames.back().emplace_back(static_cast<double>(p) - 1.5, std::sin(static_cast<double>(f * p)), 1e-3);
  }
  return cache;
}

double distance(const PointCache& a, const PointCache& b) {
  double worst = 0;
  for (std::size_t f = 0; f < a.num_frames(); ++f)
    for (std::size_t p = 0; p < a.num_points(); ++p) worst = std::max(worst, (a.frames[f][p] - b.frames[f][p]).norm());
  return worst;
}

struct Format {
  std::string extension;
  std::function<std::string(const PointCache&)> write;
  std::function<PointCache(std::string_view)> read;
};

class PointCacheFormat : public ::testing::TestWithParam<int> {
 protected:
  static Format format() {
    if (GetParam() == 0)
      return {".pc2", [](const PointCache& c) { return pc2_bytes(c, 30); },
              [](std::string_view b) { return parse_pc2(b, "t.pc2", 30); }};
    return {".mdd", mdd_bytes, [](std::string_view b) { return parse_mdd(b, "t.mdd"); }};
  }
  static std::string refusal(const std::string& bytes) {
    try {
      format().read(bytes);
    } catch (const Error& error) {
      EXPECT_FALSE(error.problems().front().place.empty());
      EXPECT_LE(error.problems().size(), 20u);
      return error.what();
    }
    ADD_FAILURE() << format().extension << " was accepted";
    return "";
  }
};
INSTANTIATE_TEST_SUITE_P(Both, PointCacheFormat, ::testing::Values(0, 1));

TEST_P(PointCacheFormat, WhatIsWrittenReadsBackToSinglePrecision) {
  const PointCache cache = wave(7, 5, 1.0 / 30);
  const PointCache back = format().read(format().write(cache));
  ASSERT_EQ(back.num_frames(), 7u);
  ASSERT_EQ(back.num_points(), 5u);
  ASSERT_GT(std::abs(cache.frames[3][2].y()), 0.1);
  EXPECT_LT(distance(cache, back), 3e-7);
  for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(back.times[f], cache.times[f], 1e-6);
  EXPECT_EQ(format().write(back), format().write(cache));
}

TEST_P(PointCacheFormat, OneFrameOfOnePointIsACache) {
  const PointCache back = format().read(format().write(wave(1, 1, 1)));
  EXPECT_EQ(back.num_frames(), 1u);
  EXPECT_FLOAT_EQ(static_cast<float>(back.times[0]), 0.25F);
}

TEST_P(PointCacheFormat, EveryCutAndEveryExtraByteIsRefused) {
  const std::string good = format().write(wave(3, 2, 0.1));
  ASSERT_NO_THROW(format().read(good));
  for (std::size_t size = 0; size < good.size(); ++size) refusal(good.substr(0, size));
  refusal(good + '\0');
}

TEST_P(PointCacheFormat, ChangedBytesAreReadOrRefusedButNeverBelieved) {
  const std::string good = format().write(wave(3, 2, 0.1));
  int k = 0;
  const auto noise = [&k] { return testing::rnd(++k); };
  int accepted = 0, refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string bytes = good;
    for (int change = 0; change < 1 + trial % 3; ++change) {
      const auto at = static_cast<std::size_t>((noise() + 1) / 2 * static_cast<double>(bytes.size())) % bytes.size();
      bytes[at] = static_cast<char>(static_cast<int>(noise() * 127));
    }
    try {
      const PointCache cache = format().read(bytes);
      ASSERT_EQ(cache.times.size(), cache.num_frames());
      for (const auto& frame : cache.frames)
        for (const Vec3& x : frame) ASSERT_TRUE(x.allFinite());
      for (std::size_t f = 1; f < cache.num_frames(); ++f) ASSERT_GT(cache.times[f], cache.times[f - 1]);
      ++accepted;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

TEST_P(PointCacheFormat, HeadersThatClaimMoreThanTheFileHoldsAreRefusedAtOnce) {
  std::string bytes = format().write(wave(3, 2, 0.1));
  const bool is_pc2 = GetParam() == 0;
  const std::string huge = is_pc2 ? std::string("\xff\xff\xff\x7f") : std::string("\x7f\xff\xff\xff");
  bytes.replace(is_pc2 ? 28 : 0, 4, huge);
  EXPECT_NE(refusal(bytes).find("2147483647 frames"), std::string::npos);
  bytes.replace(is_pc2 ? 16 : 4, 4, huge);
  refusal(bytes);
  bytes.replace(is_pc2 ? 16 : 4, 4, std::string(4, '\xff'));
  EXPECT_NE(refusal(bytes).find("-1 points"), std::string::npos);
}

TEST_P(PointCacheFormat, PositionsThatAreNotNumbersAreNamed) {
  std::string bytes = format().write(wave(3, 2, 0.1));
  bytes.replace(bytes.size() - 12, 4, std::string(4, '\xff'));
  EXPECT_NE(refusal(bytes).find("point 1 of frame 2"), std::string::npos);
}

TEST_P(PointCacheFormat, CachesThatAreNotSoundAreNotWritten) {
  const auto refused = [](PointCache cache) { EXPECT_THROW(format().write(cache), Error); };
  refused({});
  refused(wave(2, 0, 1));
  PointCache uneven = wave(3, 2, 0.1);
  uneven.frames[1].pop_back();
  refused(uneven);
  PointCache too_large = wave(3, 2, 0.1);
  too_large.frames[1][1].x() = 1e39;
  refused(too_large);
  PointCache not_a_number = wave(3, 2, 0.1);
  not_a_number.frames[2][0].z() = std::numeric_limits<double>::quiet_NaN();
  refused(not_a_number);
  PointCache backwards = wave(3, 2, 0.1);
  backwards.times[2] = backwards.times[1];
  refused(backwards);
  PointCache timeless = wave(3, 2, 0.1);
  timeless.times.pop_back();
  refused(timeless);
}

TEST_P(PointCacheFormat, TheExtensionChoosesTheReader) {
  const std::string path = ::testing::TempDir() + "dashpot_cache" + format().extension;
  write_file_atomically(path, format().write(wave(2, 3, 0.5)));
  EXPECT_EQ(read_point_cache(path, 30).num_points(), 3u);
  std::filesystem::remove(path);
}

TEST(PointCache, Pc2IsLittleEndianAndCountsFrames) {
  PointCache cache;
  cache.times = {0.5, 1.0};
  cache.frames = {{Vec3(1, 2, 3)}, {Vec3(4, 5, 6)}};
  const std::string bytes = pc2_bytes(cache, 24);
  ASSERT_EQ(bytes.size(), 32u + 24u);
  EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
  const auto float_at = [&](std::size_t at) {
    float value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  };
  EXPECT_EQ(bytes.substr(12, 8), std::string("\1\0\0\0\1\0\0\0", 8));
  EXPECT_EQ(float_at(20), 12.0F);  // 0.5 s at 24 frames a second
  EXPECT_EQ(float_at(24), 12.0F);
  EXPECT_EQ(bytes.substr(28, 4), std::string("\2\0\0\0", 4));
  EXPECT_EQ(float_at(44), 4.0F);
}

TEST(PointCache, MddIsBigEndianAndCountsSeconds) {
  PointCache cache;
  cache.times = {0, 2};
  cache.frames = {{Vec3(1, 0, 0)}, {Vec3(0, 0, 0)}};
  const std::string bytes = mdd_bytes(cache);
  ASSERT_EQ(bytes.size(), 8u + 8u + 24u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\0\0\0\2\0\0\0\1", 8));
  EXPECT_EQ(bytes.substr(12, 4), std::string("\x40\0\0\0", 4));  // 2.0f
  EXPECT_EQ(bytes.substr(16, 4), std::string("\x3f\x80\0\0", 4));
}

TEST(PointCache, UnequallySpacedTimesAreRefusedByPc2AndKeptByMdd) {
  PointCache cache = wave(4, 2, 0.1);
  cache.times[2] += 0.03;
  EXPECT_THROW(pc2_bytes(cache), Error);
  EXPECT_NEAR(parse_mdd(mdd_bytes(cache), "t.mdd").times[2], 0.48, 1e-6);
}

TEST(PointCache, UnknownExtensionsAndFrameRatesAreRefused) {
  EXPECT_THROW(read_point_cache("a.abc"), Error);
  EXPECT_THROW(read_point_cache("/nowhere/a.pc2"), Error);
  EXPECT_THROW(parse_pc2(pc2_bytes(wave(2, 2, 0.1)), "t.pc2", 0), Error);
}

}  // namespace
}  // namespace dashpot::test_point_cache
