#include "probe/device_queue.h"

#include <gtest/gtest.h>

#include "base/files_for_test.h"

namespace levelfield::device_queue_test {

// A disk whose queue the test fills, and a file system that is on none.
class DeviceQueueTest : public ::testing::Test {
 protected:
  DeviceQueueTest() {
    Write("/proc/self/mountinfo",
          "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:30 / /tmp rw - tmpfs tmpfs rw\n");
    Write("/sys/dev/block/8:1/partition", "1\n");
    SetInFlight("       0        0\n");
  }
  void SetInFlight(const std::string& text) { Write("/sys/dev/block/8:1/inflight", text); }
  void Write(const std::string& path, const std::string& text) {
    levelfield::Write(root() + path, text);
  }
  std::string root() const { return directory_.path(); }

  TemporaryDirectory directory_;
};

TEST_F(DeviceQueueTest, IsBusyWhileReadsOrWritesAreInFlight) {
  const DeviceQueue queue("/db", root());
  EXPECT_FALSE(queue.IsBusy());
  SetInFlight("       0       12\n");
  EXPECT_TRUE(queue.IsBusy());
  SetInFlight("       1        0\n");
  EXPECT_TRUE(queue.IsBusy());
  SetInFlight("       0        0\n");
  EXPECT_FALSE(queue.IsBusy());
}

TEST_F(DeviceQueueTest, OfMemoryIsNeverBusy) {
  SetInFlight("       0       12\n");
  EXPECT_FALSE(DeviceQueue("/tmp/db", root()).IsBusy());
}

}  // namespace levelfield::device_queue_test
