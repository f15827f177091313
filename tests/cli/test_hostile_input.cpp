// Names, numbers and streams that no careful user would choose: a message and the right exit code, never a crash.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_hostile_input {
namespace {

namespace fs = std::filesystem;

std::string bar_scene(const std::string& name = "bar", const std::string& dt = "5 ms", const std::string& end = "50 ms",
                      const std::string& extra = "") {
  return R"({"dashpot": 1, "time": {"dt": ")" + dt + R"(", "end": ")" + end + R"(", "stepper": "midpoint"},
  "bodies": [{"name": ")" +
         name + R"(", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [6, 1, 1]}},
    "material": {"model": "stvk", "young": "20 MPa", "poisson": 0.3, "density": 1000}, "damping": [],
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}], "gravity": [0, -9.81, 0])" +
         extra + "}";
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Exit code of a command line run by sh; $D is the program.
int shell(const std::string& command) {
  const int status = std::system(("D='" DASHPOT_PROGRAM "'; " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(HostileInput, TimeStepsWhoseSquaresAreNoNumbersAreRefused) {
  const ScratchFolder folder;
  for (const char* dt : {"1e155 s", "1e300 s", "1e10 s", "1e-310 s", "1e-16 s", "0 s"}) {
    const std::string end = std::string(dt).find('-') == std::string::npos ? "1e305 s" : "1e-300 s";
    const std::string scene = folder.write("bar.json", bar_scene("bar", dt, end));
    for (const char* command : {"check", "run"}) {
      std::vector<std::string> words{command, scene};
      if (std::string(command) == "run") words.insert(words.end(), {"--out", folder.path("out")});
      const ProgramResult result = run_dashpot(words);
      EXPECT_EQ(result.exit_code, 3) << command << " " << dt << ": " << result.err;
      EXPECT_NE(result.err.find("/time/dt: dt = "), std::string::npos) << result.err;
    }
  }
}

TEST(HostileInput, NamesTooLongAndLinksThatLeadInACircleAreTheUsersErrors) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene()), run = folder.path("run");
  ASSERT_EQ(run_dashpot({"run", scene, "--out", run, "--quiet"}).exit_code, 0);
  fs::create_symlink(folder.path("b"), folder.path("a"));
  fs::create_symlink(folder.path("a"), folder.path("b"));
  const std::string inside = folder.path(std::string(300, 'x'));
  for (const std::string& name : {inside, inside + ".json", folder.path("a"), folder.path("a/scene.json")}) {
    const std::string out = name[folder.path("").size()] == 'a' ? folder.path("a/out") : name;
    const std::vector<std::vector<std::string>> commands = {
        {"run", name, "--out", folder.path("out")},
        {"run", scene, "--out", name},
        {"run", scene, "--out", name, "--resume"},
        {"check", name},
        {"modes", name},
        {"measure", name},
        {"info", name},
        {"convert", name, "-o", folder.path("c.msh")},
        {"mesh", name, "-o", folder.path("c.msh")},
        {"mesh", "koala", "--tets", "300", "-o", out + ".msh"},
        {"render", name, "-o", folder.path("c.png")},
        {"render", run, "-o", out + ".png", "--size", "90x64", "--draft"},
        {"export", name, "-o", folder.path("c.glb")},
        {"export", run, "-o", out + ".glb"},
        {"export", run, "-o", out + ".xdmf"},
        {"export", run, "-o", name, "--format", "obj"},
        {"compare", scene, "--damping", "none", "--out", name},
        {"examples", name},
        {"design", name, "--out", folder.path("out")},
        {"fit", name, "--out", folder.path("out")},
        {"parameters", name},
        {"sensitivity", name},
        {"learn", name, "--data", folder.path("nothing")},
        {"learn", scene, "--data", name, "--out", folder.path("out")},
        {"scan", name, "--out", folder.path("out")},
        {"gallery", "koala", "--tets", "300", "--out", name},
    };
    for (const std::vector<std::string>& command : commands) {
      const ProgramResult result = run_dashpot(command);
      EXPECT_TRUE(result.exit_code == 3 || result.exit_code == 2)
          << command[0] << " -> " << result.exit_code << ": " << result.err.substr(0, 300);
    }
    for (const std::string& kind : {std::string(R"({"file": ")"), std::string(R"({"shape": ")")}) {
      std::string text = bar_scene();
      const std::string from = R"({"bar": {"size": [1, 0.1, 0.1], "cells": [6, 1, 1]}})";
      text.replace(text.find(from), from.size(), kind + name + "\"}");
      const ProgramResult result = run_dashpot({"check", folder.write("named.json", text)});
      EXPECT_EQ(result.exit_code, 3) << result.err;
    }
  }
}

TEST(HostileInput, EscapeBytesInNamesNeverReachTheTerminal) {
  const ScratchFolder folder;
  const std::string nasty =
      "x\x1b[31m\x07\xc2\x9b"
      "5n\x9b\r";
  const std::string scene = folder.write(
      "bar.json", bar_scene("b\\u001b[31m\\u009bz", "5 ms", "50 ms", R"(, "title": "t\u001b]0;owned\u0007")"));
  const std::string named = folder.path(nasty + ".json");
  fs::copy(scene, named);
  const std::vector<std::vector<std::string>> commands = {
      {"run", scene, "--out", folder.path(nasty)},
      {"run", named, "--out", folder.path("out")},
      {"run", named, "--out", folder.path("out"), "--json"},
      {"run", folder.path("missing" + nasty), "--out", folder.path("out")},
      {"run", scene, "--out", folder.path("out"), "--set", "/" + nasty + "=1"},
      {"run", scene, "--dry-run"},
      {"check", named},
      {"check", named, "--json"},
      {"modes", scene},
      {"info", folder.path(nasty)},
      {"measure", folder.path("out"), "--column", nasty},
      {"parameters", scene},
      {"compare", scene, "--damping", "none", "--out", folder.path(nasty + "2")},
      {"mesh", nasty},
      {nasty},
      {"run", "--" + nasty},
      {"damping", "--zeta", nasty},
  };
  for (const std::vector<std::string>& command : commands)
    for (const bool terminal : {false, true}) {
      const ProgramResult result = Program(command, terminal, {"TERM=dumb"}).wait();
      std::string shown = result.out + result.err;
      for (std::size_t at; terminal && (at = shown.find("\x1b[K")) != std::string::npos;)
        shown.erase(at, 3);  // the bar
      for (const char* bad : {"\x1b", "\x07", "\xc2\x9b", "\x9b"})
        EXPECT_EQ(shown.find(bad), std::string::npos) << command[0] << ": " << ::testing::PrintToString(shown);
      EXPECT_FALSE(shown.empty()) << command[0];
    }
}

TEST(HostileInput, AFullStandardOutputIsAnError) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene());
  for (const std::string& command : std::vector<std::string>{
           "--version", "--help", "run --help", "", "schema", "schema --json", "man", "completion bash",
           "parameters " + scene, "check " + scene, "run " + scene + " --dry-run", "damping --zeta 0.1", "mesh --list",
           "mesh koala --source", "--version --json", "modes " + scene})
    EXPECT_EQ(shell("$D " + command + " >/dev/full 2>/dev/null"), 3) << command;
}

TEST(HostileInput, ARunThatBlowsUpLeavesOnlyNumbersInItsLedger) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene("bar", "200 ms", "60 s", R"(, "seed": 1)"));
  for (const char* stepper : {"leapfrog", "symplectic_euler", "rk4"}) {
    const ProgramResult result = run_dashpot(
        {"run", scene, "--out", folder.path("out"), "--set", std::string("/time/stepper=") + stepper, "--quiet"});
    if (result.exit_code == 3) continue;  // no such stepper
    EXPECT_EQ(result.exit_code, 4) << stepper << ": " << result.err;
    const std::string ledger = content(folder.path("out/ledger.csv"));
    EXPECT_GT(ledger.size(), 100U);
    EXPECT_EQ(ledger.find("inf"), std::string::npos) << stepper;
    EXPECT_EQ(ledger.find("nan"), std::string::npos) << stepper;
  }
}

TEST(HostileInput, AFullDiskIsAnErrorWithAMessageAndNothingIsLeft) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene("bar", "5 ms", "2 s")), run = folder.path("run");
  ASSERT_EQ(run_dashpot({"run", scene, "--out", run, "--quiet"}).exit_code, 0);
  fs::create_directories(folder.path("disk"));
  for (const char* name : {"a.xdmf", "a.usda", "a.glb", "a.pc2"}) {
    // Files of more than 4 blocks of 512 bytes cannot be written; what write(2) says is as on a full disk.
    const std::string command = "ulimit -f 4; $D export " + run + " -o " + folder.path("disk/") + name;
    EXPECT_EQ(shell(command + " >" + folder.path("said") + " 2>&1"), 3) << name << ": " << content(folder.path("said"));
    EXPECT_NE(content(folder.path("said")).find("error: "), std::string::npos);
    EXPECT_TRUE(fs::is_empty(folder.path("disk"))) << name;
  }
}

TEST(HostileInput, LittleMemoryEndsWithAMessageAndNotInAnEndlessWait) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene());
  const int code = shell("ulimit -v 120000; timeout 20 $D check " + scene + " >/dev/null 2>&1");
  EXPECT_NE(code, 124) << "it did not end";
  EXPECT_LT(code, 128) << "it crashed";
}

}  // namespace
}  // namespace dashpot::testing::test_hostile_input
