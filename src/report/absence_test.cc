// What is not there is a gap with a reason in every format, and never a zero.

#include "base/matchers_for_test.h"
#include "report/db_bench/benchmark_tsv.h"
#include "report/db_bench/db_bench_text.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::absence_test {

constexpr const char* kReason = "its order is not one";

// `a` has 1,000 operations, too few for the 99.9th percentile; `b` cannot do it.
Result OneThatCannot() {
  Result result;
  result.settings = {{"histogram", "1"}};
  for (const char* engine : {"a", "b"}) {
    result.runs.push_back(RoundOf(engine, 1, 1000));
    PhaseResult& phase = result.runs.back().phases[0];
    phase.family = "reads";
    phase.timed = true;
    phase.resources.emplace().foreground_seconds = 1;
    SparseHistogram& latencies = *phase.roles[0].statistics[0].latency_ns;
    for (int i = 1; i < 1000; ++i) latencies.Add(1000);
  }
  PhaseResult& phase = result.runs[1].phases[0];
  phase.outcome = Outcome::kUnsupported;
  phase.message = kReason;
  phase.roles.clear();
  phase.resources.reset();
  return result;
}

// The part of a text's line that begins with `title`, behind it.
std::string LineOf(const std::string& text, const std::string& title) {
  const size_t at = text.find("\n" + title);
  if (at == std::string::npos) return "no such line";
  const size_t begin = at + 1 + title.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(WhatAnEngineCannotDo, IsAGapWithItsReasonInTheTables) {
  const std::string table = WriteTerminal(ResultReport(OneThatCannot()), 120);
  EXPECT_THAT(LineOf(table, "readrandom"), AllOf(HasSubstr("1.00 k"), HasSubstr("unsupported[1]")));
  EXPECT_THAT(table, HasSubstr(std::string("[1] b, readrandom: ") + kReason));
  EXPECT_THAT(LineOf(table, "  p99 "), HasSubstr("1.00 us"));
  EXPECT_EQ(LineOf(table, "  p99.9 "), "no such line") << "n(1-p) is 1 and not 10";
}

TEST(WhatAnEngineCannotDo, IsAGapWithItsReasonInTheLinesOfDbBench) {
  const std::string text = RenderDbBench(OneThatCannot());
  EXPECT_THAT(text, HasSubstr(std::string("unsupported: ") + kReason));
  EXPECT_THAT(text, HasSubstr("P99.9:   n/a (fewer than ten operations lie beyond it)"));
}

TEST(WhatAnEngineCannotDo, IsAGapWithItsReasonInTheRowsOfBenchmarkSh) {
  const BenchmarkTsv tsv = RenderBenchmarkTsv(OneThatCannot());
  const std::string row = LineOf("\n" + tsv.rows.substr(tsv.rows.find('\n') + 1), "");
  EXPECT_THAT(row, AllOf(HasSubstr("NA\tNA"), Not(HasSubstr("\t0")))) << tsv.rows;
  EXPECT_THAT(tsv.notes, HasSubstr(std::string("unsupported: ") + kReason));
}

TEST(WhatAnEngineCannotDo, IsAGapWithItsReasonAmongTheCosts) {
  const std::string costs = WriteTerminal(CostReport(OneThatCannot()));
  EXPECT_THAT(LineOf(costs, "readrandom: CPU us/op"), HasSubstr("-"));
  EXPECT_THAT(costs, HasSubstr(std::string("-: b, readrandom: unsupported: ") + kReason));
}

}  // namespace levelfield::absence_test
