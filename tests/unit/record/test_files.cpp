#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/record/checkpoint.hpp"
#include "dashpot/record/growing_file.hpp"
#include "dashpot/record/recording.hpp"

namespace dashpot::test_files {
namespace {

class Folder : public ::testing::Test {
 protected:
  Folder() : path_(std::filesystem::temp_directory_path() / ("dashpot_record_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() override { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::filesystem::path path_;
};

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.fingerprint = "abc";
  checkpoint.state.q = Vector::LinSpaced(7, 0.1, 3);
  checkpoint.state.v = Vector::LinSpaced(7, -1, 1);
  checkpoint.state.a = Vector::LinSpaced(7, 5, 6);
  checkpoint.state.q_previous = Vector::LinSpaced(7, 0.2, 2);
  checkpoint.state.v_previous = Vector::LinSpaced(7, 7, 9);
  checkpoint.state.residual = Vector::LinSpaced(7, -8, -3);
  checkpoint.state.solver_history = {3, -4};
  checkpoint.state.time = 1.0 / 3;
  checkpoint.state.step = 42;
  checkpoint.state.last_dt = 0.01;
  checkpoint.state.internal_variables = {Vector::Ones(3), Vector()};
  checkpoint.accumulators = {1, 2, 3};
  checkpoint.counters = {4, 5};
  checkpoint.files = {{"ledger.csv", 1234}};
  return checkpoint;
}

TEST_F(Folder, CheckpointComesBackBitForBit) {
  const Checkpoint written = sample();
  write_checkpoint(file("c"), written);
  const Checkpoint read = read_checkpoint(file("c"));
  EXPECT_EQ(read.state.hash(), written.state.hash());
  EXPECT_EQ(read.fingerprint, "abc");
  EXPECT_EQ(read.accumulators, written.accumulators);
  EXPECT_EQ(read.counters, written.counters);
  EXPECT_EQ((read.state.residual - written.state.residual).norm(), 0);
  EXPECT_EQ(read.files, written.files);
  EXPECT_EQ(read.state.step, 42);
}

TEST_F(Folder, EveryTruncationAndEveryFlippedByteOfACheckpointIsRefused) {
  write_checkpoint(file("c"), sample());
  const std::string bytes = read_file(file("c"));
  for (std::size_t n = 0; n < bytes.size(); n += 3) EXPECT_THROW(parse_checkpoint(bytes.substr(0, n), "c"), Error) << n;
  for (std::size_t n = 0; n < bytes.size(); n += 5) {
    std::string broken = bytes;
    broken[n] = static_cast<char>(broken[n] ^ 0x10);
    EXPECT_THROW(parse_checkpoint(broken, "c"), Error) << n;
  }
}

TEST_F(Folder, AGrowingFileHasItsFinalNameOnlyWhenItIsWhole) {
  {
    GrowingFile growing = GrowingFile::create(file("a.csv"));
    growing.append("one\n");
    EXPECT_EQ(growing.flush(), 4U);
    growing.append("two\n");
    EXPECT_FALSE(std::filesystem::exists(file("a.csv")));
  }
  EXPECT_FALSE(std::filesystem::exists(file("a.csv")));
  {
    GrowingFile growing = GrowingFile::resume(file("a.csv"), 4);
    growing.append("three\n");
    growing.finish();
  }
  EXPECT_EQ(read_file(file("a.csv")), "one\nthree\n");
  EXPECT_FALSE(std::filesystem::exists(file("a.csv.partial")));
  {
    const GrowingFile longer = GrowingFile::resume(file("a.csv"), 10);
    EXPECT_FALSE(std::filesystem::exists(file("a.csv"))) << "a file that grows again is not whole";
    EXPECT_EQ(read_file(file("a.csv.partial")), "one\nthree\n");
  }
  EXPECT_THROW(GrowingFile::resume(file("a.csv"), 400), Error);
}

TEST_F(Folder, FramesComeBackToSinglePrecision) {
  const Frame first{0.25, {Vec3(0.1, 2, -3), Vec3(1e-3, 0, 5)}, {Vec3(1, 0, 0.3), Vec3(0, -7, 0)}, {0.7, -0.2}};
  Frame second = first;
  second.time = 0.5;
  write_file_atomically(file("f"), frames_header(2) + frame_bytes(first) + frame_bytes(second) + "half a frame");
  const std::vector<Frame> frames = read_frames(file("f"));
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[1].time, 0.5);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_LT((frames[0].points[p] - first.points[p]).norm(), 1e-6);
    EXPECT_LT((frames[0].velocities[p] - first.velocities[p]).norm(), 1e-6);
    EXPECT_NEAR(frames[0].power[p], first.power[p], 1e-6);
  }
  write_file_atomically(file("g"), "garbage");
  EXPECT_THROW(read_frames(file("g")), Error);
}

TEST_F(Folder, ARecordingComesBackWithItsBodiesAndScenery) {
  Recording out;
  out.title = "a block, a cloud of points and a wedge";
  out.gravity = Vec3(0, -9.81, 0);
  out.bodies.push_back({"block", make_bar({1, 1, 1}, {1, 1, 1}), 0});
  ShapeSource source{"{}", 0.4, 2, Mat3::Identity(), Vec3(0, 1, 0)};
  source.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  out.bodies[0].shape = source;
  Mesh cloud;
  cloud.nodes = {Vec3(3, 0, 0), Vec3(3, 1, 0)};
  out.bodies.push_back({"points", cloud, 8});
  Mesh wedge;
  wedge.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  wedge.group_or_new(ElementKind::triangle).nodes = {0, 1, 2};
  out.scenery.push_back({"wedge", wedge, 10});
  out.grounds.push_back({Vec3(0, -1, 0), Vec3(0, 1, 0)});
  write_recording_index(file(""), out);
  Frame frame;
  frame.points.assign(13, Vec3(0, 0, 1));
  frame.velocities.assign(13, Vec3::Zero());
  frame.power.assign(13, 0.0);
  write_file_atomically(file("frames.dpf"), frames_header(13) + frame_bytes(frame));
  const Recording in = read_recording(file(""));
  EXPECT_EQ(in.title, out.title);
  EXPECT_EQ(in.gravity, out.gravity);
  ASSERT_EQ(in.bodies.size(), 2U);
  EXPECT_EQ(in.bodies[0].mesh.nodes, out.bodies[0].mesh.nodes);
  EXPECT_EQ(in.bodies[0].mesh.tets()->nodes, out.bodies[0].mesh.tets()->nodes);
  ASSERT_TRUE(in.bodies[0].shape.has_value());
  EXPECT_EQ(in.bodies[0].shape->text, "{}");
  EXPECT_EQ(in.bodies[0].shape->height, 0.4);
  EXPECT_EQ(in.bodies[0].shape->scale, 2);
  EXPECT_EQ(in.bodies[0].shape->rotation, source.rotation);
  EXPECT_EQ(in.bodies[0].shape->translation, source.translation);
  EXPECT_FALSE(in.bodies[1].shape.has_value());
  EXPECT_EQ(in.bodies[1].mesh.nodes, cloud.nodes);
  EXPECT_EQ(in.bodies[1].first_point, 8);
  ASSERT_EQ(in.scenery.size(), 1U);
  EXPECT_EQ(in.scenery[0].surface.group(ElementKind::triangle)->size(), 1);
  EXPECT_EQ(in.grounds.at(0).point, Vec3(0, -1, 0));
  EXPECT_EQ(in.frames.size(), 1U);

  write_file_atomically(file("frames.dpf"), frames_header(12) + frame_bytes({0, std::vector<Vec3>(12, Vec3::Zero()),
                                                                             std::vector<Vec3>(12, Vec3::Zero()),
                                                                             std::vector<double>(12)}));
  EXPECT_THROW(read_recording(file("")), Error) << "the wedge's last point is missing";
}

}  // namespace
}  // namespace dashpot::test_files
