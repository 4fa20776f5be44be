#include "probe/resource_probe.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace levelfield::resource_probe_test {

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
  EXPECT_FALSE(device->flushes.has_value()) << "Linux before 5.5";
  EXPECT_EQ(ParseDeviceStat("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 412 17")->flushes, 412u);
  EXPECT_EQ(device->writes, 200u);
  EXPECT_FALSE(ParseDeviceStat("1 2 3").has_value());
}

TEST(Resources, OfAPhaseAreWhatItUsedItself) {
  ResourceProbe probe(".");
  std::vector<char> before(64 << 20, 1);  // Freed, and no part of the phase's peak.
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
  // A sanitizer keeps freed memory for a while.
  if (LEVELFIELD_SANITIZED == 0) {
    EXPECT_LT(used.peak_resident_bytes + (32 << 20), with_it);
  }
  ASSERT_TRUE(used.io.has_value());
  EXPECT_GE(used.io->write_call_bytes, 100'000u);
  EXPECT_LT(used.io->write_call_bytes, 110'000u);
}

// The kernel counts as written what becomes dirty in the page cache, not what reaches the device:
// small jobs with known figures.
class DirtiedBytes : public ::testing::Test {
 protected:
  static constexpr uint64_t kPage = 4096;
  static constexpr uint64_t kPages = 256;

  void SetUp() override {
    probe_.Begin();
    if (!probe_.End().device) GTEST_SKIP() << "the test's directory is on no block device";
    if (sysconf(_SC_PAGESIZE) != static_cast<long>(kPage)) GTEST_SKIP() << "pages of another size";
    file_ = mkstemp(name_.data());
    ASSERT_GE(file_, 0);
    unlink(name_.c_str());
  }
  void TearDown() override {
    if (file_ >= 0) close(file_);
  }

  // From here on the file has so many pages, and all are clean.
  void Fill(uint64_t pages) {
    const std::string data(pages * kPage, 'x');
    ASSERT_EQ(write(file_, data.data(), data.size()), static_cast<ssize_t>(data.size()));
    ASSERT_EQ(fsync(file_), 0);
  }
  void RewriteFirstPage() {
    const std::string page(kPage, 'y');
    ASSERT_EQ(pwrite(file_, page.data(), page.size(), 0), static_cast<ssize_t>(kPage));
  }
  Resources::Io Used() const { return probe_.End().io.value_or(Resources::Io()); }

  ResourceProbe probe_{"."};
  std::string name_ = "./levelfield_dirtied_XXXXXX";
  int file_ = -1;
};

TEST_F(DirtiedBytes, OfAThousandRewritesOfOnePageAreThatPage) {
  Fill(1);
  probe_.Begin();
  for (int i = 0; i < 1000; ++i) RewriteFirstPage();
  const Resources::Io io = Used();
  EXPECT_EQ(io.write_call_bytes, 1000 * kPage);
  EXPECT_GE(io.dirtied_bytes, kPage);
  EXPECT_LE(io.dirtied_bytes, 4 * kPage);  // The kernel may write it back meanwhile.
}

// The first rewrite may find it still dirty, because of the kernel's own timing.
TEST_F(DirtiedBytes, OfRewritesWithASyncBehindEachAreThePageEachTime) {
  constexpr uint64_t kTimes = 20;
  Fill(1);
  probe_.Begin();
  for (uint64_t i = 0; i < kTimes; ++i) {
    RewriteFirstPage();
    ASSERT_EQ(fdatasync(file_), 0);
  }
  const Resources::Io io = Used();
  EXPECT_EQ(io.write_call_bytes, kTimes * kPage);
  EXPECT_GE(io.dirtied_bytes, (kTimes - 1) * kPage);
  EXPECT_LE(io.dirtied_bytes, (kTimes + 1) * kPage);
}

TEST_F(DirtiedBytes, OfBytesStoredThroughAMapAreTheirPagesWithoutAnyCall) {
  Fill(kPages);
  void* const map = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  ASSERT_NE(map, MAP_FAILED);
  probe_.Begin();
  for (uint64_t i = 0; i < kPages; ++i) static_cast<volatile char*>(map)[i * kPage] = 'z';
  const Resources::Io io = Used();
  munmap(map, kPages * kPage);
  EXPECT_EQ(io.write_call_bytes, 0u);
  EXPECT_GE(io.dirtied_bytes, kPages * kPage);
  EXPECT_LE(io.dirtied_bytes, (kPages + 4) * kPage);
}

// If the kernel keeps a file in pieces larger than a page (ext4 since 6.16), the whole piece
// counts.
TEST_F(DirtiedBytes, OfAPageOfALargerPieceAreThatPageOrThePiece) {
  Fill(kPages);
  probe_.Begin();
  RewriteFirstPage();
  const Resources::Io io = Used();
  printf("one page rewritten in a file of 1 MiB: %llu bytes dirtied\n",
         static_cast<unsigned long long>(io.dirtied_bytes));
  EXPECT_EQ(io.write_call_bytes, kPage);
  EXPECT_GE(io.dirtied_bytes, kPage);
  EXPECT_LE(io.dirtied_bytes, kPages * kPage);
}

TEST(Resources, OfAStoreOnNoBlockDeviceHaveNoDevice) {
  ResourceProbe probe("/proc");
  probe.Begin();
  EXPECT_FALSE(probe.End().device.has_value());
}

TEST(CounterGrowth, IsWhatWasCountedMeanwhile) {
  using Counters = EngineCounters;
  EXPECT_EQ(CountersSince({{"flushes", 3}, {"stalls", 10}}, {{"stalls", 12}, {"flushes", 3}}),
            (Counters{{"stalls", 2}, {"flushes", 0}}));
  EXPECT_EQ(CountersSince({{"open_files", 9}}, {{"open_files", 4}}), (Counters{{"open_files", 0}}))
      << "one that has fallen is no huge number";
  EXPECT_EQ(CountersSince({{"gone", 7}}, {{"new", 5}}), (Counters{{"new", 5}})) << "taken whole";
}

}  // namespace levelfield::resource_probe_test
