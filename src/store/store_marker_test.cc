#include "store/store_marker.h"

#include <gtest/gtest.h>

#include <string>

#include "base/files_for_test.h"
#include "store/store_directory.h"
#include "store/stores_for_test.h"

namespace levelfield {
namespace {

using StoreMarkerTest = TestOfStores;

TEST_F(StoreMarkerTest, TheMarkerIsOneSectorOfJsonWhateverTheVersionIsCalled) {
  for (const std::string& harness : {std::string(), std::string(500, '"'), std::string(500, '\x01'),
                                     std::string("0.1.0 \xff\\")}) {
    auto store = StoreDirectory::Create(At("s"), {.salt = ~uint64_t{0}, .harness = harness});
    ASSERT_TRUE(store.ok());
    EXPECT_EQ(Read(At("s/LEVELFIELD")).size(), 512u);
    ASSERT_TRUE(store->MarkTainted().ok());
    EXPECT_EQ(Read(At("s/LEVELFIELD")).size(), 512u);
    EXPECT_NE(Read(At("s/LEVELFIELD")).find("\"tainted\""), std::string::npos);
    ASSERT_TRUE(store->Remove().ok());
  }
}

TEST_F(StoreMarkerTest, LettersOfAVersionThatJsonWouldWriteWithMoreAreReplaced) {
  auto store = StoreDirectory::Create(At("s"), {.salt = 1, .harness = "0.1~!\"\\ \x01\xff"});
  ASSERT_TRUE(store.ok());
  EXPECT_NE(Read(At("s/LEVELFIELD")).find("\"harness\":\"0.1~!?????\""), std::string::npos);
}

TEST_F(StoreMarkerTest, EveryDamageToTheMarkerIsNoticed) {
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), WithSalt(1)).ok()); }
  const std::string whole = Read(At("s/LEVELFIELD"));
  int refused = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    // Cut short there, or one letter less: neither may be taken for something else and crash.
    Write(At("s/LEVELFIELD"), whole.substr(0, at));
    EXPECT_FALSE(StoreDirectory::Reopen(At("s")).ok()) << at;
    std::string changed = whole;
    changed[at] = '\0';
    Write(At("s/LEVELFIELD"), changed);
    refused += !StoreDirectory::Reopen(At("s")).ok();
  }
  EXPECT_EQ(refused, 512);
}

}  // namespace
}  // namespace levelfield
