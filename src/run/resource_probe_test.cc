#include "run/resource_probe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace levelfield {
namespace {

TEST(ProcessIo, IsReadByItsNames) {
  const auto io = ParseProcessIo(
      "rchar: 10\nwchar: 20\nsyscr: 1\nsyscw: 2\nread_bytes: 4096\nwrite_bytes: 12288\n"
      "cancelled_write_bytes: 4096\n");
  ASSERT_TRUE(io.has_value());
  EXPECT_EQ(io->read_call_bytes, 10u);
  EXPECT_EQ(io->write_call_bytes, 20u);
  EXPECT_EQ(io->storage_read_bytes, 4096u);
  EXPECT_EQ(io->dirtied_bytes, 8192u);
  EXPECT_FALSE(ParseProcessIo("rchar: 10\n").has_value());
  EXPECT_FALSE(ParseProcessIo("").has_value());
}

TEST(DeviceStat, CountsSectorsOf512Bytes) {
  const auto device = ParseDeviceStat("  100 0 8 5 200 0 16 9 0 1 2");
  ASSERT_TRUE(device.has_value());
  EXPECT_EQ(device->read_bytes, 4096u);
  EXPECT_EQ(device->written_bytes, 8192u);
  EXPECT_FALSE(ParseDeviceStat("1 2 3").has_value());
}

TEST(Resources, OfAPhaseAreWhatItUsedItself) {
  ResourceProbe probe(".");
  std::vector<char> before(64 << 20, 1);  // Gone, and no part of the phase's peak.
  const uint64_t with_it = [&] {
    probe.Begin();
    return probe.End().peak_resident_bytes;
  }();
  std::vector<char>().swap(before);
  char name[] = "/tmp/levelfield_probe_XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  unlink(name);
  const std::string data(100'000, 'x');

  probe.Begin();
  ASSERT_EQ(write(file, data.data(), data.size()), 100'000);
  volatile uint64_t sum = 0;
  for (uint64_t i = 0; i < 30'000'000; ++i) sum = sum + i;
  const Resources used = probe.End();
  close(file);

  EXPECT_GT(used.user_seconds, 0.002);
  EXPECT_LT(used.user_seconds, 60);
  EXPECT_LT(used.peak_resident_bytes + (32 << 20), with_it);
  ASSERT_TRUE(used.io.has_value());
  EXPECT_GE(used.io->write_call_bytes, 100'000u);
  EXPECT_LT(used.io->write_call_bytes, 110'000u);
}

TEST(Resources, OfAStoreOnNoBlockDeviceHaveNoDevice) {
  ResourceProbe probe("/proc");
  probe.Begin();
  EXPECT_FALSE(probe.End().device.has_value());
}

}  // namespace
}  // namespace levelfield
