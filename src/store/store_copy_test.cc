#include "store/store_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "store/stores_for_test.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using StoreCopyTest = TestOfStores;

TEST_F(StoreCopyTest, HasAllThatIsInTheStoreAndGoesWithItsOwner) {
  fs::create_directories(At("store/inner"));
  Write(At("store/a"), std::string(3'000'000, 'a'));
  Write(At("store/inner/b"), "b");
  Write(At("store/empty"), "");
  const std::string before = TreeOf(At("store"));
  std::string path;
  {
    const StatusOr<StoreCopy> copy = StoreCopy::Make(At("store"), At("results"));
    ASSERT_TRUE(copy.ok()) << copy.status().message();
    path = copy->path();
    EXPECT_EQ(Read(path + "/a"), std::string(3'000'000, 'a'));
    EXPECT_EQ(Read(path + "/inner/b"), "b");
    EXPECT_EQ(Read(path + "/empty"), "");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::is_empty(At("results")));
  EXPECT_EQ(TreeOf(At("store")), before);
}

// A file of a gigabyte with little in it, as LMDB makes of a map.
TEST_F(StoreCopyTest, LeavesHolesAsTheyAre) {
  constexpr off_t kSize = off_t{1} << 30;
  Write(At("data"), "head");
  const int file = open(At("data").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kSize), 0);
  ASSERT_EQ(pwrite(file, "middle", 6, kSize / 2), 6);
  close(file);
  const StatusOr<StoreCopy> copy = StoreCopy::Make(At("data"), At("results"));
  ASSERT_TRUE(copy.ok()) << copy.status().message();
  struct stat status {};
  ASSERT_EQ(stat(copy->path().c_str(), &status), 0);
  EXPECT_EQ(status.st_size, kSize);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
  const int made = open(copy->path().c_str(), O_RDONLY | O_CLOEXEC);
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
  const StatusOr<StoreCopy> copy = StoreCopy::Make(At("store"), At("results"));
  EXPECT_EQ(copy.status().kind(), ErrorKind::kUsage);
  EXPECT_TRUE(fs::is_empty(At("results")));
}

}  // namespace
}  // namespace levelfield
