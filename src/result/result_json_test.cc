#include "result/result_json.h"

#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/json_text.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/text.h"

namespace levelfield::result_json_test {

using Json = nlohmann::ordered_json;

// Calls visit(part) for the struct and for each struct in it.
template <class T, class Visit>
void ForEachStruct(const T& part, const Visit& visit) {
  if constexpr (requires { T::kFields; }) {
    visit(part);
    T::kFields.ForEach([&](const auto row) { ForEachStruct(part.*row.member, visit); });
  } else if constexpr (requires {
                         requires std::is_default_constructible_v<typename T::value_type>;
                       } && !std::is_same_v<T, std::string>) {
    ForEachStruct(typename T::value_type(), visit);
  }
}

// Random results.
uint64_t Number() {
  return *rc::gen::oneOf(rc::gen::arbitrary<uint64_t>(), rc::gen::just(uint64_t{0}),
                         rc::gen::just(~uint64_t{0}));
}
double Seconds() { return std::ldexp(static_cast<double>(Number() >> 11), -40); }
// With the characters that JSON, terminals and tables have to mind.
std::string Text() {
  const auto piece = rc::gen::element<std::string>("a", "Z", "0", " ", "\"", "\\", "/", "<b>", "|",
                                                   "\n", "\x1b[2J", std::string(1, '\0'), "\x7f",
                                                   "é", "漢", "\xf0\x9f\x94\xa5", "\xc2\x9b", "{");
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  return text;
}
bool Yes() { return *rc::gen::arbitrary<bool>(); }
size_t Few() { return *rc::gen::inRange<size_t>(0, 4); }
Histogram AnyHistogram() {
  Histogram histogram;
  for (size_t i = Few() * 5; i > 0; --i) histogram.Add(Number());
  return histogram;
}
Ticks AnyTicks() {
  Ticks ticks;
  ticks.operations.resize(Few());
  for (size_t i = Few(); i > 0; --i) {
    ticks.end_ms.push_back(i == 1 ? UINT64_MAX : 100 * ticks.end_ms.size());
    for (std::vector<uint64_t>& of_role : ticks.operations) of_role.push_back(Number());
  }
  if (Yes()) {
    for (size_t i = 0; i < ticks.end_ms.size(); ++i) ticks.dirtied_bytes.push_back(Number());
  }
  if (!Yes()) return ticks;
  ticks.activities.emplace();
  if (ticks.end_ms.size() < 3) return ticks;
  ticks.activities = {{"flush", {{0, 0}, {2, 2}}}, {"write \x7f", {{1, 2}}}, {"none", {}}};
  return ticks;
}
SpaceSeries AnySpace() {
  SpaceSeries space;
  for (size_t i = Few(); i > 0; --i) {
    space.at_ms.push_back(1000 * space.at_ms.size());
    space.allocated_bytes.push_back(Number());
  }
  return space;
}

// Fills a value in, whatever it is; a struct field by field.
template <class T>
void Fill(T& value);
void Fill(std::optional<Effects>& effects) {
  for (const auto& [effect, name] : kEffectNames) {
    if (Yes()) effects = effects.value_or(Effects::None()) | effect;
  }
}
template <class T>
void Fill(std::vector<T>& values);
template <class T>
void Fill(std::vector<std::pair<std::string, T>>& pairs);
template <class T>
void Fill(std::optional<T>& value) {
  if (!Yes()) return;
  value = T{};  // Clang 16 knows no emplace() for a struct that stands within another.
  Fill(*value);
}
template <class T>
void Fill(Boxed<T>& value) {
  if (!Yes()) return;
  Fill(value.emplace());
}
template <class T>
void Fill(std::vector<T>& values) {
  for (size_t i = Few(); i > 0; --i) Fill(values.emplace_back());
}
template <class T>
void Fill(std::vector<std::pair<std::string, T>>& pairs) {
  for (size_t i = Few(); i > 0; --i) Fill(pairs.emplace_back("n" + std::to_string(i), T()).second);
}
template <class T>
void Fill(T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = Yes();
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    value = Number();
  } else if constexpr (std::is_same_v<T, double>) {
    value = Yes() ? Seconds() : -Seconds();
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = Text();
  } else if constexpr (NamedEnum<T>) {
    const auto names = NamesOf(T());
    value = names[*rc::gen::inRange<size_t>(0, names.size())].first;
  } else if constexpr (std::is_same_v<T, HowChecked>) {
    Fill(value.answers);
    Fill(value.is_store_verified);
  } else if constexpr (std::is_same_v<T, SparseHistogram>) {
    value = AnyHistogram();
  } else if constexpr (std::is_same_v<T, Ticks>) {
    value = AnyTicks();
  } else if constexpr (std::is_same_v<T, SpaceSeries>) {
    value = AnySpace();
  } else {
    T::kFields.ForEach([&](const auto row) { Fill(value.*row.member); });
  }
}

// All members that no row has keep their defaults (fields_json.h counts those), so what is written
// twice the same has come back whole.
template <class T>
void ComesBackWithEveryField() {
  T part;
  Fill(part);
  const std::string line = ToJson(part).dump();
  RC_ASSERT(line.find('\n') == std::string::npos);
  const StatusOr<T> back = FromJson<T>(Json::parse(line));
  if (!back.ok()) RC_FAIL(back.status().message());
  RC_ASSERT(ToJson(*back).dump() == line);
}

TEST(ResultJson, EachRowHasANameAndAMemberOfItsOwn) {
  const auto check = []<class T>(const T& part) {
    std::set<std::string> names;
    std::set<const void*> members;
    T::kFields.ForEach([&](const auto row) {
      EXPECT_TRUE(names.insert(row.name).second) << T::kFields.what << ": " << row.name;
      EXPECT_TRUE(members.insert(&(part.*row.member)).second)
          << T::kFields.what << ": " << row.name;
    });
  };
  ForEachStruct(PhaseResult(), check);
  ForEachStruct(RunResult(), check);
  ForEachStruct(Overhead(), check);
  ForEachStruct(PhaseInterval(), check);
}

TEST(ResultJson, APhaseComesBackWithEveryField) {
  EXPECT_TRUE(rc::check(ComesBackWithEveryField<PhaseResult>));
}

TEST(ResultJson, APhaseIsTheSameWhenItsDetailsAreBack) {
  EXPECT_TRUE(rc::check([] {
    PhaseResult any;
    Fill(any);
    const Json whole = ToJson(any);
    Json phase = whole;
    const Json details = TakeDetails(phase);
    RC_ASSERT(phase.dump().find("sub_bucket_bits") == std::string::npos);
    RC_ASSERT(!phase.contains("counters") && details.contains("counters"));
    AddDetails(details, phase);
    RC_ASSERT(nlohmann::json::parse(phase.dump()) == nlohmann::json::parse(whole.dump()));
  }));
}

TEST(ResultJson, ARunComesBackWithEveryField) {
  EXPECT_TRUE(rc::check(ComesBackWithEveryField<RunResult>));
  EXPECT_TRUE(rc::check(ComesBackWithEveryField<Overhead>));
}

// The members that a line may lack.
const std::vector<std::string> kOptional = Split(
    "latency_ns text counters repetition sizes resources io device memory settle dirtied_bytes "
    "response_ns load load_steps slo clock_kind allocator cpus configuration round_trip_ns audit "
    "medium "
    "dirty_pages device_flushes device_writes flushes writes variant file_system service_ns "
    "lateness_ns check_detail effects lookup open_seconds close_seconds reopen_seconds "
    "clock_drift_ppm "
    "digest",
    ' ');

// One change to a good line that makes it somebody else's: a member gone, or of another type.
void ForEachDamage(Json& node, const Json& root, const std::string& path,
                   const std::function<void(const Json&, const std::string&)>& visit) {
  if (!node.is_structured()) return;
  std::vector<std::string> names;
  if (node.is_object()) {
    for (const auto& [name, value] : node.items()) names.push_back(name);
  }
  for (const std::string& name : names) {
    const Json saved = node;
    node.erase(name);
    const bool is_optional = std::ranges::find(kOptional, name) != kOptional.end();
    if (!is_optional) visit(root, path + "/" + name + " is absent");
    node = saved;
    for (const Json& other : {Json(nullptr), Json(-1), Json("text"), Json(true), Json(0.5),
                              Json::array({Json::array()}), Json{{"a", 1}}}) {
      const bool is_number = saved[name].is_number() && other.is_number();
      const bool is_empty = saved[name].is_object() && other.is_object();
      if (other.type() == saved[name].type() || is_empty) continue;
      if (is_number && saved[name].is_number_float()) continue;  // -1 and 0.5 are doubles, too.
      node[name] = other;
      visit(root, path + "/" + name + " = " + other.dump());
      node = saved;
    }
    ForEachDamage(node[name], root, path + "/" + name, visit);
  }
  if (node.is_array()) {
    for (size_t i = 0; i < node.size(); ++i) ForEachDamage(node[i], root, path + "/#", visit);
  }
}

PhaseResult Example() {
  PhaseResult phase;
  phase.workload = "fillseq";
  phase.outcome = Outcome::kOk;
  phase.roles.push_back({"writer",
                         1,
                         1,
                         0,
                         0.25,
                         0.25,
                         {{"put", kPuts, Lookup::kNone, 3, 3, 0, 348, 7, 0, Histogram()}}});
  for (const uint64_t ns : {100, 200, 300}) phase.roles[0].statistics[0].latency_ns->Add(ns);
  phase.settle = {0.5, "flush", true, 0.1, 4096};
  phase.roles[0].load = LoadResult{
      "poisson", LoadOutcome::kOk, *phase.roles[0].statistics[0].latency_ns, {1, 2}, 0.25};
  phase.load_steps.push_back(
      {5, 4.5, 1, LoadOutcome::kOk, "", *phase.roles[0].statistics[0].latency_ns, {}, {}});
  phase.slo = {"p99<1ms", 5};
  return phase;
}

// As it comes from a file, where a number has no sign of its own.
template <class Part>
Json Written(const Part& part) {
  return Json::parse(ToJson(part).dump());
}

TEST(ResultJson, AnEffectThatIsUnknownIsRefusedAndNoneThatIsSaidIsNotKnown) {
  Json phase = Written(Example());
  Json& stats = phase["roles"][0]["lanes"][0];
  const auto effects = [&] {
    return Must(FromJson<PhaseResult>(phase)).roles[0].statistics[0].effects;
  };
  EXPECT_EQ(effects(), kPuts);
  stats["effects"] = Json::array();
  EXPECT_EQ(effects(), Effects::None());
  stats["effects"] = {"writes", "blesses"};
  EXPECT_THAT(ErrorOf(FromJson<PhaseResult>(phase)), HasSubstr("\"blesses\""));
  stats.erase("effects");
  EXPECT_EQ(effects(), std::nullopt);
}

TEST(ResultJson, AMemberThatIsMissingOrOfAnotherTypeIsRefused) {
  Json phase = Written(Example());
  ASSERT_TRUE(FromJson<PhaseResult>(phase).ok()) << FromJson<PhaseResult>(phase).status().message();
  int damages = 0;
  ForEachDamage(phase, phase, "", [&](const Json& damaged, const std::string& what) {
    EXPECT_FALSE(FromJson<PhaseResult>(damaged).ok()) << what;
    ++damages;
  });
  EXPECT_GT(damages, 150);
  RunResult run;
  run.notes.emplace_back("a note");
  Json run_json = Written(run);
  ASSERT_TRUE(FromJson<RunResult>(run_json).ok());
  ForEachDamage(run_json, run_json, "", [&](const Json& damaged, const std::string& what) {
    EXPECT_FALSE(FromJson<RunResult>(damaged).ok()) << what;
  });
}

TEST(ResultJson, AMemberOfANewerVersionIsSkipped) {
  Json json = Written(Example());
  json["newer"] = {{"a", 1}};
  json["roles"][0]["newer"] = 5;
  json["roles"][0]["lanes"][0]["newer"] = nullptr;
  const PhaseResult back = Must(FromJson<PhaseResult>(json));
  EXPECT_EQ(ToJson(back), ToJson(Example()));
}

TEST(ResultJson, TheCountsOfEachThreadComeBack) {
  PhaseResult phase = Example();
  phase.run_seconds = 0.5;
  phase.roles[0].thread_operations = {1, 2};
  phase.roles[0].thread_calls = {1, 1};
  phase.roles[0].operations_per_second = 12;
  phase.roles[0].statistics[0].entry_bytes = 116;
  const Json json = Written(phase);
  const PhaseResult back = Must(FromJson<PhaseResult>(json));
  EXPECT_EQ(ToJson(back), ToJson(phase));
  Json damaged = json;
  damaged["roles"][0]["thread_operations"][1] = "2";
  EXPECT_FALSE(FromJson<PhaseResult>(damaged).ok());
  damaged = json;
  damaged["roles"][0].erase("thread_calls");
  EXPECT_FALSE(FromJson<PhaseResult>(damaged).ok());
}

TEST(ResultJson, HistogramsThatNoValuesMakeAreRefused) {
  const auto with = [](const char* name, const Json& value) {
    Json json = Written(Example());
    json["roles"][0]["lanes"][0]["latency_ns"][name] = value;
    return FromJson<PhaseResult>(json).ok();
  };
  EXPECT_TRUE(with("count", 3u));
  EXPECT_FALSE(with("count", 4u));
  EXPECT_FALSE(with("sub_bucket_bits", 5u));
  EXPECT_FALSE(with("min", 301u));  // Above the maximum.
  const auto bucket = [](uint64_t index, uint64_t count) { return Json::array({index, count}); };
  EXPECT_FALSE(with("buckets", Json::array({bucket(1'000'000, 3)})));
  EXPECT_FALSE(with("buckets", Json::array({bucket(1, ~uint64_t{0}), bucket(2, 4)})));
  EXPECT_FALSE(with("buckets", Json::array({Json::array({1u})})));
}

TEST(ResultJson, AnUnknownOutcomeOrDigestIsRefused) {
  Json json = Written(Example());
  json["outcome"] = "splendid";
  EXPECT_THAT(FromJson<PhaseResult>(json).status().message(),
              AllOf(HasSubstr("outcome"), HasSubstr("splendid")));
  for (const char* const digest : {"", "123", "0x00000000000000", "zzzzzzzzzzzzzzzz",
                                   "00000000000000000", "FFFFFFFFFFFFFFFF"}) {
    json = Written(Example());
    json["roles"][0]["lanes"][0]["digest"] = digest;
    EXPECT_FALSE(FromJson<PhaseResult>(json).ok()) << digest;
  }
}

TEST(ResultJson, EveryOutcomeHasANameThatLeadsBackToIt) {
  for (const auto& [outcome, name] : kOutcomeNames) {
    EXPECT_EQ(NameOf(outcome), name);
    EXPECT_EQ(FromName<Outcome>(name), outcome);
  }
  EXPECT_EQ(std::size(kOutcomeNames), static_cast<size_t>(Outcome::kStopped) + 1);
  EXPECT_EQ(FromName<Outcome>(""), std::nullopt);
}

// What nobody chose for us: names of files, messages of engines, paths.
TEST(ResultJson, TextsOfAnyBytesReadBackExactly) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    PhaseResult phase = Example();
    RunResult run;
    const std::vector<std::string*> texts = {
        &phase.workload,      &phase.family,
        &phase.message,       &phase.check_detail,
        &phase.text,          &phase.note,
        &phase.roles[0].name, &phase.roles[0].statistics[0].operation,
        &run.engine,          &run.label,
        &run.warning,         &run.library_path,
        &run.message,         &run.clock};
    for (std::string* const text : texts) *text = bytes + "\xff\uef80";
    run.notes = run.stderr_tail = {bytes, "\xc3"};
    const auto phase_back = FromJson<PhaseResult>(ParseJsonText(JsonText(ToJson(phase))));
    RC_ASSERT(phase_back.ok());
    RC_ASSERT(ToJson(*phase_back) == ToJson(phase));
    RC_ASSERT(phase_back->workload == bytes + "\xff\uef80");
    const auto run_back = FromJson<RunResult>(ParseJsonText(JsonText(ToJson(run))));
    RC_ASSERT(run_back.ok());
    RC_ASSERT(ToJson(*run_back) == ToJson(run));
    RC_ASSERT(run_back->notes == run.notes);
  }));
}

}  // namespace levelfield::result_json_test
