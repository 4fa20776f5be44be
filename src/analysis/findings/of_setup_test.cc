#include "analysis/findings/remarks_for_test.h"
#include "base/matchers_for_test.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::findings_of_the_setup_test {

using enum RemarkKind;

std::vector<std::string> SaidOfSetup(const Result& result) {
  return SaidOf(result, {kOtherClock, kClocksDiffer, kAllocatorsDiffer, kConfigurationChanged});
}

Result TwoEngines() {
  Result result;
  for (const char* engine : {"a", "b"}) {
    result.runs.push_back(RoundOf(engine, 1, 1000));
    result.runs.back().allocator = "glibc 2.36";
  }
  return result;
}

TEST(Configuration, ThatIsNotTheSameInAllRoundsIsAWarning) {
  Result result;
  for (uint64_t round = 1; round <= 2; ++round) {
    result.runs.push_back(RoundOf("a", round, 1000));
    result.runs.back().configuration = {{"process", "cache=1"}};
  }
  EXPECT_THAT(SaidOfSetup(result), IsEmpty());
  result.runs[1].configuration[0].second = "cache=2";
  EXPECT_THAT(SaidOfSetup(result), ElementsAre("a was not configured alike in all rounds."));
}

TEST(Allocators, ThatDifferBetweenTheEnginesOfATableAreAWarning) {
  Result result = TwoEngines();
  EXPECT_THAT(WriteTerminal(ResultReport(result)), Not(HasSubstr("different allocators")));
  result.runs[1].allocator = "jemalloc 5.3.0";
  EXPECT_THAT(SaidOfSetup(result),
              ElementsAre(HasSubstr("different allocators (a: glibc 2.36, b: jemalloc 5.3.0)")));
  EXPECT_THAT(WriteTerminal(ResultReport(result), 200), HasSubstr("different allocators"));
  result.runs[1].allocator = "";  // It never began.
  EXPECT_THAT(SaidOfSetup(result), IsEmpty());
}

Result TwoTimedEngines() {
  Result result = TwoEngines();
  result.settings.emplace_back("clock", "tsc");
  for (RunResult& run : result.runs) {
    run.clock = "tsc, 2.596 GHz";
    run.clock_kind = ClockKind::kTsc;
    for (PhaseResult& phase : run.phases) phase.timed = true;
  }
  return result;
}

TEST(Clocks, ThatFellBackOrDifferAreAWarning) {
  Result result = TwoTimedEngines();
  EXPECT_THAT(SaidOfSetup(result), IsEmpty());
  result.runs[1].clock = "CLOCK_MONOTONIC: the machine was too busy";
  result.runs[1].clock_kind = ClockKind::kMonotonic;
  EXPECT_THAT(SaidOfSetup(result),
              ElementsAre(HasSubstr("not used for b (CLOCK_MONOTONIC: the machine was too busy)"),
                          HasSubstr("different clocks (a: tsc, b: monotonic)")));
}

TEST(Clocks, ThatWereAskedForOrReadNothingAreNoWarning) {
  Result result = TwoTimedEngines();
  for (RunResult& run : result.runs) run.clock_kind = ClockKind::kMonotonic;
  EXPECT_THAT(SaidOfSetup(result),
              ElementsAre(HasSubstr("not used for a (tsc, 2.596 GHz) and b (tsc")));
  result.settings = {{"clock", "monotonic"}};
  EXPECT_THAT(SaidOfSetup(result), IsEmpty());
  result.settings = {{"clock", "tsc"}};
  for (RunResult& run : result.runs) {
    for (PhaseResult& phase : run.phases) phase.timed = false;
  }
  EXPECT_THAT(SaidOfSetup(result), IsEmpty());
}

TEST(Libraries, OfYearsThatAreFarApartAreNamed) {
  Result result = TwoEngines();
  result.runs[0].released = "2021";
  result.runs[1].released = "2023";
  EXPECT_THAT(SaidOf(result, {kLibraryYears}), IsEmpty());
  result.runs[1].released = "2026";
  result.runs[0].version = "1.0";
  result.runs[1].version = "3.1";
  EXPECT_THAT(SaidOf(result, {kLibraryYears}),
              ElementsAre(AllOf(HasSubstr("up to 5 years apart"), HasSubstr("b 3.1 (2026)"))));
  result.runs[0].released = "";
  EXPECT_THAT(SaidOf(result, {kLibraryYears}), IsEmpty()) << "it is not known";
}

}  // namespace levelfield::findings_of_the_setup_test
