#include "analysis/read_ahead.h"

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::read_ahead_test {

// LMDB below --memory=32M with read_ahead_kb 8192: 112 pages were missing in 119 gets of 1,016
// bytes, and 909 MB were fetched.
Result MappedBeyondMemory() {
  Result result;
  result.block_device = "vda";
  result.read_ahead_kb = 8192;
  result.runs = {RoundOf("lmdb", 1, 119)};
  result.runs[0].no_readahead = {{"readahead", "0"}};
  PhaseResult& phase = result.runs[0].phases[0];
  phase.roles[0].statistics[0].bytes = 119 * 1016;
  Resources& used = phase.resources.emplace();
  used.major_faults = 112;
  used.io = Resources::Io{.read_call_bytes = 4993, .storage_read_bytes = 908992512};
  return result;
}

PhaseResult& PhaseIn(Result& result) { return result.runs[0].phases[0]; }

std::optional<ReadAhead> Found(const Result& result) {
  return ReadAheadOf(result.runs[0], result.runs[0].phases[0]);
}

std::string WordsOf(const Result& result) {
  const std::vector<Series> series = SeriesOf(result);
  const std::optional<Remark> remark = FindReadAhead(result, {&series[0]});
  return remark ? ReportWords(*remark) : "";
}

TEST(ReadAhead, DecidesWhereAMapFetchesThirtyTimesWhatIsAskedFor) {
  Result result = MappedBeyondMemory();
  EXPECT_NEAR(Found(result)->per_byte, 7518, 1);
  EXPECT_NEAR(Found(result)->per_fault, 8115960, 1);
  PhaseIn(result).resources->io->storage_read_bytes = 30 * 119 * 1016;
  EXPECT_FALSE(Found(result));
}

TEST(ReadAhead, DecidesNothingWhereCallsAskForIt) {
  // WiredTiger, whose calls read pages of 32 KiB for a value of 1,000 bytes.
  Result result = MappedBeyondMemory();
  PhaseIn(result).resources->io->read_call_bytes = 908992512;
  EXPECT_FALSE(Found(result));
  // Without a fault there is no map.
  result = MappedBeyondMemory();
  PhaseIn(result).resources->major_faults = 0;
  EXPECT_FALSE(Found(result));
}

TEST(ReadAhead, DecidesNothingWhereTheEnginesOwnMeansAreInForce) {
  Result result = MappedBeyondMemory();
  result.runs[0].settings = {{"readahead", "0"}};
  EXPECT_FALSE(Found(result));
}

TEST(ReadAhead, CountsAPageForAKeyThatIsNotThere) {
  Result result = MappedBeyondMemory();
  OperationStatistics& stats = PhaseIn(result).roles[0].statistics[0];
  stats.hits = stats.bytes = 0;
  stats.misses = stats.operations;
  EXPECT_NEAR(Found(result)->per_byte, 908992512 / (119 * 4096.0), 1);
}

TEST(ReadAhead, IsNamedWithTheEnginesMeansAndTheDevices) {
  const std::string words = WordsOf(MappedBeyondMemory());
  EXPECT_THAT(words, HasSubstr("read-ahead (8192 KB on vda) decides readrandom of lmdb"));
  EXPECT_THAT(words, HasSubstr("for each byte asked for: lmdb 7518."));
  EXPECT_THAT(words, HasSubstr("--lmdb.readahead=0 stops that"));
  EXPECT_THAT(words, HasSubstr("sudo blockdev --setra 32 /dev/vda"));
}

TEST(ReadAhead, HasNoMeansThatAreInForceOrThatTheDeviceLacks) {
  Result result = MappedBeyondMemory();
  result.runs[0].settings = {{"readahead", "0"}};
  EXPECT_THAT(WordsOf(result), Not(HasSubstr("--lmdb")));
  result.read_ahead_kb = 16;
  EXPECT_THAT(WordsOf(result), Not(HasSubstr("blockdev")));
  result.read_ahead_kb = 8192;
  result.runs[0].file_system.emplace();  // Made for the run.
  EXPECT_THAT(WordsOf(result), AllOf(Not(HasSubstr("blockdev")), Not(HasSubstr("vda"))));
}

}  // namespace levelfield::read_ahead_test
