#include "store/store_place.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "base/files_for_test.h"
#include "store/store_directory.h"
#include "store/stores_for_test.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using StorePlaceTest = TestOfStores;

TEST_F(StorePlaceTest, MakesUpToFourParentsAndKeepsTheDirectoryPrivate) {
  auto store = StoreDirectory::Create(At("1/2/3/4/new"), WithSalt(1));
  ASSERT_TRUE(store.ok()) << store.status().message();
  struct stat status;
  ASSERT_EQ(stat(At("1/2/3/4/new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
}

TEST_F(StorePlaceTest, TakesAwayTheParentsItMadeWhenItFailsLater) {
  // Parents can be made, and then the file size limit forbids the marker.
  const int exit_code = InChild([this] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto store = StoreDirectory::Create(At("1/2/new"), WithSalt(1));
    return store.ok() || store.status().kind() != ErrorKind::kFailed ? 1 : 0;
  });
  EXPECT_EQ(exit_code, 0);
  EXPECT_FALSE(fs::exists(At("1")));
}

TEST_F(StorePlaceTest, CheckSaysWhatCreateWouldAndChangesNothing) {
  fs::create_directories(At("others"));
  Write(At("others/thesis.txt"), "ten years of work");
  Write(At("file"), "");
  for (const char* const place : {"others", "file", "file/below", "others/../../../etc/x"}) {
    const Status checked = StoreDirectory::Check(At(place));
    EXPECT_EQ(checked.kind(), ErrorKind::kUsage) << place;
    EXPECT_EQ(checked.message(), StoreDirectory::Create(At(place), Fresh()).status().message());
  }
  EXPECT_TRUE(StoreDirectory::Check(At("others/new")).ok());
  EXPECT_FALSE(fs::exists(At("others/new")));
  ASSERT_TRUE(StoreDirectory::Create(At("ours"), Fresh()).ok());
  EXPECT_TRUE(StoreDirectory::Check(At("ours")).ok());
}

}  // namespace
}  // namespace levelfield
