#include "store/store_marker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "base/files_for_test.h"
#include "store/store_directory.h"
#include "store/store_lock.h"
#include "store/stores_for_test.h"

namespace levelfield::store_marker_test {

using ::testing::HasSubstr;

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
    // Cut short there, or with one letter less: neither may be misread or crash.
    Write(At("s/LEVELFIELD"), whole.substr(0, at));
    EXPECT_FALSE(StoreDirectory::Reopen(At("s")).ok()) << at;
    std::string changed = whole;
    changed[at] = '\0';
    Write(At("s/LEVELFIELD"), changed);
    refused += !StoreDirectory::Reopen(At("s")).ok();
  }
  EXPECT_EQ(refused, 512);
}

namespace fs = std::filesystem;
using StoreContentTest = TestOfStores;

TEST_F(StoreContentTest, TheMarkerSaysWhatTheStoreHolds) {
  const StoreContent content{.engine = "leveldb",
                             .keys = KeyShape(20, KeyKind::kHex, 4),
                             .smallest_value = 16,
                             .largest_value = 100'000,
                             .describes_itself = true,
                             .compression_ratio = 0.3,
                             .durability = "process"};
  ASSERT_TRUE(
      StoreDirectory::Create(At("s"), {.salt = 1, .harness = "t", .content = content}).ok());
  for (uint32_t times = 0; times <= 2; ++times) {
    const std::optional<StoreContent> found = PeekAtStore(At("s"));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->engine, "leveldb");
    EXPECT_EQ(found->keys, content.keys);
    EXPECT_EQ(found->smallest_value, 16u);
    EXPECT_EQ(found->largest_value, 100'000u);
    EXPECT_TRUE(found->describes_itself);
    EXPECT_EQ(found->compression_ratio, 0.3);
    EXPECT_EQ(found->opened, times);
    EXPECT_EQ(found->durability, "process");
    EXPECT_EQ(found->cut_off, times != 0) << "nobody has said that it is clean";
    ASSERT_TRUE(StoreDirectory::Reopen(At("s")).ok());
  }
  // A marker that does not say it, and no marker.
  ASSERT_TRUE(StoreDirectory::Create(At("t"), WithSalt(1)).ok());
  ASSERT_TRUE(PeekAtStore(At("t")).has_value());
  EXPECT_EQ(PeekAtStore(At("t"))->engine, "");
  EXPECT_EQ(PeekAtStore(At("t"))->durability, "");
  { ASSERT_TRUE(StoreDirectory::Reopen(At("t")).ok()); }
  EXPECT_TRUE(PeekAtStore(At("t"))->cut_off) << "that is said of every store";
  EXPECT_FALSE(PeekAtStore(At("nowhere")).has_value());
  EXPECT_FALSE(fs::exists(At("nowhere")));
}

// What somebody else wrote there: a number that would have to be cut does not count as a count.
TEST_F(StoreContentTest, OfAMarkerWithOtherNumbersThanCountsNothingIsKnown) {
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), {.salt = 1}).ok()); }
  const std::string now = Read(At("s/LEVELFIELD"));
  const auto with = [&](const std::string& content) {
    std::string marker = now.substr(0, now.rfind('}')) + ",\"engine\":\"leveldb\"," + content + "}";
    marker.resize(511, ' ');
    Write(At("s/LEVELFIELD"), marker + "\n");
    return PeekAtStore(At("s"));
  };
  const std::string keys = R"("library":"1.23","keys":["decimal",16,0],"opened":0)";
  const auto known = with(keys + R"(,"entries":7,"values":[16,99,0.5])");
  ASSERT_TRUE(known.has_value());
  EXPECT_EQ(known->entries, 7u);
  EXPECT_TRUE(known->describes_itself);
  for (const std::string& other :
       {std::string(R"("keys":["decimal",1e300,0],"opened":0)"),
        std::string(R"("keys":["decimal",16,-1],"opened":0)"),
        std::string(R"("keys":["decimal",16,0],"opened":-5)"), keys + R"(,"entries":1e300)",
        keys + R"(,"values":[16,1e300,0.5])", keys + R"(,"values":[-1e300,99,0.5])",
        keys + R"(,"values":[-1,99,0.5])"}) {
    const auto content = with(other);
    ASSERT_TRUE(content.has_value()) << other;
    EXPECT_EQ(content->engine, "") << other;
    EXPECT_FALSE(content->describes_itself) << other;
  }
  const auto of_no_class = with(keys + R"(,"durability":"\u001b[2J")");
  ASSERT_TRUE(of_no_class.has_value());
  EXPECT_EQ(of_no_class->engine, "leveldb");
  EXPECT_EQ(of_no_class->durability, "");
}

TEST_F(StoreContentTest, TheMarkerSaysWhichVersionOfTheLibraryFilledTheStore) {
  const auto filled_by = [&](const std::string& name, const std::string& library) {
    const StoreContent content{
        .engine = "leveldb", .library = library, .keys = KeyShape(16, KeyKind::kDecimal, 0)};
    EXPECT_TRUE(StoreDirectory::Create(At(name), {.salt = 1, .content = content}).ok());
    return PeekAtStore(At(name)).value_or(StoreContent()).library;
  };
  EXPECT_EQ(filled_by("told", LibraryMark("1.23")), "1.23");
  EXPECT_EQ(filled_by("untold", LibraryMark("")), "none told");
  EXPECT_EQ(LibraryMark("1.23 of 2026-11-28"), "1.23 of 2026-11-") << "16 letters fit";
  const std::string odd = std::string(100, '"') + "\n";
  EXPECT_EQ(filled_by("odd", odd), LibraryMark(odd)) << "it is cut alike, and compared as it is";
}

TEST_F(StoreContentTest, TheMarkerSaysTheSizesOfKeysOnlyIfTheyVary) {
  const auto marker_of = [&](const std::string& name, const KeyShape& keys) {
    const StoreContent content{.engine = "leveldb", .keys = keys};
    EXPECT_TRUE(StoreDirectory::Create(At(name), {.salt = 1, .content = content}).ok());
    EXPECT_EQ(PeekAtStore(At(name)).value_or(StoreContent()).keys, keys);
    return Read(At(name + "/LEVELFIELD"));
  };
  EXPECT_THAT(marker_of("one", KeyShape(20, KeyKind::kHex, 4)), HasSubstr("[\"hex\",20,4]"))
      << "as in the stores of before there were such keys";
  EXPECT_THAT(marker_of("vary", KeyShape(20, KeyKind::kHex, 4, 68)),
              HasSubstr("[\"hex\",20,4,68]"));
}

TEST_F(StoreContentTest, TheLargestContentFitsTheMarker) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  const StoreContent content{.engine = std::string(100, 'x'),
                             .library = std::string(100, '\\'),
                             .keys = KeyShape(2031, KeyKind::kDecimal, 1008, 2032),
                             .smallest_value = uint64_t{1} << 30,
                             .largest_value = uint64_t{1} << 40,
                             .describes_itself = true,
                             .compression_ratio = 1.0 / 3,
                             .opened = std::numeric_limits<uint32_t>::max(),
                             .entries = kMost,
                             .durability = "a_class_of_sixte",
                             .cut_off = true};
  auto store = StoreDirectory::Create(
      At("s"), {.salt = kMost, .harness = std::string(100, 'v'), .content = content});
  ASSERT_TRUE(store.ok()) << store.status().message();
  ASSERT_TRUE(store->MarkTainted().ok());
  const std::optional<StoreContent> found = PeekAtStore(At("s"));
  ASSERT_TRUE(found.has_value()) << Read(At("s/LEVELFIELD"));
  EXPECT_EQ(found->engine, std::string(24, 'x'));
  EXPECT_EQ(found->library, LibraryMark(content.library));
  EXPECT_EQ(found->keys, content.keys);
  EXPECT_EQ(found->largest_value, content.largest_value);
  EXPECT_EQ(found->compression_ratio, content.compression_ratio);
  EXPECT_EQ(found->opened, content.opened);
  EXPECT_EQ(found->entries, kMost);
  EXPECT_EQ(found->durability, content.durability);
  EXPECT_TRUE(found->cut_off);
}

}  // namespace levelfield::store_marker_test
