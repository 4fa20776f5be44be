#include "workload/trace/trace_file.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "workload/trace/trace_writer.h"

namespace levelfield::trace_file_test {

// What a reader gives of a file, and why it gives no more.
struct WhatItGives {
  std::vector<TraceRecord> records;
  TraceHeader header;
  std::string error;
};

WhatItGives ReadTrace(const std::string& path) {
  WhatItGives read;
  StatusOr<TraceReader> reader = TraceReader::Open(path);
  if (!reader.ok()) {
    EXPECT_EQ(reader.status().kind(), ErrorKind::kUsage);
    read.error = reader.status().message();
    return read;
  }
  read.header = reader->header();
  TraceRecord record;
  while (reader->Next(record)) read.records.push_back(record);
  read.error = reader->status().message();
  return read;
}

// A file of these records as they are, even if invalid, with the right checksums.
std::string FileOf(const std::vector<TraceRecord>& records, uint64_t keys, uint64_t count) {
  std::string body(records.size() * trace_format::kRecordBytes, '\0');
  for (size_t i = 0; i < records.size(); ++i) {
    trace_format::Encode(records[i], body.data() + i * trace_format::kRecordBytes);
  }
  const auto header = trace_format::Encode(
      TraceHeader{.records = count,
                  .keys = keys,
                  .checksum = trace_format::Checksum(0, body.data(), body.size()),
                  .source = "a test"});
  return std::string(header.data(), header.size()) + body;
}

std::string FileOf(const std::vector<TraceRecord>& records, uint64_t keys) {
  return FileOf(records, keys, records.size());
}

const std::vector<TraceRecord> kRecords = {
    {.time_ns = 0, .key = 0, .value_size = 4'000'000'000, .key_size = 65'535},
    {.time_ns = 5, .key = 1, .ttl_seconds = 60, .client = 7, .operation = TraceOperation::kPut},
    {.time_ns = 5, .key = 0, .operation = TraceOperation::kErase},
    {.time_ns = uint64_t{1} << 60, .key = 2, .operation = TraceOperation::kModify},
    {.time_ns = uint64_t{1} << 60, .key = 1, .is_miss = true}};

TEST(TraceFile, GivesBackWhatWasWrittenToIt) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.trace";
  TraceWriter writer = Must(TraceWriter::Create(path, false));
  constexpr uint64_t kBegin = 1'000'000;
  for (TraceRecord record : kRecords) {
    const std::string key = "key" + std::to_string(record.key);
    record.time_ns += kBegin;
    record.key = 99;  // The number does not matter.
    ASSERT_TRUE(writer.Add(key, record).ok());
  }
  ASSERT_TRUE(writer.Finish("a test", 3).ok());
  const WhatItGives read = ReadTrace(path);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.records, kRecords);
  EXPECT_EQ(read.header.keys, 3u);
  EXPECT_EQ(read.header.left_out, 3u);
  EXPECT_EQ(read.header.source, "a test");
  EXPECT_FALSE(read.header.is_spread);
  EXPECT_EQ(Read(path),
            FileOf(kRecords, 3).replace(32, 1, "\3").replace(248, 8, Read(path).substr(248, 8)))
      << "the format is what its page says";
}

TEST(TraceFile, OfMoreThanABufferIsReadWhole) {
  const TemporaryDirectory directory;
  std::vector<TraceRecord> records(100'001);
  for (size_t i = 0; i < records.size(); ++i) {
    records[i] = {.time_ns = i * 3, .key = i, .value_size = static_cast<uint32_t>(i * 7)};
  }
  Write(directory / "a.trace", FileOf(records, records.size()));
  const WhatItGives read = ReadTrace(directory / "a.trace");
  EXPECT_EQ(read.error, "");
  EXPECT_TRUE(read.records == records);
}

TEST(TraceFile, ThatIsTornAnywhereIsRefused) {
  const TemporaryDirectory directory;
  const std::string whole = FileOf(kRecords, 3);
  ASSERT_EQ(ReadTrace((Write(directory / "whole", whole), directory / "whole")).error, "");
  for (size_t size = 0; size < whole.size(); ++size) {
    Write(directory / "torn", std::string_view(whole).substr(0, size));
    EXPECT_THAT(ReadTrace(directory / "torn").error, HasSubstr("torn, byte ")) << size;
  }
  Write(directory / "torn", whole + "x");
  EXPECT_THAT(ReadTrace(directory / "torn").error, HasSubstr("byte 16: says that there are 5"));
}

TEST(TraceFile, WithAnyByteChangedIsRefused) {
  const TemporaryDirectory directory;
  const std::string whole = FileOf(kRecords, 3);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    Write(directory / "changed", changed);
    EXPECT_THAT(ReadTrace(directory / "changed").error, HasSubstr("changed, byte ")) << i;
  }
}

TEST(TraceFile, ThatLiesWithTheRightChecksumsIsRefused) {
  const TemporaryDirectory directory;
  const auto error_of = [&](const std::string& bytes) {
    Write(directory / "forged", bytes);
    return ReadTrace(directory / "forged").error;
  };
  EXPECT_THAT(error_of(FileOf(kRecords, 3, ~uint64_t{0})), HasSubstr("byte 16: says that there"));
  EXPECT_THAT(error_of(FileOf(kRecords, 3, uint64_t{1} << 59)), HasSubstr("byte 16"));
  EXPECT_THAT(error_of(FileOf(kRecords, uint64_t{1} << 60)), HasSubstr("byte 24: says that there"));
  EXPECT_THAT(error_of(FileOf({}, 0)), HasSubstr("byte 16: has no records"));
  EXPECT_THAT(error_of(FileOf({{.key = 0}, {.key = 2}}, 2)),
              HasSubstr("byte 296: key 2 appears before key 1"));
  EXPECT_THAT(error_of(FileOf({{.time_ns = 0}, {.time_ns = 9}, {.time_ns = 8}}, 1)),
              HasSubstr("byte 320: the time goes back"));
  EXPECT_THAT(error_of(FileOf({{.time_ns = 1}}, 1)), HasSubstr("byte 256: the first record"));
  EXPECT_THAT(error_of(FileOf({{.operation = static_cast<TraceOperation>(5)}}, 1)),
              HasSubstr("byte 286: operation 5"));
}

TEST(TraceFile, OfAnotherKindIsRefused) {
  const TemporaryDirectory directory;
  Write(directory / "text", "time_ns,op,key\n1,get,a\n");
  EXPECT_THAT(ReadTrace(directory / "text").error,
              AllOf(HasSubstr("is no trace of ours"), HasSubstr("trace convert")));
  EXPECT_THAT(ReadTrace(directory / "absent").error, HasSubstr("cannot be opened"));
  EXPECT_THAT(ReadTrace(directory.path()).error, HasSubstr("is no file"));
  ASSERT_EQ(mkfifo((directory / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(ReadTrace(directory / "pipe").error, HasSubstr("is no file"));
  std::string newer = FileOf(kRecords, 3);
  newer[8] = 2;
  Write(directory / "newer", newer);
  EXPECT_THAT(ReadTrace(directory / "newer").error, HasSubstr("is of version 2 of the format"));
}

constexpr uint64_t kSecond = 1'000'000'000;

std::vector<uint64_t> Written(const TemporaryDirectory& directory, bool spreads,
                              const std::vector<uint64_t>& times, uint64_t* went_back = nullptr) {
  const std::string path = directory / ("of" + std::to_string(times.size()));
  TraceWriter writer = Must(TraceWriter::Create(path, spreads));
  for (const uint64_t time_ns : times) {
    EXPECT_TRUE(writer.Add("a key", {.time_ns = time_ns}).ok());
  }
  EXPECT_TRUE(writer.Finish("a test", 0).ok());
  if (went_back != nullptr) *went_back = writer.went_back();
  std::vector<uint64_t> written;
  const WhatItGives read = ReadTrace(path);
  EXPECT_EQ(read.error, "");
  for (const TraceRecord& record : read.records) written.push_back(record.time_ns);
  return written;
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
    TraceWriter writer = Must(TraceWriter::Create(directory / "a", false));
    ASSERT_TRUE(writer.Add("k", {}).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  Write(directory / "a", "somebody's");
  EXPECT_THAT(UsageErrorOf(TraceWriter::Create(directory / "a", false)),
              HasSubstr("is there already"));
  EXPECT_EQ(Read(directory / "a"), "somebody's");
}

TEST(TraceWriter, PutsItsFileOverNobodysWhoCameMeanwhile) {
  const TemporaryDirectory directory;
  TraceWriter writer = Must(TraceWriter::Create(directory / "a", false));
  ASSERT_TRUE(writer.Add("k", {}).ok());
  Write(directory / "a", "somebody's");
  EXPECT_FALSE(writer.Finish("a test", 0).ok());
  EXPECT_EQ(Read(directory / "a"), "somebody's");
}

TEST(TraceWriter, TellsKeysApartThatDifferInOneByteOrInTheirLength) {
  const TemporaryDirectory directory;
  TraceWriter writer = Must(TraceWriter::Create(directory / "a", false));
  std::string key;
  for (int size = 0; size < 40; ++size) {
    ASSERT_TRUE(writer.Add(key, {}).ok());
    ASSERT_TRUE(writer.Add(key + std::string(1, '\0'), {}).ok());
    for (char& c : key) {
      c = 'b';
      ASSERT_TRUE(writer.Add(key, {}).ok());
      c = 'a';
    }
    key += 'a';
  }
  EXPECT_EQ(writer.keys(), 40u + 40 + 39 * 40 / 2);
}

}  // namespace levelfield::trace_file_test
