#include "report/corrected_report.h"

#include "base/matchers_for_test.h"
#include "base/random.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::corrected_report_test {

// One thread for ten seconds: 20 us each, but for one call of 100 ms.
Result WithOneStall() {
  Result result;
  result.runs = {RoundOf("lmdb", 1, 99'001, 100'000'000)};
  PhaseResult& phase = result.runs[0].phases[0];
  phase.timed = true;
  RoleResult& role = phase.roles[0];
  role.seconds = role.thread_seconds = 9.9;
  for (int i = 0; i < 99'000; ++i) role.statistics[0].latency_ns->Add(20'000);
  return result;
}

TEST(CorrectedText, IsLabelledAsAnEstimateBesideWhatWasMeasured) {
  const std::string text = WriteTerminal(CorrectedReport(WithOneStall(), 0));
  EXPECT_THAT(text, AllOf(HasSubstr("estimate, no measurement"), HasSubstr("~p99.9"),
                          HasSubstr("lmdb"), HasSubstr("readrandom")));
  EXPECT_THAT(text, HasSubstr("100 us"));   // What the thread took for one on the average.
  EXPECT_THAT(text, HasSubstr("89.9 ms"));  // What nobody in the closed loop has seen.
}

TEST(CorrectedText, SupposesTheIntervalThatIsGiven) {
  EXPECT_THAT(WriteTerminal(CorrectedReport(WithOneStall(), 50'000)),
              AllOf(HasSubstr("50.0 us"), Not(HasSubstr("100 us"))));
}

TEST(CorrectedText, EstimatesNothingForClientsWhoComeLessOftenThanTheLoopCalled) {
  EXPECT_THAT(WriteTerminal(CorrectedReport(WithOneStall(), 1'000'000)),
              AllOf(HasSubstr("longer than the 100 us that an operation took"),
                    HasSubstr("--rate"), Not(HasSubstr("1.00 ms"))));
}

TEST(CorrectedText, EstimatesNothingWhereResponseTimesWereMeasured) {
  Result result = WithOneStall();
  result.runs[0].phases[0].roles[0].load.emplace();
  EXPECT_THAT(WriteTerminal(CorrectedReport(result, 0)),
              AllOf(HasSubstr("response times were measured"), Not(HasSubstr("89.9 ms"))));
}

TEST(CorrectedText, EstimatesNothingOfWhatWasNotTimed) {
  Result result = WithOneStall();
  result.runs[0].phases[0].roles[0].statistics[0].latency_ns.reset();
  EXPECT_THAT(WriteTerminal(CorrectedReport(result, 0)), HasSubstr("not timed one by one"));
}

constexpr uint64_t kUs = 1'000;
constexpr uint64_t kMs = 1'000'000;

// One by one, as HdrHistogram's own function does it.
Histogram OneByOne(const std::vector<uint64_t>& values, uint64_t expected) {
  Histogram histogram;
  for (const uint64_t value : values) {
    histogram.Add(value);
    if (value <= expected) continue;
    for (uint64_t missing = value - expected; missing >= expected; missing -= expected) {
      histogram.Add(missing);
    }
  }
  return histogram;
}

Histogram Of(const std::vector<uint64_t>& values) {
  Histogram histogram;
  for (const uint64_t value : values) histogram.Add(value);
  return histogram;
}

// Values that are exactly their bucket's middle, so that both ways begin with the same.
std::vector<uint64_t> MiddlesOfBuckets(size_t count) {
  Random random(7);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < count; ++i) {
    const size_t bucket = 200 + random.Below(2000);
    const uint64_t low = Histogram::LowestOf(bucket);
    values.push_back(low + (Histogram::HighestOf(bucket) - low) / 2);
  }
  return values;
}

TEST(CorrectedLatency, IsWhatHdrHistogramFillsInValueByValue) {
  for (const uint64_t expected : {1'000u, 20'000u, 333'333u}) {
    const std::vector<uint64_t> values = MiddlesOfBuckets(50);
    const SparseHistogram bucketwise = CorrectedLatency(Of(values), expected);
    const Histogram one_by_one = OneByOne(values, expected);
    EXPECT_EQ(bucketwise.Count(), one_by_one.Count()) << expected;
    EXPECT_EQ(bucketwise.Sum(), one_by_one.Sum()) << expected;
    EXPECT_EQ(bucketwise.Min(), one_by_one.Min()) << expected;
    EXPECT_EQ(bucketwise.Max(), one_by_one.Max()) << expected;
    for (const double p : {0.5, 0.9, 0.99}) {
      EXPECT_EQ(bucketwise.Percentile(p), one_by_one.Percentile(p)) << expected;
    }
  }
}

// 20 us of service, and 100 ms once in ten seconds, at 10,000 a second: a client who comes without
// regard of that waits for 90 ms and more in one of a thousand cases. The closed loop knows one.
TEST(CorrectedLatency, OfOneStallInTenSecondsIsWhatComersWouldHaveWaited) {
  Histogram closed;
  for (int i = 0; i < 99'000; ++i) closed.Add(20 * kUs);
  closed.Add(100 * kMs);
  const SparseHistogram corrected = CorrectedLatency(closed, 100 * kUs);
  EXPECT_LT(*closed.Percentile(0.999), 21 * kUs);
  EXPECT_GT(*corrected.Percentile(0.999), 80 * kMs);
  EXPECT_LT(*corrected.Percentile(0.999), 100 * kMs);
  // The stall is known to its bucket only, which is 0.78 % wide.
  EXPECT_NEAR(static_cast<double>(corrected.Count()), 99'001 + 999, 8);
}

TEST(CorrectedLatency, OfCallsThatKeepTheirIntervalIsThemselves) {
  const Histogram even = Of(std::vector<uint64_t>(1000, 20 * kUs));
  for (const uint64_t expected : {uint64_t{0}, 11 * kUs, 20 * kUs, kMs}) {
    EXPECT_EQ(CorrectedLatency(even, expected).Count(), even.Count()) << expected;
  }
  EXPECT_EQ(CorrectedLatency(Histogram(), 1).Count(), 0);
}

// A stall of a year, a client who asks each nanosecond: more than any histogram of it could hold.
TEST(CorrectedLatency, EndsWithWhateverItIsGiven) {
  const Histogram year = Of(std::vector<uint64_t>(1000, 31'536'000'000'000'000));
  EXPECT_EQ(CorrectedLatency(year, 1).Count(), year.Count());
  EXPECT_GT(CorrectedLatency(year, 1'000'000'000).Count(), 31'000'000'000u);
}

TEST(ExpectedInterval, IsThatOfTheRateThatWasAskedForOrTheAverage) {
  RoleResult role;
  role.threads = 2;
  role.thread_seconds = 2;
  EXPECT_EQ(ExpectedIntervalNs(role), 0);
  role.statistics.resize(1);
  role.statistics[0].latency_ns = Of(std::vector<uint64_t>(1000, 20 * kUs));
  EXPECT_EQ(ExpectedIntervalNs(role), 2 * kMs);
  role.rate = 100;
  EXPECT_EQ(ExpectedIntervalNs(role), 20 * kMs);
}

}  // namespace levelfield::corrected_report_test
