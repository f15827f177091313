// Two programs at once and one output folder: one writes, the other says who does and changes nothing.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_output_folder {
namespace {

namespace fs = std::filesystem;
constexpr const char* lock_name = "/.dashpot.lock";
const std::string scenes = std::string(DASHPOT_SOURCE_DIR) + "/scenes/";

/// A clamped bar that swings under gravity for `end` [s] at 5 ms a step.
std::string bar_scene(double end) {
  std::ostringstream text;
  text << R"({"dashpot": 1, "time": {"dt": "5 ms", "end": )" << end << R"(, "stepper": "midpoint"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [12, 2, 2]}},
    "material": {"model": "stvk", "young": "20 MPa", "poisson": 0.3, "density": 1000}, "damping": [],
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}],
  "gravity": [0, -9.81, 0], "record": {"checkpoint": "50 ms"}})";
  return text.str();
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Every file below a folder, with its bytes.
std::map<std::string, std::string> all_files(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[entry.path().string()] = entry.is_regular_file() ? content(entry.path().string()) : "";
  return files;
}

bool wait_for(const std::string& path, double seconds) {
  for (int i = 0; i < static_cast<int>(seconds * 100); ++i) {
    if (fs::exists(path)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A folder with results, held by "process 4242" until the end of the test.
class HeldFolder {
 public:
  explicit HeldFolder(const std::string& path) {
    fs::create_directories(path);
    for (const char* name : {"/ledger.csv", "/scene.json", "/report.html", "/result.json", "/frame_00000.png"})
      std::ofstream(path + name) << "old";
    std::ofstream(path + lock_name) << "pid 4242\nhost lighthouse\nsince 2001-02-03 04:05:06 +0000\n";
    descriptor_ = ::open((path + lock_name).c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_EQ(::flock(descriptor_, LOCK_EX | LOCK_NB), 0);
  }
  ~HeldFolder() { ::close(descriptor_); }
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

 private:
  int descriptor_ = -1;
};

TEST(OutputFolder, EveryCommandLeavesAFolderAloneThatAnotherProcessHolds) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(0.05)), run = folder.path("run"),
                    held = folder.path("held");
  ASSERT_EQ(run_dashpot({"run", scene, "--out", run, "--quiet"}).exit_code, 0);
  const HeldFolder holder(held), export_holder(folder.path("frames.partial"));
  const auto before = all_files(folder.path(""));
  const std::vector<std::vector<std::string>> commands = {
      {"run", scene, "--out", held},
      {"run", scene, "--out", held, "--resume"},
      {"compare", scene, "--damping", "none", "--out", held},
      {"demo", "--out", held},
      {"reproduce", "C-torque", "--quick", "--out", held},
      {"design", scenes + "designed_bar.json", "--out", held},
      {"fit", scenes + "stretched_strip.json", "--out", held},
      {"gallery", "koala", "--tets", "300", "--out", held},
      {"render", run, "--frames", held, "--size", "90x64", "--draft"},
      {"export", run, "-o", folder.path("frames"), "--format", "obj"},
  };
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = run_dashpot(command);
    EXPECT_EQ(result.exit_code, 3) << command[0] << ": " << result.err;
    EXPECT_NE(result.err.find("process 4242 on lighthouse, since 2001-02-03 04:05:06 +0000"), std::string::npos)
        << command[0] << ": " << result.err;
    EXPECT_NE(result.err.find("hoose another --out"), std::string::npos) << result.err;
    EXPECT_EQ(all_files(folder.path("")), before) << command[0];
  }
}

TEST(OutputFolder, ASecondRunIsRefusedAndTheFirstGoesOnUndisturbed) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(4)), other = folder.write("other.json", bar_scene(0.1));
  const std::string out = folder.path("out"), alone = folder.path("alone");
  Program first({"run", scene, "--out", out, "--quiet"});
  const std::string holder = "process " + std::to_string(first.pid()) + " on ";
  ASSERT_TRUE(wait_for(out + "/checkpoint.dpc", 60));
  for (const char* extra : {"--json", "--resume"}) {
    const ProgramResult second = run_dashpot({"run", other, "--out", out, extra});
    EXPECT_EQ(second.exit_code, 3) << extra;
    EXPECT_NE(second.err.find(holder), std::string::npos) << second.err;
    EXPECT_NE(second.err.find("wait until that process has ended"), std::string::npos) << second.err;
  }
  const ProgramResult finished = first.wait();
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  ASSERT_EQ(run_dashpot({"run", scene, "--out", alone, "--quiet"}).exit_code, 0);
  for (const char* name : {"/ledger.csv", "/probes.csv", "/frames.dpf", "/scene.json"})
    EXPECT_EQ(content(out + name), content(alone + name)) << name;
  EXPECT_GT(content(out + "/ledger.csv").size(), 10000U);
  EXPECT_FALSE(fs::exists(out + lock_name));
}

TEST(OutputFolder, OfTwoRunsStartedTogetherOneSucceedsWithWholeFiles) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(0.4)), alone = folder.path("alone");
  ASSERT_EQ(run_dashpot({"run", scene, "--out", alone, "--quiet"}).exit_code, 0);
  ASSERT_GT(content(alone + "/ledger.csv").size(), 1000U);
  for (int trial = 0; trial < 6; ++trial) {
    const std::string out = folder.path("out" + std::to_string(trial));
    Program a({"run", scene, "--out", out, "--quiet"}), b({"run", scene, "--out", out, "--quiet"});
    const ProgramResult first = a.wait(), second = b.wait();
    EXPECT_EQ(std::min(first.exit_code, second.exit_code), 0) << first.err << second.err;
    EXPECT_EQ(std::max(first.exit_code, second.exit_code), 3) << "both were in the folder";
    EXPECT_NE((first.err + second.err).find("is writing into this folder"), std::string::npos);
    for (const char* name : {"/ledger.csv", "/probes.csv", "/frames.dpf"})
      EXPECT_EQ(content(out + name), content(alone + name)) << name;
  }
}

TEST(OutputFolder, TheLockFileOfAKilledRunBlocksNobody) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(4)), out = folder.path("out");
  Program running({"run", scene, "--out", out, "--quiet"});
  ASSERT_TRUE(wait_for(out + "/checkpoint.dpc", 60));
  running.signal(SIGKILL);
  EXPECT_EQ(running.wait().exit_code, 128 + SIGKILL);
  EXPECT_TRUE(fs::exists(out + lock_name));
  const ProgramResult resumed = run_dashpot({"run", scene, "--out", out, "--resume", "--quiet"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_FALSE(fs::exists(out + lock_name));
}

TEST(OutputFolder, AnExportReplacesAFolderInWhichALockFileWasLeft) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(0.05)), run = folder.path("run"),
                    frames = folder.path("frames");
  ASSERT_EQ(run_dashpot({"run", scene, "--out", run, "--quiet"}).exit_code, 0);
  const std::vector<std::string> exporting{"export", run, "-o", frames, "--format", "obj", "--quiet"};
  ASSERT_EQ(run_dashpot(exporting).exit_code, 0);
  const auto whole = all_files(frames);
  EXPECT_GT(whole.size(), 2U);
  std::ofstream(frames + lock_name) << "pid 4242\n";
  fs::create_directories(frames + ".partial");
  std::ofstream(frames + ".partial/half.obj") << "v 0";
  std::ofstream(frames + ".partial" + lock_name) << "pid 4242\n";
  const ProgramResult again = run_dashpot(exporting);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(all_files(frames), whole);
  EXPECT_FALSE(fs::exists(frames + ".partial"));
}

TEST(OutputFolder, ACommandThatFailsBeforeItWritesLeavesNoFolder) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(0.1));  // nothing to design in it
  const ProgramResult result = run_dashpot({"design", scene, "--out", folder.path("out")});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("no \"design\" section"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

}  // namespace
}  // namespace dashpot::testing::test_output_folder
