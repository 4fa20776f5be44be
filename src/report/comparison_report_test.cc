#include "report/comparison_report.h"

#include <cmath>

#include "base/matchers_for_test.h"
#include "base/text.h"
#include "report/comparison_screen.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"
#include "settings/report_formats.h"

namespace levelfield::comparison_report_test {

// "a" and so many others, each 10 % slower than the one before.
std::string TextOf(uint64_t rounds, int others, const ComparisonRules& rules = {}) {
  Result result;
  for (uint64_t round = 1; round <= rounds; ++round) {
    uint64_t rate = 1'000'000 + 1000 * round;
    for (int engine = 0; engine <= others; ++engine) {
      result.runs.push_back(RoundOf(std::string(1, static_cast<char>('a' + engine)), round, rate));
      rate = rate * 9 / 10;
    }
  }
  return WriteTerminal(ComparisonReport(*CompareWithin(result, "a", rules), rules.margin));
}

TEST(ComparisonText, PrintsTheNoiseOrSaysThatItIsNotMeasured) {
  EXPECT_THAT(TextOf(6, 1), HasSubstr("Noise is not measured"));
  const ComparisonRules rules{.margin = 0.02, .noise = {{"readrandom", 0.05}}};
  EXPECT_THAT(TextOf(6, 1, rules),
              AllOf(HasSubstr("slower (noise: 5.0 %)"), Not(HasSubstr("not measured"))));
}

TEST(ComparisonText, NamesTheWorkloadsThatTheNoiseLacks) {
  const ComparisonRules rules{.margin = 0.02, .noise = {{"fillseq", 0.05}}};
  EXPECT_THAT(TextOf(6, 1, rules),
              AllOf(HasSubstr("The result of --noise has no figure of these workloads"),
                    Not(HasSubstr("not measured"))));
}

TEST(ComparisonText, SaysThatAllRowsHoldTogether) {
  EXPECT_THAT(TextOf(6, 1), AllOf(HasSubstr("interval that holds with 95 %. Equivalent"),
                                  Not(HasSubstr("together"))));
  EXPECT_THAT(TextOf(6, 2), HasSubstr("said where all 2 rows\ntogether hold with 95 %."));
}

TEST(ComparisonText, SaysWhichRowsRanInSlicesAndWhichInWholeRounds) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {{.workload = "get", .rounds = 6, .in_slices = true},
                          {.workload = "compact", .rounds = 6}};
  for (ComparedWorkload& row : comparison.workloads) row.ratio = RatioAround(0, 0.1, 5);
  const auto text_of = [](const Comparison& one) {
    return WriteTerminal(ComparisonReport({one}, 0.02));
  };
  EXPECT_THAT(text_of(comparison), AllOf(HasSubstr(", in slices"), HasSubstr(", in whole rounds")));
  comparison.workloads.erase(comparison.workloads.begin());
  EXPECT_THAT(text_of(comparison), Not(HasSubstr("whole rounds")));
}

TEST(ComparisonText, MarksWhatTheMachineDisturbedAndSaysHowOften) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {{.workload = "get", .rounds = 6, .is_disturbed = true},
                          {.workload = "put", .rounds = 6},
                          {.workload = "open", .is_disturbed = true, .invalid = "b: disk full"}};
  for (ComparedWorkload& row : comparison.workloads) row.ratio = RatioAround(0, 0.01, 5);
  const Report report = ComparisonReport({comparison}, 0.02);
  EXPECT_THAT(WriteTerminal(report),
              AllOf(HasSubstr("1.026]!"), HasSubstr("1.026] "),
                    HasSubstr("!: the machine was busy with other work, in 1 of 2 rows.")));
  EXPECT_THAT(WriteMarkdown(report, 0),
              AllOf(HasSubstr("1.026\\]!"), HasSubstr("busy with other")));
  const std::string screen = WriteTerminal(ComparisonScreen({comparison}, 0.02, "", "compare"));
  EXPECT_THAT(screen, AllOf(HasSubstr("1.026]!"), HasSubstr("in 1 of 2 rows")));
  const std::vector<Row>& rows = std::get<Table>(report.blocks.front()).rows;
  EXPECT_TRUE(rows[0].compared.value().is_disturbed);
  EXPECT_FALSE(rows[1].compared.value().is_disturbed);
  comparison.workloads[0].is_disturbed = false;
  EXPECT_THAT(WriteTerminal(ComparisonReport({comparison}, 0.02)), Not(HasSubstr("busy")));
}

TEST(ComparisonText, SaysWhereTheMachineTookTooMuch) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {{.workload = "get",
                           .rounds = 6,
                           .in_slices = true,
                           .is_much_kept = true,
                           .ratio = RatioAround(std::log(0.9), 0.01, 5),
                           .verdict = Verdict::kUnresolved}};
  constexpr const char* kSentence = "In 1 row other programs took over 10 % of one side's time";
  const auto in_all = [&](const testing::Matcher<const std::string&>& matches) {
    const Report report = ComparisonReport({comparison}, 0.02);
    EXPECT_THAT(WriteMarkdown(report, 0), matches);
    EXPECT_THAT(ComparisonMarkdown({comparison}, 0.02, "", ""), matches);
  };
  in_all(HasSubstr(kSentence));
  comparison.workloads[0].is_much_kept = false;
  in_all(Not(HasSubstr(kSentence)));
}

TEST(ComparisonText, SaysOnceWhatIsWrongWithTheBuildOfAnEngine) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {
      {.workload = "get", .rounds = 6, .ratio = RatioAround(std::log(0.9), 0.01, 5)}};
  comparison.remarks = {{.kind = RemarkKind::kBuild,
                         .cases = {{.engine = "a"}},
                         .texts = {{"message", "compiled with assertions"}}}};
  Comparison other = comparison;
  other.candidate = "c";
  const std::vector<Comparison> both = {comparison, other};
  const Report report = ComparisonReport(both, 0.02);
  for (const std::string& text :
       {WriteTerminal(report), WriteMarkdown(report, 0), WriteJson(report, 0),
        WriteTerminal(ComparisonScreen(both, 0.02, "", "compare")),
        ComparisonMarkdown(both, 0.02, "", "")}) {
    const size_t first = text.find("a: compiled with assertions");
    EXPECT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.rfind("a: compiled with assertions"), first) << text;
  }
}

TEST(ComparisonText, SaysWhatIsUnsupportedOrNotRankedAndTheWorstFirst) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {{.workload = "erase", .invalid = "b: keeps all", .is_unsupported = true},
                          {.workload = "open", .invalid = "b: disk full"},
                          {.workload = "get", .rounds = 6, .verdict = Verdict::kNotRanked},
                          {.workload = "put", .rounds = 6, .verdict = Verdict::kSlower}};
  for (ComparedWorkload& row : comparison.workloads) {
    if (row.invalid.empty()) row.ratio = RatioAround(std::log(0.9), 0.01, 5);
  }
  constexpr const char* kVerdicts =
      "b against a: slower in put; invalid in open; not ranked in get; unsupported in erase.";
  const Report report = ComparisonReport({comparison}, 0.02);
  EXPECT_THAT(WriteTerminal(report), HasSubstr("unsupported: b: keeps all"));
  EXPECT_EQ(std::get<Table>(report.blocks.front()).rows[0].compared.value().verdict, "unsupported");
  EXPECT_THAT(WriteTerminal(ComparisonScreen({comparison}, 0.02, "", "compare")),
              AllOf(HasSubstr(kVerdicts), HasSubstr("unsupported: erase: b: keeps all")));
  EXPECT_THAT(
      ComparisonMarkdown({comparison}, 0.02, "", ""),
      AllOf(HasSubstr(kVerdicts), HasSubstr("unsupported: b: keeps all"), HasSubstr("not ranked")));
}

TEST(ComparisonText, HasLatenciesWhereTheyAreAskedFor) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {{.workload = "get", .rounds = 6}};
  comparison.workloads[0].percentiles = {{.name = "p99",
                                          .baseline_ns = 1000,
                                          .candidate_ns = 2000,
                                          .ratio = RatioAround(std::log(0.5), 0.01, 5),
                                          .verdict = Verdict::kSlower}};
  EXPECT_THAT(WriteTerminal(ComparisonReport({comparison}, 0.02, true)),
              AllOf(HasSubstr("Latencies of b against a"), HasSubstr("get, p99"),
                    HasSubstr("0.500 [0.487, 0.513]"), HasSubstr("slower")));
  EXPECT_THAT(WriteTerminal(ComparisonReport({comparison}, 0.02)), Not(HasSubstr("p99")));
}

TEST(ComparisonText, KeepsTheFiguresOfWhatItDoesNotRankAndSaysWhy) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    result.runs.push_back(RoundOf("a", round, 1'000'000));
    result.runs.back().allocator = "glibc 2.36";
    result.runs.push_back(RoundOf("b", round, 500'000));
    result.runs.back().allocator = "jemalloc 5.3.0";
  }
  const std::string text = WriteTerminal(ComparisonReport(*CompareWithin(result, "a", {}), 0.02));
  EXPECT_THAT(text, AllOf(HasSubstr("0.500 [0.500, 0.500]"), HasSubstr("  not ranked\n"),
                          HasSubstr("not ranked: a ran with the allocator glibc 2.36, b with "
                                    "jemalloc 5.3.0"),
                          Not(HasSubstr("slower"))));
}

// Whatever the widest figures are.
TEST(ComparisonText, FitsIn100Columns) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {
      {.workload = "readrandomwriterandom", .rounds = 100},
      {.workload = "readwhilewriting",
       .rounds = 6,
       .in_slices = true,
       .noise = 0.1,
       .verdict = Verdict::kSlower,
       .turns = "turns with rocksdb.pinned_filters"},
      {.workload = "seekrandomwhilewriting",
       .rounds = 6,
       .verdict = Verdict::kUnresolved,
       .not_comparable = "not in slices beside the yardstick"},
      {.workload = "get", .invalid = std::string(30, 'x') + " and " + std::string(60, 'y')}};
  for (ComparedWorkload& row : comparison.workloads) {
    row.baseline = row.candidate = 123456;
    row.baseline_cpu_us = row.candidate_cpu_us = 2.5;
    row.ratio = row.cpu_ratio = RatioAround(std::log(12.5), 0.1, 5);
  }
  const std::string text = WriteTerminal(ComparisonReport({comparison}, 0.02));
  for (const std::string& line : LinesOf(text)) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_THAT(text, AllOf(HasSubstr("indicative, in whole rounds"),
                          testing::ContainsRegex("  CPU/op +2.50 us +2.50 us  12.5.* indicative")));
}

TEST(ComparisonText, SaysWhichAlternativeAVerdictTurnsWith) {
  Comparison comparison{.baseline = "a", .candidate = "b", .workloads = {}};
  comparison.workloads = {
      {.workload = "fillseq", .verdict = Verdict::kSlower, .turns = "turns with a.fast"}};
  EXPECT_THAT(WriteTerminal(ComparisonReport({comparison}, 0.02)),
              HasSubstr("slower, turns with a.fast"));
}

TEST(ComparisonText, SaysHowManyRoundsAVerdictTakes) {
  EXPECT_THAT(TextOf(5, 1), HasSubstr("Fewer than 6 rounds are too few"));
  EXPECT_THAT(TextOf(6, 2), Not(HasSubstr("indicative")));
  EXPECT_THAT(TextOf(7, 2), Not(HasSubstr("indicative")));
}

// The rows of all tables.
std::vector<Row> RowsOf(const Report& report) {
  std::vector<Row> rows;
  for (const Report::Block& block : report.blocks) {
    if (const Table* const table = std::get_if<Table>(&block)) {
      EXPECT_EQ(table->margin, 0.02);
      rows.insert(rows.end(), table->rows.begin(), table->rows.end());
    }
  }
  return rows;
}

TEST(ComparisonRows, HaveTheVerdictAsAWordAndNameTheWorkloadAndTheFigure) {
  Comparison comparison{.baseline = "a", .candidate = "b", .paired = true};
  comparison.workloads = {{.workload = "get",
                           .rounds = 6,
                           .in_slices = true,
                           .ratio = RatioAround(std::log(0.5), 0.01, 5),
                           .noise = 0.18,
                           .verdict = Verdict::kSlower,
                           .cpu_ratio = RatioAround(0, 0.1, 5),
                           .cpu_verdict = Verdict::kUnresolved},
                          {.workload = "put", .invalid = "b: disk full"}};
  comparison.workloads[0].percentiles = {
      {.name = "p99", .ratio = RatioAround(0, 0.001, 5), .verdict = Verdict::kEquivalent}};
  const std::vector<Row> rows = RowsOf(ComparisonReport({comparison}, 0.02, true));
  ASSERT_EQ(rows.size(), 4u);
  const ComparedFigure& rate = rows[0].compared.value();
  EXPECT_EQ(rate.workload, "get");
  EXPECT_EQ(rate.figure, "rate");
  EXPECT_EQ(rate.baseline, "a");
  EXPECT_EQ(rate.candidate, "b");
  EXPECT_EQ(rate.verdict, "slower");
  EXPECT_NEAR(rate.ratio.ratio, 0.5, 1e-9);
  EXPECT_TRUE(rate.ratio.interval);
  EXPECT_EQ(rate.rounds, 6u);
  EXPECT_TRUE(rate.in_slices);
  EXPECT_EQ(rate.noise, 0.18);
  const ComparedFigure& cpu = rows[1].compared.value();
  EXPECT_EQ(cpu.workload, "get");
  EXPECT_EQ(cpu.figure, "CPU/op");
  EXPECT_EQ(cpu.verdict, "unresolved");
  EXPECT_EQ(rows[2].compared.value().verdict, "invalid");
  EXPECT_EQ(rows[2].compared.value().reason, "b: disk full");
  const ComparedFigure& latency = rows[3].compared.value();
  EXPECT_EQ(latency.figure, "p99");
  EXPECT_EQ(latency.verdict, "equivalent");
  EXPECT_EQ(latency.noise, 0);
}

}  // namespace levelfield::comparison_report_test
