#include "store/store_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/child_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/unique_fd.h"
#include "store/stores_for_test.h"

namespace levelfield::store_files_test {

namespace fs = std::filesystem;
using StoreCopyTest = TestOfStores;

TEST_F(StoreCopyTest, HasAllThatIsInTheStoreAndGoesWithItsOwner) {
  Write(At("store/a"), std::string(3'000'000, 'a'));
  Write(At("store/inner/b"), "b");
  Write(At("store/empty"), "");
  const std::string before = TreeOf(At("store"));
  std::string path;
  {
    const StoreCopy copy = Must(StoreCopy::Make(At("store"), At("results")));
    path = copy.path();
    EXPECT_EQ(Read(path + "/a"), std::string(3'000'000, 'a'));
    EXPECT_EQ(Read(path + "/inner/b"), "b");
    EXPECT_EQ(Read(path + "/empty"), "");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::is_empty(At("results")));
  EXPECT_EQ(TreeOf(At("store")), before);
}

TEST_F(StoreCopyTest, ThatCannotBeWrittenWholeIsNone) {
  Write(At("data"), std::string(200'000, 'a'));
  EXPECT_EQ(WithFileSizeLimit(
                64 << 10, [&] { return StoreCopy::Make(At("data"), At("results")).ok() ? 1 : 0; }),
            0);
}

// A file of a gigabyte with little in it, like LMDB's file for its map.
TEST_F(StoreCopyTest, LeavesHolesAsTheyAre) {
  constexpr off_t kSize = off_t{1} << 30;
  Write(At("data"), "head");
  const int file = open(At("data").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kSize), 0);
  ASSERT_EQ(pwrite(file, "middle", 6, kSize / 2), 6);
  close(file);
  const StoreCopy copy = Must(StoreCopy::Make(At("data"), At("results")));
  struct stat status {};
  ASSERT_EQ(stat(copy.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_size, kSize);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
  const int made = open(copy.path().c_str(), O_RDONLY | O_CLOEXEC);
  char text[6] = {};
  EXPECT_EQ(pread(made, text, 4, 0), 4);
  EXPECT_EQ(std::string(text, 4), "head");
  EXPECT_EQ(pread(made, text, 6, kSize / 2), 6);
  EXPECT_EQ(std::string(text, 6), "middle");
  close(made);
}

TEST_F(StoreCopyTest, IsNotMadeOfLinksThatLeadElsewhere) {
  fs::create_directory(At("store"));
  Write(At("elsewhere"), "not the store's");
  fs::create_symlink(At("elsewhere"), At("store/link"));
  EXPECT_EQ(StoreCopy::Make(At("store"), At("results")).status().kind(), ErrorKind::kUsage);
  EXPECT_TRUE(fs::is_empty(At("results")));
}

class StoreUsers : public ::testing::Test {
 protected:
  StoreUsers() {
    Write(directory_ / "db/file", "x");
    Write(directory_ / "db.wal", "x");
  }
  ~StoreUsers() override {
    if (child_ > 0) KillChild(child_);
  }

  // A separate process that keeps the files open until the test ends.
  void HoldOpen(const std::vector<std::string>& names) {
    child_ = PausedChild([&names] {
      for (const std::string& name : names) (void)open(name.c_str(), O_RDONLY);
    });
  }

  TemporaryDirectory directory_;
  pid_t child_ = 0;
};

TEST_F(StoreUsers, OfAStoreThatNobodyHasOpenAreNone) {
  EXPECT_TRUE(CheckNobodyUses(directory_ / "db").ok());
  EXPECT_TRUE(CheckNobodyUses(directory_ / "none").ok());
}

TEST_F(StoreUsers, AreToldByTheirProcessAndTheirFile) {
  HoldOpen({directory_ / "db/file"});
  EXPECT_THAT(
      UsageErrorOf(CheckNobodyUses(directory_ / "db")),
      AllOf(HasSubstr("process " + std::to_string(child_) + " ("), HasSubstr("/db/file open")));
}

TEST_F(StoreUsers, OfAFileAreThoseOfTheFilesThatAreNamedAfterItToo) {
  HoldOpen({directory_ / "db.wal"});
  EXPECT_TRUE(CheckNobodyUses(directory_ / "db").ok()) << "it is beside the directory";
  std::filesystem::remove_all(directory_ / "db");
  Write(directory_ / "db", "x");
  EXPECT_FALSE(CheckNobodyUses(directory_ / "db").ok());
}

TEST_F(StoreUsers, AreNotThisProcessItself) {
  const UniqueFd fd(open((directory_ / "db/file").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(CheckNobodyUses(directory_ / "db").ok());
}

}  // namespace levelfield::store_files_test
