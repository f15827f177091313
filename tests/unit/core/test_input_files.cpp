// Files that are whole or absent, and files that went into a result.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/input_files.hpp"

namespace dashpot::test_input_files {
namespace {

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dashpot_files_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string folder_;
};

TEST_F(Files, ReadForASceneAreNotedWithTheirHash) {
  write_file_atomically(path("a"), "one");
  write_file_atomically(path("b"), "two!");
  InputFiles files;
  EXPECT_EQ(files.read(path("b")), "two!");
  EXPECT_EQ(files.read(folder_ + "/./a"), "one") << "spelled in another way";
  EXPECT_EQ(files.read(path("a")), "one");
  const std::vector<InputFile> list = files.list();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].path, path("a"));
  EXPECT_EQ(list[1].bytes, 4U);
  EXPECT_NE(list[0].hash, list[1].hash);
  write_file_atomically(path("a"), "One");
  EXPECT_THROW(files.read(path("a")), Error) << "two versions must not meet in one result";
  EXPECT_THROW(files.read(path("none")), Error);
}

TEST_F(Files, ThatWereAnnouncedMustBeTheSame) {
  write_file_atomically(path("a"), "one");
  InputFiles first, second, third;
  first.read(path("a"));
  second.expect(path("a"), first.list()[0].hash);
  EXPECT_EQ(second.read(path("a")), "one");
  write_file_atomically(path("a"), "One");
  third.expect(path("a"), first.list()[0].hash);
  EXPECT_THROW(third.read(path("a")), Error);
}

TEST_F(Files, ChangedNewAndGoneAreToldApartAndMovedOnesAreTheSame) {
  const InputFile a{"/x/a", "1", 3}, b{"/x/b", "2", 3};
  EXPECT_TRUE(changed_files({a, b}, {a, b}).empty());
  EXPECT_TRUE(changed_files({a, b}, {{"/y/a", "1", 3}, {"/y/b", "2", 3}}).empty());
  EXPECT_EQ(changed_files({a, b}, {a, {"/x/b", "9", 3}}), std::vector<std::string>{"/x/b (changed)"});
  EXPECT_EQ(changed_files({a, b}, {a, {"/x/b", "1", 3}}), std::vector<std::string>{"/x/b (changed)"});
  EXPECT_EQ(changed_files({a}, {a, b}), std::vector<std::string>{"/x/b (new)"});
  EXPECT_EQ(changed_files({a, b}, {a}), std::vector<std::string>{"/x/b (gone)"});
}

TEST_F(Files, OneFileWrittenByManyAtOnceIsAlwaysThatOfOneOfThem) {
  constexpr std::size_t size = 200'000;
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'e'; ++letter)
    writers.emplace_back([this, letter] {
      for (int i = 0; i < 20; ++i) {
        write_file_atomically(path("shared"), std::string(size, letter));
        const std::string seen = read_file(path("shared"));
        EXPECT_EQ(seen, std::string(size, seen.empty() ? '?' : seen[0])) << "a mixture, or half a file";
      }
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "nothing is left beside it";
  write_file_atomically(path("shared.partial"), "left by a killed process");
  write_file_atomically(path("shared"), "x");
  EXPECT_EQ(read_file(path("shared")), "x");
  EXPECT_FALSE(std::filesystem::exists(path("shared.partial")));
}

}  // namespace
}  // namespace dashpot::test_input_files
