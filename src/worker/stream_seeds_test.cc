#include "worker/stream_seeds.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/random.h"
#include "base/status_for_test.h"
#include "plan/plan_for_test.h"
#include "workload/key_sequence.h"
#include "workload/permutation.h"

namespace levelfield::stream_seeds_test {

constexpr uint64_t kSeed = 1;

StreamSeeds SeedsOf(const Workload& workload, uint64_t mention) {
  return {workload, kSeed, kSeed, mention};
}

Workload WorkloadOf(const std::string& text) {
  return Must(PlanPhase({.name = "own", .text = text}, With({"--num=1000", "--threads=3"}), false))
      .workload;
}

Workload BuiltinOf(const std::string& name, const std::string& flag = "--threads=3") {
  return Must(PlanPhase(Must(FindWorkload(name)), With({"--num=1000", flag}), false)).workload;
}

struct Stream {
  std::string name;
  std::vector<uint64_t> draws;  // The first thousand, below a million.
};

Stream StreamOf(std::string name, uint64_t seed) {
  Stream stream{.name = std::move(name), .draws = std::vector<uint64_t>(1000)};
  Random random(seed);
  for (uint64_t& draw : stream.draws) draw = random.Below(1'000'000);
  return stream;
}

// All streams of a workload that may differ between its mentions.
std::vector<Stream> StreamsOf(const Workload& workload) {
  std::vector<Stream> streams;
  for (const Role& role : workload.roles) {
    const bool fills = workload.need == StoreNeed::kEmpty && role.operation->writes();
    for (uint64_t mention = 1; mention <= 3; ++mention) {
      const StreamSeeds seeds = SeedsOf(workload, mention);
      for (uint64_t thread = 0; thread < 3; ++thread) {
        const std::string name = fmt::format("{} {}, mention {}, thread {}: ", workload.name,
                                             role.name, mention, thread);
        streams.push_back(StreamOf(name + "choice", seeds.Others("choice", role, thread)));
        streams.push_back(StreamOf(name + "arrival", seeds.Others("arrival", role, thread)));
        if (fills && mention > 1) continue;
        streams.push_back(StreamOf(name + "draws", seeds.Draws(role, thread)));
      }
    }
  }
  return streams;
}

TEST(Streams, OfAllWorkloadsMentionsRolesAndThreadsDiffer) {
  std::map<std::vector<uint64_t>, std::string> known;
  for (const auto& [name, text] : BuiltinWorkloads()) {
    const StatusOr<PlannedPhase> phase =
        PlanPhase({.name = std::string(name), .text = std::string(text)}, With({}), false);
    if (!phase.ok()) continue;  // It needs a trace.
    for (Stream& stream : StreamsOf(phase->workload)) {
      const auto [it, is_new] = known.emplace(std::move(stream.draws), stream.name);
      EXPECT_TRUE(is_new) << stream.name << " is " << it->second;
    }
  }
  EXPECT_GT(known.size(), 2000u);
}

// Pairs of draws, each in one of ten classes. By chi-square with 99 degrees of freedom less than
// one of ten million such tables exceeds 190 by chance.
double ChiSquare(const Stream& a, const Stream& b) {
  std::array<double, 100> seen = {};
  for (size_t i = 0; i < a.draws.size(); ++i) {
    ++seen[a.draws[i] / 100'000 * 10 + b.draws[i] / 100'000];
  }
  const double expected = static_cast<double>(a.draws.size()) / 100;
  double sum = 0;
  for (const double count : seen) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Streams, AreIndependentInPairs) {
  std::vector<Stream> streams = StreamsOf(BuiltinOf("readwhilewriting"));
  for (Stream& other : StreamsOf(BuiltinOf("readrandom"))) streams.push_back(std::move(other));
  double most = 0;
  for (size_t i = 0; i < streams.size(); ++i) {
    for (size_t j = i + 1; j < streams.size(); ++j) {
      const double chi_square = ChiSquare(streams[i], streams[j]);
      most = std::max(most, chi_square);
      EXPECT_LT(chi_square, 190) << streams[i].name << " and " << streams[j].name;
    }
  }
  EXPECT_GT(most, 120) << "of 3,240 pairs some have more than the mean by chance";
}

TEST(Streams, OfTheFirstMentionAreThoseOfAListWithoutAnother) {
  const Workload reads = BuiltinOf("readrandom");
  const Role& role = reads.roles.front();
  EXPECT_EQ(SeedsOf(reads, 1).Draws(role, 2), DeriveSeed(kSeed, "draw", "readrandom/reader", 2));
}

TEST(Layout, IsTheSameInEveryMention) {
  for (const char* const name : {"fillrandom", "filluniquerandom", "ycsb-load", "fillrandbatch"}) {
    const Workload fill = BuiltinOf(name, "--ycsb_key_order=hashed");
    const Role& role = fill.roles.front();
    EXPECT_EQ(SeedsOf(fill, 1).Order(role), SeedsOf(fill, 2).Order(role)) << name;
  }
  const Workload index = BuiltinOf("ibench-lx");
  for (const char* const name : {"ibench-lx", "ibench-li1", "ibench-qr100"}) {
    const Workload rows = BuiltinOf(name);
    for (const Role& role : rows.roles) {
      EXPECT_EQ(SeedsOf(rows, 2).Order(role), SeedsOf(index, 1).Order(index.roles.front())) << name;
    }
  }
  const Workload drawn = WorkloadOf(
      "summary = fills\nfamily = writes\nneeds = empty store\n[writer]\nop = put\nkeys = drawn\n"
      "stop = after 10 operations\n");
  EXPECT_EQ(SeedsOf(drawn, 1).Draws(drawn.roles[0], 0), SeedsOf(drawn, 2).Draws(drawn.roles[0], 0));
  const Workload series = BuiltinOf("timeseries");
  EXPECT_EQ(SeedsOf(series, 1).Series(), SeedsOf(series, 2).Series());
}

TEST(Layout, OfRecordsIsTheSameForAllThatAskForThem) {
  const Workload load = BuiltinOf("ycsb-load");
  const Workload asks = BuiltinOf("ycsb-a");
  EXPECT_EQ(SeedsOf(load, 1).Order(load.roles[0]), SeedsOf(asks, 3).Order(asks.roles[0]));
}

TEST(Order, OfWhatChangesALoadedStoreIsAnotherInEveryMention) {
  for (const char* const name : {"overwrite", "updaterandom", "deleterandom", "mergerandom",
                                 "readrandomwriterandom", "appendrandom"}) {
    const Workload workload = BuiltinOf(name);
    const Role& role = workload.roles.front();
    const Permutation first(role.range, SeedsOf(workload, 1).Order(role));
    const Permutation second(role.range, SeedsOf(workload, 2).Order(role));
    size_t same = 0;
    for (uint64_t i = 0; i < role.range; ++i) same += first.At(i) == second.At(i) ? 1 : 0;
    EXPECT_LT(same, 15u) << name;
  }
}

TEST(HotKeys, AreTheSameInEveryMentionAndRole) {
  const Workload reads = BuiltinOf("readrandom", "--key_distribution=zipf");
  const Workload mixed = BuiltinOf("readwhilewriting", "--key_distribution=zipf");
  const uint64_t order = SeedsOf(reads, 1).Order(reads.roles[0]);
  EXPECT_EQ(SeedsOf(reads, 2).Order(reads.roles[0]), order);
  EXPECT_EQ(SeedsOf(mixed, 3).Order(mixed.roles[0]), order);
}

TEST(RolesWithOneSeed, GetTheSameKeysInEveryMention) {
  const std::string head = "summary = s\nfamily = reads\nneeds = loaded store\n";
  const std::string role = "op = get\nkeys = uniform\nseed = ours\nstop = after 10 operations\n";
  const Workload reads = WorkloadOf(head + "[reader]\n" + role);
  const Workload others = WorkloadOf(head + "[other]\n" + role);
  EXPECT_EQ(SeedsOf(reads, 1).Draws(reads.roles[0], 1),
            SeedsOf(others, 2).Draws(others.roles[0], 1));
}

}  // namespace levelfield::stream_seeds_test
