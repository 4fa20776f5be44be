#include "durability/disk_server.h"

#include <fcntl.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "file_system/disks_for_test.h"
#include "file_system/file_system_kind.h"
#include "file_system/loop_device.h"
#include "file_system/loop_file_system.h"

namespace levelfield::disk_server_test {

class DiskServerTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& why : {WhyNoFileSystem("ext4"), DiskServer::WhyNot()}) {
      if (!why.empty()) GTEST_SKIP() << why;
    }
    server_.emplace(Must(DiskServer::Start(SmallSizeOf("ext4"), scratch_.path())));
  }

  const TemporaryDirectory scratch_;
  std::optional<DiskServer> server_;
};

// So a file system's barrier reaches this disk.
TEST_F(DiskServerTest, HasAFlushForEachOfTheLoopDevice) {
  const UniqueFd disk = Must(server_->OpenDisk());
  const std::unique_ptr<LoopFileSystem> file_system = Must(LoopFileSystem::MakeOn(
      disk, {.file_system = "ext4", .mount_options = "", .bytes = 0, .scratch = scratch_.path()}));
  const UniqueFd root(open(file_system->directory().c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(syncfs(root.get()), 0);  // No write from making it is still on its way.
  const DiskTraffic device = file_system->device().SoFar();
  const DiskTraffic server = server_->SoFar();
  for (const char* const name : {"1", "2", "3"}) {
    WriteSynced(file_system->directory(), name, std::string(10'000, 'x'));
  }
  EXPECT_GE(server_->SoFar().flushes - server.flushes, 3u);
  EXPECT_EQ(server_->SoFar().flushes - server.flushes,
            file_system->device().SoFar().flushes - device.flushes);
  EXPECT_EQ(server_->SoFar().written_bytes - server.written_bytes,
            file_system->device().SoFar().written_bytes - device.written_bytes);
}

TEST_F(DiskServerTest, RefusesWhatIsNoCommand) {
  EXPECT_FALSE(server_->Fail(static_cast<DiskFault>(7), 1).ok());
}

TEST(DiskServer, WithoutADirectoryIsNotStarted) {
  if (const std::string why = DiskServer::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_THAT(ErrorOf(DiskServer::Start(1 << 20, "/nowhere")), HasSubstr("/nowhere"));
}

}  // namespace levelfield::disk_server_test
