// render and gallery: pictures of runs, meshes and shapes, and what happens when they cannot be drawn.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_render_commands {
namespace {

const char* const swinging_bar = R"({
  "dashpot": 1, "title": "A bar lets go", "gravity": [0, -9.81, 0],
  "time": {"dt": "5 ms", "end": "0.1 s", "stepper": "trapezoid"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.5, 0.1, 0.1], "cells": [4, 1, 1]}},
    "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.4, "density": 1000},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}],
  "record": {"every": "10 ms"}})";

/// Width and height in the header of a PNG file; zeros when it is none.
std::pair<unsigned, unsigned> png_size(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  unsigned char head[24] = {};
  file.read(reinterpret_cast<char*>(head), sizeof head);
  if (!file || head[1] != 'P' || head[2] != 'N' || head[3] != 'G') return {0, 0};
  const auto number = [&](int at) {
    return static_cast<unsigned>(head[at]) << 24 | static_cast<unsigned>(head[at + 1]) << 16 |
           static_cast<unsigned>(head[at + 2]) << 8 | static_cast<unsigned>(head[at + 3]);
  };
  return {number(16), number(20)};
}

std::string run_bar(const ScratchFolder& folder, const std::string& name) {
  const std::string out = folder.path(name);
  const ProgramResult result = run_dashpot({"run", folder.write("bar.json", swinging_bar), "--out", out, "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return out;
}

TEST(RenderCommand, DrawsStillsSheetsAndRunsSideBySide) {
  const ScratchFolder folder;
  const std::string a = run_bar(folder, "a"), b = run_bar(folder, "b");
  const std::string sheet = folder.path("sheet.png"), still = folder.path("still.png"), both = folder.path("both.png");
  const std::vector<std::string> small = {"--size", "180x120", "--draft"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), small.begin(), small.end());
    return run_dashpot(arguments);
  };
  const ProgramResult first = with({"render", a, "-o", sheet, "--color", "strain", "--json"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.json().at("times").size(), 6U);
  EXPECT_GT(first.json().at("scale").at("high"), 0);
  EXPECT_GE(png_size(sheet).first, 180U);
  ASSERT_EQ(with({"render", a, "--at", "50 ms", "-o", still, "--look", "0,10", "--zoom", "1.2"}).exit_code, 0);
  EXPECT_EQ(png_size(still), (std::pair<unsigned, unsigned>(180, 120)));
  ASSERT_EQ(with({"render", a, b, "-o", both, "--at", "0.1", "--color", "speed"}).exit_code, 0);
  EXPECT_GT(png_size(both).first, 180U);
}

TEST(RenderCommand, WritesASequenceAtTheRateAskedFor) {
  const ScratchFolder folder;
  const std::string run = run_bar(folder, "run"), frames = folder.path("frames");
  const ProgramResult result =
      run_dashpot({"render", run, "--frames", frames, "--fps", "50", "--size", "90x64", "--draft", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json().at("pictures").size(), 6U);
  EXPECT_EQ(png_size(frames + "/frame_00005.png"), (std::pair<unsigned, unsigned>(90, 64)));
  EXPECT_FALSE(std::filesystem::exists(frames + "/frame_00006.png"));
}

TEST(RenderCommand, ASurfaceIsCarriedByTheTetsAndItsDistanceTold) {
  const ScratchFolder folder;
  const std::string run = run_bar(folder, "run");
  const std::string surface =
      folder.write("skin.obj", "v 0 -0.02 0\nv 0.5 -0.02 0\nv 0.5 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n");
  const ProgramResult result = run_dashpot(
      {"render", run, "--surface", surface, "--size", "90x64", "--draft", "-o", folder.path("x.png"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json().at("carried")[0].at("outside"), 2);
  EXPECT_NEAR(result.json().at("carried")[0].at("largest_distance"), 0.02, 1e-9);
  const ProgramResult wrong = run_dashpot({"render", run, "--surface", surface, "--body", "tail"});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_NE(wrong.err.find("bar"), std::string::npos);
}

TEST(RenderCommand, DrawsMeshesAndSaysWhatItCannotDo) {
  const ScratchFolder folder;
  const std::string mesh = folder.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string picture = folder.path("t.png");
  ASSERT_EQ(run_dashpot({"render", mesh, "-o", picture, "--size", "120x80", "--edges"}).exit_code, 0);
  EXPECT_EQ(png_size(picture), (std::pair<unsigned, unsigned>(120, 80)));
  EXPECT_EQ(run_dashpot({"render", folder.path("absent.msh")}).exit_code, 3);
  EXPECT_EQ(run_dashpot({"render", folder.path(".")}).exit_code, 3);  // a folder without a run
  const ProgramResult usage = run_dashpot({"render", mesh, "--size", "9", "--color", "sped", "--look", "1"});
  EXPECT_EQ(usage.exit_code, 2);
  for (const char* word : {"--size", "'speed'", "--look"}) EXPECT_NE(usage.err.find(word), std::string::npos) << word;
  EXPECT_EQ(run_dashpot({"render", mesh, "--at", "1 s", "--follow"}).exit_code, 2);
}

TEST(RenderCommand, TimesThatWereNotRecordedAreRefused) {
  const ScratchFolder folder;
  const std::string run = run_bar(folder, "run");
  const ProgramResult result = run_dashpot({"render", run, "--at", "0.05 s, 9 s"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("9 s"), std::string::npos);
}

TEST(RunCommand, TheReportShowsPicturesAndStaysSmall) {
  const ScratchFolder folder;
  const std::string run = run_bar(folder, "run");
  std::ifstream file(run + "/report.html");
  const std::string html((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
  EXPECT_LT(html.size(), 2'000'000U);
}

TEST(GalleryCommand, OnePageTellsEverythingAboutAShape) {
  const ScratchFolder folder;
  const std::string shape = folder.write("egg.json", R"({"dashpot_shape": 1, "title": "An egg",
    "shape": {"sphere": {"center": [0, 0.2, 0], "radius": 0.2}}})");
  const std::string out = folder.path("gallery");
  const ProgramResult result = run_dashpot({"gallery", shape, "--out", out, "--tets", "300,800", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json asset = result.json().at("assets")[0];
  EXPECT_EQ(asset.at("title"), "An egg");
  ASSERT_EQ(asset.at("meshes").size(), 2U);
  EXPECT_GT(asset.at("meshes")[1].at("elements"), 500);
  EXPECT_GT(asset.at("meshes")[1].at("min_dihedral"), 9);
  EXPECT_NEAR(asset.at("meshes")[1].at("volume"), 4.18879 * 0.008, 0.003);
  EXPECT_GT(asset.at("picture_bytes"), 1000);
  EXPECT_TRUE(std::filesystem::exists(out + "/gallery.html"));
  EXPECT_TRUE(std::filesystem::exists(out + "/gallery.json"));
  const ProgramResult absent = run_dashpot({"gallery", "no_such_creature", "--out", out});
  EXPECT_EQ(absent.exit_code, 3);
  EXPECT_NE(absent.err.find("no_such_creature"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::testing::test_render_commands
