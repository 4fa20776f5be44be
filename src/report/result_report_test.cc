#include "report/result_report.h"

#include "base/matchers_for_test.h"
#include "report/terminal.h"

namespace levelfield::result_report_test {

// 20 puts in a class, each of which was flushed so many times.
PhaseResult Puts(const std::string& durability, DurabilityLevel level, uint64_t flushes) {
  PhaseResult phase;
  phase.outcome = Outcome::kOk;
  phase.workload = "fillsync";
  phase.durability = durability;
  phase.level = level;
  RoleResult& role = phase.roles.emplace_back();
  role.threads = 1;
  OperationStatistics& stats = role.statistics.emplace_back();
  stats.operation = "put";
  stats.effects = kPuts;
  stats.operations = 20;
  phase.resources = Resources();
  phase.resources->syncs = Resources::Syncs{.calls = flushes};
  phase.resources->syncs->kinds = {{"fdatasync", flushes}};
  return phase;
}

RunResult RunOf(const std::string& engine, std::vector<PhaseResult> phases) {
  RunResult run;
  run.engine = engine;
  run.phases = SharedList(std::move(phases));
  return run;
}

std::string Rendered(const Result& result) {
  Report report;
  AddDurabilityTables(result, report);
  return WriteTerminal(report);
}

TEST(DurabilityTables, HasAColumnForEachEngineThatWroteInTheClass) {
  PhaseResult synced = Puts("synced", DurabilityLevel::kD4, 30);
  synced.audit = Audit{.commits = 50, .without_flush = 0, .dirty_pages = 2};
  PhaseResult read = Puts("synced", DurabilityLevel::kD4, 0);
  read.roles[0].statistics[0].operation = "get";
  read.roles[0].statistics[0].effects = Effect::kReads;
  read.roles[0].statistics[0].lookup = Lookup::kKey;
  Result result;
  result.runs = {RunOf("one", {synced}), RunOf("two", {Puts("synced", DurabilityLevel::kD4, 20)}),
                 RunOf("reader", {read})};
  EXPECT_EQ(Rendered(result),
            "\n"
            "durability: synced             one   two\n"
            "----------------------------------------\n"
            "claimed                         D4    D4\n"
            "seen                            D4    D4\n"
            "flushes a commit              1.50  1.00\n"
            "  that came to the device      n/a   n/a\n"
            "commits without a flush    0 of 50   n/a\n"
            "pages left dirty by one          2   n/a\n");
}

TEST(DurabilityTables, IsOneForEachClass) {
  PhaseResult process = Puts("process", DurabilityLevel::kD1, 0);
  process.audit = Audit{.commits = 50, .without_flush = 50, .dirty_pages = 3};
  Result result;
  result.runs = {RunOf("one", {process, Puts("synced", DurabilityLevel::kD4, 20)})};
  const std::string text = Rendered(result);
  const size_t first = text.find("durability: process");
  ASSERT_NE(first, text.npos);
  EXPECT_GT(text.find("durability: synced"), first);
}

TEST(DurabilityTables, IsNoneWhereNothingWasSeen) {
  Result result;
  result.runs = {RunOf("one", {Puts("process", DurabilityLevel::kD1, 0)})};
  EXPECT_EQ(Rendered(result), "");
  EXPECT_THAT(DurabilityNotes(result), IsEmpty());
}

TEST(DurabilityTables, SayWhereTheDeviceCannotBeAsked) {
  PhaseResult hidden = Puts("synced", DurabilityLevel::kD4, 20);
  hidden.medium = Medium{.filesystem = "nfs4", .unverifiable_because = "nfs4: it is on none"};
  PhaseResult without_cache = Puts("synced", DurabilityLevel::kD4, 20);
  without_cache.medium = Medium{.write_cache = WriteCache::kWriteThrough, .devices = "sda"};
  without_cache.resources->device = Resources::Device{.flushes = 0, .writes = 25};
  Result result;
  result.runs = {RunOf("one", {hidden}), RunOf("two", {without_cache})};
  EXPECT_THAT(Rendered(result), HasSubstr("seen                       flushed           D4\n"));
  EXPECT_THAT(Rendered(result), HasSubstr("  that came to the device      n/a  1.25 writes\n"));
  EXPECT_THAT(DurabilityNotes(result),
              ElementsAre("durability of one, synced: flushed, device unverifiable: nfs4: it is on "
                          "none"));
}

TEST(DurabilityNotes, TellWhatANumberDoesNot) {
  PhaseResult phase = Puts("synced", DurabilityLevel::kD4, 20);
  phase.audit = Audit{.reason = "the store is not ours"};
  phase.medium = Medium{.volatile_because = "tmpfs", .doubt = "ext2 has no journal"};
  RunResult run = RunOf("one", {phase});
  run.deviations = {{"synced", "D2: it may break"}};
  Result result;
  result.runs = {run, RunOf("two", {phase})};
  EXPECT_THAT(
      DurabilityNotes(result),
      ElementsAre(HasSubstr("durability of one, synced: no commit was looked at by itself: "
                            "the store is not ours"),
                  HasSubstr("of one, synced: known deviation: D2: it may break"),
                  HasSubstr("of one, synced: volatile: tmpfs"),
                  HasSubstr("the store's place: ext2 has no journal"),
                  HasSubstr("of two, synced: no commit"), HasSubstr("of two, synced: vol")));
}

}  // namespace levelfield::result_report_test
