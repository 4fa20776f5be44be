#include "workload/trace/trace_convert.h"

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
    return ConvertTrace(source, directory_ / "in", out_, [] { return true; });
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
  const StatusOr<ConvertedTrace> converted =
      ConvertTrace(TraceSource::kCsv, directory_ / "in", out_, [] { return false; });
  EXPECT_EQ(converted.status().kind(), ErrorKind::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(out_ + ".part"));
}

}  // namespace levelfield::trace_convert_test
