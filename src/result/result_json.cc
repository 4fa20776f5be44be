#include "result/result_json.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "result/fields_json.h"

namespace levelfield {

// "in the loop, verified".
template <>
struct Codec<HowChecked> {
  static constexpr bool kIsScalar = true;
  static Json Write(const HowChecked& checked) { return WordsOf(checked); }
  static void Read(const Json& json, const char* field, HowChecked& checked, Reader& reader) {
    std::string words;
    Codec<std::string>::Read(json, field, words, reader);
    for (const auto& [answers, name] : kAnswersCheckedNames) {
      for (const bool is_store_verified : {false, true}) {
        checked = {answers, is_store_verified};
        if (WordsOf(checked) == words) return;
      }
    }
    checked = {};
    reader.Fail(fmt::format("has the unknown {} \"{}\"", field, words));
  }
};

// A list of names.
template <>
struct Codec<std::optional<Effects>> {
  static constexpr bool kIsScalar = false;
  static Json Write(const std::optional<Effects>& effects) {
    Json json = Json::array();
    for (const auto& [effect, name] : kEffectNames) {
      if (effects->Has(effect)) json.push_back(name);
    }
    return json;
  }
  static void Read(const Json& json, const char* field, std::optional<Effects>& effects,
                   Reader& reader) {
    std::vector<std::string> names;
    Codec<std::vector<std::string>>::Read(json, field, names, reader);
    effects = Effects::None();
    for (const std::string& name : names) {
      const std::optional<Effect> known = FromName<Effect>(name);
      if (!known) return reader.Fail(fmt::format("has an unknown effect \"{}\"", name));
      effects = *effects | *known;
    }
  }
};

template <>
struct Codec<SparseHistogram> {
  static constexpr bool kIsScalar = false;
  static Json Write(const SparseHistogram& histogram) { return ToJson(histogram); }
  static void Read(const Json& json, const char*, SparseHistogram& histogram, Reader& reader) {
    StatusOr<SparseHistogram> read = HistogramFromJson(json);
    reader.Fail(read.status());
    if (read.ok()) histogram = std::move(*read);
  }
};

template <>
struct Codec<std::vector<Activity>> {
  using Runs = Codec<std::vector<std::pair<uint64_t, uint64_t>>>;
  static constexpr bool kIsScalar = false;
  static Json Write(const std::vector<Activity>& activities) {
    Json json = Json::object();
    for (const Activity& activity : activities) json[activity.name] = Runs::Write(activity.ticks);
    return json;
  }
  static void Read(const Json& json, const char*, std::vector<Activity>& activities,
                   Reader& reader) {
    if (!json.is_object()) return reader.Fail("has activities that are no object");
    for (const auto& [name, runs] : json.items()) {
      Activity& activity = activities.emplace_back();
      activity.name = name;
      if (!Runs::Take(runs, activity.ticks)) {
        return reader.Fail("has activities at ticks that it has not");
      }
    }
  }
};

Json ToJson(const SparseHistogram& histogram) {
  Json buckets = Json::array();
  for (const Histogram::Bucket& bucket : histogram.NonEmpty()) {
    buckets.push_back({bucket.bucket, bucket.count});
  }
  return {{"sub_bucket_bits", Histogram::kSubBucketBits},
          {"count", histogram.Count()},
          {"sum", histogram.Sum()},
          {"min", histogram.Min()},
          {"max", histogram.Max()},
          {"buckets", std::move(buckets)}};
}

StatusOr<SparseHistogram> HistogramFromJson(const Json& json) {
  Reader reader(json, "a histogram");
  if (reader.Get<uint64_t>("sub_bucket_bits") != Histogram::kSubBucketBits) {
    reader.Fail("has another width of its buckets than this program");
  }
  std::vector<Histogram::Bucket> buckets;
  for (const auto& [bucket, count] :
       reader.Get<std::vector<std::pair<uint64_t, uint64_t>>>("buckets")) {
    buckets.push_back({bucket, count});
  }
  std::optional<SparseHistogram> histogram =
      SparseHistogram::Restore(std::move(buckets), reader.Get<uint64_t>("sum"),
                               reader.Get<uint64_t>("min"), reader.Get<uint64_t>("max"));
  if (!histogram || histogram->Count() != reader.Get<uint64_t>("count")) {
    reader.Fail("has buckets that no values fill so");
  }
  RETURN_IF_ERROR(reader.status());
  return std::move(*histogram);
}

namespace {

// And every histogram. docs/reference/result_format.md lists the details.
constexpr std::array<std::string_view, 22> kDetails = {"text",
                                                       "counters",
                                                       "sizes",
                                                       "resources",
                                                       "conditions",
                                                       "ceilings",
                                                       "page_cache",
                                                       "audit",
                                                       "medium",
                                                       "settle",
                                                       "ticks",
                                                       "space",
                                                       "slices",
                                                       "check_detail",
                                                       "open_seconds",
                                                       "close_seconds",
                                                       "reopen_seconds",
                                                       "clock_drift_ppm",
                                                       "thread_operations",
                                                       "thread_calls",
                                                       "digest",
                                                       "effects"};

bool IsDetail(std::string_view name, const Json& value) {
  const bool is_histogram = value.is_object() && value.contains("sub_bucket_bits");
  return is_histogram || std::ranges::find(kDetails, name) != kDetails.end();
}

}  // namespace

Json TakeDetails(Json& phase) {
  Json details;
  if (phase.is_array()) {
    for (Json& element : phase) details.push_back(TakeDetails(element));
    const bool is_any = std::ranges::any_of(details, [](const Json& of) { return !of.is_null(); });
    return is_any ? details : Json();
  }
  if (!phase.is_object()) return details;
  Json kept = Json::object();
  for (auto&& [name, value] : phase.items()) {
    const bool is_detail = IsDetail(name, value);
    Json taken = is_detail ? std::move(value) : TakeDetails(value);
    if (!taken.is_null()) details[name] = std::move(taken);
    if (!is_detail) kept[name] = std::move(value);
  }
  phase = std::move(kept);
  return details;
}

void AddDetails(Json details, Json& phase) {
  if (details.is_array() && phase.is_array()) {
    for (size_t i = 0; i < std::min(details.size(), phase.size()); ++i) {
      AddDetails(std::move(details[i]), phase[i]);
    }
  }
  if (!details.is_object() || !phase.is_object()) return;
  for (auto&& [name, value] : details.items()) {
    const auto member = phase.find(name);
    if (member == phase.end()) {
      phase[name] = std::move(value);
    } else {
      AddDetails(std::move(value), *member);
    }
  }
}

template <class T>
requires requires { T::kFields; }
Json ToJson(const T& part) { return Codec<T>::Write(part); }

template <class T>
StatusOr<T> FromJson(const Json& json) {
  T part;
  RETURN_IF_ERROR(Codec<T>::Read(json, part));
  return part;
}

// Structs that are a line of their own, or a part of a worker's message.
#define LEVELFIELD_WRITTEN_AS_JSON(T) \
  template Json ToJson(const T&);     \
  template StatusOr<T> FromJson(const Json&);
LEVELFIELD_WRITTEN_AS_JSON(PhaseResult)
LEVELFIELD_WRITTEN_AS_JSON(PhaseInterval)
LEVELFIELD_WRITTEN_AS_JSON(RunResult)
LEVELFIELD_WRITTEN_AS_JSON(Variant)
LEVELFIELD_WRITTEN_AS_JSON(Overhead)
LEVELFIELD_WRITTEN_AS_JSON(TriedSetting)
LEVELFIELD_WRITTEN_AS_JSON(Audit)
LEVELFIELD_WRITTEN_AS_JSON(CacheResult)
LEVELFIELD_WRITTEN_AS_JSON(Ticks)
LEVELFIELD_WRITTEN_AS_JSON(SpaceSeries)
#undef LEVELFIELD_WRITTEN_AS_JSON

}  // namespace levelfield
