// A folder has one writer at a time; a lock file that was left behind means nothing.
#include "dashpot/core/folder_lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot::testing::test_folder_lock {
namespace {

namespace fs = std::filesystem;

class FolderLockTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }
  std::string file() const { return folder_ + "/" + FolderLock::file_name; }
  /// The message of the refusal; empty: the folder could be locked.
  std::string refusal() const {
    try {
      const FolderLock lock(folder_);
      EXPECT_TRUE(lock.is_held());
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  const std::string root_ = ::testing::TempDir() + "dashpot_folder_lock_" + std::to_string(::getpid());
  const std::string folder_ = root_ + "/a/b";
};

TEST_F(FolderLockTest, ASecondLockIsRefusedAndToldWhoHoldsTheFolderSinceWhen) {
  std::optional<FolderLock> first(folder_);
  ASSERT_TRUE(first->is_held());
  EXPECT_EQ(first->warning(), "");
  const std::string text = refusal(), own = std::to_string(::getpid());
  EXPECT_NE(text.find(folder_), std::string::npos) << text;
  EXPECT_NE(text.find("process " + own + " on "), std::string::npos) << text;
  EXPECT_NE(text.find(", since 20"), std::string::npos) << text;
  EXPECT_NE(text.find("another --out"), std::string::npos) << text;
  EXPECT_NE(read_file(file()).find("pid " + own + "\nhost "), std::string::npos);
  first.reset();
  EXPECT_EQ(refusal(), "");
}

TEST_F(FolderLockTest, ItLeavesNothingBehindButWhatWasWritten) {
  { const FolderLock lock(folder_); }
  EXPECT_FALSE(fs::exists(folder_));
  {
    const FolderLock lock(folder_);
    write_file_atomically(folder_ + "/result", "42");
  }
  EXPECT_EQ(read_file(folder_ + "/result"), "42");
  EXPECT_FALSE(fs::exists(file()));
  fs::remove(folder_ + "/result");
  { const FolderLock lock(folder_); }
  EXPECT_TRUE(fs::exists(folder_)) << "an empty folder that was there before";
}

TEST_F(FolderLockTest, AFileLeftBehindDoesNotLock) {
  create_folder(folder_);
  write_file_atomically(file(), "pid 1\nhost elsewhere\nsince 2001-01-01 00:00:00 +0000\n and more than we write");
  const FolderLock lock(folder_);
  EXPECT_TRUE(lock.is_held());
  EXPECT_EQ(read_file(file()).find("elsewhere"), std::string::npos);
  EXPECT_EQ(read_file(file()).find("and more"), std::string::npos);
}

TEST_F(FolderLockTest, AKilledProcessHoldsNothing) {
  create_folder(folder_);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder_);
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_NE(refusal().find("process " + std::to_string(child)), std::string::npos);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(file()));
  EXPECT_EQ(refusal(), "");
  for (const int end : ready) ::close(end);
}

TEST_F(FolderLockTest, AMovedLockIsHeldOnceAndFollowsARenamedFolder) {
  FolderLock lock(folder_);
  FolderLock moved(std::move(lock));
  EXPECT_NE(refusal(), "");
  write_file_atomically(folder_ + "/result", "42");
  fs::rename(folder_, root_ + "/a/c");
  moved.folder_was_renamed(root_ + "/a/c");
  EXPECT_EQ(refusal(), "") << "the name is free for another folder";
  moved = FolderLock();
  EXPECT_TRUE(fs::exists(root_ + "/a/c/result"));
  EXPECT_FALSE(fs::exists(root_ + "/a/c/" + FolderLock::file_name));
}

TEST_F(FolderLockTest, ALinkInPlaceOfTheLockFileIsNotFollowed) {
  create_folder(folder_);
  write_file_atomically(root_ + "/precious", "42");
  fs::create_symlink(root_ + "/precious", file());
  EXPECT_NE(refusal().find("cannot create the lock file"), std::string::npos);
  EXPECT_EQ(read_file(root_ + "/precious"), "42");
}

// Every holder removes the lock file at its end, while others are about to lock it: two must never get in.
TEST_F(FolderLockTest, ProcessesThatComeAndGoAreNeverInTheFolderTogether) {
  create_folder(root_);
  const std::string inside = root_ + "/inside";
  constexpr int num_processes = 4;
  pid_t children[num_processes];
  for (pid_t& child : children) {
    child = ::fork();
    if (child != 0) continue;
    int entered = 0;
    for (int i = 0; i < 200000 && entered < 100; ++i) {
      try {
        const FolderLock lock(folder_);
        if (::mkdir(inside.c_str(), 0755) != 0) ::_exit(1);  // somebody else is in
        if (::rmdir(inside.c_str()) != 0) ::_exit(2);
        ++entered;
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): held by another; try again
      }
    }
    ::_exit(entered > 0 ? 0 : 3);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

}  // namespace
}  // namespace dashpot::testing::test_folder_lock
