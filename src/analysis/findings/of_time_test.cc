#include "analysis/findings/remarks_for_test.h"
#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::findings_of_time_test {

// A round of an engine that is fast, and of one whose operations take 10 ms.
Result FastAndSlow() {
  Result result;
  for (const auto& [engine, gets] : {std::pair("fast", 100'000), std::pair("slow", 100)}) {
    result.runs.push_back(RoundOf(engine, 1, gets));
    PhaseResult& phase = result.runs.back().phases[0];
    phase.roles[0].thread_seconds = 1;
    phase.resources.emplace().foreground_seconds = 1;
  }
  return result;
}

Resources& SlowOnes(Result& result) { return *result.runs[1].phases[0].resources; }

std::string WordsOf(const Result& result) {
  const std::vector<std::string> said = SaidOf(result, {RemarkKind::kFarBehind});
  return said.empty() ? "" : said.front();
}

TEST(FarBehind, ComputesOrWaitsForSyncsForTheDeviceOrForWhatIsNotKnown) {
  Result result = FastAndSlow();
  EXPECT_EQ(WordsOf(result),
            "Below a tenth of the fastest: readrandom takes slow 10.0 ms (100 % computing).");
  SlowOnes(result).foreground_seconds = 0.15;
  EXPECT_THAT(WordsOf(result), HasSubstr("10.0 ms (85 % waiting, 15 % computing)"));
  SlowOnes(result).syncs = Resources::Syncs{.calls = 2700, .waited_seconds = 0.8};
  EXPECT_THAT(WordsOf(result), HasSubstr("10.0 ms (80 % in syncs, 15 % computing; 27 syncs each)"));
  SlowOnes(result).syncs.reset();
  SlowOnes(result).io = Resources::Io{.read_call_bytes = 4096 * 100, .storage_read_bytes = 409600};
  EXPECT_THAT(WordsOf(result), HasSubstr("85 % waiting for reads of the device"));
}

TEST(FarBehind, IsNobodyWithATenthAndNobodyOfWhomTheReadAheadIsNamed) {
  Result result = FastAndSlow();
  result.runs[0].phases[0] = RoundOf("fast", 1, 900).phases[0];
  EXPECT_EQ(WordsOf(result), "");
  result = FastAndSlow();
  SlowOnes(result).major_faults = 100;
  SlowOnes(result).io = Resources::Io{.storage_read_bytes = 100 << 20};
  result.runs[1].phases[0].roles[0].statistics[0].bytes = 11600;
  EXPECT_EQ(WordsOf(result), "");
}

TEST(FarBehind, IsNotSaidOfResultsWithoutTheirDetails) {
  Result result = FastAndSlow();
  for (RunResult& run : result.runs) {
    for (PhaseResult& phase : run.phases) phase.resources.reset();
  }
  EXPECT_EQ(WordsOf(result), "");
}

}  // namespace levelfield::findings_of_time_test
