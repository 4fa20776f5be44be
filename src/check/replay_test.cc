#include "check/replay.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "worker/roles_for_test.h"

namespace levelfield::replay_test {

using Asked = ThreadFixture::Asked;

Role Reader(const char* operation, KeyOrder order, uint64_t range, bool missing = false) {
  Role role = RoleOf(operation, order, range);
  role.missing = missing;
  return role;
}

Role Again(const char* operation) {
  Role role = Reader(operation, KeyOrder::kNone, 1);
  role.restarts = true;
  return role;
}

std::vector<OperationCounts> AllCountsOf(const std::vector<ThreadResult>& results) {
  std::vector<OperationCounts> all_counts;
  for (const ThreadResult& result : results) {
    EXPECT_EQ(result.statistics.size(), 1u);
    all_counts.push_back(result.statistics.at(0).counts);
  }
  return all_counts;
}

void ExpectReplayed(ThreadFixture& fixture, const Asked& asked, const std::string& what) {
  const std::vector<OperationCounts> all_counts = AllCountsOf(fixture.Run(asked));
  const std::vector<OperationCounts> replayed = fixture.Replayed(asked);
  for (size_t i = 0; i < all_counts.size(); ++i) {
    EXPECT_EQ(all_counts[i].operations, replayed[i].operations) << what;
    EXPECT_EQ(all_counts[i].hits, replayed[i].hits) << what;
    EXPECT_EQ(all_counts[i].misses, replayed[i].misses) << what;
    EXPECT_EQ(all_counts[i].bytes, replayed[i].bytes) << what;
    EXPECT_EQ(all_counts[i].digest, replayed[i].digest) << what;
    EXPECT_EQ(all_counts[i].wrong, 0u) << what;
  }
}

// Every way of reading, by one thread and by two, with each timing and with none.
void ExpectEveryReadReplayed(ThreadFixture& fixture, uint64_t range, const std::string& what) {
  const std::vector<std::pair<const char*, Role>> readers = {
      {"uniform gets", Reader("get", KeyOrder::kUniform, range)},
      {"shuffled gets", Reader("get", KeyOrder::kShuffled, range)},
      {"sequential gets", Reader("get", KeyOrder::kSequential, range)},
      {"gets of missing keys", Reader("get", KeyOrder::kUniform, range, true)},
      {"seeks", Reader("seek", KeyOrder::kUniform, range)},
      {"seeks forward", Reader("seek", KeyOrder::kForward, range)},
      {"gets forward", Reader("get", KeyOrder::kForward, range)},
      {"seeks forward of missing keys", Reader("seek", KeyOrder::kForward, range, true)},
      {"scans again and again", Again("next")},
      {"scans again and again backwards", Again("prev")},
      {"seeks of missing keys", Reader("seek", KeyOrder::kUniform, range, true)},
      {"a scan forwards", Reader("next", KeyOrder::kNone, range)},
      {"a scan backwards", Reader("prev", KeyOrder::kNone, range)}};
  for (const auto& [name, role] : readers) {
    for (const uint64_t threads : {1, 2}) {
      for (const Timing timing : kTimings) {
        // Seven rounds of a shuffled share, or beyond the end of a scan; and less than one round.
        for (const uint64_t operations : {range * 7 + 3, range / 3}) {
          ExpectReplayed(
              fixture,
              {.role = role, .threads = threads, .operations = operations, .timing = timing},
              what + ", " + name + ", threads " + std::to_string(threads));
        }
      }
    }
  }
}

TEST(Replay, KnowsEveryAnswerOfAFilledStore) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 1000), .operations = 1000});
  ExpectEveryReadReplayed(fixture, 1000, "filled");
}

TEST(Replay, KnowsEveryAnswerForValuesOfAnySize) {
  for (const uint64_t size : {0, 1, 8, 15, 16, 17, 40, 64, 96, 128, 129, 1000, 4096}) {
    ThreadFixture fixture("memory", size);
    fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 100, size), .operations = 100});
    ExpectEveryReadReplayed(fixture, 100, "values of " + std::to_string(size));
  }
}

TEST(Replay, KnowsEveryAnswerAfterAHistory) {
  ThreadFixture fixture("memory");
  ExpectEveryReadReplayed(fixture, 500, "empty");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 500), .operations = 300});
  ExpectEveryReadReplayed(fixture, 500, "partly filled");
  fixture.Run(
      {.role = RoleOf("put", KeyOrder::kSequential, 500, 77, 64), .threads = 2, .operations = 250});
  ExpectEveryReadReplayed(fixture, 500, "filled in batches");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 500, 200),
               .threads = 3,
               .operations = 431,
               .seed = 2});
  ExpectEveryReadReplayed(fixture, 500, "overwritten two times and a half");
  fixture.Run({.role = RoleOf("erase", KeyOrder::kShuffled, 500),
               .threads = 2,
               .operations = 100,
               .seed = 3});
  ExpectEveryReadReplayed(fixture, 500, "partly erased");
  fixture.Run({.role = RoleOf("erase", KeyOrder::kSequential, 400), .operations = 400});
  ExpectEveryReadReplayed(fixture, 500, "erased but for the last keys");
  fixture.Run({.role = RoleOf("erase", KeyOrder::kShuffled, 500), .operations = 500});
  ExpectEveryReadReplayed(fixture, 500, "erased");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 50), .operations = 40});
  ExpectEveryReadReplayed(fixture, 500, "filled again");
}

// The keys of a series are few in a wide range, which is not walked key by key.
TEST(Replay, KnowsEveryAnswerAfterASeries) {
  ThreadFixture fixture("memory");
  WriterClock clock;
  clock.plan = {.ids = 7, .time_bits = 8, .time_range = 0, .seed = 3};
  const uint64_t range = clock.plan.range();
  fixture.Run({.role = RoleOf("series put", KeyOrder::kNone, range),
               .operations = 200,
               .writer_clock = &clock});
  EXPECT_EQ(clock.now.load(), 200u);
  ExpectEveryReadReplayed(fixture, range, "a series");
}

TEST(Replay, KnowsEveryAnswerAfterAMix) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 500), .operations = 500});
  Role mix = RoleOf("mix", KeyOrder::kShuffled, 500);
  mix.get_percent = 50;
  for (const ThreadResult& result :
       fixture.Run({.role = mix, .threads = 2, .operations = 3000, .seed = 7})) {
    EXPECT_EQ(result.statistics.at(0).counts.wrong, 0u);
    EXPECT_EQ(result.statistics.at(0).counts.misses, 0u);
  }
  ExpectEveryReadReplayed(fixture, 500, "mixed");
}

// A round's end is noticed one entry later, so the replay could be off by one around it.
TEST(Replay, KnowsHowManyRoundsAScanMade) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 10), .operations = 7});
  for (const char* operation : {"next", "prev"}) {
    for (uint64_t operations = 0; operations <= 36; ++operations) {
      ExpectReplayed(fixture, {.role = Again(operation), .operations = operations},
                     std::to_string(operations));
      const std::vector<OperationCounts> all_counts =
          AllCountsOf(fixture.Run({.role = Again(operation), .operations = operations}));
      EXPECT_EQ(all_counts.at(0).operations, operations) << "it never ends by itself";
    }
  }
}

// Random histories of writers, then a get of every key and a scan.
RC_GTEST_PROP(Replay, KnowsEveryAnswerAfterAnyHistory, ()) {
  ThreadFixture fixture("memory");
  const int phases = *rc::gen::inRange(0, 6);
  for (int i = 0; i < phases; ++i) {
    const auto operation = *rc::gen::weightedElement<std::string>({{3, "put"}, {1, "erase"}});
    Role role =
        RoleOf(operation.c_str(), *rc::gen::element(KeyOrder::kSequential, KeyOrder::kShuffled),
               *rc::gen::inRange<uint64_t>(1, 300), *rc::gen::inRange<uint64_t>(0, 200));
    if (operation == "put") role.batch = *rc::gen::element<uint64_t>(1, 2, 50, 1000);
    const Asked asked = {.role = role,
                         .threads = *rc::gen::inRange<uint64_t>(1, 4),
                         .operations = *rc::gen::inRange<uint64_t>(0, 700),
                         .seed = *rc::gen::arbitrary<uint64_t>()};
    fixture.Run(asked);
  }
  for (const char* operation : {"get", "seek", "next", "prev"}) {
    const Asked asked = {
        .role = Reader(
            operation,
            FindOperation(operation)->is_scan() ? KeyOrder::kNone : KeyOrder::kSequential, 310),
        .operations = 310};
    RC_ASSERT(AllCountsOf(fixture.Run(asked)) == fixture.Replayed(asked));
  }
}

// A store of 100 keys; one is then changed behind the harness's back.
class Tampered : public ::testing::Test {
 protected:
  Tampered() { fixture_.Run({.role = RoleOf("put", KeyOrder::kShuffled, 100), .operations = 100}); }

  void Put(const std::string& key, const std::string& value) {
    Session session = fixture_.Begin();
    EXPECT_EQ(
        fixture_.table().put(session.get(), {key.data(), key.size()}, {value.data(), value.size()}),
        LF_OK);
  }
  std::string Get(uint64_t index) {
    Session session = fixture_.Begin();
    const std::string key = fixture_.Key(index);
    lf_bytes value{};
    EXPECT_EQ(fixture_.table().get(session.get(), {key.data(), key.size()}, &value), LF_OK);
    return {value.data, value.size};
  }

  // The counts of reading every key once, and the expected ones.
  std::pair<OperationCounts, OperationCounts> Read(const char* operation) {
    const Asked asked = {
        .role = Reader(
            operation,
            FindOperation(operation)->is_scan() ? KeyOrder::kNone : KeyOrder::kSequential, 100),
        .operations = 100};
    return {AllCountsOf(fixture_.Run(asked)).at(0), fixture_.Replayed(asked).at(0)};
  }

  static constexpr const char* kReads[] = {"get", "seek", "next", "prev"};
  ThreadFixture fixture_{"memory"};
};

TEST_F(Tampered, AFlippedBitOfOneValueChangesTheDigestAndNothingElse) {
  const std::string value = Get(57);
  for (size_t i = 0; i < value.size(); i += 9) {
    std::string flipped = value;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x80);
    Put(fixture_.Key(57), flipped);
    for (const char* operation : kReads) {
      auto [seen, expected] = Read(operation);
      EXPECT_NE(seen.digest, expected.digest);
      seen.digest = expected.digest;
      EXPECT_EQ(seen, expected);
    }
  }
}

TEST_F(Tampered, TwoValuesThatChangedPlacesChangeTheDigest) {
  const std::string first = Get(3);
  const std::string second = Get(4);
  Put(fixture_.Key(3), second);
  Put(fixture_.Key(4), first);
  for (const char* operation : kReads) {
    const auto [seen, expected] = Read(operation);
    EXPECT_NE(seen.digest, expected.digest);
    EXPECT_EQ(seen.bytes, expected.bytes);
  }
}

TEST_F(Tampered, ALostKeyIsAMiss) {
  const std::string key = fixture_.Key(99);
  Session session = fixture_.Begin();
  ASSERT_EQ(fixture_.table().erase(session.get(), {key.data(), key.size()}), LF_OK);
  for (const char* operation : {"get", "seek"}) {
    const auto [seen, expected] = Read(operation);
    EXPECT_EQ(seen.misses, 1u);
    EXPECT_EQ(seen.hits, 99u);
    EXPECT_EQ(expected.misses, 0u);
  }
  const auto [seen, expected] = Read("next");
  EXPECT_EQ(seen.operations, 99u);
  EXPECT_EQ(expected.operations, 100u);
}

TEST_F(Tampered, AKeyThatNobodyWroteIsSeenByAScan) {
  Put("0000000000000005x", "value");
  for (const char* operation : {"next", "prev"}) {
    const auto [seen, expected] = Read(operation);
    EXPECT_NE(seen.digest, expected.digest);
    EXPECT_NE(seen.bytes, expected.bytes);
  }
}

TEST_F(Tampered, AStaleVersionChangesTheDigest) {
  const std::string stale = Get(57);
  fixture_.Run({.role = RoleOf("put", KeyOrder::kShuffled, 100), .operations = 100});
  {
    const auto [seen, expected] = Read("get");
    EXPECT_EQ(seen, expected);
  }
  Put(fixture_.Key(57), stale);
  const auto [seen, expected] = Read("get");
  EXPECT_NE(seen.digest, expected.digest);
}

TEST_F(Tampered, TheCheckInTheLoopCountsWrongValues) {
  Asked asked = {
      .role = Reader("get", KeyOrder::kSequential, 100), .operations = 300, .check_in_loop = true};
  EXPECT_EQ(AllCountsOf(fixture_.Run(asked)).at(0), fixture_.Replayed(asked).at(0));
  Put(fixture_.Key(57), Get(58));
  Put(fixture_.Key(3), "");
  EXPECT_EQ(AllCountsOf(fixture_.Run(asked)).at(0).wrong, 6u) << "two keys, three rounds";
}

}  // namespace levelfield::replay_test
