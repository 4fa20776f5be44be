#include "probe/calls/kept_writes.h"

#include <gtest/gtest.h>

namespace levelfield::kept_writes_test {

constexpr FileId kLog{.inode = 1, .device = 7, .mount = 3};
constexpr FileId kOther{.inode = 2, .device = 7, .mount = 3};
constexpr FileId kElsewhere{.inode = 1, .device = 8, .mount = 4};

TEST(KeptWrites, AreThoseThatASyncOfTheSameFileFollows) {
  KeptWrites writes;
  writes.Write(kLog, 100, false);
  writes.Keep(writes.OfFile(kLog));
  const WrittenByCalls written = writes.Take();
  EXPECT_EQ(written.bytes, 100u);
  EXPECT_EQ(written.kept_bytes, 100u);
  EXPECT_EQ(writes.Take().bytes, 0u) << "they were told";
}

TEST(KeptWrites, AreNotThoseBehindTheSyncNorOfAnotherFile) {
  KeptWrites writes;
  writes.Keep(writes.OfFile(kLog));
  writes.Write(kLog, 100, false);
  writes.Write(kOther, 1, false);
  writes.Keep(writes.OfFile(kOther));
  writes.Keep(writes.OfFile(kElsewhere));
  const WrittenByCalls written = writes.Take();
  EXPECT_EQ(written.bytes, 101u);
  EXPECT_EQ(written.kept_bytes, 1u);
}

TEST(KeptWrites, AreNotThoseThatCameWhileTheSyncWentOn) {
  KeptWrites writes;
  writes.Write(kLog, 100, false);
  const KeptWrites::Sync sync = writes.OfFile(kLog);
  writes.Write(kLog, 10, false);
  writes.Keep(sync);
  EXPECT_EQ(writes.Take().kept_bytes, 0u);
}

TEST(KeptWrites, AreThoseThatAreSyncsThemselves) {
  KeptWrites writes;
  writes.Write(kLog, 100, true);
  EXPECT_EQ(writes.Take().kept_bytes, 100u);
  writes.Write(kLog, 5, false);
  writes.Write(kLog, 100, true);
  EXPECT_EQ(writes.Take().kept_bytes, 0u) << "they keep nothing else of their file";
}

TEST(KeptWrites, OfAFileSystemAreThoseOfItsDeviceOrMount) {
  KeptWrites writes;
  writes.Write(kLog, 100, false);
  writes.Write(kElsewhere, 10, false);
  writes.Keep(writes.OfFileSystem(kOther));
  EXPECT_EQ(writes.Take().kept_bytes, 100u);
  writes.Write(kLog, 100, false);
  writes.Write(kElsewhere, 10, false);
  writes.Keep(writes.OfAll());
  EXPECT_EQ(writes.Take().kept_bytes, 110u);
}

TEST(KeptWrites, ThroughMapsAreNotKnown) {
  KeptWrites writes;
  writes.KeepMap();
  EXPECT_TRUE(writes.Take().is_map_synced);
  EXPECT_FALSE(writes.Take().is_map_synced);
}

}  // namespace levelfield::kept_writes_test
