// A run continues only from the files it was begun with: every file behind a scene counts, byte by byte.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_resume_inputs {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A .pc2 cache of eight corners of a cube of 0.1 m that drift along x until 4 s.
std::string drifting_cube() {
  std::string bytes("POINTCACHE2\0", 12);
  const auto put = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const std::int32_t version = 1, points = 8, samples = 97;
  const float start = 0, rate = 1;
  put(version), put(points), put(start), put(rate), put(samples);
  for (int frame = 0; frame < samples; ++frame)
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
          const float x = 0.1F * static_cast<float>(i) + 1e-4F * static_cast<float>(frame),
                      y = 0.1F * static_cast<float>(j), z = 0.1F * static_cast<float>(k);
          put(x), put(y), put(z);
        }
  return bytes;
}

constexpr const char* skeleton_scene = R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]},
   "motion": {"skeleton": {"file": "nod.json", "joint": "neck"}}}])";

/// One scene that reads every kind of file: a mesh, a skeleton and its tracks, a point cache, the mesh of a collider, a
/// pose and the frame of another run.
class ManyFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch.write("source.json", R"({"dashpot": 1, "time": {"dt": "10 ms", "end": "50 ms"},
      "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.1, 0.1], "cells": [3, 1, 1]}},
        "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
        "start": {"from": "formula", "y": "0.1*X^2"}, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})");
    const ProgramResult made = run_dashpot({"run", path("source.json"), "--out", path("source"), "--quiet"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    fs::copy(path("source/meshes/body0.msh"), path("bar.msh"));
    scratch.write("legs.json", R"({"dashpot_skeleton": 1, "joints": [{"name": "neck", "at": [0, 0, 0]}]})");
    scratch.write("nod.json", R"({"dashpot_skeleton": 1, "skeleton": "legs.json",
      "tracks": [{"joint": "neck", "times": [0, 1, 3.5], "euler": [[0, 0, 0], [0, 0, 3], [0, 0, 30]]}]})");
    scratch.write("drift.pc2", drifting_cube());
    scratch.write("wedge.obj", "v 0 -9 0\nv 1 -9 0\nv 0 -9 1\nv 0 -8.5 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    std::string pose;
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i)
          pose += std::to_string(2 + 0.1 * i) + " " + std::to_string(0.1 * j + 0.01 * i) + " " +
                  std::to_string(0.1 * k) + "\n";
    scratch.write("pose.txt", pose);
    scratch.write("scene.json", scene("0.1"));
  }
  std::string path(const std::string& name) const { return scratch.path(name); }
  static std::string scene(const std::string& end) {
    return R"({"dashpot": 1, "time": {"dt": "10 ms", "end": )" + end + R"(},
      "bodies": [{"name": "bar", "mesh": {"file": "bar.msh"},
        "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
        "damping": [{"model": "example_based", "over": {"model": "rayleigh", "beta": "10 ms"}, "examples": [
          {"name": "bow", "shape": {"from": "frame", "run": "source", "time": "20 ms"}, "gamma": 3}]}], )" +
           skeleton_scene + R"(},
       {"name": "cube", "mesh": {"bar": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
        "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
        "start": {"from": "pose", "file": "pose.txt"}, "place": {"translate": [2, 0, 0]},
        "pins": [{"where": {"box": [[-9, -9, -9], [2.000001, 9, 9]]}, "motion": {"cache": "drift.pc2"}}]}],
      "colliders": [{"mesh": {"name": "wedge", "of": {"file": "wedge.obj"}}}],
      "record": {"checkpoint": "50 ms"}})";
  }
  ProgramResult run(const std::string& end, bool resume) const {
    std::vector<std::string> words{"run",   path("scene.json"), "--out", path("out"), "--quiet",
                                   "--set", "/time/end=" + end};
    if (resume) words.push_back("--resume");
    return run_dashpot(words);
  }
  ScratchFolder scratch;
};

TEST_F(ManyFiles, AResumeRefusesEveryEditAndNamesTheFile) {
  ASSERT_EQ(run("0.1", false).exit_code, 0) << run("0.1", false).err;
  const auto last_byte = [](std::string bytes) {  // of a number, near the end of the file
    bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] ^ 1);
    return bytes;
  };
  const auto exchanged = [](const char* from, const char* to) {
    return [from, to](std::string text) {
      const std::size_t at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      return text.replace(at, std::strlen(from), to);
    };
  };
  const std::vector<std::pair<std::string, std::function<std::string(std::string)>>> edits = {
      {"bar.msh", [](std::string text) { return text + "\n"; }},
      {"nod.json", exchanged("[0, 0, 30]", "[0, 0, 31]")},
      {"legs.json", exchanged("\"at\": [0, 0, 0]", "\"at\": [0, 0, 0.01]")},
      {"drift.pc2", last_byte},
      {"wedge.obj", exchanged("-8.5", "-8.4")},
      {"pose.txt", exchanged("0.010000", "0.011000")},
      {"source/frames.dpf", last_byte},
      {"source/meshes/body0.msh", [](std::string text) { return text + "\n"; }},
  };
  for (const auto& [name, edit] : edits) {
    const std::string before = content(path(name)), scene_before = content(path("out/scene.json"));
    scratch.write(name, edit(before));
    ASSERT_NE(content(path(name)), before) << name;
    const ProgramResult resumed = run("0.2", true);
    EXPECT_EQ(resumed.exit_code, 3) << name << ": " << resumed.err;
    EXPECT_NE(resumed.err.find("not the file that the run began with"), std::string::npos) << resumed.err;
    EXPECT_NE(resumed.err.find("/" + name + " (changed)"), std::string::npos) << name << ": " << resumed.err;
    EXPECT_EQ(content(path("out/scene.json")), scene_before) << "a refused resume changes nothing";
    scratch.write(name, before);
  }
  const ProgramResult resumed = run("0.2", true);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  fs::rename(path("out"), path("parts"));
  ASSERT_EQ(run("0.2", false).exit_code, 0);
  EXPECT_EQ(content(path("parts/ledger.csv")), content(path("out/ledger.csv")));
  EXPECT_GT(content(path("out/ledger.csv")).size(), 1000U);
}

TEST_F(ManyFiles, ARunTellsTheHashOfEveryFileItRead) {
  ASSERT_EQ(run("0.05", false).exit_code, 0);
  const nlohmann::json summary = nlohmann::json::parse(content(path("out/summary.json")));
  std::vector<std::string> names;
  for (const nlohmann::json& file : summary.at("inputs")) {
    EXPECT_EQ(file.at("bytes"), fs::file_size(file.at("path").get<std::string>()));
    EXPECT_EQ(file.at("hash").get<std::string>().size(), 16U);
    names.push_back(fs::path(file.at("path").get<std::string>()).filename());
  }
  for (const char* name : {"bar.msh", "nod.json", "legs.json", "drift.pc2", "wedge.obj", "pose.txt", "frames.dpf",
                           "recording.json", "body0.msh"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST_F(ManyFiles, AResumeThatWouldEndBeforeItsCheckpointIsRefused) {
  ASSERT_EQ(run("0.1", false).exit_code, 0);
  const ProgramResult resumed = run("0.05", true);
  EXPECT_EQ(resumed.exit_code, 3) << resumed.err;
  EXPECT_NE(resumed.err.find("already at t = 0.1 s"), std::string::npos) << resumed.err;
  EXPECT_EQ(run("0.1", true).exit_code, 0);
}

TEST_F(ManyFiles, AProjectThatWasMovedResumes) {
  ASSERT_EQ(run("0.1", false).exit_code, 0);
  fs::create_directories(path("elsewhere"));
  for (const char* name :
       {"scene.json", "bar.msh", "nod.json", "legs.json", "drift.pc2", "wedge.obj", "pose.txt", "source", "out"})
    fs::rename(path(name), path(std::string("elsewhere/") + name));
  const ProgramResult resumed = run_dashpot({"run", path("elsewhere/scene.json"), "--out", path("elsewhere/out"),
                                             "--quiet", "--resume", "--set", "/time/end=0.2"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

TEST_F(ManyFiles, ScenesThatACommandWroteRunFromAnywhereAndKnowTheirFiles) {
  ASSERT_EQ(run("0.1", false).exit_code, 0);
  const ProgramResult dry = run_dashpot({"run", path("scene.json"), "--dry-run"});
  ASSERT_EQ(dry.exit_code, 0) << dry.err;
  fs::create_directories(path("elsewhere"));
  const std::string from_run = scratch.write("elsewhere/own.json", content(path("out/scene.json")));
  const std::string from_dry_run = scratch.write("elsewhere/dry.json", dry.out);
  for (const std::string& scene : {from_run, from_dry_run}) {
    const ProgramResult again = run_dashpot({"run", scene, "--out", path("again"), "--quiet"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(content(path("again/ledger.csv")), content(path("out/ledger.csv"))) << scene;
  }
  scratch.write("wedge.obj", content(path("wedge.obj")) + "# another one\n");
  for (const std::string& scene : {from_run, from_dry_run}) {
    const ProgramResult refused = run_dashpot({"run", scene, "--out", path("again"), "--quiet"});
    EXPECT_EQ(refused.exit_code, 3) << scene;
    EXPECT_NE(refused.err.find("wedge.obj: the file has changed since"), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace dashpot::testing::test_resume_inputs
