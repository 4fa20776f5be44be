#include "workload/trace/trace_convert.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/random.h"
#include "base/status_for_test.h"

namespace levelfield::trace_convert_test {

class TraceConvert : public ::testing::Test {
 protected:
  StatusOr<ConvertedTrace> Convert(TraceSource source, const std::string& text) {
    Write(directory_ / "in", text);
    std::filesystem::remove(out_);
    return ConvertTrace({.source = source, .from = directory_ / "in", .to = out_},
                        [] { return true; });
  }

  std::string ErrorOf(TraceSource source, const std::string& text) {
    const StatusOr<ConvertedTrace> converted = Convert(source, text);
    EXPECT_EQ(converted.status().kind(), ErrorKind::kUsage);
    EXPECT_FALSE(std::filesystem::exists(out_));
    EXPECT_FALSE(std::filesystem::exists(out_ + ".part"));
    return converted.status().message();
  }

  std::vector<TraceRecord> Records() const {
    StatusOr<TraceReader> reader = TraceReader::Open(out_);
    EXPECT_TRUE(reader.ok()) << reader.status().message();
    std::vector<TraceRecord> records;
    TraceRecord record;
    while (reader.ok() && reader->Next(record)) records.push_back(record);
    EXPECT_TRUE(!reader.ok() || reader->status().ok()) << reader->status().message();
    return records;
  }

  TemporaryDirectory directory_;
  const std::string out_ = directory_ / "out";
};

TEST_F(TraceConvert, KeepsEveryOperationInItsOrder) {
  std::string text = "time_ns,op,key,value_size,ttl,client\n";
  Random random(5);
  std::vector<TraceRecord> expected;
  std::map<uint64_t, uint64_t> numbers;
  const char* const names[] = {"get", "put", "erase", "modify"};
  // Longer than the buffers on both sides.
  for (uint64_t i = 0; i < 60'000; ++i) {
    const uint64_t key = random.Below(5'000);
    const uint64_t operation = random.Below(4);
    const auto size = static_cast<uint32_t>(random.Below(2'000));
    text += std::to_string(i * 10) + "," + names[operation] + ",key:" + std::to_string(key) + "," +
            std::to_string(size) + ",0,7\n";
    const uint64_t number = numbers.try_emplace(key, numbers.size()).first->second;
    expected.push_back({.time_ns = i * 10,
                        .key = number,
                        .value_size = size,
                        .client = 7,
                        .key_size = static_cast<uint16_t>(4 + std::to_string(key).size()),
                        .operation = static_cast<TraceOperation>(operation)});
  }
  text.pop_back();  // The last line may lack its end.
  const ConvertedTrace converted = Must(Convert(TraceSource::kCsv, text));
  EXPECT_EQ(converted.lines, 60'001u);
  EXPECT_EQ(converted.records, 60'000u);
  EXPECT_EQ(converted.keys, numbers.size());
  EXPECT_TRUE(Records() == expected);
}

TEST_F(TraceConvert, RepeatsALineOfMetaAndSpreadsItsSecond) {
  const ConvertedTrace converted =
      Must(Convert(TraceSource::kMeta,
                   "op_time,key,key_size,op,op_count,size,cache_hits,ttl\n"
                   "100,a,9,GET,3,50,1,0\n100,b,9,SET,1,70,0,60\n100,c,9,ODD,1,70,0,60\n"
                   "101,a,9,ODD,1,70,0,60\n101,a,9,DELETE,1,0,0,0\n"));
  EXPECT_THAT(converted.left_out, ElementsAre(Pair("\"ODD\"", 2)));
  const std::vector<TraceRecord> records = Records();
  ASSERT_EQ(records.size(), 5u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(records[i].time_ns, i * 250'000'000);
  EXPECT_EQ(records[4].time_ns, 1'000'000'000u);
  EXPECT_TRUE(records[0].is_miss && records[1].is_miss && !records[2].is_miss);
  EXPECT_EQ(records[4].operation, TraceOperation::kErase);
  EXPECT_TRUE(TraceReader::Open(out_)->header().is_spread);
  EXPECT_EQ(TraceReader::Open(out_)->header().left_out, 2u);
  EXPECT_EQ(TraceReader::Open(out_)->header().source, "Meta's kvcache, in");
}

TEST_F(TraceConvert, SaysWhichLineIsWrongAndMakesNothing) {
  EXPECT_THAT(ErrorOf(TraceSource::kTwitter, "0,k,1,7,1,get,0\n0,k,1,7,1,gut,0\n"),
              HasSubstr("in, line 2, column 11 (operation): \"gut\""));
  EXPECT_THAT(ErrorOf(TraceSource::kTwitter, "0,k,1,7,1,get,0\n\n"), HasSubstr("line 2, column 1"));
  EXPECT_THAT(ErrorOf(TraceSource::kTwitter, "0,k,1,7,1,get,0\n" + std::string(70'000, 'x')),
              HasSubstr("line 2, column 65536: the line is longer"));
  EXPECT_THAT(ErrorOf(TraceSource::kTwitter, std::string(3'000'000, 'x')),
              HasSubstr("line 1, column 65536: the line is longer"));
  EXPECT_THAT(ErrorOf(TraceSource::kTwitter, ""), HasSubstr("has no operations: 0 lines"));
  EXPECT_THAT(ErrorOf(TraceSource::kCsv, "time_ns,op,key\n"), HasSubstr("has no operations"));
  EXPECT_THAT(ErrorOf(TraceSource::kTwitter, std::string(200, '\0')), HasSubstr("line 1"));
}

TEST_F(TraceConvert, EndsWhereItIsToldToAndLeavesNothing) {
  std::string text = "time_ns,op,key\n";
  for (int i = 0; i < 70'000; ++i) text += "1,get,a\n";
  Write(directory_ / "in", text);
  const StatusOr<ConvertedTrace> converted = ConvertTrace(
      {.source = TraceSource::kCsv, .from = directory_ / "in", .to = out_}, [] { return false; });
  EXPECT_EQ(converted.status().kind(), ErrorKind::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(out_ + ".part"));
}

// Numbers as RocksDB packs them.
template <class Number>
std::string Fixed(Number number) {
  std::string bytes(sizeof(number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(number));
  return bytes;
}
std::string Prefixed(const std::string& text) {
  std::string bytes;
  size_t size = text.size();
  for (; size >= 0x80; size >>= 7) bytes += static_cast<char>(0x80 | (size & 0x7f));
  return bytes + static_cast<char>(size) + text;
}
std::string Record(uint64_t micros, char type, const std::string& payload) {
  return Fixed(micros) + type + Fixed(static_cast<uint32_t>(payload.size())) + payload;
}
std::string QueryHead(const std::string& version = "0.2") {
  return Record(5, 1,
                "feedcafedeadbeef\tTrace Version: " + version +
                    "\tRocksDB Version: 7.8\tFormat: Timestamp OpType Payload\n");
}
std::string GetOf(uint64_t micros, uint32_t family, const std::string& key) {
  return Record(micros, 4, Fixed(uint64_t{1 << 2 | 1 << 3}) + Fixed(family) + Prefixed(key));
}
std::string WriteOf(uint64_t micros, uint32_t count, const std::string& records) {
  const std::string batch = Fixed(uint64_t{0}) + Fixed(count) + records;
  return Record(micros, 3, Fixed(uint64_t{1 << 1}) + Prefixed(batch));
}

TEST_F(TraceConvert, ReadsRocksDbsQueries) {
  const std::string value(200, 'v');
  const std::string batch = '\1' + Prefixed("a") + Prefixed(value) + '\0' + Prefixed("b") + '\2' +
                            Prefixed("a") + Prefixed("+1") + '\5' + '\3' + Prefixed("a") +
                            Prefixed("w") + '\x0f' + Prefixed("a") + Prefixed("z") + '\7' +
                            Prefixed("c");
  const std::string multi_get =
      Record(30, 13,
             Fixed(uint64_t{1 << 8 | 1 << 9 | 1 << 10}) + Fixed(uint32_t{2}) +
                 Prefixed(Fixed(uint32_t{0}) + Fixed(uint32_t{3})) +
                 Prefixed(Prefixed("a") + Prefixed("a")));
  const std::string seek =
      Record(40, 5,
             Fixed(uint64_t{1 << 4 | 1 << 5 | 1 << 6 | 1 << 7}) + Fixed(uint32_t{0}) +
                 Prefixed("a") + Prefixed("") + Prefixed("z"));
  const ConvertedTrace converted = Must(
      Convert(TraceSource::kRocksDb, QueryHead() + GetOf(10, 0, "key") + WriteOf(20, 6, batch) +
                                         multi_get + seek + Record(50, 2, "")));
  EXPECT_THAT(converted.left_out, ElementsAre(Pair("DELETE_RANGE", 1)));
  const std::vector<TraceRecord> records = Records();
  ASSERT_EQ(records.size(), 9u);
  EXPECT_EQ(records[0], (TraceRecord{.value_size = 100, .key_size = 3}));
  EXPECT_EQ(records[1], (TraceRecord{.time_ns = 10'000,
                                     .key = 1,
                                     .value_size = 200,
                                     .key_size = 1,
                                     .operation = TraceOperation::kPut}));
  const TraceOperation kRest[] = {
      TraceOperation::kErase, TraceOperation::kModify, TraceOperation::kPut, TraceOperation::kErase,
      TraceOperation::kGet,   TraceOperation::kGet,    TraceOperation::kSeek};
  // "a" of the third column family is another key than "a" of the first.
  const uint64_t kKeys[] = {2, 1, 3, 4, 1, 3, 1};
  for (size_t i = 0; i < std::size(kRest); ++i) {
    EXPECT_EQ(records[i + 2].operation, kRest[i]) << i;
    EXPECT_EQ(records[i + 2].key, kKeys[i]) << i;
  }
  EXPECT_EQ(TraceReader::Open(out_)->header().source, "RocksDB's queries, in");
}

TEST_F(TraceConvert, ReadsRocksDbsBlockCache) {
  const auto block = [](uint64_t micros, const std::string& key, uint64_t size) {
    return Record(micros, 9,
                  Prefixed(key) + Fixed(size) + Fixed(uint64_t{0}) + Prefixed("default") +
                      Fixed(uint32_t{1}) + Fixed(uint64_t{7}) + std::string("\1\0\0", 3));
  };
  const std::string head =
      Record(1, 1, Prefixed("feedcafedeadbeef") + Fixed(uint32_t{7}) + Fixed(uint32_t{8}));
  EXPECT_EQ(Must(Convert(TraceSource::kRocksDb, head + block(5, "one", 4096) +
                                                    block(6, "two", 512) + block(6, "one", 4096)))
                .records,
            3u);
  const std::vector<TraceRecord> records = Records();
  EXPECT_EQ(records[2],
            (TraceRecord{.time_ns = 1000, .key = 0, .value_size = 4096, .key_size = 3}));
  EXPECT_EQ(TraceReader::Open(out_)->header().source, "RocksDB's block cache, in");
}

TEST_F(TraceConvert, ReadsTheTextOfRocksDbsAnalyzers) {
  const ConvertedTrace converted = Must(Convert(
      TraceSource::kRocksDbText,
      "0x6B6579 0 0 0 1000\n6B6579 1 0 20 1001\n6B 2 2 0 1002\n61 62 4 0 0 1003\n61 6 0 0 1004\n"
      "61 5 0 3 1005\n"));
  EXPECT_THAT(converted.left_out, ElementsAre(Pair("DELETE_RANGE", 1)));
  std::vector<TraceRecord> records = Records();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0], (TraceRecord{.value_size = 100, .key_size = 3}));
  EXPECT_EQ(
      records[1],
      (TraceRecord{
          .time_ns = 1000, .value_size = 20, .key_size = 3, .operation = TraceOperation::kPut}));
  EXPECT_EQ(records[3].operation, TraceOperation::kSeek);
  EXPECT_EQ(records[3].entries, 1u);
  EXPECT_EQ(records[4].operation, TraceOperation::kModify);
  Must(Convert(TraceSource::kRocksDbText,
               "1000,7,9,4096,0,default,1,10,1,0,5,6,100,0,1,12,0,0,28,24,8192\n"
               "1002,7,9,4096,0,default,1,10,1,0,5,6,100,1,1,12,0,0,28,24,8192\n"));
  records = Records();
  EXPECT_EQ(records[1], (TraceRecord{.time_ns = 2000, .value_size = 4096, .key_size = 28}));
}

TEST_F(TraceConvert, ReadsOracleGeneral) {
  const auto request = [](uint32_t seconds, uint64_t object, uint32_t size) {
    return Fixed(seconds) + Fixed(object) + Fixed(size) + Fixed(int64_t{-1});
  };
  Must(Convert(TraceSource::kOracleGeneral,
               request(7, 900, 50) + request(7, 901, 60) + request(9, 900, 50)));
  const std::vector<TraceRecord> records = Records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].time_ns, 500'000'000u);
  EXPECT_EQ(records[2], (TraceRecord{.time_ns = 2'000'000'000, .value_size = 50, .key_size = 8}));
}

TEST_F(TraceConvert, SaysAtWhichByteARecordIsWrong) {
  const auto error = [&](const std::string& bytes) {
    return ErrorOf(TraceSource::kRocksDb, bytes);
  };
  EXPECT_THAT(error("hello"), HasSubstr("byte 0: the file ends within a record"));
  EXPECT_THAT(error(std::string(50, 'x')), HasSubstr("does not begin with a header"));
  EXPECT_THAT(error(Record(5, 1, "another header")), HasSubstr("its header is another"));
  EXPECT_THAT(error(QueryHead("0.1")), HasSubstr("of version \"0.1\", and 0.2 can be read"));
  EXPECT_THAT(error(QueryHead()), HasSubstr("has no operations"));
  const std::string head = QueryHead();
  const std::string at = fmt::format("byte {}: the record ", head.size());
  EXPECT_THAT(error(head + Record(5, 9, "")), HasSubstr(at + "is of type 9"));
  EXPECT_THAT(error(head + Record(5, 4, Fixed(uint64_t{1 << 3}) + "\x09k")),
              HasSubstr(at + "ends within one of its parts"));
  EXPECT_THAT(error(head + WriteOf(5, 2, '\1' + Prefixed("a") + Prefixed("v"))),
              HasSubstr("a batch says 2 records, and has 1"));
  EXPECT_THAT(error(head + WriteOf(5, 1, "\x77")), HasSubstr("of kind 119"));
  const std::string cut = head + GetOf(1, 0, "key");
  EXPECT_THAT(error(cut.substr(0, cut.size() - 1)), HasSubstr("the file ends within a record"));
  EXPECT_THAT(ErrorOf(TraceSource::kOracleGeneral, std::string(30, 'x')),
              HasSubstr("byte 24: the file ends within a record of 24 bytes"));
  EXPECT_THAT(ErrorOf(TraceSource::kRocksDbText, "1 0 0 1000\n"), HasSubstr("--no_key"));
  EXPECT_THAT(ErrorOf(TraceSource::kRocksDbText, "zz 0 0 0 1000\n"), HasSubstr("hexadecimal"));
}

// Meta's traces of 2022.
TEST_F(TraceConvert, TakesARecordingWithoutTimes) {
  Must(Convert(TraceSource::kMeta,
               "key,op,size,op_count,key_size\n7001,SET,82,1,40\n7001,GET,0,1,40\n"
               "7003,GET,104,2,64\n"));
  const std::vector<TraceRecord> records = Records();
  ASSERT_EQ(records.size(), 4u);
  for (const TraceRecord& record : records) EXPECT_EQ(record.time_ns, 0u);
  EXPECT_TRUE(TraceReader::Open(out_)->header().has_no_times);
  EXPECT_FALSE(TraceReader::Open(out_)->header().is_spread);
}

}  // namespace levelfield::trace_convert_test
