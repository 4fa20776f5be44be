// Seeks that read on, from the thread to the replay, and beside writes in a mix.

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "worker/roles_for_test.h"
#include "workload/workload_file.h"

namespace levelfield::seek_range_test {

constexpr uint64_t kRange = 1000;

// Compares every kind of range with the replay.
void ExpectRangesReplayed(ThreadFixture& fixture) {
  for (const bool backwards : {false, true}) {
    for (const uint64_t nexts : {0, 1, 10, 3000}) {
      for (const uint64_t distance : {0, 1, 7, 5000}) {
        for (const bool missing : {false, true}) {
          Role role = RoleOf("seek", KeyOrder::kUniform, kRange);
          role.backwards = backwards;
          role.nexts = nexts;
          role.max_distance = distance;
          role.missing = missing;
          const ThreadFixture::Asked asked{.role = role, .operations = 100};
          EXPECT_EQ(fixture.Run(asked)[0].statistics[0].counts, fixture.Replayed(asked)[0])
              << backwards << " " << nexts << " " << distance << " " << missing;
        }
      }
    }
  }
}

TEST(SeekRange, OfAFilledStoreIsWhatTheReplayKnows) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, kRange), .operations = kRange});
  ExpectRangesReplayed(fixture);
}

TEST(SeekRange, OverShortAndLongGapsIsWhatTheReplayKnows) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, kRange), .operations = kRange});
  fixture.Run({.role = RoleOf("erase", KeyOrder::kShuffled, kRange), .operations = 700});
  ExpectRangesReplayed(fixture);
  // A gap of 400 keys from the first one on.
  fixture.Run({.role = RoleOf("erase", KeyOrder::kSequential, kRange), .operations = 400});
  ExpectRangesReplayed(fixture);
  fixture.Run({.role = RoleOf("erase", KeyOrder::kSequential, kRange), .operations = kRange});
  ExpectRangesReplayed(fixture);
}

TEST(SeekRange, ReadsAsManyEntriesAsItSays) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, kRange), .operations = kRange});
  Role role = RoleOf("seek", KeyOrder::kSequential, kRange);
  role.nexts = 9;
  const auto bytes_of = [&](uint64_t operations) {
    return fixture.Run({.role = role, .operations = operations})[0].statistics[0].counts.bytes;
  };
  EXPECT_EQ(bytes_of(990), 990u * 10 * 116);
  EXPECT_EQ(bytes_of(1000), (991u * 10 + 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 + 1) * 116) << "the end";
  role.max_distance = 4;  // The sought one and three more.
  EXPECT_EQ(bytes_of(500), 500u * 4 * 116);
  role.backwards = true;  // The sought one and four before it.
  EXPECT_EQ(bytes_of(500), (496u * 5 + 1 + 2 + 3 + 4) * 116);
}

// 200,000 seeks on a store whose entries are all erased would take minutes if each walked the gap.
TEST(SeekRange, ReplayOverALongGapIsQuick) {
  ThreadFixture fixture("memory");
  Role fill = RoleOf("put", KeyOrder::kSequential, 100'000);
  fixture.Run({.role = fill, .operations = 100'000});
  fill.operation = FindOperation("erase");
  fixture.Run({.role = fill, .operations = 99'999});
  Role role = RoleOf("seek", KeyOrder::kUniform, 100'000);
  role.backwards = true;
  role.nexts = 2;
  const ThreadFixture::Asked asked{.role = role, .operations = 100'000};
  EXPECT_EQ(fixture.Run(asked)[0].statistics[0].counts, fixture.Replayed(asked)[0]);
}

TEST(MixWithSeeks, HasItsSharesAndALaneForEachKind) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, kRange), .operations = kRange});
  for (const uint64_t distance : {0, 5}) {
    Role role = RoleOf("mix", KeyOrder::kShuffled, kRange);
    role.get_percent = 50;
    role.seek_percent = 20;
    role.nexts = 3;
    role.max_distance = distance;
    const ThreadFixture::Asked asked{
        .role = role, .threads = 2, .operations = 20'000, .check_in_loop = true};
    for (const ThreadResult& result : fixture.Run(asked)) {
      ASSERT_EQ(result.statistics.size(), 3u);
      EXPECT_EQ(result.statistics[0].operation, "get");
      EXPECT_EQ(result.statistics[1].operation, "seek");
      EXPECT_EQ(result.statistics[2].operation, "put");
      // Five standard deviations of a binomial distribution.
      EXPECT_NEAR(static_cast<double>(result.statistics[0].counts.operations), 10'000, 354);
      EXPECT_NEAR(static_cast<double>(result.statistics[1].counts.operations), 4000, 283);
      EXPECT_NEAR(static_cast<double>(result.statistics[2].counts.operations), 6000, 325);
      for (const ThreadStatistics& stats : result.statistics) {
        EXPECT_EQ(stats.counts.wrong, 0u);
        EXPECT_EQ(stats.counts.misses, 0u);
      }
    }
    // The writes are those of the model.
    const ThreadFixture::Asked reads{.role = RoleOf("get", KeyOrder::kUniform, kRange),
                                     .operations = 3000};
    EXPECT_EQ(fixture.Run(reads)[0].statistics[0].counts, fixture.Replayed(reads)[0]);
  }
}

StatusOr<Workload> Parsed(const std::string& lines) {
  return ParseWorkload("w",
                       "summary = s\nfamily = f\n[worker]\nkeys = shuffled\n"
                       "stop = after 5 operations\n" +
                           lines,
                       {.num = 1000, .reads = 1, .value_size = 100, .seek_nexts = 7});
}

TEST(MixWithSeeks, IsReadInAnyOrder) {
  for (const char* text : {"op = 83% get, 14% put, 3% seek\nnexts = $seek_nexts\n",
                           "nexts = 7\nop = 3% seek,14% put , 83% get\n"}) {
    const Workload workload = Must(Parsed(text));
    EXPECT_EQ(workload.roles[0].operation, FindOperation("mix"));
    EXPECT_EQ(workload.roles[0].get_percent, 83u);
    EXPECT_EQ(workload.roles[0].seek_percent, 3u);
    EXPECT_EQ(workload.roles[0].nexts, 7u);
    EXPECT_FALSE(workload.roles[0].merges);
  }
  EXPECT_TRUE(Parsed("op = 50% get, 50% merge\n")->roles[0].merges);
}

TEST(MixWithSeeks, ThatDoesNotAddUpIsRefused) {
  for (const char* text : {"83% get, 14% put", "100% get", "50% get, 40% put, 10% merge",
                           "101% put", "50% get, 50% get", "50% got, 50% put", "50% get, put",
                           "%, %", "50% get, 50% put,, 0% seek"}) {
    EXPECT_THAT(ErrorOf(Parsed("op = " + std::string(text) + "\n")),
                AllOf(HasSubstr("line 6"), HasSubstr("100%")));
  }
}

TEST(SeekRange, IsOfSeeksOnly) {
  for (const char* text : {"nexts = 3\n", "direction = backwards\n", "max_distance = 3\n"}) {
    EXPECT_THAT(ErrorOf(Parsed("op = get\n" + std::string(text))), HasSubstr("op = seek"));
    EXPECT_TRUE(Parsed("op = seek\n" + std::string(text)).ok()) << text;
  }
  EXPECT_FALSE(Parsed("op = seek\ndirection = backward\n").ok());
}

}  // namespace levelfield::seek_range_test
