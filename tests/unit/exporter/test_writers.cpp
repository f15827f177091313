// Every format takes every kind of run, whole or not at all. What is inside is checked by independent readers in
// tests/interop.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/exporter/exporter.hpp"
#include "dashpot/mesh/point_cache.hpp"
#include "dashpot/mesh/read.hpp"
#include "small_recordings.hpp"

namespace dashpot::exporter::test_writers {
namespace {

namespace fs = std::filesystem;
using namespace dashpot::testing;

class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / (std::string("dashpot_export_") + info->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::vector<std::string> content() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) names.push_back(entry.path().string());
    return names;
  }
  ExportReport write(const Animation& animation, const std::string& name, const Hooks& hooks = {},
                     const std::string& format = {}) const {
    ExportOptions options;
    options.path = path(name);
    options.format = format_of(name, format);
    options.stamp.scene_hash = "0123456789abcdef";
    return export_animation(animation, options, hooks);
  }
  fs::path root_;
};

struct Output {
  std::string name, format;
};
const std::vector<Output> outputs = {{"a.usda", ""}, {"a.glb", ""},  {"a.xdmf", ""},    {"a.pvd", ""},
                                     {"vtu", "vtu"}, {"obj", "obj"}, {"caches", "pc2"}, {"more", "mdd"}};

TEST_F(Folder, EveryFormatCarriesTetsEdgesPointsAndScenery) {
  const Animation animation(crowd(tumbling, 4, 0.1), {20});
  for (const Output& output : outputs) {
    const ExportReport report = write(animation, output.name, {}, output.format);
    EXPECT_FALSE(report.is_interrupted);
    EXPECT_EQ(report.num_frames, 7u);
    ASSERT_FALSE(report.files.empty());
    for (const std::string& file : report.files) EXPECT_TRUE(fs::exists(file)) << file;
  }
  for (const std::string& name : content()) EXPECT_EQ(name.find(".partial"), std::string::npos) << name;
  EXPECT_EQ(read_point_cache(path("caches/a_chain.pc2")).num_points(), 4u);
  EXPECT_EQ(read_mesh(path("obj/dust_00006.obj")).num_nodes(), 2);
}

TEST_F(Folder, EveryFormatTakesASingleFrameAndTenNodeTets) {
  const Animation animation(recording_of({{"bar", small_bar(ElementKind::tet10)}}, bending, 1, 0.1), {24});
  for (const Output& output : outputs)
    EXPECT_EQ(write(animation, output.name, {}, output.format).num_frames, 1u) << output.name;
  EXPECT_EQ(write(animation, "single.obj").files.size(), 1u);
  const std::string glb = read_file(path("a.glb"));
  EXPECT_EQ(glb.find("\"animations\""), std::string::npos);
  EXPECT_EQ(glb.find("\"targets\""), std::string::npos);
}

TEST_F(Folder, AnInterruptedExportLeavesNothing) {
  const Animation animation(crowd(tumbling, 4, 0.1), {20});
  for (const Output& output : outputs)
    for (const int patience : {0, 3}) {
      int polls = 0;
      Hooks hooks;
      hooks.should_stop = [&] { return polls++ >= patience; };
      const ExportReport report = write(animation, output.name, hooks, output.format);
      EXPECT_TRUE(report.is_interrupted) << output.name;
      EXPECT_TRUE(report.files.empty());
      EXPECT_TRUE(content().empty()) << content().front();
    }
}

TEST_F(Folder, AnInterruptedExportKeepsTheEarlierFile) {
  const Animation animation(crowd(tumbling, 4, 0.1), {20});
  write(animation, "a.usda");
  const std::string before = read_file(path("a.usda"));
  Hooks hooks;
  hooks.should_stop = [] { return true; };
  write(animation, "a.usda", hooks);
  EXPECT_EQ(read_file(path("a.usda")), before);
}

TEST_F(Folder, ProgressGrowsToOne) {
  const Animation animation(crowd(tumbling, 4, 0.1), {20});
  for (const Output& output : outputs) {
    double last = 0;
    Hooks hooks;
    hooks.on_progress = [&](double done) {
      EXPECT_GE(done, last);
      last = done;
    };
    write(animation, output.name, hooks, output.format);
    EXPECT_NEAR(last, 1, 0.5) << output.name;
  }
}

TEST_F(Folder, AFolderOfAnEarlierExportIsReplacedAndAForeignOneIsNot) {
  const Recording recording = recording_of({{"bar", small_bar()}}, bending, 3, 0.1);
  write(Animation(recording, {20}), "frames", {}, "obj");
  EXPECT_TRUE(fs::exists(path("frames/bar_00004.obj")));
  write(Animation(recording, {10}), "frames", {}, "obj");
  EXPECT_FALSE(fs::exists(path("frames/bar_00004.obj")));
  write_file_atomically(path("frames/thesis.txt"), "years of work");
  EXPECT_THROW(write(Animation(recording, {10}), "frames", {}, "obj"), Error);
  EXPECT_EQ(read_file(path("frames/thesis.txt")), "years of work");
}

TEST_F(Folder, PointCachesHoldTheSkinOrAllNodesAsAsked) {
  const Recording recording = recording_of({{"bar", small_bar()}}, bending, 3, 0.1);
  const Animation animation(recording, {10});
  ExportOptions options;
  options.path = path("bar.mdd");
  options.format = Format::mdd;
  export_animation(animation, options);
  EXPECT_EQ(read_point_cache(options.path).num_points(), 50u);
  EXPECT_EQ(read_mesh(path("bar_points.obj")).num_nodes(), 50);
  options.all_nodes = true;
  export_animation(animation, options);
  const PointCache cache = read_point_cache(options.path);
  ASSERT_EQ(cache.num_points(), 54u);
  for (std::size_t p = 0; p < 54; ++p) EXPECT_LT((cache.frames[2][p] - recording.frames[2].points[p]).norm(), 1e-7);
}

TEST_F(Folder, TheObjBesideACacheDoesNotReplaceAFileOfTheUser) {
  const Animation animation(recording_of({{"bar", small_bar()}}, bending, 3, 0.1), {10});
  write(animation, "bar.pc2");
  write(animation, "bar.pc2");  // our own may be replaced
  write_file_atomically(path("bar_points.obj"), "v 1 2 3\n");
  EXPECT_THROW(write(animation, "bar.pc2"), Error);
  EXPECT_EQ(read_file(path("bar_points.obj")), "v 1 2 3\n");
}

TEST_F(Folder, OneFileForSeveralBodiesIsRefusedWithTheirNames) {
  const Animation animation(crowd(tumbling, 2, 0.1), {20});
  try {
    write(animation, "a.pc2");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a chain"), std::string::npos);
  }
  EXPECT_THROW(write(animation, "a.obj"), Error);
  EXPECT_TRUE(content().empty());
}

TEST_F(Folder, AFolderThatDoesNotExistIsAnErrorAndNotACrash) {
  const Animation animation(crowd(tumbling, 2, 0.1), {20});
  for (const char* name : {"no/a.usda", "no/a.glb", "no/a.xdmf"}) EXPECT_THROW(write(animation, name), Error) << name;
}

TEST(ExportFormat, UnknownNamesListWhatIsPossible) {
  for (const auto& [path, name] : {std::pair{"a.abc", ""}, {"a", ""}, {"dir", "abc"}}) {
    try {
      format_of(path, name);
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("usda"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(format_of("A.GLB"), Format::glb);
  EXPECT_EQ(format_of("frames", "OBJ"), Format::obj);
}

}  // namespace
}  // namespace dashpot::exporter::test_writers
