#include "result/time_series.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/status_for_test.h"
#include "result/result_json.h"

namespace levelfield::time_series_test {

using Json = nlohmann::ordered_json;

PhaseInterval Example() {
  Histogram histogram;
  for (uint64_t ns = 1; ns < 1'000'000; ns *= 3) histogram.Add(ns);
  Histogram later;
  for (uint64_t ns = 1; ns < 1'000'000; ns *= 3) later.Add(ns + 1000);
  PhaseInterval interval{.begin_ms = 1000, .end_ms = 2001, .roles = {}};
  interval.roles.push_back({.name = "reader",
                            .operations = 14,
                            .statistics = {{.operation = "get",
                                            .latency_ns = SparseHistogram(histogram),
                                            .response_ns = SparseHistogram(later)},
                                           {.operation = "put", .latency_ns = {}}}});
  interval.roles.push_back({.name = "writer", .operations = 0, .statistics = {}});
  return interval;
}

// Whether what was written is still taken with another value at a path.
template <class T>
bool IsTakenWith(const T& written, const char* path, const char* value) {
  Json json = Json::parse(ToJson(written).dump());
  EXPECT_EQ(ToJson(Must(FromJson<T>(json))), ToJson(written));
  json[Json::json_pointer(path)] = Json::parse(value);
  return FromJson<T>(json).ok();
}

TEST(TimeSeriesJson, AnIntervalComesBack) {
  const std::string text = ToJson(Example()).dump();
  const PhaseInterval back = Must(FromJson<PhaseInterval>(Json::parse(text)));
  EXPECT_EQ(back.begin_ms, 1000u);
  EXPECT_EQ(back.end_ms, 2001u);
  ASSERT_EQ(back.roles.size(), 2u);
  EXPECT_EQ(back.roles[0].operations, 14u);
  EXPECT_EQ(back.roles[0].statistics[0].latency_ns.Count(), 13u);
  EXPECT_EQ(back.roles[0].statistics[0].response_ns.value().Count(), 13u);
  EXPECT_EQ(back.roles[0].statistics[0].response_ns->Max(), 531'441u + 1000u);
  EXPECT_FALSE(back.roles[0].statistics[1].response_ns.has_value());
  EXPECT_EQ(ToJson(back).dump(), text);
}

TEST(TimeSeriesJson, BrokenIntervalsAreRefused) {
  const auto with = std::bind_front(IsTakenWith<PhaseInterval>, Example());
  EXPECT_TRUE(with("/end_ms", "3000"));
  EXPECT_FALSE(with("/end_ms", "999"));
  EXPECT_FALSE(with("/begin_ms", "\"1\""));
  EXPECT_FALSE(with("/roles", "1"));
  EXPECT_FALSE(with("/roles/0", "1"));
  EXPECT_FALSE(with("/roles/0/operations", "-1"));
  EXPECT_FALSE(with("/roles/0/lanes/0", "null"));
  EXPECT_FALSE(with("/roles/0/lanes/0/operation", "1"));
  EXPECT_FALSE(with("/roles/0/lanes/0/latency_ns/count", "1"));
  EXPECT_FALSE(with("/roles/0/lanes/0/response_ns/count", "1"));
  EXPECT_FALSE(with("/roles/0/lanes/0/response_ns", "null"));
  EXPECT_FALSE(FromJson<PhaseInterval>(Json()).ok());
  EXPECT_FALSE(FromJson<PhaseInterval>(Json::array()).ok());
}

TEST(TimeSeriesJson, BrokenTicksAreRefused) {
  const Ticks ticks{.end_ms = {100, 200, 305},
                    .operations = {{1, 2, 3}, {0, 0, 0}},
                    .activities = std::vector<Activity>{{"flush", {{0, 0}, {2, 2}}}}};
  const auto with = std::bind_front(IsTakenWith<Ticks>, ticks);
  EXPECT_TRUE(with("/end_ms/1", "150"));
  EXPECT_TRUE(with("/activities/flush", "[[1, 1]]"));
  EXPECT_FALSE(with("/end_ms/1", "50"));
  EXPECT_FALSE(with("/end_ms/1", "\"200\""));
  EXPECT_FALSE(with("/end_ms", "null"));
  EXPECT_FALSE(with("/operations/0", "[1, 2]"));
  EXPECT_FALSE(with("/operations/0/0", "-1"));
  EXPECT_FALSE(with("/activities", "1"));
  EXPECT_FALSE(with("/activities/flush", "[[2, 3]]"));
  EXPECT_FALSE(with("/activities/flush", "[[1, 0]]"));
  EXPECT_FALSE(with("/activities/flush", "[[1, 2], [2, 2]]"));
  EXPECT_FALSE(with("/activities/flush", "[1]"));
  EXPECT_FALSE(FromJson<Ticks>(Json()).ok());
}

TEST(TimeSeriesJson, BrokenSeriesOfSpaceAreRefused) {
  const SpaceSeries space{.at_ms = {700, 1701, 2702}, .allocated_bytes = {4096, 8192, 4096}};
  const auto with = std::bind_front(IsTakenWith<SpaceSeries>, space);
  EXPECT_TRUE(with("/allocated_bytes/1", "0"));
  EXPECT_FALSE(with("/at_ms/1", "3000"));
  EXPECT_FALSE(with("/at_ms", "[700, 1701]"));
  EXPECT_FALSE(with("/allocated_bytes", "null"));
  EXPECT_FALSE(with("/allocated_bytes/0", "-1"));
  EXPECT_FALSE(FromJson<SpaceSeries>(Json()).ok());
}

}  // namespace levelfield::time_series_test
