#include "probe/page_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files_for_test.h"
#include "probe/medium_probe.h"

namespace levelfield::page_cache_test {

constexpr uint64_t kBytes = 4 << 20;

class PageCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!MediumOf(directory_.path()).volatile_because.empty()) {
      GTEST_SKIP() << "files in memory are nowhere else";
    }
    Write(file_, std::string(kBytes, 'x'));
  }
  const TemporaryDirectory directory_;
  const std::string file_ = directory_ / "below/file";
};

TEST_F(PageCacheTest, HasWhatWasWrittenUntilItIsDropped) {
  const Residency written = ResidencyOf(directory_.path());
  EXPECT_EQ(written.file_bytes, kBytes);
  EXPECT_EQ(written.cached_bytes, kBytes);
  DropFromPageCache(directory_.path());
  EXPECT_LT(ResidencyOf(directory_.path()).cached_bytes, kBytes / 100);
  (void)Read(file_);
  EXPECT_EQ(ResidencyOf(file_).cached_bytes, kBytes);
}

TEST_F(PageCacheTest, KeepsWhatSomebodyHasPinned) {
  const int fd = open(file_.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  void* const map = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  ASSERT_NE(map, MAP_FAILED);
  DropFromPageCache(directory_.path());
  EXPECT_GT(ResidencyOf(directory_.path()).cached_bytes, kBytes / 2);
  munmap(map, kBytes);
  close(fd);
}

TEST_F(PageCacheTest, HasDirtyPagesUntilTheyAreSynced) {
  const int fd = open(file_.c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(fdatasync(fd), 0);
  const auto clean = DirtyPagesOf(directory_.path());
  if (!clean) GTEST_SKIP() << "no cachestat here: it came with Linux 6.5";
  EXPECT_TRUE(clean->empty());
  ASSERT_EQ(pwrite(fd, "y", 1, 0), 1);
  const auto dirty = DirtyPagesOf(directory_.path());
  ASSERT_EQ(dirty->size(), 1u);
  EXPECT_EQ(dirty->front().first, "below/file");
  EXPECT_GE(dirty->front().second, 1u);  // The kernel reports all of the folio that the page is in.
  ASSERT_EQ(fdatasync(fd), 0);
  EXPECT_TRUE(DirtyPagesOf(directory_.path())->empty());
  close(fd);
}

TEST_F(PageCacheTest, OfNothingIsNothing) {
  EXPECT_EQ(ResidencyOf(directory_ / "gone").file_bytes, 0u);
  DropFromPageCache(directory_ / "gone");
}

}  // namespace levelfield::page_cache_test
