// Started with stdin, stdout or stderr closed, the program writes nothing into its own files that belongs on a stream.
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_closed_streams {
namespace {

constexpr const char* scene_text = R"({"dashpot": 1, "time": {"dt": "5 ms", "end": "0.1 s", "stepper": "midpoint"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [4, 1, 1]}},
    "material": {"model": "stvk", "young": "20 MPa", "poisson": 0.3, "density": 1000}, "damping": [],
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}], "gravity": [0, -9.81, 0]})";

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Exit code of `dashpot WORDS`, redirections included, run by the shell.
int shell(const std::string& words) {
  const int status = std::system((std::string(DASHPOT_PROGRAM) + " " + words).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Closing {
  const char* redirection;
  int exit_code;
};

TEST(ClosedStreams, ARunRecordsTheSameBytesWhateverIsClosed) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text);
  const auto run_into = [&](const std::string& name, const std::string& redirection) {
    return shell("run " + scene + " --out " + folder.path(name) + " " + redirection);
  };
  ASSERT_EQ(run_into("open", ">/dev/null 2>&1"), 0);
  ASSERT_GT(content(folder.path("open/ledger.csv")).size(), 500U);
  int number = 0;
  for (const Closing& closing :
       {Closing{"2>&- >/dev/null", 0}, Closing{"<&- >/dev/null 2>&1", 0}, Closing{"<&- 2>&- >/dev/null", 0},
        Closing{">&- 2>/dev/null", 3}, Closing{"<&- >&- 2>&-", 3}}) {
    const std::string name = "closed" + std::to_string(++number);
    EXPECT_EQ(run_into(name, closing.redirection), closing.exit_code) << closing.redirection;
    for (const char* file : {"/ledger.csv", "/probes.csv", "/frames.dpf", "/scene.json", "/recording.json"})
      EXPECT_EQ(content(folder.path(name + file)), content(folder.path(std::string("open") + file)))
          << file << " with " << closing.redirection;
    EXPECT_FALSE(content(folder.path(name + "/report.html")).empty()) << closing.redirection;
  }
}

TEST(ClosedStreams, DataThatCannotBePrintedIsAFailure) {
  for (const char* words : {"damping --zeta 0.02 --f '3 Hz'", "damping --zeta 0.02 --f '3 Hz' --json", "man", "--help",
                            "--version", "completion bash"}) {
    EXPECT_EQ(shell(std::string(words) + " >/dev/null"), 0) << words;
    for (const char* lost : {" >&- 2>/dev/null", " >&- 2>&-", " <&- >&- 2>&-", " >/dev/full 2>/dev/null"})
      EXPECT_EQ(shell(words + std::string(lost)), 3) << words << lost;
  }
}

TEST(ClosedStreams, AnErrorKeepsItsExitCodeWithoutAStreamToTellItOn) {
  EXPECT_EQ(shell("run no_such_scene.json --out nowhere 2>&-"), 3);
  EXPECT_EQ(shell("no_such_command <&- >&- 2>&-"), 2);
}

}  // namespace
}  // namespace dashpot::testing::test_closed_streams
