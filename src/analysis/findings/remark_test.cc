#include "analysis/findings/remark.h"

#include <set>

#include "analysis/findings/remarks_for_test.h"
#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::remark_test {

using enum RemarkKind;

TEST(Remark, SaysWhatIsKnownAndLeavesOutTheRest) {
  Remark remark{.kind = kReadAhead,
                .cases = {{.engine = "lmdb",
                           .workload = "readrandom",
                           .numbers = {{"fetched", 7518, RemarkUnit::kTimes}}}}};
  EXPECT_EQ(ReportWords(remark),
            "The kernel's read-ahead decides readrandom of lmdb. Bytes fetched through memory maps "
            "for each byte asked for: lmdb 7518.");
  remark.numbers = {{"kilobytes", 8192, RemarkUnit::kKilobytes}};
  remark.texts = {{"device", "vda"}, {"limit", "sudo something"}};
  EXPECT_THAT(ReportWords(remark),
              AllOf(HasSubstr("read-ahead (8192 KB on vda) decides"),
                    HasSubstr("lmdb 7518. For all programs: sudo something.")));
}

TEST(Remark, GroupsItsCasesByTheirWorkloads) {
  const Remark remark{.kind = kRareStalls,
                      .cases = {{.engine = "a", .workload = "w", .numbers = {{"stalls", 2}}},
                                {.engine = "b", .workload = "w", .numbers = {{"stalls", 1}}},
                                {.engine = "a", .workload = "v", .numbers = {{"stalls", 3}}}},
                      .numbers = {{"rounds", 6, RemarkUnit::kRounds}}};
  EXPECT_THAT(ScreenWords(remark), HasSubstr("in 6 rounds: w (a 2 and b 1) and v (a 3). They"));
}

// Each sentence stands in its row, and no row is without one.
TEST(Remark, HasANameAndASentenceInEveryRow) {
  std::set<std::string_view> names;
  for (const auto& [kind, name] : NamesOf(RemarkKind{})) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(RowOf(kind).kind, kind);
    EXPECT_EQ(RowOf(kind).name, name);
    const RemarkRow& row = RowOf(kind);
    EXPECT_FALSE(row.screen.empty() && (row.report.empty() || row.report == kElsewhere)) << name;
  }
}

Result ReadsOf(double missed, std::optional<Held> held) {
  Result result;
  result.settings = {{"num", "1000000"}};
  result.runs = {RoundOf("a", 1, 1'000)};
  PhaseResult& phase = result.runs[0].phases[0];
  OperationStatistics& stats = phase.roles[0].statistics[0];
  stats.misses = static_cast<uint64_t>(missed * static_cast<double>(stats.operations));
  stats.hits = stats.operations - stats.misses;
  phase.held = held;
  return result;
}

constexpr Held kFew{.entries = 20'000, .of = 1'000'000, .are_needed = true};

TEST(ReadsThatFoundNothing, AreSaidWithTheReason) {
  EXPECT_THAT(SaidOf(ReadsOf(0.98, kFew), {kReadsFoundNothing}),
              ElementsAre(AllOf(HasSubstr("most reads of readrandom found no key (a 98 %)"),
                                HasSubstr("holds 20,000 of the 1,000,000 keys"))));
  const Held full{.entries = 1'000'000, .of = 1'000'000, .are_needed = true};
  EXPECT_THAT(SaidOf(ReadsOf(1, full), {kReadsFoundNothing}),
              ElementsAre(HasSubstr("written with another --key_format")));
}

TEST(ReadsThatFoundNothing, AreNoSurpriseWhereTheWorkloadAsksForThemOrHalfIsThere) {
  EXPECT_THAT(SaidOf(ReadsOf(0.5, kFew), {kReadsFoundNothing}), IsEmpty());
  Result missing = ReadsOf(1, kFew);
  missing.runs[0].phases[0].roles[0].asks_for_absent_keys = true;
  EXPECT_THAT(SaidOf(missing, {kReadsFoundNothing}), IsEmpty());
  EXPECT_THAT(SaidOf(ReadsOf(1, std::nullopt), {kReadsFoundNothing}), IsEmpty())
      << "a workload that needs no store";
  Result erased = ReadsOf(1, Held{.entries = 9, .of = 9, .are_needed = true});
  RoleResult& eraser =
      erased.runs[0].phases[0].roles.emplace_back(erased.runs[0].phases[0].roles[0]);
  eraser.statistics[0].effects = kErasures;
  eraser.statistics[0].hits = 5;
  EXPECT_THAT(SaidOf(erased, {kReadsFoundNothing}), IsEmpty()) << "it erases what it then misses";
  erased.runs[0].phases[0].held = kFew;
  EXPECT_THAT(SaidOf(erased, {kReadsFoundNothing}), ElementsAre(HasSubstr("holds 20,000 of")));
}

TEST(Findings, MarkAFigureOrAWorkloadOfWhichTheySaySomething) {
  const Result result = ReadsOf(0.98, kFew);
  const Findings findings = FindingsOf(result, {});
  EXPECT_EQ(findings.MarksOf(0), "#");
  EXPECT_EQ(findings.MarksOf(findings.series[0], 0), "?");
  EXPECT_EQ(findings.MarksOf(findings.series[0], 1), "");
}

}  // namespace levelfield::remark_test
