// The logs of latencies that we write, read by HdrHistogram's own reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "base/files_for_test.h"
#include "base/random.h"
#include "result/hdr_log.h"

namespace levelfield {
namespace {

struct ReadInterval {
  std::string tag;
  double start = 0;
  double length = 0;
  uint64_t count = 0;
  uint64_t min = 0;
  uint64_t max = 0;
  uint64_t median = 0;
  double sum = 0;
};

// A tool that is not there fails the test, with the shell's words: packages/debian.txt names all.
std::vector<ReadInterval> ReadByHdrHistogram(const std::string& log) {
  TemporaryDirectory directory;
  Write(directory / "latency.hlog", log);
  const std::string command =
      "java -XX:TieredStopAtLevel=1 "
      "-cp \"${HDRHISTOGRAM_JAR:-/usr/share/java/hdrhistogram.jar}\" "
      "'" READ_LOG "' '" +
      (directory / "latency.hlog") + "' 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) output.append(buffer, n);
  EXPECT_EQ(pclose(pipe), 0) << output;
  std::vector<ReadInterval> intervals;
  std::istringstream lines(output);
  for (ReadInterval r;
       lines >> r.tag >> r.start >> r.length >> r.count >> r.min >> r.max >> r.median >> r.sum;) {
    intervals.push_back(r);
  }
  return intervals;
}

TEST(HdrLogExchange, HdrHistogramReadsWhatWeWrote) {
  Random random(11);
  std::vector<Histogram> histograms(12);
  std::string log = HdrLogHeader("a test");
  for (size_t i = 0; i < histograms.size(); ++i) {
    const uint64_t count = i == 3 ? 0 : i == 4 ? 1 : 5000 * (i + 1);
    for (uint64_t n = 0; n < count; ++n) {
      // From some nanoseconds to an hour, most of them near a microsecond.
      histograms[i].Add(1 + (random.Next() >> (20 + random.Below(44))));
    }
    if (i == 7) histograms[i].Add(20'000'000'000);
    log += HdrLogLine(i % 2 == 0 ? "get" : "put", i * 1000, i * 1000 + 999, histograms[i]);
  }
  const std::vector<ReadInterval> read = ReadByHdrHistogram(log);
  ASSERT_EQ(read.size(), histograms.size());
  for (size_t i = 0; i < read.size(); ++i) {
    const Histogram& ours = histograms[i];
    EXPECT_EQ(read[i].tag, i % 2 == 0 ? "get" : "put");
    EXPECT_DOUBLE_EQ(read[i].start, static_cast<double>(i));
    EXPECT_NEAR(read[i].length, 0.999, 0.0011);
    ASSERT_EQ(read[i].count, ours.Count()) << i;
    if (ours.Count() == 0) continue;
    const auto near = [](uint64_t value, uint64_t of, double share) {
      const auto wanted = static_cast<double>(of);
      return std::abs(static_cast<double>(value) - wanted) <= share * wanted + 1;
    };
    EXPECT_TRUE(near(read[i].max, ours.Max(), 0.001)) << read[i].max << " " << ours.Max();
    EXPECT_TRUE(near(read[i].min, ours.Min(), 0.001)) << read[i].min << " " << ours.Min();
    EXPECT_NEAR(read[i].sum, static_cast<double>(ours.Sum()),
                static_cast<double>(ours.Sum()) * 0.005 + static_cast<double>(ours.Count()));
    if (const auto median = ours.Percentile(0.5)) {
      EXPECT_TRUE(near(read[i].median, *median, 0.005)) << read[i].median << " " << *median;
    }
  }
}

}  // namespace
}  // namespace levelfield
