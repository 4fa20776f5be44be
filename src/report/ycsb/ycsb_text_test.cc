#include "report/ycsb/ycsb_text.h"

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::ycsb_text_test {

// A thousand calls of 1 to 1,000 microseconds.
OperationStatistics Calls(const std::string& operation) {
  OperationStatistics stats;
  stats.operation = operation;
  stats.effects = Effect::kReads;
  stats.operations = stats.hits = 1000;
  Histogram latency;
  for (uint64_t micros = 1; micros <= 1000; ++micros) latency.Add(micros * 1000);
  stats.latency_ns = latency;
  return stats;
}

PhaseResult PhaseOf(const std::vector<std::string>& operations) {
  PhaseResult phase = RoundOf("any", 1, 1).phases[0];
  phase.roles[0].seconds = 2;
  phase.roles[0].statistics.clear();
  for (const std::string& operation : operations) {
    phase.roles[0].statistics.push_back(Calls(operation));
  }
  return phase;
}

TEST(YcsbText, HasTheLinesOfItsTextExporter) {
  EXPECT_EQ(YcsbText(PhaseOf({"get"}), false, {.percentiles = {95, 99.9}}, {}),
            "[OVERALL], RunTime(ms), 2000\n"
            "[OVERALL], Throughput(ops/sec), 500.0\n"
            "[READ], Operations, 1000\n"
            "[READ], AverageLatency(us), 500.5\n"
            "[READ], MinLatency(us), 1\n"
            "[READ], MaxLatency(us), 1000\n"
            "[READ], 95thPercentileLatency(us), 950\n"
            "[READ], 99.9PercentileLatency(us), 999\n"
            "[READ], Return=OK, 1000\n");
}

TEST(YcsbText, NamesEachKindOfOperation) {
  const std::string text =
      YcsbText(PhaseOf({"get", "scan", "update", "rmw", "insert"}), false, {}, {});
  for (const char* const name : {"READ", "SCAN", "UPDATE", "READ-MODIFY-WRITE", "INSERT"}) {
    EXPECT_THAT(text, HasSubstr(std::string("[") + name + "], Operations, 1000\n"));
  }
  // It is two answers, which YCSB counts where they were given.
  EXPECT_THAT(text, Not(HasSubstr("[READ-MODIFY-WRITE], Return")));
  EXPECT_THAT(YcsbText(PhaseOf({"put"}), true, {}, {}), HasSubstr("[INSERT], Return=OK, 1000"));
  EXPECT_THAT(YcsbText(PhaseOf({"put"}), false, {}, {}), HasSubstr("[UPDATE], Return=OK, 1000"));
}

// As YCSB's client counts it: three times.
TEST(YcsbText, CountsThePartsOfAReadModifyWriteAmongReadsAndUpdates) {
  PhaseResult phase = PhaseOf({"get", "rmw"});
  phase.roles[0].parts = {{"rmw", "get", *Calls("get").latency_ns},
                          {"rmw", "put", *Calls("put").latency_ns}};
  const std::string text = YcsbText(phase, false, {.verifies = true}, {});
  EXPECT_THAT(text, HasSubstr("[READ], Operations, 2000\n"));
  EXPECT_THAT(text, HasSubstr("[READ], Return=OK, 2000\n"));
  EXPECT_THAT(text, HasSubstr("[READ], AverageLatency(us), 500.5\n"));
  EXPECT_THAT(text, HasSubstr("[UPDATE], Operations, 1000\n"));
  EXPECT_THAT(text, HasSubstr("[UPDATE], Return=OK, 1000\n"));
  EXPECT_THAT(text, HasSubstr("[READ-MODIFY-WRITE], Operations, 1000\n"));
  EXPECT_THAT(text, HasSubstr("[VERIFY], Return=OK, 2000\n"));
  EXPECT_THAT(text, HasSubstr("[OVERALL], Throughput(ops/sec), 1000.0\n"));
  EXPECT_THAT(YcsbStatusOf(phase, false), HasSubstr("[UPDATE: Count=1000, "));
}

TEST(YcsbText, HasBucketsOfAMillisecond) {
  const std::string text = YcsbText(
      PhaseOf({"get"}), false,
      {.measurement = YcsbMeasurement::kHdrAndBuckets, .buckets = 1, .has_all_buckets = true}, {});
  EXPECT_THAT(text, HasSubstr("[HdrREAD], 99thPercentileLatency(us), 99"));
  EXPECT_THAT(text, HasSubstr("[BucketREAD], 95thPercentileLatency(us), 0\n"));
  EXPECT_THAT(text, HasSubstr("[BucketREAD], LatencyVariance(us), 8333"));
  EXPECT_THAT(text, HasSubstr("[BucketREAD], >1, 1\n"));
}

TEST(YcsbText, HasTheMeanOfEachIntervalOfATimeSeries) {
  std::vector<PhaseInterval> intervals(2);
  for (PhaseInterval& interval : intervals) {
    interval.roles = {{.name = "client",
                       .operations = 1,
                       .statistics = {{.operation = "get", .latency_ns = {}}}}};
  }
  intervals[1].roles[0].statistics[0].latency_ns = *Calls("get").latency_ns;
  EXPECT_THAT(YcsbText(PhaseOf({"get"}), false,
                       {.measurement = YcsbMeasurement::kSeries, .granularity_ms = 500}, intervals),
              testing::EndsWith("[READ], Return=OK, 1000\n[READ], 500, 500.5\n"));
}

TEST(YcsbText, TellsLatenciesFromTheTimeThatWasMeant) {
  PhaseResult phase = PhaseOf({"get"});
  phase.roles[0].statistics[0].response_ns = Histogram();
  phase.roles[0].statistics[0].response_ns->Add(7000);
  EXPECT_THAT(YcsbText(phase, false, {.latency = YcsbLatency::kIntended}, {}),
              HasSubstr("[READ], MaxLatency(us), 7\n"));
  EXPECT_THAT(YcsbText(phase, false, {.latency = YcsbLatency::kBoth}, {}),
              AllOf(HasSubstr("[READ], MaxLatency(us), 1000\n"),
                    HasSubstr("[Intended-READ], MaxLatency(us), 7\n")));
}

TEST(YcsbText, IsJsonWhereAskedTo) {
  const std::string text = YcsbText(PhaseOf({}), false, {.exporter = YcsbExporter::kJsonArray}, {});
  EXPECT_EQ(text,
            "[ {\n  \"metric\" : \"OVERALL\",\n  \"measurement\" : \"RunTime(ms)\",\n"
            "  \"value\" : 2000\n}, {\n  \"metric\" : \"OVERALL\",\n"
            "  \"measurement\" : \"Throughput(ops/sec)\",\n  \"value\" : 0.0\n} ]");
}

TEST(YcsbStatus, IsTheLineOfItsStatusThread) {
  EXPECT_EQ(YcsbStatus(10.4, 5000, 123.456, 500, 1000),
            "10 sec: 5000 operations; 123.46 current ops/sec; est completion in 2 seconds ");
  EXPECT_EQ(YcsbStatus(0, 0, 0, 0, 0), "0 sec: 0 operations; ");
  EXPECT_THAT(YcsbStatus(1, 1, 1, 1, 3600 * 25), HasSubstr("in 1 day 1 hour "));
  EXPECT_THAT(YcsbStatus(1, 1, 1, 1, 3660), HasSubstr("in 1 hour 1 minute "));
  EXPECT_THAT(YcsbStatusOf(PhaseOf({"get"}), false),
              StartsWith("[READ: Count=1000, Max=1000, Min=1, Avg=500.5, 50="));
}

TEST(JavaDouble, IsWhatJavaPrints) {
  EXPECT_EQ(JavaDouble(0), "0.0");
  EXPECT_EQ(JavaDouble(30303.030303030304), "30303.030303030304");
  EXPECT_EQ(JavaDouble(9999999), "9999999.0");
  EXPECT_EQ(JavaDouble(1e7), "1.0E7");
  EXPECT_EQ(JavaDouble(12345678.5), "1.23456785E7");
  EXPECT_EQ(JavaDouble(0.00012), "1.2E-4");
}

}  // namespace levelfield::ycsb_text_test
