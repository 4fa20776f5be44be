#include "result/ranks.h"

#include <fmt/format.h>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::ranks_test {

constexpr uint64_t kSecond = 1'000'000'000;

// A rank that did the same number of gets in each tenth of a second between two moments.
PartOfMerge RankOf(uint64_t rank, uint64_t of, uint64_t begin_s, uint64_t end_s,
                   uint64_t gets_of_tick) {
  PartOfMerge part;
  part.path = fmt::format("results/rank{}", rank);
  const uint64_t ticks = (end_s - begin_s) * 10;
  part.result = RoundsOf(1, {{"redis", [&](uint64_t) { return ticks * gets_of_tick; }}});
  part.result.settings = {{"num", "1000"}};
  RunResult& run = part.result.runs[0];
  run.round_trip_ns = 1'000;
  PhaseResult& phase = run.phases[0];
  phase.roles[0].seconds = phase.roles[0].thread_seconds = static_cast<double>(end_s - begin_s);
  phase.roles[0].thread_operations = phase.roles[0].thread_calls = {ticks * gets_of_tick};
  phase.roles[0].statistics[0].digest = rank + 1;
  phase.rank.emplace(RankShare{.id = "fleet",
                               .rank = rank,
                               .of = of,
                               .begin_ns = begin_s * kSecond,
                               .end_ns = end_s * kSecond,
                               .clock_error_ns = 100 * rank});
  phase.ticks.emplace();
  for (uint64_t i = 1; i <= ticks; ++i) phase.ticks->end_ms.push_back(100 * i);
  phase.ticks->operations = {std::vector<uint64_t>(ticks, gets_of_tick)};
  return part;
}

PhaseResult Together(const std::vector<PartOfMerge>& parts) {
  return Must(Merge(parts)).result.runs.at(0).phases[0];
}

TEST(Ranks, AreRatedInTheTimeThatAllWereUnderWay) {
  const PhaseResult whole = Together({RankOf(0, 2, 0, 10, 10), RankOf(1, 2, 2, 12, 20)});
  EXPECT_EQ(whole.outcome, Outcome::kOk);
  ASSERT_TRUE(whole.fleet);
  EXPECT_DOUBLE_EQ(whole.fleet->common_seconds, 8);
  EXPECT_DOUBLE_EQ(whole.fleet->span_seconds, 12);
  EXPECT_EQ(whole.fleet->operations, 800u + 1600u);
  EXPECT_EQ(whole.fleet->left_out, 200u + 400u);
  EXPECT_EQ(whole.fleet->clock_error_ns, 100u);
  const RoleResult& role = whole.roles[0];
  EXPECT_EQ(role.Operations(), 3000u) << "all of them are counted";
  EXPECT_EQ(role.statistics[0].digest, 3u);
  EXPECT_EQ(role.threads, 2u);
  EXPECT_THAT(role.thread_operations, ElementsAre(1000, 2000));
  // In two ways: what the two did a second.
  EXPECT_DOUBLE_EQ(role.OperationsPerSecond(), 100 + 200);
  EXPECT_EQ(role.operations_per_second, role.OperationsPerSecond());
  EXPECT_DOUBLE_EQ(role.seconds, 12);
  EXPECT_FALSE(whole.rank);
}

TEST(Ranks, CountTheirShareOfATickThatLiesHalfWithin) {
  const PhaseResult phase = RankOf(0, 1, 0, 1, 10).result.runs[0].phases[0];
  EXPECT_DOUBLE_EQ(OperationsWithin(phase, 0, 0, 1), 100);
  EXPECT_DOUBLE_EQ(OperationsWithin(phase, 0, 0.25, 0.75), 50);
  EXPECT_DOUBLE_EQ(OperationsWithin(phase, 0, 0.55, 9), 45);
  EXPECT_DOUBLE_EQ(OperationsWithin(phase, 0, 2, 3), 0);
}

TEST(Ranks, ThatNeverWereUnderWayTogetherHaveNoRate) {
  const PhaseResult whole = Together({RankOf(0, 2, 0, 1, 10), RankOf(1, 2, 2, 3, 10)});
  EXPECT_EQ(whole.outcome, Outcome::kInvalid);
  EXPECT_THAT(whole.message, HasSubstr("no time in which all ranks were under way"));
}

TEST(Ranks, ThatAreMissingMakeTheWholeVoid) {
  const PhaseResult whole = Together({RankOf(0, 3, 0, 1, 10), RankOf(2, 3, 0, 1, 10)});
  EXPECT_EQ(whole.outcome, Outcome::kInvalid);
  EXPECT_EQ(whole.message, "rank 1 of 3 has left no result of it");
}

TEST(Ranks, ThatFailedAreNamedAndNotThoseThatWaitedForThem) {
  std::vector<PartOfMerge> parts = {RankOf(0, 2, 0, 1, 10), RankOf(1, 2, 0, 1, 10)};
  PhaseResult& waited = parts[0].result.runs[0].phases[0];
  waited.outcome = Outcome::kInvalid;
  waited.message = "the fleet is not whole: rank 1 of 2: died by SIGKILL";
  PhaseResult& died = parts[1].result.runs[0].phases[0];
  died.outcome = Outcome::kFailed;
  died.message = "died by SIGKILL";
  const PhaseResult whole = Together(parts);
  EXPECT_EQ(whole.outcome, Outcome::kFailed);
  EXPECT_EQ(whole.message, "rank 1 of 2: died by SIGKILL");
}

TEST(Ranks, ThatWereTheLimitThemselvesAreNamed) {
  std::vector<PartOfMerge> parts = {RankOf(0, 3, 0, 1, 10), RankOf(1, 3, 0, 1, 10),
                                    RankOf(2, 3, 0, 1, 10)};
  parts[1].result.runs[0].phases[0].resources.emplace().foreground_seconds = 0.96;
  EXPECT_EQ(Together(parts).message,
            "rank 1 of 3 was the limit, not the server: its threads computed 96 % of the time; use "
            "more ranks or threads");
  EXPECT_EQ(Together(parts).outcome, Outcome::kInvalid);
  parts[1].result.runs[0].phases[0].resources->foreground_seconds = 0.5;
  EXPECT_EQ(Together(parts).outcome, Outcome::kOk);

  // An operation takes 10 ms here.
  parts[2].result.runs[0].round_trip_ns = 6'000'000;
  EXPECT_EQ(Together(parts).message,
            "rank 2 of 3 was the limit, not the server: an empty round trip took it 6000.0 us, and "
            "the others 1.0 us; look at its link to the server");
  // Far, and not what the time went to.
  parts[2].result.runs[0].round_trip_ns = 4'000'000;
  EXPECT_EQ(Together(parts).outcome, Outcome::kOk);
}

TEST(Ranks, OfOneNumberOrOfOtherPlansAreRefused) {
  const auto why_not = [](const std::vector<PartOfMerge>& parts) {
    const StatusOr<Merged> merged = Merge(parts);
    return merged.ok() ? "" : merged.status().message();
  };
  EXPECT_THAT(why_not({RankOf(0, 2, 0, 1, 1), RankOf(0, 2, 0, 1, 1)}),
              HasSubstr("are both of rank 0, which would count twice"));
  PartOfMerge other = RankOf(1, 2, 0, 1, 1);
  other.result.settings = {{"num", "2000"}};
  EXPECT_THAT(why_not({RankOf(0, 2, 0, 1, 1), other}), HasSubstr("--num"));
}

}  // namespace levelfield::ranks_test
