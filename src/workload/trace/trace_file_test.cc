#include "workload/trace/trace_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "base/files_for_test.h"
#include "workload/trace/trace_writer.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// All that a file gives, and why it gives no more.
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

// A file of these records as they are, whatever they say, with the right checksums.
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
  StatusOr<TraceWriter> writer = TraceWriter::Create(path, false);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  constexpr uint64_t kBegin = 1'000'000;
  for (TraceRecord record : kRecords) {
    const std::string key = "key" + std::to_string(record.key);
    record.time_ns += kBegin;
    record.key = 99;  // Of no matter.
    ASSERT_TRUE(writer->Add(key, record).ok());
  }
  ASSERT_TRUE(writer->Finish("a test", 3).ok());
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
  EXPECT_THAT(error_of(FileOf({{.operation = static_cast<TraceOperation>(4)}}, 1)),
              HasSubstr("byte 286: operation 4"));
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

}  // namespace
}  // namespace levelfield
