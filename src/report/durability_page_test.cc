#include "report/durability_page.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::durability_page_test {

using Json = nlohmann::ordered_json;

CrashRow Row(const std::string& engine, CrashFault fault) {
  CrashRow row;
  row.cell.engine = engine;
  row.cell.durability = "synced";
  row.cell.claimed = DurabilityLevel::kD4;
  row.cell.fault = fault;
  if (fault == CrashFault::kPower) {
    row.cell.cut_method = PowerCut::kVolatile;
    row.cell.file_system = "xfs";
  }
  row.states = 30;
  row.acked = 12'345;
  row.median_open_seconds = 0.0125;
  row.most_open_seconds = 0.5;
  return row;
}

CrashRow Lossy(CrashRow row) {
  row.lossy = 2;
  row.lost = 20;
  row.worst_lost = 17;
  row.worst_lost_seconds = 0.75;
  return row;
}

Json Manifest() {
  return {
      {"started", "2026-11-21T20:00:00Z"},
      {"command", "levelfield verify durability --kills=30"},
      {"version", "0.1.0"},
      {"engines", {{{"spec", "leveldb"}, {"facts", {{{"name", "version"}, {"value", "1.23"}}}}}}},
      {"environment", {{"kernel", "6.1.0"}, {"cpu_model", "A processor"}}}};
}

TEST(DurabilityTable, HasALineForEachRowAndItsVerdict) {
  const std::string text = RenderDurabilityTable(
      {Row("leveldb", CrashFault::kKill), Lossy(Row("lmdb", CrashFault::kPower))});
  EXPECT_THAT(text, AllOf(HasSubstr("leveldb synced, kill -9: kept: none of 30 lost"),
                          HasSubstr("lmdb synced, power, volatile, xfs: deviates, is D3: 2 of 30 "
                                    "states lost up to 17 commits (750 ms)"),
                          HasSubstr("60 states tried, 0 skipped; 2 rows, of which 1 deviate")));
}

TEST(DurabilityTable, HasNoEmptyLineBelowARowThatIsWide) {
  const std::string text =
      RenderDurabilityTable({Lossy(Row("wiredtiger_variant", CrashFault::kPower))});
  EXPECT_THAT(text, Not(HasSubstr(" \n")));
}

TEST(DurabilityTable, NamesADeclaredDeviationAndCountsItApart) {
  CrashRow row = Lossy(Row("treedb", CrashFault::kPower));
  row.cell.deviation = "D3: loses";
  EXPECT_THAT(RenderDurabilityTable({row}),
              AllOf(HasSubstr("1 rows, of which 0 deviate from what the plug-in claims; treedb "
                              "synced deviates as declared (D3: loses)"),
                    HasSubstr("deviates, is D3, as its plug-in declares: 2 of 30 states")));
  const std::string page = Must(RenderDurabilityPage({Manifest()}, {row}));
  EXPECT_THAT(page, HasSubstr("| deviates, as declared |"));
}

TEST(DurabilityPage, NamesVersionsKernelCommandAndWhatDeviates) {
  const std::string page =
      Must(RenderDurabilityPage({Manifest()}, {Row("leveldb", CrashFault::kKill),
                                               Lossy(Row("leveldb", CrashFault::kPower))}));
  EXPECT_THAT(page, AllOf(HasSubstr("leveldb 1.23"), HasSubstr("Kernel 6.1.0"),
                          HasSubstr("levelfield verify durability --kills=30\n"),
                          HasSubstr("| leveldb | synced | D4 | all of 30 whole | D3 in 30 cuts, up "
                                    "to 17 commits lost | **deviates** |"),
                          HasSubstr("| 30 | 12,345 | 20 | 17 | 750 ms | 0 | 12.5 ms | 500 ms |")));
}

TEST(DurabilityPage, OfNothingLostHasTheBoundOverAllCutsOfTheClass) {
  CrashRow other = Row("leveldb", CrashFault::kPower);
  other.cell.file_system = "ext4";
  const std::string page =
      Must(RenderDurabilityPage({Manifest()}, {Row("leveldb", CrashFault::kPower), other}));
  EXPECT_THAT(page, AllOf(HasSubstr("not tried | D4: none of 60 lost, so below 5 % (95 %) | kept"),
                          Not(HasSubstr("**deviates**"))));
}

TEST(DurabilityPage, AMessageOfAnEngineBreaksNoRowOfTheTable) {
  CrashRow row = Row("leveldb", CrashFault::kPower);
  row.broken = 1;
  row.broken_how = "does not open: a|b\nc";
  const std::string page = Must(RenderDurabilityPage({Manifest()}, {row}));
  EXPECT_THAT(page, AllOf(HasSubstr("a\\|b"), Not(HasSubstr("b\nc"))));
}

TEST(DurabilityPage, ANameOfAnEngineIsNothingThatATerminalObeys) {
  const std::string page =
      Must(RenderDurabilityPage({Manifest()}, {Row("\x1b[31m|x", CrashFault::kKill)}));
  EXPECT_THAT(page, AllOf(HasSubstr("| ?[31m\\|x |"), Not(HasSubstr("\x1b"))));
}

TEST(DurabilityPage, OfSecondsBeyond64BitsSaysTheMost) {
  CrashRow row = Row("leveldb", CrashFault::kKill);
  row.most_open_seconds = 1e308;
  EXPECT_TRUE(RenderDurabilityPage({Manifest()}, {row}).ok());
}

TEST(DurabilityPage, OfAManifestOfOtherTypesHasWhatIsKnown) {
  for (
      const char* const manifest :
      {R"({"engines":5,"environment":[],"version":{},"started":7})",
       R"({"engines":[5,"x",{"spec":1,"facts":5},{"facts":[1,{"name":"version","value":[]}]}]})"}) {
    const auto page =
        RenderDurabilityPage({Json::parse(manifest)}, {Row("leveldb", CrashFault::kKill)});
    ASSERT_TRUE(page.ok()) << manifest;
    EXPECT_THAT(*page, HasSubstr("Kernel unknown, unknown")) << manifest;
  }
}

TEST(DurabilityPage, OfNoResultsIsRefused) {
  EXPECT_EQ(RenderDurabilityPage({}, {}).status().kind(), ErrorKind::kUsage);
}

TEST(DurabilityPage, HasARowForAFaultOnlyWhereAStateWasNotWhole) {
  const std::string head = "| what was broken or skipped |";
  const CrashRow whole = Row("leveldb", CrashFault::kPower);
  CrashRow skipped = whole;
  skipped.skipped = 3;
  skipped.skip_reason = "no btrfs";
  EXPECT_THAT(*RenderDurabilityPage({Manifest()}, {whole}),
              AllOf(HasSubstr("all states were whole.\n"), Not(HasSubstr(head))));
  EXPECT_THAT(*RenderDurabilityPage({Manifest()}, {whole, skipped}),
              AllOf(HasSubstr("| kept | 500 ms |"), HasSubstr("all states were whole, except:\n"),
                    HasSubstr(head), HasSubstr("| 500 ms | no btrfs |")));
}

}  // namespace levelfield::durability_page_test
