#include "report/over_time.h"

#include "base/matchers_for_test.h"
#include "result/ticks_for_test.h"

namespace levelfield::over_time_test {

PhaseResult PhaseOf(Ticks ticks) {
  PhaseResult phase;
  phase.workload = "fillrandom";
  phase.outcome = Outcome::kOk;
  phase.roles.resize(ticks.operations.size());
  phase.roles[0].name = "filler";
  phase.ticks = std::move(ticks);
  return phase;
}

const OverTimeCell* CellOf(const std::vector<OverTimeCell>& cells, const std::string& title) {
  for (const OverTimeCell& cell : cells) {
    if (cell.title == title) return &cell;
  }
  return nullptr;
}

int Hole(size_t i) { return i >= 140 && i < 152 ? 0 : 1000; }

TEST(OverTime, NamesTheLongestStallAndItsCause) {
  Ticks ticks = TicksOf(200, Hole);
  ticks.operations[0][20] = 0;
  ticks.activities = std::vector<Activity>{{"compaction", {{140, 151}}}};
  const PhaseResult phase = PhaseOf(std::move(ticks));
  const auto cells = OverTime({&phase});
  const OverTimeCell* const stalls = CellOf(cells, "stalls");
  ASSERT_NE(stalls, nullptr);
  EXPECT_EQ(stalls->cell, "2");
  EXPECT_EQ(stalls->note,
            "stalls in fillrandom: 2, 1.3 s in all, longest 1.2 s at 14.0 s (compaction)");
}

TEST(OverTime, SaysWhereTheEngineTellsNothing) {
  Ticks silent = TicksOf(200, Hole);
  const PhaseResult phase = PhaseOf(silent);
  EXPECT_THAT(CellOf(OverTime({&phase}), "stalls")->note,
              HasSubstr("(the engine does not report its activity)"));
  silent.activities.emplace();
  const PhaseResult told = PhaseOf(silent);
  EXPECT_THAT(CellOf(OverTime({&told}), "stalls")->note,
              HasSubstr("(the engine reported no activity)"));
}

TEST(OverTime, StallsOfAnotherRoleHaveARowOfTheirOwn) {
  Ticks ticks = TicksOf(200, [](size_t) { return 1000; });
  ticks.operations.push_back(TicksOf(200, Hole).operations[0]);
  PhaseResult phase = PhaseOf(std::move(ticks));
  phase.roles[1].name = "writer";
  const auto cells = OverTime({&phase});
  EXPECT_EQ(CellOf(cells, "stalls"), nullptr);
  ASSERT_NE(CellOf(cells, "[writer] stalls"), nullptr);
  EXPECT_EQ(CellOf(cells, "[writer] stalls")->cell, "1");
}

TEST(OverTime, SaysSinceWhenItIsSteadyOrThatItNeverWas) {
  const PhaseResult steady = PhaseOf(TicksOf(600, [](size_t i) { return i < 120 ? 200 : 1000; }));
  const auto cells = OverTime({&steady});
  EXPECT_EQ(CellOf(cells, "steady")->cell, "since 12 s");
  EXPECT_EQ(CellOf(cells, "steady")->note, "");
  EXPECT_EQ(CellOf(cells, "first tenth")->cell, "x 0.22");
  const PhaseResult saw = PhaseOf(TicksOf(600, [](size_t i) { return 500 + 20 * (i % 100); }));
  EXPECT_EQ(CellOf(OverTime({&saw}), "steady")->cell, "never");
  EXPECT_THAT(CellOf(OverTime({&saw}), "steady")->note, HasSubstr("up and down every 10.0 s"));
  EXPECT_EQ(CellOf(OverTime({&steady, &saw}), "steady")->cell, "1 of 2");
}

TEST(OverTime, SaysSinceWhenTheSpaceOfAWriterIsSteady) {
  PhaseResult phase = PhaseOf(TicksOf(600, [](size_t) { return 1000; }));
  OperationStatistics& stats = phase.roles[0].statistics.emplace_back();
  stats.operation = "put";
  stats.effects = kPuts;
  stats.operations = stats.hits = 600'000;
  EXPECT_EQ(CellOf(OverTime({&phase}), "steady space"), nullptr) << "nobody looked";
  SpaceSeries& space = phase.space.emplace();
  for (uint64_t s = 1; s <= 60; ++s) {
    space.at_ms.push_back(1000 * s);
    space.allocated_bytes.push_back(s < 21 ? 1000 : 5000);
  }
  EXPECT_EQ(CellOf(OverTime({&phase}), "steady space")->cell, "since 21 s");
  PhaseResult growing = phase;
  for (size_t i = 0; i < 60; ++i) growing.space->allocated_bytes[i] = 1'000'000 * (i + 1);
  EXPECT_EQ(CellOf(OverTime({&growing}), "steady space")->cell, "never");
  EXPECT_THAT(CellOf(OverTime({&growing}), "steady space")->note,
              HasSubstr("the store's space on the disk does not settle"));
  EXPECT_EQ(CellOf(OverTime({&phase, &growing}), "steady space")->cell, "1 of 2");
  PhaseResult reader = phase;
  reader.roles[0].statistics[0].operation = "get";
  reader.roles[0].statistics[0].effects = Effect::kReads;
  reader.roles[0].statistics[0].lookup = Lookup::kKey;
  EXPECT_EQ(CellOf(OverTime({&reader}), "steady space"), nullptr);
}

TEST(OverTime, SaysNothingOfShortPhasesAndOfThoseThatFailed) {
  const PhaseResult brief = PhaseOf(TicksOf(9, [](size_t i) { return i * 1000; }));
  EXPECT_TRUE(OverTime({&brief}).empty());
  PhaseResult failed = PhaseOf(TicksOf(200, Hole));
  failed.outcome = Outcome::kFailed;
  PhaseResult unwatched = failed;
  unwatched.outcome = Outcome::kOk;
  unwatched.ticks.reset();
  EXPECT_TRUE(OverTime({&failed, &unwatched}).empty());
}

}  // namespace levelfield::over_time_test
