#include "workload/ycsb_draws.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <set>

#include "base/chi_square_for_test.h"

namespace levelfield::ycsb_draws_test {

using Kind = YcsbChoice::Kind;

YcsbStream Stream(const std::string& mix, KeyDistributionPlan::Kind requests, uint64_t records) {
  YcsbStream stream{.plan = {},
                    .requests = {.kind = requests},
                    .records = records,
                    .capacity = records * 2,
                    .is_hashed = true,
                    .order_seed = 8,
                    .seed = 21};
  EXPECT_EQ(ReadYcsbMix(mix, stream.plan), "");
  return stream;
}

// Four million draws: 0.1 % is four standard deviations of a half.
TEST(YcsbDraws, HaveTheMixOfTheirFileWithinAThousandth) {
  struct Mix {
    const char* text;
    std::array<double, 5> shares;  // Read, scan, update, read-modify-write, insert.
  };
  constexpr Mix kMixes[] = {{"50% read, 50% update", {0.5, 0, 0.5, 0, 0}},
                            {"95% read, 5% update", {0.95, 0, 0.05, 0, 0}},
                            {"100% read", {1, 0, 0, 0, 0}},
                            {"95% read, 5% insert", {0.95, 0, 0, 0, 0.05}},
                            {"95% scan, 5% insert", {0, 0.95, 0, 0, 0.05}},
                            {"50% read, 50% rmw", {0.5, 0, 0, 0.5, 0}},
                            {"0.5% rmw, 99.5% read", {0.995, 0, 0, 0.005, 0}}};
  constexpr uint64_t kDraws = 4'000'000;
  for (const Mix& mix : kMixes) {
    YcsbDraws draws(Stream(mix.text, KeyDistributionPlan::Kind::kUniform, 1'000'000));
    std::array<uint64_t, 5> counts = {};
    for (uint64_t i = 0; i < kDraws; ++i) ++counts.at(static_cast<size_t>(draws.Next().kind));
    for (size_t i = 0; i < counts.size(); ++i) {
      const double share = static_cast<double>(counts[i]) / kDraws;
      EXPECT_NEAR(share, mix.shares[i], 0.001) << mix.text << i;
      EXPECT_TRUE(mix.shares[i] != 0 || counts[i] == 0) << mix.text << i;
    }
  }
}

// Chi-square of 20 buckets of records by 2 operations: with 19 degrees of freedom it exceeds 43.8
// once in a thousand. A single generator for both comes to a million.
TEST(YcsbDraws, ChooseTheOperationIndependentlyOfTheRecord) {
  constexpr size_t kBuckets = 20;
  YcsbDraws draws(Stream("70% read, 30% update", KeyDistributionPlan::Kind::kUniform, 10'000));
  TableOfCounts<kBuckets, 2> counts = {};
  for (int i = 0; i < 1'000'000; ++i) {
    const YcsbChoice choice = draws.Next();
    ++counts[choice.record * kBuckets / 10'000][choice.kind == Kind::kRead ? 0 : 1];
  }
  EXPECT_LT(ChiSquareOf(counts), 43.8);
}

// YCSB's zipfian covers one record more than there are, and room for twice the inserts. An item
// that does not exist is drawn again.
TEST(YcsbDraws, GiveTheRecordsThatYcsbGivesForItsDraws) {
  YcsbStream stream = Stream("95% read, 5% update", KeyDistributionPlan::Kind::kYcsbZipf, 1000);
  stream.expected_inserts = 30;
  YcsbDraws draws(stream);
  Random records(DeriveSeed(stream.seed, "ycsb", "record", 0));
  for (int i = 0; i < 10'000; ++i) {
    uint64_t expected = 1000;
    while (expected >= 1000) expected = YcsbZipf(1061).ItemOf(UnitOf(records.Next()));
    ASSERT_EQ(draws.Next().record, expected);
  }
}

TEST(YcsbDraws, WriteEachRecordFromOneThreadAndReadOnlyWhatIsKnown) {
  constexpr uint64_t kThreads = 3;
  for (const auto requests :
       {KeyDistributionPlan::Kind::kYcsbZipf, KeyDistributionPlan::Kind::kLatest,
        KeyDistributionPlan::Kind::kHotspot}) {
    std::set<uint64_t> all_inserted;
    for (uint64_t thread = 0; thread < kThreads; ++thread) {
      YcsbStream stream =
          Stream("40% read, 20% update, 20% insert, 10% scan, 10% rmw", requests, 1000);
      stream.capacity = 10'000;
      stream.thread = thread;
      stream.threads = kThreads;
      stream.seed = thread;
      stream.expected_inserts = 2000;
      YcsbDraws draws(stream);
      std::set<uint64_t> inserted;
      uint32_t version = 0;
      std::set<uint64_t> lengths;
      for (int i = 0; i < 10'000; ++i) {
        const YcsbChoice choice = draws.Next();
        ASSERT_LT(choice.record, 10'000u);
        ASSERT_EQ(draws.keys().KeyOf(choice.record), choice.key);
        ASSERT_EQ(draws.keys().RecordOf(choice.key), choice.record);
        const bool writes = choice.kind != Kind::kRead && choice.kind != Kind::kScan;
        if (writes) {
          ASSERT_EQ(choice.record % kThreads, thread);
          ASSERT_TRUE(choice.is_own);
          ASSERT_EQ(choice.version, ++version);
        } else {
          ASSERT_EQ(choice.version, 0u);
        }
        if (choice.kind == Kind::kInsert) {
          ASSERT_GE(choice.record, 1000u);
          ASSERT_TRUE(inserted.insert(choice.record).second);
          ASSERT_TRUE(all_inserted.insert(choice.record).second);
        } else {
          ASSERT_TRUE(choice.record < 1000 || inserted.contains(choice.record)) << choice.record;
        }
        ASSERT_TRUE(draws.IsKnown(choice.record));
        if (choice.kind == Kind::kScan) lengths.insert(choice.scan_length);
      }
      EXPECT_EQ(*lengths.begin(), 1u);
      EXPECT_EQ(*lengths.rbegin(), 100u);
      EXPECT_GT(lengths.size(), 95u);
    }
  }
}

// The newest is the one that the thread inserted last.
TEST(YcsbDraws, OfLatestAskForTheNewestMostOften) {
  YcsbDraws draws(Stream("50% read, 50% insert", KeyDistributionPlan::Kind::kLatest, 100'000));
  uint64_t newest = 99'999;
  uint64_t reads = 0;
  uint64_t of_newest = 0;
  for (int i = 0; i < 150'000; ++i) {
    const YcsbChoice choice = draws.Next();
    if (choice.kind == Kind::kInsert) {
      EXPECT_EQ(choice.record, newest + 1);
      newest = choice.record;
      continue;
    }
    ++reads;
    of_newest += choice.record == newest ? 1 : 0;
  }
  // 1 / zeta(0.99) for 100,000 to 175,000 records: 7.8 % to 7.5 %.
  EXPECT_NEAR(static_cast<double>(of_newest) / static_cast<double>(reads), 0.0765, 0.004);
}

TEST(YcsbDraws, SayWhenThereIsNoRoomForAnotherRecord) {
  YcsbStream stream = Stream("100% insert", KeyDistributionPlan::Kind::kUniform, 10);
  stream.threads = 2;
  stream.thread = 1;
  YcsbDraws draws(stream);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(draws.Next().is_full);
  EXPECT_TRUE(draws.Next().is_full);
}

// By a store of each thread's records that does what the choices say.
TEST(YcsbDrawsInTurn, DeleteOnlyWhatIsThereAndPutInWhatWasOutTheLongest) {
  for (const uint64_t threads : {1, 3}) {
    for (const auto requests :
         {KeyDistributionPlan::Kind::kUniform, KeyDistributionPlan::Kind::kHotspot}) {
      for (uint64_t thread = 0; thread < threads; ++thread) {
        YcsbStream stream =
            Stream("40% read, 15% update, 15% delete, 20% scan, 10% rmw", requests, 1000);
        stream.requests.hot_keys = 0.01;
        stream.thread = thread;
        stream.threads = threads;
        YcsbDrawsInTurn draws(stream);
        std::set<uint64_t> in;
        std::deque<uint64_t> out;
        for (uint64_t r = thread; r < 1000; r += threads) in.insert(r);
        for (uint64_t r = 1000; r < 2000; ++r) {
          if (r % threads == thread) out.push_back(r);
        }
        const size_t size = in.size();
        std::map<Kind, uint64_t> counts;
        constexpr uint64_t kDraws = 100'000;
        for (uint64_t i = 0; i < kDraws; ++i) {
          const YcsbChoice choice = draws.Next();
          ++counts[choice.kind];
          ASSERT_FALSE(choice.is_full);
          ASSERT_TRUE(choice.is_own);
          ASSERT_EQ(draws.keys().KeyOf(choice.record), choice.key);
          if (choice.kind == Kind::kUpdate && in.size() < size) {
            ASSERT_EQ(choice.record, out.front());
            out.pop_front();
            in.insert(choice.record);
          } else {
            ASSERT_TRUE(in.contains(choice.record));
          }
          if (choice.kind == Kind::kDelete) {
            in.erase(choice.record);
            out.push_back(choice.record);
          }
          ASSERT_GE(in.size() + 1, size);
          const uint64_t other = out[i % out.size()];
          ASSERT_TRUE(draws.IsKnown(*in.begin()) && !draws.IsKnown(other));
        }
        for (const auto& [kind, share] : std::map<Kind, double>{{Kind::kRead, 0.4},
                                                                {Kind::kUpdate, 0.15},
                                                                {Kind::kDelete, 0.15},
                                                                {Kind::kScan, 0.2},
                                                                {Kind::kModify, 0.1}}) {
          EXPECT_NEAR(static_cast<double>(counts[kind]) / kDraws, share, 0.007);
        }
      }
    }
  }
}

TEST(YcsbDrawsInTurn, OfDeletesEndWhereNothingIsLeftToPutIn) {
  YcsbStream stream = Stream("50% update, 50% delete", KeyDistributionPlan::Kind::kUniform, 10);
  stream.capacity = 10;
  EXPECT_TRUE(YcsbDrawsInTurn(stream).Next().is_full);
}

TEST(YcsbDraws, LayKeysInTheOrderOfTheirNumbersOrNot) {
  YcsbStream stream = Stream("100% read", KeyDistributionPlan::Kind::kUniform, 1000);
  uint64_t same = 0;
  for (uint64_t record = 0; record < 1000; ++record) {
    same += YcsbKeys(stream).KeyOf(record) == record ? 1 : 0;
  }
  EXPECT_LT(same, 10u);
  stream.is_hashed = false;
  EXPECT_EQ(YcsbKeys(stream).KeyOf(17), 17u);
}

TEST(YcsbMix, IsRefusedWhereItDoesNotComeToAll) {
  for (const char* const text :
       {"", "50% read", "50% read, 60% update", "50% read, 50% read", "50% read, 50% erase",
        "read 100%", "100", "nan% read", "0% scan, 100% read", "100% read, ", "-5% scan, 105% read",
        "100 % read, 50% scan"}) {
    YcsbPlan plan;
    EXPECT_NE(ReadYcsbMix(text, plan), "") << text;
  }
  YcsbPlan plan;
  EXPECT_EQ(ReadYcsbMix("0.1%read,99.9%  scan", plan), "");
  EXPECT_DOUBLE_EQ(plan.read, 0.001);
}

// Threads together ask for each record once in a round.
TEST(YcsbDraws, OfSequentialRequestsGoThroughTheRecords) {
  constexpr uint64_t kThreads = 3;
  std::vector<uint64_t> asked(10);
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    YcsbStream stream = Stream("100% read", KeyDistributionPlan::Kind::kSequential, asked.size());
    stream.thread = thread;
    stream.threads = kThreads;
    YcsbDraws draws(stream);
    for (int i = 0; i < 20; ++i) ++asked.at(draws.Next().record);
  }
  for (const uint64_t count : asked) EXPECT_EQ(count, 6u);
}

TEST(YcsbDraws, HaveScansOfTheLengthsThatAreAskedFor) {
  for (const bool is_short : {false, true}) {
    YcsbStream stream = Stream("100% scan", KeyDistributionPlan::Kind::kUniform, 1000);
    stream.plan.least_scan = 5;
    stream.plan.most_scan = 14;
    stream.plan.has_short_scans = is_short;
    YcsbDraws draws(stream);
    std::array<uint64_t, 20> counts = {};
    constexpr uint64_t kDraws = 100'000;
    for (uint64_t i = 0; i < kDraws; ++i) ++counts.at(draws.Next().scan_length);
    EXPECT_EQ(counts[4] + counts[15], 0u);
    // Of ten ranks by Zipf's law with the exponent 0.99, the first has 34 %.
    const double first = static_cast<double>(counts[5]) / kDraws;
    EXPECT_NEAR(first, is_short ? 0.3391 : 0.1, 0.006);
    EXPECT_NEAR(static_cast<double>(counts[14]) / kDraws, is_short ? 0.0347 : 0.1, 0.006);
  }
}

}  // namespace levelfield::ycsb_draws_test
