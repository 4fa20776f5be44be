#include "driver/interval_report.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/matchers_for_test.h"

namespace levelfield::interval_report_test {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr char kHeading[] =
    "engine,benchmark,secs_elapsed,interval_seconds,operations,ops_per_second\n";

class IntervalReportFile : public ::testing::Test {
 protected:
  IntervalReportFile()
      : path_(std::filesystem::temp_directory_path() /
              ("levelfield_report_" + std::to_string(getpid()))) {
    std::filesystem::remove(path_);
  }
  ~IntervalReportFile() override { std::filesystem::remove(path_); }

  IntervalReport Make() {
    StatusOr<IntervalReport> report = IntervalReport::Create(path_, 2);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return std::move(*report);
  }
  std::string Content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string path_;
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

TEST_F(IntervalReportFile, IsNotMadeOverAnother) {
  std::ofstream(path_) << "mine";
  const StatusOr<IntervalReport> report = IntervalReport::Create(path_, 1);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(report.status().message(), HasSubstr("another file"));
  EXPECT_EQ(Content(), "mine");
}

TEST_F(IntervalReportFile, IsNotMadeWhereThereIsNoDirectory) {
  StatusOr<IntervalReport> report = IntervalReport::Create(path_ + "/no/such/directory", 1);
  EXPECT_FALSE(report.ok());
}

}  // namespace levelfield::interval_report_test
