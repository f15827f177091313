// export on a small run: what the user sees. The files' content is checked in tests/interop.
#include <csignal>

#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_export_command {
namespace {

const char* const two_bodies = R"({
  "dashpot": 1, "title": "two bars", "gravity": [0, -9.81, 0], "time": {"dt": "10 ms", "end": "0.2 s", "stepper": "bathe"},
  "bodies": [
    {"name": "left", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [4, 1, 1]}},
     "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
     "pins": [{"where": {"box": [[-9, -9, -9], [1e-6, 9, 9]]}}]},
    {"name": "right", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [4, 1, 1]}}, "place": {"translate": [0, 0, 1]},
     "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000}}]
})";

class ExportCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult run =
        run_dashpot({"run", folder.write("s.json", two_bodies), "--out", folder.path("run"), "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  ProgramResult export_to(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"export", folder.path("run"), "-o", folder.path(out)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dashpot(arguments);
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder.path(name)); }
  const ScratchFolder folder;
};

TEST_F(ExportCommand, TheExtensionChoosesTheFormat) {
  for (const char* name : {"a.usda", "a.glb", "a.xdmf", "a.pvd"}) {
    const ProgramResult result = export_to(name);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(exists(name)) << name;
    EXPECT_NE(result.err.find("5 frames"), std::string::npos) << result.err;
  }
  EXPECT_EQ(export_to("left.pc2", {"--body", "left"}).exit_code, 0);
  EXPECT_EQ(export_to("frames", {"--format", "obj", "--every"}).exit_code, 0);
  EXPECT_TRUE(exists("frames/right_00020.obj"));
}

TEST_F(ExportCommand, MorphErrorsArePrintedAndInTheJson) {
  const ProgramResult text = export_to("a.glb", {"--morphs", "2"});
  EXPECT_NE(text.out.find("largest error [m]"), std::string::npos) << text.out;
  const nlohmann::json json = export_to("a.glb", {"--morphs", "2", "--json"}).json();
  EXPECT_EQ(json.at("schema"), "dashpot/export/1");
  EXPECT_EQ(json.at("frames"), 5);
  ASSERT_EQ(json.at("morphs").size(), 2u);
  EXPECT_GE(json.at("morphs")[0].at("relative_error"), 0);
}

TEST_F(ExportCommand, WhatCannotBeDoneIsSaidWithARemedyAndLeavesNothing) {
  const auto refused = [&](const std::string& out, const std::vector<std::string>& more, int code,
                           const std::string& word) {
    const ProgramResult result = export_to(out, more);
    EXPECT_EQ(result.exit_code, code) << out << "\n" << result.err;
    EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    EXPECT_FALSE(exists(out)) << out;
  };
  refused("a.abc", {}, 3, ".usda");
  refused("a", {}, 3, "--format");
  refused("a.usda", {"--format", "abc"}, 2, "glb");
  refused("a.pc2", {}, 3, "--body");
  refused("a.usda", {"--body", "lefd"}, 3, "Did you mean 'left'");
  refused("a.usda", {"--fps", "0"}, 2, "--fps");
  refused("a.usda", {"--time", "7 s"}, 3, "0.2 s");
  refused("a.usda", {"--time", "soon"}, 2, "--time");
  refused("a.obj", {}, 3, "folder");
  EXPECT_EQ(export_to("new/folder/a.glb").exit_code, 0) << "folders are made, as dashpot run does";
  EXPECT_TRUE(exists("new/folder/a.glb"));
}

TEST_F(ExportCommand, ARenderSurfaceIsCarriedByTheBody) {
  const std::string surface = folder.write("s.obj", "v 0.1 0.1 0.1\nv 0.5 0.1 0.1\nv 0.5 0.15 0.1\nf 1 2 3\n");
  const ProgramResult result = export_to("s.mdd", {"--surface", surface, "--body", "left"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::filesystem::file_size(folder.path("s.mdd")), 8u + 5 * (4 + 3 * 12));
  EXPECT_EQ(export_to("t.mdd", {"--surface", surface}).exit_code, 3);  // which of the two bodies?
  EXPECT_EQ(export_to("t.mdd", {"--surface", folder.path("absent.obj"), "--body", "left"}).exit_code, 3);
}

TEST_F(ExportCommand, AFolderWithoutARunIsBadInput) {
  for (const std::string& run : {folder.path("absent"), folder.path("")}) {
    const ProgramResult result = run_dashpot({"export", run, "-o", folder.path("a.usda")});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.err.find("dashpot run"), std::string::npos) << result.err;
  }
}

TEST_F(ExportCommand, AnUnfinishedRunIsExportedWithAWarning) {
  std::filesystem::remove(folder.path("run/summary.json"));
  std::filesystem::rename(folder.path("run/frames.dpf"), folder.path("run/frames.dpf.partial"));
  const ProgramResult result = export_to("a.usda");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("not finished"), std::string::npos) << result.err;
}

TEST_F(ExportCommand, CtrlCLeavesNoHalfWrittenFile) {
  Program program({"export", folder.path("run"), "-o", folder.path("a.usda"), "--fps", "200000"});
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  program.signal(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_FALSE(exists("a.usda"));
  EXPECT_FALSE(exists("a.usda.partial"));
}

}  // namespace
}  // namespace dashpot::testing::test_export_command
