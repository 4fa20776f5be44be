#include "analysis/crash_state.h"

#include "base/matchers_for_test.h"

namespace levelfield::crash_state_test {

CrashCell Cell(DurabilityLevel claimed, CrashFault fault) {
  CrashCell cell;
  cell.engine = "leveldb";
  cell.durability = "synced";
  cell.claimed = claimed;
  cell.fault = fault;
  if (fault == CrashFault::kPower) {
    cell.cut_method = PowerCut::kShutdown;
    cell.file_system = "xfs";
  }
  return cell;
}

CrashState State(const CrashCell& cell, uint64_t lost, bool is_broken) {
  CrashState state;
  state.cell = cell;
  state.acked = 100;
  state.finding.opened = true;
  state.finding.open_seconds = 0.25;
  state.finding.lost = lost;
  state.finding.torn = is_broken ? 1 : 0;
  return state;
}

// Ten states, of which one is as it says.
CrashRow Row(DurabilityLevel claimed, CrashFault fault, uint64_t lost, bool is_broken) {
  CrashStates states;
  const CrashCell cell = Cell(claimed, fault);
  for (int i = 0; i < 9; ++i) states.states.push_back(State(cell, 0, false));
  states.states.push_back(State(cell, lost, is_broken));
  return RowsOf(states).at(0);
}

struct Judged {
  DurabilityLevel claimed;
  CrashFault fault;
  uint64_t lost;
  bool is_broken;
  bool keeps;
  DurabilityLevel observed;
};

class CrashPromises : public ::testing::TestWithParam<Judged> {};

TEST_P(CrashPromises, AreJudgedByLevelAndFault) {
  const Judged& judged = GetParam();
  const CrashRow row = Row(judged.claimed, judged.fault, judged.lost, judged.is_broken);
  EXPECT_EQ(KeepsPromise(row), judged.keeps);
  EXPECT_EQ(ObservedLevel(row), judged.observed);
  EXPECT_EQ(ExitCodeOf({row}), judged.keeps ? 0 : 1);
  EXPECT_EQ(VerdictText(row).starts_with("deviates"), !judged.keeps) << VerdictText(row);
}

INSTANTIATE_TEST_SUITE_P(
    , CrashPromises,
    ::testing::Values(
        Judged{DurabilityLevel::kD0, CrashFault::kKill, 5, false, true, DurabilityLevel::kD0},
        Judged{DurabilityLevel::kD0, CrashFault::kPower, 5, true, true, DurabilityLevel::kD1},
        Judged{DurabilityLevel::kD1, CrashFault::kKill, 0, false, true, DurabilityLevel::kNone},
        Judged{DurabilityLevel::kD1, CrashFault::kKill, 1, false, false, DurabilityLevel::kD0},
        Judged{DurabilityLevel::kD1, CrashFault::kKill, 0, true, false, DurabilityLevel::kD0},
        Judged{DurabilityLevel::kD1, CrashFault::kPower, 5, true, true, DurabilityLevel::kD1},
        Judged{DurabilityLevel::kD1, CrashFault::kPower, 5, false, true, DurabilityLevel::kD3},
        Judged{DurabilityLevel::kD2, CrashFault::kPower, 0, true, true, DurabilityLevel::kD2},
        Judged{DurabilityLevel::kD2, CrashFault::kKill, 1, false, false, DurabilityLevel::kD0},
        Judged{DurabilityLevel::kD3, CrashFault::kPower, 5, false, true, DurabilityLevel::kD3},
        Judged{DurabilityLevel::kD3, CrashFault::kPower, 0, true, false, DurabilityLevel::kD2},
        Judged{DurabilityLevel::kD4, CrashFault::kPower, 0, false, true, DurabilityLevel::kD4},
        Judged{DurabilityLevel::kD4, CrashFault::kPower, 1, false, false, DurabilityLevel::kD3},
        Judged{DurabilityLevel::kD4, CrashFault::kPower, 0, true, false, DurabilityLevel::kD2},
        Judged{DurabilityLevel::kD4, CrashFault::kKill, 1, false, false, DurabilityLevel::kD0}));

CrashRow Declared(CrashRow row, const char* deviation) {
  row.cell.deviation = deviation;
  return row;
}

TEST(CrashRows, WhatThePluginDeclaresIsNamedAndNoFailure) {
  const CrashRow row =
      Declared(Row(DurabilityLevel::kD4, CrashFault::kPower, 0, true), "D2: breaks");
  EXPECT_FALSE(KeepsPromise(row));
  EXPECT_TRUE(DeviatesAsDeclared(row));
  EXPECT_THAT(VerdictText(row), StartsWith("deviates, is D2, as its plug-in declares: "));
  EXPECT_EQ(ExitCodeOf({row}), 0);
}

TEST(CrashRows, WhatGoesFurtherThanThePluginDeclaresIsAFailure) {
  CrashRow eaten = Declared(Row(DurabilityLevel::kD4, CrashFault::kPower, 0, true), "D2: breaks");
  eaten.cell.eats_flushes = true;
  for (const CrashRow& row :
       {Row(DurabilityLevel::kD4, CrashFault::kPower, 0, true),
        Declared(Row(DurabilityLevel::kD4, CrashFault::kPower, 0, true), "D3: loses a tail"),
        Declared(Row(DurabilityLevel::kD4, CrashFault::kKill, 1, false), "D2: breaks"), eaten}) {
    EXPECT_FALSE(DeviatesAsDeclared(row)) << VerdictText(row);
    EXPECT_EQ(ExitCodeOf({row}), 1) << VerdictText(row);
  }
}

TEST(CrashRows, APromiseThatIsKeptIsNoDeviationWhateverIsDeclared) {
  const CrashRow row =
      Declared(Row(DurabilityLevel::kD4, CrashFault::kPower, 0, false), "D2: breaks");
  EXPECT_FALSE(DeviatesAsDeclared(row));
  EXPECT_THAT(VerdictText(row), StartsWith("kept: "));
}

TEST(CrashRows, NothingLostInTenBoundsTheLossToThirtyPercent) {
  EXPECT_THAT(VerdictText(Row(DurabilityLevel::kD4, CrashFault::kPower, 0, false)),
              HasSubstr("none of 10 lost, so below 30 % (95 %)"));
}

TEST(CrashRows, ThreeStatesBoundNothing) {
  CrashStates states;
  for (int i = 0; i < 3; ++i)
    states.states.push_back(State(Cell(DurabilityLevel::kD4, CrashFault::kPower), 0, false));
  EXPECT_THAT(VerdictText(RowsOf(states).at(0)), HasSubstr("too few for a bound"));
}

TEST(CrashRows, AreOfACellEachWithItsWorstAndItsRecoveryTimes) {
  CrashStates states;
  states.states = {State(Cell(DurabilityLevel::kD4, CrashFault::kPower), 3, false),
                   State(Cell(DurabilityLevel::kD4, CrashFault::kKill), 0, false),
                   State(Cell(DurabilityLevel::kD4, CrashFault::kPower), 7, false)};
  states.states[2].lost_seconds = 0.5;
  states.states[2].finding.open_seconds = 0.75;
  const std::vector<CrashRow> rows = RowsOf(states);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].states, 2u);
  EXPECT_EQ(rows[0].lost, 10u);
  EXPECT_EQ(rows[0].worst_lost, 7u);
  EXPECT_DOUBLE_EQ(rows[0].worst_lost_seconds, 0.5);
  EXPECT_DOUBLE_EQ(rows[0].median_open_seconds, 0.5);
  EXPECT_DOUBLE_EQ(rows[0].most_open_seconds, 0.75);
}

TEST(CrashRows, WhatWasSkippedIsCountedAndIsNoSuccess) {
  CrashStates states;
  states.skips = {{.cell = Cell(DurabilityLevel::kD4, CrashFault::kPower),
                   .count = 30,
                   .reason = "it needs root"}};
  const std::vector<CrashRow> rows = RowsOf(states);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(VerdictText(rows[0]), "30 skipped: it needs root");
  EXPECT_EQ(ExitCodeOf(rows), 3);
}

TEST(CrashRows, AStoreThatDoesNotOpenSaysWhy) {
  CrashState state = State(Cell(DurabilityLevel::kD4, CrashFault::kPower), 0, false);
  state.finding.opened = false;
  state.finding.message = "leveldb: open: Corruption: no meta-nextfile entry";
  EXPECT_THAT(VerdictText(RowsOf({.states = {state}, .skips = {}}).at(0)),
              HasSubstr("does not open: leveldb: open: Corruption: no meta-nextfile entry"));
}

TEST(CrashStates, ComeBackFromTheirLines) {
  CrashState state = State(Cell(DurabilityLevel::kD4, CrashFault::kPower), 3, true);
  state.written_back = true;
  state.survives = 0.3;
  state.lost_seconds = 0.125;
  const CrashSkip skip = {.cell = Cell(DurabilityLevel::kD1, CrashFault::kKill),
                          .count = 2,
                          .reason = "no loop device"};
  const StatusOr<CrashStates> read = CrashStatesOf({ToJson(state).dump(), ToJson(skip).dump()});
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ToJson(read->states.at(0)), ToJson(state));
  EXPECT_EQ(ToJson(read->skips.at(0)), ToJson(skip));
}

TEST(CrashStates, ALineThatIsNoneIsRefused) {
  for (const char* const line : {"", "[]", "{}", "{\"type\":\"state\"}", "{\"type\":\"other\"}"}) {
    EXPECT_FALSE(CrashStatesOf({line}).ok()) << line;
  }
}

}  // namespace levelfield::crash_state_test
