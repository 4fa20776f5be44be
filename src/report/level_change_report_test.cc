#include "report/level_change_report.h"

#include "base/matchers_for_test.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::level_change_report_test {

Result Named(const std::string& name, const std::string& sha256) {
  Result result = RoundsOf(1, {{"a", [](uint64_t) { return 1000u; }}});
  result.name = name;
  result.started = "2026-01-15T00:00:00Z";
  result.runs[0].version = "1";
  result.runs[0].library_sha256 = sha256;
  return result;
}

std::string Text(const LevelChanges& changes) {
  return WriteTerminal(
      LevelChangeReport(changes, Named("old", "0123456789"), Named("new", "abcdef0123")));
}

std::string TextOfTime(const TimeOfOperation& time) {
  LevelChange change{.engine = "a"};
  change.time = time;
  return Text({.changed = {change}});
}

TEST(LevelChangeReport, SaysWhatMovedAndWhatDidNot) {
  LevelChange change{.engine = "a"};
  change.compared.workload = "readrandom";
  change.compared.baseline = 1e6;
  change.compared.candidate = 5e5;
  change.compared.ratio = {.ratio = 0.5};
  change.compared.not_comparable = "no yardstick";
  change.time = TimeOfOperation{.before = 1, .after = 2, .cpu_before = 0.9, .cpu_after = 1.9};
  const auto text_of = [](double value) { return std::to_string(static_cast<int>(value)); };
  change.moved = {{.name = "p50", .before = 900, .after = 1800, .text = text_of}};
  change.as_before = {{.name = "space/held", .before = 1, .after = 1, .text = text_of}};
  LevelChanges changes{.changed = {change}, .others = {"a, readseq"}};
  changes.comparisons = {{.baseline = "a", .candidate = "a"}};
  changes.appeared = {{.rule = "no filter",
                       .engine = "a",
                       .workload = "readrandom",
                       .symptom = "reads are slow",
                       .cause = "there is no filter",
                       .evidence = {"9 of 10 gets found nothing"}}};
  EXPECT_EQ(
      Text(changes),
      "From old (2026-01-15T00:00:00Z) to new (2026-01-15T00:00:00Z):\n"
      "a: same version, another build (sha256 01234567 -> abcdef01)\n"
      "\n"
      "a, readrandom: 1.00 M -> 500 k ops/s, 0.50x the rate before; the machine may be why (no "
      "yardstick)\n"
      "    time:     1.00 us -> 2.00 us an operation, processor time 900 ns -> 1.90 us: it does "
      "more work\n"
      "    moved:    p50 900 -> 1800, 2.00x\n"
      "    same:     space/held\n"
      "\n"
      "a, readrandom: reads are slow, only after\n"
      "    cause:    there is no filter (confidence: medium)\n"
      "    evidence: 9 of 10 gets found nothing\n"
      "\n"
      "Not told apart: a, readseq\n");
}

TEST(LevelChangeReport, TellsWorkFromWaiting) {
  EXPECT_THAT(TextOfTime({.before = 1, .after = 2, .cpu_before = 1, .cpu_after = 2}),
              HasSubstr("it does more work"));
  EXPECT_THAT(TextOfTime({.before = 1, .after = 2, .cpu_before = 1, .cpu_after = 1}),
              HasSubstr("it waits longer"));
  EXPECT_THAT(TextOfTime({.before = 1, .after = 2, .cpu_before = 1, .cpu_after = 1.5}),
              AllOf(HasSubstr("it does more work"), HasSubstr("and waits longer")));
  EXPECT_THAT(TextOfTime({.before = 2, .after = 1, .cpu_before = 2, .cpu_after = 1}),
              HasSubstr("it does less work"));
  EXPECT_THAT(TextOfTime({.before = 2, .after = 1, .cpu_before = 1, .cpu_after = 1}),
              HasSubstr("it waits less"));
}

}  // namespace levelfield::level_change_report_test
