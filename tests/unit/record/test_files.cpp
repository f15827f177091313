#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/record/checkpoint.hpp"
#include "dashpot/record/frames.hpp"
#include "dashpot/record/growing_file.hpp"

namespace dashpot {
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
  checkpoint.state.imbalance = Vector::LinSpaced(7, -8, -3);
  checkpoint.state.solver_memory = {3, -4};
  checkpoint.state.time = 1.0 / 3;
  checkpoint.state.step = 42;
  checkpoint.state.last_dt = 0.01;
  checkpoint.state.memory = {Vector::Ones(3), Vector()};
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
  EXPECT_EQ((read.state.imbalance - written.state.imbalance).norm(), 0);
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
  const std::vector<Vec3> points = {Vec3(0.1, 2, -3), Vec3(1e-3, 0, 5)};
  write_file_atomically(file("f"), frames_header(2) + frame_bytes(0.25, points) + frame_bytes(0.5, points));
  const std::vector<Frame> frames = read_frames(file("f"));
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[1].time, 0.5);
  EXPECT_LT((frames[0].points[0] - points[0]).norm(), 1e-6);
  write_file_atomically(file("g"), "garbage");
  EXPECT_THROW(read_frames(file("g")), Error);
}

}  // namespace
}  // namespace dashpot
