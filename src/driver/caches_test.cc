#include "driver/caches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::HasSubstr;

CacheBenchSettings Settings() {
  CacheBenchSettings settings;
  settings.threads = 1;
  settings.ops_per_thread = 10'000;
  settings.charge = 1;
  settings.entry_charge = 1;
  settings.cache_size = 1000;
  settings.max_key = 1'000'000;
  return settings;
}

TEST(MemoryNeed, IsBoundByWhatFitsByWhatIsInsertedAndByTheKeys) {
  CacheBenchSettings settings = Settings();
  const uint64_t small = MemoryNeed(settings);
  settings.cache_size = uint64_t{1} << 40;
  EXPECT_LT(MemoryNeed(settings), small + 10'000 * 300);
  settings.ops_per_thread = uint64_t{1} << 35;
  EXPECT_GT(MemoryNeed(settings), 1'000'000u * 200);
  settings.max_key = uint64_t{1} << 40;
  EXPECT_THAT(CheckMemory(settings, uint64_t{8} << 30).message(),
              HasSubstr("smaller --cache_size"));
  EXPECT_TRUE(CheckMemory(Settings(), uint64_t{8} << 30).ok());
  // A fixed table is there before anything is inserted.
  settings = Settings();
  settings.cache_size = uint64_t{1} << 40;
  settings.caches = {"rocksdb_hyper_clock"};
  EXPECT_FALSE(CheckMemory(settings, uint64_t{8} << 30).ok());
}

}  // namespace
}  // namespace levelfield
