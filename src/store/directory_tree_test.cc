#include "store/directory_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "base/child_for_test.h"
#include "base/status_for_test.h"
#include "base/unique_fd.h"
#include "file_system/mount_point.h"
#include "store/store_directory.h"
#include "store/stores_for_test.h"

namespace levelfield::directory_tree_test {

namespace fs = std::filesystem;
using DirectoryTreeTest = TestOfStores;

TEST_F(DirectoryTreeTest, WipeFollowsNoSymlinkOutOfTheStore) {
  Write(At("photos/2011/cat"), "cat");
  const std::string photos = TreeOf(At("photos"));
  auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
  Write(store.path() + "/log/deep/000001.log", "x");
  fs::create_symlink(At("photos"), store.path() + "/to_directory");
  fs::create_symlink(At("photos/2011/cat"), store.path() + "/log/to_file");
  fs::create_symlink("../../photos", store.path() + "/log/deep/relative");
  fs::create_symlink("/", store.path() + "/root");
  fs::create_symlink("nowhere", store.path() + "/dangling");
  ASSERT_EQ(mkfifo((store.path() + "/pipe").c_str(), 0600), 0);
  fs::create_directories(store.path() + "/locked");
  Must(store.Wipe());
  EXPECT_TRUE(fs::is_directory(store.path()));
  EXPECT_TRUE(fs::is_empty(store.path()));
  EXPECT_EQ(store.state(), StoreState::kDirty) << "until the engine has closed it";
  EXPECT_EQ(TreeOf(At("photos")), photos);
  ASSERT_TRUE(store.Remove().ok());
  EXPECT_FALSE(fs::exists(At("s")));
  EXPECT_EQ(TreeOf(At("photos")), photos);
}

TEST_F(DirectoryTreeTest, AMountIsTakenOnlyWhenEmptyAndNeverDeletedThrough) {
  fs::create_directories(At("mount"));
  Write(At("photos/2011/cat"), "cat");
  const int exit_code = InChild([this] {
    if (!HaveMountsOfOurOwn().ok() ||
        mount("none", At("mount").c_str(), "tmpfs", 0, nullptr) != 0) {
      return 77;
    }
    Write(At("mount/precious"), "p");
    auto refused = StoreDirectory::Create(At("mount"), Fresh());
    if (refused.ok()) return 1;
    if (refused.status().message().find("mounted file system") == std::string::npos) return 2;
    fs::remove(At("mount/precious"));
    auto store = StoreDirectory::Create(At("mount"), Fresh());
    if (!store.ok()) return 3;
    // A bind mount of the same file system, which st_dev alone would not show.
    auto other = StoreDirectory::Create(At("other"), Fresh());
    if (!other.ok()) return 4;
    fs::create_directories(other->path() + "/bound");
    if (mount(At("photos").c_str(), (other->path() + "/bound").c_str(), nullptr, MS_BIND,
              nullptr) != 0) {
      return 5;
    }
    fs::create_directories(store->path() + "/bound");
    if (mount(At("photos").c_str(), (store->path() + "/bound").c_str(), nullptr, MS_BIND,
              nullptr) != 0) {
      return 6;
    }
    for (StoreDirectory* each : {&*store, &*other}) {
      const Status wiped = each->Wipe();
      if (wiped.ok() || wiped.message().find("mounted there") == std::string::npos) return 7;
      if (each->Remove().ok()) return 8;
    }
    if (Read(At("photos/2011/cat")) != "cat") return 9;
    umount((store->path() + "/bound").c_str());
    // The mount root was there before the store, and stays.
    return store->Remove().ok() && fs::is_empty(At("mount")) ? 0 : 10;
  });
  if (exit_code == 77) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(Read(At("photos/2011/cat")), "cat");
}

TEST_F(DirectoryTreeTest, WaitsForFilesThatWereDeletedWhileTheyWereOpenAndForNothingElse) {
  Write(At("late/.nfs0000000000000001"), "x");
  Write(At("used/file"), "x");
  const UniqueFd here(open(At(".").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::thread closes([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fs::remove(At("late/.nfs0000000000000001"));
  });
  EXPECT_TRUE(RemoveEmptied(here.get(), "late").ok());
  closes.join();
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_FALSE(RemoveEmptied(here.get(), "used").ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(1));
  EXPECT_EQ(Read(At("used/file")), "x");
}

TEST_F(DirectoryTreeTest, AnEarlierErrorOfAnotherCallIsNoneOfARemoval) {
  ASSERT_EQ(mkdir(At("empty").c_str(), 0700), 0);
  const UniqueFd here(open(At("").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  errno = EACCES;
  EXPECT_TRUE(RemoveEmptied(here.get(), "empty").ok());
  EXPECT_NE(access(At("empty").c_str(), F_OK), 0);
}

TEST_F(DirectoryTreeTest, NamesAreInOrder) {
  std::vector<std::string> names;
  for (int i = 100; i < 200; ++i) names.push_back(std::to_string(i));
  for (const int i : {3, 77, 50, 99, 0}) std::swap(names[0], names[static_cast<size_t>(i)]);
  for (const std::string& name : names) Write(At("many/" + name), "");
  const UniqueFd directory(open(At("many").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_TRUE(std::ranges::is_sorted(Must(NamesIn(directory.get()))));
}

TEST_F(DirectoryTreeTest, CountsAllocatedBlocksOnceAndFollowsNothing) {
  auto store = StoreDirectory::Create(At("s"), WithSalt(1));
  ASSERT_TRUE(store.ok());
  const auto bytes = [&store] { return Must(store->AllocatedBytes()); };
  EXPECT_EQ(bytes(), 0u);
  const auto blocks_of = [](const std::string& path) {
    struct stat status;
    EXPECT_EQ(lstat(path.c_str(), &status), 0);
    return static_cast<uint64_t>(status.st_blocks) * 512;
  };
  // Blocks are allocated when the page cache is written back.
  const auto write_back = [](const std::string& path) {
    const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(fsync(fd.get()), 0);
  };
  const std::string dense = store->path() + "/dense";
  Write(dense, std::string(1 << 20, 'x'));
  write_back(dense);
  EXPECT_GE(blocks_of(dense), uint64_t{1} << 20);
  EXPECT_EQ(bytes(), blocks_of(dense));
  const int fd = open((store->path() + "/sparse").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(ftruncate(fd, off_t{1} << 40), 0);
  close(fd);
  EXPECT_EQ(bytes(), blocks_of(dense)) << "a map of 1 TiB that is all hole takes no space";
  fs::create_hard_link(dense, store->path() + "/again");
  Write(At("outside"), std::string(1 << 20, 'x'));
  fs::create_symlink(At("outside"), store->path() + "/link");
  EXPECT_EQ(bytes(), blocks_of(dense) + blocks_of(store->path() + "/link"));
  Write(store->path() + "/sub/f", std::string(9000, 'x'));
  write_back(store->path() + "/sub/f");
  EXPECT_EQ(bytes(), blocks_of(dense) + blocks_of(store->path() + "/link") +
                         blocks_of(store->path() + "/sub") + blocks_of(store->path() + "/sub/f"));
}

}  // namespace levelfield::directory_tree_test
