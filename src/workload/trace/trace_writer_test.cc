#include "workload/trace/trace_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files_for_test.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kSecond = 1'000'000'000;

std::vector<uint64_t> TimesIn(const std::string& path) {
  StatusOr<TraceReader> reader = TraceReader::Open(path);
  EXPECT_TRUE(reader.ok()) << reader.status().message();
  std::vector<uint64_t> times;
  TraceRecord record;
  while (reader.ok() && reader->Next(record)) times.push_back(record.time_ns);
  EXPECT_TRUE(!reader.ok() || reader->status().ok()) << reader->status().message();
  return times;
}

std::vector<uint64_t> Written(const TemporaryDirectory& directory, bool spreads,
                              const std::vector<uint64_t>& times, uint64_t* went_back = nullptr) {
  const std::string path = directory / ("of" + std::to_string(times.size()));
  StatusOr<TraceWriter> writer = TraceWriter::Create(path, spreads);
  EXPECT_TRUE(writer.ok()) << writer.status().message();
  for (const uint64_t time_ns : times) {
    EXPECT_TRUE(writer->Add("a key", {.time_ns = time_ns}).ok());
  }
  EXPECT_TRUE(writer->Finish("a test", 0).ok());
  if (went_back != nullptr) *went_back = writer->went_back();
  return TimesIn(path);
}

TEST(TraceWriter, SpreadsWholeSecondsWithinThemselves) {
  const TemporaryDirectory directory;
  EXPECT_THAT(Written(directory, true,
                      {7 * kSecond, 7 * kSecond, 7 * kSecond, 7 * kSecond, 9 * kSecond,
                       10 * kSecond, 10 * kSecond}),
              ElementsAre(0, kSecond / 4, kSecond / 2, 3 * kSecond / 4, 2 * kSecond, 3 * kSecond,
                          3 * kSecond + kSecond / 2));
}

TEST(TraceWriter, SpreadsSecondsThatAreLargerThanItsBuffer) {
  const TemporaryDirectory directory;
  constexpr uint64_t kOperations = 100'000;
  std::vector<uint64_t> times(kOperations, kSecond);
  times.push_back(2 * kSecond);
  const std::vector<uint64_t> written = Written(directory, true, times);
  ASSERT_EQ(written.size(), times.size());
  for (uint64_t i = 0; i < kOperations; ++i) {
    ASSERT_EQ(written[i], i * kSecond / kOperations) << i;
  }
  EXPECT_EQ(written.back(), kSecond);
}

TEST(TraceWriter, LeavesFinerTimesAsTheyAreAndLetsNoneGoBack) {
  const TemporaryDirectory directory;
  uint64_t went_back = 0;
  EXPECT_THAT(Written(directory, false, {100, 100, 107, 103, 110}, &went_back),
              ElementsAre(0, 0, 7, 7, 10));
  EXPECT_EQ(went_back, 1u);
}

TEST(TraceWriter, LeavesNothingBehindUnlessItIsWhole) {
  const TemporaryDirectory directory;
  {
    StatusOr<TraceWriter> writer = TraceWriter::Create(directory / "a", false);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->Add("k", {}).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  Write(directory / "a", "somebody's");
  const StatusOr<TraceWriter> writer = TraceWriter::Create(directory / "a", false);
  EXPECT_EQ(writer.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(writer.status().message(), HasSubstr("is there already"));
  EXPECT_EQ(Read(directory / "a"), "somebody's");
}

TEST(TraceWriter, PutsItsFileOverNobodysWhoCameMeanwhile) {
  const TemporaryDirectory directory;
  StatusOr<TraceWriter> writer = TraceWriter::Create(directory / "a", false);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->Add("k", {}).ok());
  Write(directory / "a", "somebody's");
  EXPECT_FALSE(writer->Finish("a test", 0).ok());
  EXPECT_EQ(Read(directory / "a"), "somebody's");
}

TEST(TraceWriter, TellsKeysApartThatDifferInOneByteOrInTheirLength) {
  const TemporaryDirectory directory;
  StatusOr<TraceWriter> writer = TraceWriter::Create(directory / "a", false);
  ASSERT_TRUE(writer.ok());
  std::string key;
  for (int size = 0; size < 40; ++size) {
    ASSERT_TRUE(writer->Add(key, {}).ok());
    ASSERT_TRUE(writer->Add(key + std::string(1, '\0'), {}).ok());
    for (char& c : key) {
      c = 'b';
      ASSERT_TRUE(writer->Add(key, {}).ok());
      c = 'a';
    }
    key += 'a';
  }
  EXPECT_EQ(writer->keys(), 40u + 40 + 39 * 40 / 2);
}

}  // namespace
}  // namespace levelfield
