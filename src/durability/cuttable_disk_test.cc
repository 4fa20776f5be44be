#include "durability/cuttable_disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/files_for_test.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

constexpr uint64_t kMiB = 1 << 20;

struct Case {
  PowerCut cut;
  std::string file_system;
};

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  return (info.param.cut == PowerCut::kShutdown ? "Shutdown_" : "Volatile_") +
         info.param.file_system;
}

uint64_t SmallSizeOf(const std::string& file_system) {
  return (file_system == "xfs" ? 300 : file_system == "btrfs" ? 128 : 64) * kMiB;
}

void WriteSynced(const std::string& directory, const std::string& name, const std::string& text) {
  const UniqueFd file(open((directory + "/" + name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_EQ(fsync(file.get()), 0);
  const UniqueFd above(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(fsync(above.get()), 0);
}

class CuttableDiskTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const std::string why = CuttableDisk::WhyNot(GetParam().cut, GetParam().file_system);
    if (!why.empty()) GTEST_SKIP() << why;
  }

  CuttableDisk::Options Options() const {
    return {.cut = GetParam().cut,
            .file_system = GetParam().file_system,
            .mount_options = "",
            .bytes = SmallSizeOf(GetParam().file_system),
            .scratch = scratch_.path()};
  }

  const TemporaryDirectory scratch_;
};

TEST_P(CuttableDiskTest, KeepsWhatWasSynced) {
  StatusOr<std::unique_ptr<CuttableDisk>> disk = CuttableDisk::Make(Options());
  ASSERT_TRUE(disk.ok()) << disk.status().message();
  for (const std::string name : {"first", "second"}) {
    WriteSynced((*disk)->directory(), name, std::string(10'000, 'x') + name);
    const Status cut = (*disk)->Cut(0, 1);
    ASSERT_TRUE(cut.ok()) << cut.message();
    const StatusOr<std::string> left = (*disk)->Recover();
    ASSERT_TRUE(left.ok()) << left.status().message();
    EXPECT_EQ(Read(*left + "/" + name), std::string(10'000, 'x') + name);
    EXPECT_TRUE((*disk)->Release().ok());
  }
  EXPECT_GT((*disk)->written_bytes(), 10'000u);
  EXPECT_GE((*disk)->flushes(), 2u);
}

TEST_P(CuttableDiskTest, LosesWhatWasNot) {
  StatusOr<std::unique_ptr<CuttableDisk>> disk = CuttableDisk::Make(Options());
  ASSERT_TRUE(disk.ok()) << disk.status().message();
  Write((*disk)->directory() + "/file", std::string(10'000, 'x'));
  ASSERT_TRUE((*disk)->Cut(0, 1).ok());
  const StatusOr<std::string> left = (*disk)->Recover();
  ASSERT_TRUE(left.ok()) << left.status().message();
  EXPECT_LT(Read(*left + "/file").size(), 10'000u);
}

INSTANTIATE_TEST_SUITE_P(
    OfAKind, CuttableDiskTest,
    testing::Values(Case{PowerCut::kShutdown, "ext3"}, Case{PowerCut::kShutdown, "ext4"},
                    Case{PowerCut::kShutdown, "xfs"}, Case{PowerCut::kVolatile, "ext2"},
                    Case{PowerCut::kVolatile, "ext4"}, Case{PowerCut::kVolatile, "xfs"},
                    Case{PowerCut::kVolatile, "btrfs"}),
    NameOf);

}  // namespace
}  // namespace levelfield
