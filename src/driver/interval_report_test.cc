#include "driver/interval_report.h"

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::interval_report_test {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr char kHeading[] =
    "engine,benchmark,secs_elapsed,interval_seconds,operations,ops_per_second\n";

class IntervalReportFile : public ::testing::Test {
 protected:
  IntervalReport Make() const { return Must(IntervalReport::Create(path_, 2)); }
  std::string Content() const { return Read(path_); }

  const TemporaryDirectory directory_;
  const std::string path_ = directory_ / "report";
};

TEST_F(IntervalReportFile, HoldsRatesThatAreRatesAndTheLastInterval) {
  IntervalReport report = Make();
  report.Begin("rocksdb", "fillseq", 10 * kSecond);
  report.Progress(500, 11 * kSecond);
  report.Progress(1000, 12 * kSecond);
  report.Progress(5000, 14 * kSecond);
  report.End(14 * kSecond + kSecond / 2);
  report.Progress(9999, 100 * kSecond);  // Its verification's.
  report.Complete(6000);
  EXPECT_EQ(Content(), std::string(kHeading) +
                           "rocksdb,fillseq,2.000,2.000,1000,500.0\n"
                           "rocksdb,fillseq,4.000,2.000,4000,2000.0\n"
                           "rocksdb,fillseq,4.500,0.500,1000,2000.0\n");
}

TEST_F(IntervalReportFile, GoesOnWithTheNextWorkload) {
  IntervalReport report = Make();
  for (const char* const workload : {"fillseq", "readseq"}) {
    report.Begin("lmdb", workload, 5 * kSecond);
    report.End(6 * kSecond);
    report.Complete(300);
  }
  EXPECT_EQ(Content(), std::string(kHeading) +
                           "lmdb,fillseq,1.000,1.000,300,300.0\n"
                           "lmdb,readseq,1.000,1.000,300,300.0\n");
}

TEST_F(IntervalReportFile, HasNoLineOfWhatNeverRan) {
  IntervalReport report = Make();
  report.Progress(5, 7 * kSecond);
  report.End(7 * kSecond);
  report.Complete(0);
  report.Begin("lmdb", "fillseq", kSecond);
  report.End(2 * kSecond);
  report.Complete(0);
  EXPECT_TRUE(report.status().ok());
  EXPECT_EQ(Content().find("lmdb"), std::string::npos);
}

TEST_F(IntervalReportFile, IsNotMadeWithoutADirectoryNorOverAnother) {
  EXPECT_FALSE(IntervalReport::Create(path_ + "/no/such/directory", 1).ok());
  Write(path_, "mine");
  EXPECT_THAT(UsageErrorOf(IntervalReport::Create(path_, 1)), HasSubstr("another file"));
  EXPECT_EQ(Content(), "mine");
}

}  // namespace levelfield::interval_report_test
