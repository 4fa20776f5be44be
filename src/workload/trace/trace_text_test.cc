#include "workload/trace/trace_text.h"

#include "base/matchers_for_test.h"

namespace levelfield::trace_text_test {

constexpr const char* kMetaNames = "op_time,key,key_size,op,op_count,size,cache_hits,ttl,usecase";
constexpr const char* kCsvNames = "time_ns,op,key,value_size,ttl,client";

TraceLine Parsed(TraceText& text, std::string_view line) {
  TraceLine parsed;
  EXPECT_EQ(text.Read(line, parsed), "") << line;
  return parsed;
}

std::string Error(TraceSource source, const std::vector<std::string>& lines) {
  TraceText text(source);
  TraceLine parsed;
  std::string error;
  for (const std::string& line : lines) error = text.Read(line, parsed);
  return error;
}

TEST(TraceText, OfTwitterSaysWhatItsColumnsSay) {
  TraceText text(TraceSource::kTwitter);
  const TraceLine line = Parsed(text, "12,q:q:1:abc,9,213,17,set,3600");
  EXPECT_EQ(line.key, "q:q:1:abc");
  EXPECT_EQ(line.times, 1u);
  EXPECT_EQ(line.record, (TraceRecord{.time_ns = 12'000'000'000,
                                      .value_size = 213,
                                      .ttl_seconds = 3600,
                                      .client = 17,
                                      .key_size = 9,
                                      .operation = TraceOperation::kPut}));
}

TEST(TraceText, OfTwitterMapsEachOperation) {
  const std::pair<const char*, TraceOperation> kMapped[] = {
      {"get", TraceOperation::kGet},       {"gets", TraceOperation::kGet},
      {"set", TraceOperation::kPut},       {"add", TraceOperation::kPut},
      {"replace", TraceOperation::kPut},   {"cas", TraceOperation::kPut},
      {"append", TraceOperation::kModify}, {"prepend", TraceOperation::kModify},
      {"incr", TraceOperation::kModify},   {"decr", TraceOperation::kModify},
      {"delete", TraceOperation::kErase}};
  TraceText text(TraceSource::kTwitter);
  for (const auto& [name, operation] : kMapped) {
    EXPECT_EQ(Parsed(text, std::string("0,k,1,5,1,") + name + ",0").record.operation, operation)
        << name;
  }
}

TEST(TraceText, OfTwitterTakesAGetWithoutASizeForAMiss) {
  TraceText text(TraceSource::kTwitter);
  EXPECT_EQ(Parsed(text, "0,k,1,0,1,get,0").misses, 1u);
  EXPECT_EQ(Parsed(text, "0,k,1,7,1,get,0").misses, 0u);
  EXPECT_EQ(Parsed(text, "0,k,1,0,1,set,0").misses, 0u);
}

TEST(TraceText, OfTwitterMayHaveCommasInItsKeysAndLinesThatEndAsOfWindows) {
  TraceText text(TraceSource::kTwitter);
  EXPECT_EQ(Parsed(text, "0,a,b,,c,6,7,1,get,0\r").key, "a,b,,c");
}

TEST(TraceText, OfTwitterSaysWhereItIsWrong) {
  const auto error = [](const std::string& line) { return Error(TraceSource::kTwitter, {line}); };
  EXPECT_THAT(error("0,k,1,7,1,get"), StartsWith("column 11: the line has 6 fields instead of 7"));
  EXPECT_THAT(error(""), StartsWith("column 1: the line has 1 fields"));
  EXPECT_THAT(error("x,k,1,7,1,get,0"), StartsWith("column 1 (timestamp): \"x\" is no whole"));
  EXPECT_THAT(error("0,,1,7,1,get,0"), StartsWith("column 3 (key): is empty"));
  EXPECT_THAT(error("0,k,-1,7,1,get,0"), StartsWith("column 5 (key size): \"-1\""));
  EXPECT_THAT(error("0,k,70000,7,1,get,0"), HasSubstr("from 0 to 65535"));
  EXPECT_THAT(error("0,k,1,4294967296,1,get,0"), StartsWith("column 7 (value size)"));
  EXPECT_THAT(error("0,k,1,7,1.5,get,0"), StartsWith("column 9 (client id)"));
  EXPECT_THAT(error("0,k,1,7,1,gat,0"),
              StartsWith("column 11 (operation): \"gat\" is none of get"));
  EXPECT_THAT(error("0,k,1,7,1,get,"), StartsWith("column 15 (TTL)"));
  EXPECT_THAT(error("99999999999999999999,k,1,7,1,get,0"), StartsWith("column 1 (timestamp)"));
}

TEST(TraceText, OfMetaFindsItsColumnsByTheirNames) {
  TraceText text(TraceSource::kMeta);
  EXPECT_EQ(Parsed(text, kMetaNames).times, 0u);
  const TraceLine line = Parsed(text, "564726470,abc,20,SET,35,100,0,300,9");
  EXPECT_EQ(line.key, "abc");
  EXPECT_EQ(line.times, 35u);
  EXPECT_EQ(line.record, (TraceRecord{.time_ns = 564'726'470'000'000'000,
                                      .value_size = 100,
                                      .ttl_seconds = 300,
                                      .key_size = 20,
                                      .operation = TraceOperation::kPut}));
  TraceText other(TraceSource::kMeta);
  EXPECT_EQ(Parsed(other, "size,op,key,op_time,op_count,key_size").times, 0u);
  const TraceLine of_other = Parsed(other, "7,DELETE,k,5,2,1");
  EXPECT_EQ(of_other.record.operation, TraceOperation::kErase);
  EXPECT_EQ(of_other.record.value_size, 7u);
  EXPECT_EQ(of_other.times, 2u);
}

TEST(TraceText, OfMetaLetsTheMissesOfALineComeFirst) {
  TraceText text(TraceSource::kMeta);
  Parsed(text, kMetaNames);
  EXPECT_EQ(Parsed(text, "1,k,7,GET,5,50,2,0,9").misses, 3u);
  EXPECT_EQ(Parsed(text, "1,k,7,GET_LEASE,5,50,9,0,9").misses, 0u);
  EXPECT_EQ(Parsed(text, "1,k,7,GET,5,0,0,0,9").misses, 5u);
  EXPECT_EQ(Parsed(text, "1,k,7,SET_LEASE,5,50,0,0,9").misses, 0u);
  TraceText older(TraceSource::kMeta);
  Parsed(older, "op_time,key,key_size,op,op_count,size");
  EXPECT_EQ(Parsed(older, "1,k,7,GET,5,50").misses, 0u) << "it does not say how many hit";
  EXPECT_EQ(Parsed(older, "1,k,7,GET,5,0").misses, 5u);
}

TEST(TraceText, OfMetaLeavesOutWhatItCannotMap) {
  TraceText text(TraceSource::kMeta);
  Parsed(text, kMetaNames);
  EXPECT_EQ(Parsed(text, "1,k,7,SAT,5,50,2,0,9").left_out, "\"SAT\"");
  EXPECT_EQ(Parsed(text, "1,k,7,GET,0,50,2,0,9").left_out, "GET of op_count 0");
  EXPECT_EQ(Parsed(text, "1,k,7,GET,1,50,1,0,9").left_out, "");
}

TEST(TraceText, OfMetaSaysWhereItIsWrong) {
  const auto error = [](const std::string& line) {
    return Error(TraceSource::kMeta, {kMetaNames, line});
  };
  EXPECT_THAT(Error(TraceSource::kMeta, {"key,op,size,op_count"}),
              HasSubstr("names no `key_size`"));
  EXPECT_THAT(Error(TraceSource::kMeta, {"op_time,key,op_time"}),
              StartsWith("column 13: `op_time` is named a second time"));
  EXPECT_THAT(error("1,k,7,GET,1,50,1,0"), HasSubstr("has 8 fields, and the first one named 9"));
  EXPECT_THAT(error("1,k,7,GET,2000000,50,1,0,9"), StartsWith("column 11 (op_count)"));
  EXPECT_THAT(error("1,k,7,GET,1,x,1,0,9"), StartsWith("column 13 (size)"));
  EXPECT_THAT(error("1,,7,GET,1,50,1,0,9"), StartsWith("column 3 (key): is empty"));
}

TEST(TraceText, OfOurOwnHasNanosecondsAndDefaults) {
  TraceText text(TraceSource::kCsv);
  Parsed(text, kCsvNames);
  EXPECT_EQ(Parsed(text, "1001,put,abc,70,60,3").record,
            (TraceRecord{.time_ns = 1001,
                         .value_size = 70,
                         .ttl_seconds = 60,
                         .client = 3,
                         .key_size = 3,
                         .operation = TraceOperation::kPut}));
  EXPECT_EQ(Parsed(text, "1001,miss,abc,0,0,0").misses, 1u);
  EXPECT_EQ(Parsed(text, "1001,get,abc,0,0,0").misses, 0u);
  TraceText small(TraceSource::kCsv);
  Parsed(small, "key,time_ns,op");
  EXPECT_EQ(Parsed(small, "k,5,modify").record.operation, TraceOperation::kModify);
  EXPECT_EQ(Parsed(small, "k,5,erase").record.operation, TraceOperation::kErase);
  EXPECT_THAT(Error(TraceSource::kCsv, {kCsvNames, "1,GET,k,0,0,0"}),
              StartsWith("column 3 (op): \"GET\" is none of get, miss, put"));
  EXPECT_THAT(Error(TraceSource::kCsv, {"1,get,k"}), HasSubstr("names no `time_ns`"));
}

}  // namespace levelfield::trace_text_test
