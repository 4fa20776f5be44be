#include "loop/original_streams.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

#include "workload/expected_state.h"
#include "workload/key_sequence.h"

namespace levelfield::original_streams_test {

// A process of an original program, reduced to its keys and values: no engine, no thread.
class Process {
 public:
  Process(std::string_view dialect, DrawSource source) : streams_(dialect), source_(source) {}

  void Fill(uint64_t range, uint64_t operations) {
    store_.Clear();
    Overwrite(range, operations);
  }
  void Overwrite(uint64_t range, uint64_t operations) {
    const KeyPlan plan = Plan(range);
    WriteLayer layer{.order = plan,
                     .shares = {{0, range, operations, plan.draw_seed}},
                     .value_size = 100,
                     .windows = values_.Series(100, streams_.first_window())};
    store_.Add(layer);
    streams_.Wrote(*layer.windows, operations);
    streams_.EndedPhase(std::vector<uint64_t>{operations});
  }
  void FillInOrder() {
    store_.Clear();
    streams_.EndedPhase(std::vector<uint64_t>{0});
  }

  // How many of the keys that it draws exist.
  uint64_t Read(uint64_t range, uint64_t operations) {
    KeySequence keys(Plan(range));
    uint64_t found = 0;
    for (uint64_t i = 0; i < operations; ++i) {
      uint64_t index = 0;
      uint64_t round = 0;
      keys.Fill(std::span(&index, 1), &round);
      found += store_.Find(index).has_value() ? 1 : 0;
    }
    streams_.EndedPhase(std::vector<uint64_t>{operations});
    return found;
  }

  uint64_t Keys() const {
    uint64_t keys = 0;
    for (uint64_t i = 0; i < store_.Range(); ++i) keys += store_.Find(i).has_value() ? 1 : 0;
    return keys;
  }

  OriginalStreams& streams() { return streams_; }
  const ExpectedState& store() const { return store_; }
  void TakeStoreOf(const Process& other) { store_ = other.store_; }

 private:
  KeyPlan Plan(uint64_t range) const {
    return {.order = KeyOrder::kUniform,
            .range = range,
            .draw_seed = streams_.KeySeed(0),
            .end_position = range,
            .source = source_};
  }

  OriginalStreams streams_;
  DrawSource source_;
  OriginalValues values_{0.5};
  ExpectedState store_;
};

constexpr uint64_t kMillion = 1'000'000;

// What LevelDB's db_bench prints for its default list.
TEST(OriginalStreams, OfLevelDbGiveThePublishedCounts) {
  Process process("leveldb", DrawSource::kParkMiller);
  process.FillInOrder();                    // fillseq
  process.Fill(kMillion, kMillion / 1000);  // fillsync
  process.Fill(kMillion, kMillion);         // fillrandom
  EXPECT_EQ(process.Keys(), 631'873u);
  process.Overwrite(kMillion, kMillion);
  EXPECT_EQ(process.Keys(), 864'433u);
  EXPECT_EQ(process.Read(kMillion, kMillion), 864'322u);
  EXPECT_EQ(process.Read(kMillion, kMillion), 864'083u);
  process.streams().EndedPhase(std::vector<uint64_t>{0});  // readseq
  process.streams().EndedPhase(std::vector<uint64_t>{0});  // readreverse
  process.streams().EndedWithoutKeys("compact", 1);
  EXPECT_EQ(process.Read(kMillion, kMillion), 864'105u);
}

// Flaw F5: the second process draws the same keys as the first, in the same order.
TEST(OriginalStreams, OfLevelDbAgreeBetweenProcesses) {
  Process first("leveldb", DrawSource::kParkMiller);
  first.Fill(100'000, 100'000);
  Process second("leveldb", DrawSource::kParkMiller);
  second.TakeStoreOf(first);
  EXPECT_EQ(second.Read(100'000, 100'000), 100'000u);
  EXPECT_EQ(first.Read(100'000, 100'000), 63'059u);
}

TEST(OriginalStreams, OfLevelDbCountEveryThreadThatWasStarted) {
  OriginalStreams streams("leveldb");
  EXPECT_EQ(streams.KeySeed(0), 1001u);
  EXPECT_EQ(streams.KeySeed(3), 1004u);
  streams.EndedPhase(std::vector<uint64_t>{10, 10, 10, 10, 0});  // Four threads and a writer.
  EXPECT_EQ(streams.KeySeed(0), 1006u);
  streams.EndedWithoutKeys("stats", 4);
  streams.EndedWithoutKeys("sstables", 4);
  streams.EndedWithoutKeys("heapprofile", 4);
  EXPECT_EQ(streams.KeySeed(0), 1006u) << "what only prints starts no thread";
  streams.EndedWithoutKeys("crc32c", 4);
  EXPECT_EQ(streams.KeySeed(0), 1010u);
  streams.Wrote({1048600, 100, 0}, 12345);
  EXPECT_EQ(streams.first_window(), 0u) << "the values begin anew";
}

TEST(OriginalStreams, OfSqliteGoOnFromBenchmarkToBenchmark) {
  for (const char* const dialect : {"sqlite3", "treedb"}) {
    Process split(dialect, DrawSource::kParkMiller);
    split.Fill(1000, 300);
    split.Overwrite(1000, 450);
    Process whole(dialect, DrawSource::kParkMiller);
    whole.Fill(1000, 750);
    for (uint64_t i = 0; i < 1000; ++i) {
      const auto a = split.store().Find(i);
      const auto b = whole.store().Find(i);
      ASSERT_EQ(a.has_value(), b.has_value()) << i;
      if (!a) continue;
      ASSERT_EQ(a->version, b->version) << "values go on as well: " << i;
    }
    EXPECT_EQ(split.Read(1000, 100), whole.Read(1000, 100));
  }
}

// What hyc's db_bench_mdb prints with --num=20500 --batch=300.
TEST(OriginalStreams, OfLmdbGiveTheCountsOfItsProgram) {
  constexpr uint64_t kNum = 20'500;
  constexpr uint64_t kWholeBatches = 20'400;
  Process process("lmdb", DrawSource::kMersenne);
  process.FillInOrder();  // fillseqsync
  process.Fill(kNum, kNum);
  EXPECT_EQ(process.Read(kNum, kNum), 13'079u);
  process.Overwrite(kNum, kNum);
  process.FillInOrder();                   // fillseq
  process.Fill(kNum, kWholeBatches);       // fillrandbatch
  process.Overwrite(kNum, kWholeBatches);  // overwritebatch
  EXPECT_EQ(process.Read(kNum, kNum), 17'565u);
  process.Overwrite(kNum, kNum);
  EXPECT_EQ(process.Read(kNum, kNum), 19'378u);
}

TEST(OriginalStreams, OfLmdbAreSeededByTheThreadsOwnNextDraw) {
  for (const char* const dialect : {"lmdb", "berkeleydb"}) {
    OriginalStreams streams(dialect);
    EXPECT_EQ(streams.KeySeed(0), 1000u);
    EXPECT_EQ(streams.KeySeed(2), 1002u);
    streams.EndedPhase(std::vector<uint64_t>{7, 0});
    std::mt19937_64 generator(1000);
    generator.discard(7);
    EXPECT_EQ(streams.KeySeed(0), static_cast<uint32_t>(generator()));
    EXPECT_EQ(streams.KeySeed(1), static_cast<uint32_t>(std::mt19937_64(1001)()));
    EXPECT_EQ(streams.KeySeed(2), 1002u) << "a thread that was never started";
    const uint64_t before = streams.KeySeed(0);
    streams.EndedWithoutKeys("compact", 2);
    EXPECT_EQ(streams.KeySeed(0), before);
  }
}

}  // namespace levelfield::original_streams_test
