// Files of point clouds: what is written is read back, and everything that can be wrong is found.
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/point_cloud.hpp"
#include "support/observation_laws.hpp"

namespace dashpot::test_point_cloud {
namespace {

using learn::CloudSequence;

/// Files that exist in a test only.
using Files = std::map<std::string, std::string>;

CloudSequence read(const Files& files) {
  return learn::read_clouds("d/scan.json", [&](const std::string& path) {
    const auto it = files.find(path);
    if (it == files.end()) throw Error(Problem{path, "no such file", "a file", ""});
    return it->second;
  });
}

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

std::string index(const std::string& frames, const std::string& head = R"("noise": 0.5,)") {
  return R"({"dashpot_clouds": 1, )" + head + R"( "cameras": [{"name": "a", "direction": [0, 0, 2]}], "frames": [)" +
         frames + "]}";
}

TEST(PointCloud, WhatIsWrittenIsReadBackBitByBit) {
  testing::Noise noise(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 50; ++i) points.push_back(noise.vector());
  EXPECT_EQ(learn::read_cloud(learn::ply_bytes(points), "a.ply"), points);
  EXPECT_EQ(learn::read_cloud(learn::xyz_text(points), "a.xyz"), points);
}

TEST(PointCloud, FilesOfOtherProgramsAreRead) {
  const std::string ascii =
      "ply\nformat ascii 1.0\ncomment scanner\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nend_header\n1 2 3 255\nnan nan nan 0\n4 5 6 0\n";
  EXPECT_EQ(learn::read_cloud(ascii, "a.PLY"), (std::vector<Vec3>{Vec3(1, 2, 3), Vec3(4, 5, 6)}));
  const std::string xyz = "# x y z nx ny nz\r\n1 2 3 0 0 1\r\n\r\n4,5,6\nnan nan nan\n 7\t8 9 # last\n";
  EXPECT_EQ(learn::read_cloud(xyz, "a.xyz"), (std::vector<Vec3>{Vec3(1, 2, 3), Vec3(4, 5, 6), Vec3(7, 8, 9)}));
}

TEST(PointCloud, BadFilesSayWhereAndWhatWasExpected) {
  const std::string text = problem_of([] { learn::read_cloud("1 2 3\n4 5\nx y z\n", "a.xyz"); });
  EXPECT_NE(text.find("a.xyz:2: 2 numbers"), std::string::npos) << text;
  EXPECT_NE(text.find("a.xyz:3"), std::string::npos) << text;
  EXPECT_NE(problem_of([] { learn::read_cloud("", "a.pcd"); }).find(".ply or .xyz"), std::string::npos);
  const std::string whole = learn::ply_bytes({Vec3(1, 2, 3), Vec3(4, 5, 6)});
  EXPECT_NE(problem_of([&] { learn::read_cloud(whole.substr(0, whole.size() - 9), "a.ply"); }).find("a.ply"),
            std::string::npos);
}

TEST(PointCloud, AnIndexBringsItsFilesTogether) {
  const CloudSequence clouds =
      read({{"d/scan.json", R"({"dashpot_clouds": 1, "unit": "mm", "noise": 2, "made_by": "someone", "cameras":
               [{"name": "a", "position": [0, 0, 1000]}, {"direction": [0, 3, 4]}],
               "frames": [{"time": 0.5, "files": ["a0.xyz", "b0.xyz"]}, {"time": 1, "files": [null, "b1.xyz"]}]})"},
            {"d/a0.xyz", "1000 0 0\n"},
            {"d/b0.xyz", "0 1000 0\n2 2 2\n"},
            {"d/b1.xyz", "0 0 0\n"}});
  EXPECT_NEAR(clouds.noise, 2e-3, 1e-18);
  ASSERT_EQ(clouds.cameras.size(), 2U);
  EXPECT_NEAR((*clouds.cameras[0].position - Vec3(0, 0, 1)).norm(), 0, 1e-15);
  EXPECT_NEAR((clouds.cameras[1].direction - Vec3(0, 0.6, 0.8)).norm(), 0, 1e-15);
  ASSERT_EQ(clouds.frames.size(), 2U);
  EXPECT_EQ(clouds.frames[1].time, 1);
  EXPECT_NEAR((clouds.frames[0].points[0][0] - Vec3(1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(clouds.frames[0].points[1].size(), 2U);
  EXPECT_TRUE(clouds.frames[1].points[0].empty());
}

TEST(PointCloud, EmptyFramesAreFoundAllAtOnce) {
  const std::string frames =
      R"({"time": 0, "files": ["0.xyz"]}, {"time": 1, "files": ["1.ply"]}, {"time": 2, "files": ["2.xyz"]})";
  const std::string text = problem_of([&] {
    read({{"d/scan.json", index(frames)},
          {"d/0.xyz", "# nothing\n"},
          {"d/1.ply", learn::ply_bytes({})},
          {"d/2.xyz", "1 2 3\n"}});
  });
  EXPECT_NE(text.find("2 files without any point: 0.xyz, 1.ply"), std::string::npos) << text;
  EXPECT_NE(text.find("null"), std::string::npos) << text;
}

TEST(PointCloud, EverythingWrongInAnIndexIsFound) {
  const auto problem = [](const std::string& text, const Files& files = {}) {
    Files all = files;
    all["d/scan.json"] = text;
    return problem_of([&] { read(all); });
  };
  const std::string backward = problem(
      index(R"({"time": 1, "files": ["0.xyz"]}, {"time": 1, "files": ["0.xyz", "1.xyz"]}, {"files": ["gone.xyz"]})"),
      {{"d/0.xyz", "1 2 3\n"}});
  for (const char* part :
       {"/frames/1/time: 1 s after 1 s", "/frames/1/files: 2 files", "/frames/2/time: no time", "gone.xyz"})
    EXPECT_NE(backward.find(part), std::string::npos) << part << " in " << backward;
  EXPECT_NE(problem("1 2 3").find("scan.json:1"), std::string::npos);
  EXPECT_NE(problem("{}").find("dashpot_clouds"), std::string::npos);
  EXPECT_NE(problem(R"({"dashpot_clouds": 2})").find("unknown version"), std::string::npos);
  EXPECT_NE(problem(index("", R"("unit": "kg",)")).find("/unit"), std::string::npos);
  EXPECT_NE(problem(index("")).find("no frames"), std::string::npos);
  EXPECT_NE(problem(index("", R"("noise": "1 mm",)")).find("/noise"), std::string::npos);
  const std::string cameras = problem(R"({"dashpot_clouds": 1, "cameras": [{}, {"position": [1, 2]},
    {"direction": [0, 0, 0]}, {"position": [1, 2, 3], "direction": [1, 2, 3]}], "frames": []})");
  for (const char* part : {"/cameras/0", "/cameras/1/position", "/cameras/2/direction", "both"})
    EXPECT_NE(cameras.find(part), std::string::npos) << part << " in " << cameras;
}

}  // namespace
}  // namespace dashpot::test_point_cloud
