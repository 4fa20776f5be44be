#include "result/result_json.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "analysis/result_files.h"
#include "base/files_for_test.h"
#include "base/json_text.h"
#include "result/outcome_name.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

// All fields of a struct, to compare two. The structured bindings do not compile any more when a
// field is added, so that none is forgotten here, nor in the JSON.
auto Fields(const SparseHistogram& histogram) {
  std::vector<std::pair<uint64_t, uint64_t>> buckets;
  for (const auto& [bucket, count] : histogram.NonEmpty()) buckets.emplace_back(bucket, count);
  return std::tuple(buckets, histogram.Sum(), histogram.Min(), histogram.Max());
}
auto Fields(const LaneResult& lane) {
  const auto& [operation, operations, hits, misses, bytes, digest, wrong, latency_ns, entry_bytes,
               response_ns] = lane;
  return std::tuple(operation, operations, hits, misses, bytes, digest, wrong,
                    latency_ns.has_value(), Fields(latency_ns.value_or(Histogram())), entry_bytes,
                    response_ns.has_value(), Fields(response_ns.value_or(Histogram())));
}
auto Fields(const LoadResult& load) {
  const auto& [arrival, verdict, lateness_ns, backlog_ns, interval_seconds] = load;
  return std::tuple(arrival, verdict, Fields(lateness_ns), backlog_ns, interval_seconds);
}
auto Fields(const LoadStep& step) {
  const auto& [rate, achieved, seconds, verdict, message, service_ns, response_ns, lateness_ns] =
      step;
  return std::tuple(rate, achieved, seconds, verdict, message, Fields(service_ns),
                    Fields(response_ns), Fields(lateness_ns));
}
auto Fields(const RoleResult& role) {
  const auto& [name, threads, batch, seconds, thread_seconds, lanes, rate, thread_operations,
               thread_calls, operations_per_second, load] = role;
  std::vector<decltype(Fields(LaneResult()))> all_lanes;
  for (const LaneResult& lane : lanes) all_lanes.push_back(Fields(lane));
  return std::tuple(name, threads, batch, rate, seconds, thread_seconds, all_lanes,
                    thread_operations, thread_calls, operations_per_second, load.has_value(),
                    Fields(load.value_or(LoadResult())));
}
auto Fields(const PhaseResult& phase) {
  const auto& [workload, family, durability, level, store_level, outcome, message, implicit, timed,
               roles, text, checked, check_detail, verified_entries, open_seconds, close_seconds,
               reopen_seconds, disk_bytes, clock_drift_ppm, counters, note, repetition, sizes,
               resources, peak_disk_bytes, live_bytes, conditions, ceilings, page_cache,
               run_seconds, settle, load_steps, slo, audit, medium, ticks, space] = phase;
  std::vector<decltype(Fields(RoleResult()))> all_roles;
  for (const RoleResult& role : roles) all_roles.push_back(Fields(role));
  std::vector<decltype(Fields(LoadStep()))> all_steps;
  for (const LoadStep& step : load_steps) all_steps.push_back(Fields(step));
  return std::tuple(workload, family, durability, level, store_level, outcome, message, implicit,
                    timed, all_roles, text, checked, check_detail, verified_entries, open_seconds,
                    close_seconds, reopen_seconds, disk_bytes, clock_drift_ppm, counters, note,
                    repetition.number, repetition.of, repetition.warm_up, sizes, resources,
                    peak_disk_bytes, live_bytes, conditions, ceilings, page_cache, run_seconds,
                    settle, all_steps, slo.has_value(), slo.value_or(SloResult()).objective,
                    slo.value_or(SloResult()).rate, audit, medium, ticks, space);
}
// But its phases, which have lines of their own, deviations, which the manifest has, and whether it
// was cut off, which follows from all lines.
auto Fields(const RunResult& run) {
  const auto& [engine, label, version, warning, library_path, library_sha256, floor, outcome,
               message, stderr_tail, settings, notes, clock, round, seed, padding_bytes, phases,
               memory, allocator, cpus, configuration, file_system, variant, deviations, cut_off] =
      run;
  const auto [limit, peak] = memory.value_or(RunResult::Memory());
  return std::tuple(engine, label, version, warning, library_path, library_sha256, floor, outcome,
                    message, stderr_tail, settings, notes, clock, round, seed, padding_bytes,
                    memory.has_value(), limit, peak, allocator, cpus, configuration, file_system,
                    variant.number, variant.name, variant.settings);
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
Outcome AnyOutcome() {
  return *rc::gen::element(Outcome::kOk, Outcome::kWrong, Outcome::kFailed, Outcome::kUnsupported,
                           Outcome::kInterrupted, Outcome::kNotRun, Outcome::kInvalid,
                           Outcome::kSkipped, Outcome::kStopped);
}

Histogram AnyHistogram() {
  Histogram histogram;
  for (size_t i = Few() * 5; i > 0; --i) histogram.Add(Number());
  return histogram;
}
LaneResult AnyLane() {
  LaneResult lane{Text(),   Number(), Number(),     Number(), Number(),
                  Number(), Number(), std::nullopt, Number()};
  if (Yes()) lane.latency_ns = AnyHistogram();
  if (Yes()) lane.response_ns = AnyHistogram();
  return lane;
}
LoadResult AnyLoad() {
  LoadResult load{Text(), Text(), AnyHistogram(), {}, Seconds()};
  for (size_t i = Few(); i > 0; --i) load.backlog_ns.push_back(Number());
  return load;
}
LoadStep AnyStep() {
  return {Number(), Seconds(),      Seconds(),      Text(),
          Text(),   AnyHistogram(), AnyHistogram(), AnyHistogram()};
}
RoleResult AnyRole() {
  RoleResult role{Text(), Number(), Number(), Seconds(), Seconds(), {}, Number(), {}, {}, {}};
  for (size_t i = Few(); i > 0; --i) {
    role.thread_operations.push_back(Number());
    role.thread_calls.push_back(Number());
  }
  if (Yes()) role.operations_per_second = Seconds();
  if (Yes()) role.load = AnyLoad();
  for (size_t i = Few(); i > 0; --i) role.lanes.push_back(AnyLane());
  return role;
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
  ticks.tells_activities = Yes();
  if (!ticks.tells_activities || ticks.end_ms.size() < 3) return ticks;
  ticks.activities = {{"flush", {{0, 0}, {2, 2}}}, {"write \x7f", {{1, 2}}}, {"none", {}}};
  return ticks;
}
PhaseResult AnyPhase() {
  PhaseResult phase{Text(),     Text(),
                    Text(),     Text(),
                    Text(),     AnyOutcome(),
                    Text(),     Yes(),
                    Yes(),      {},
                    Text(),     Text(),
                    Text(),     Number(),
                    Seconds(),  Seconds(),
                    Seconds(),  Number(),
                    -Seconds(), {},
                    Text(),     {Number(), Number(), Yes()}};
  phase.run_seconds = Seconds();
  phase.peak_disk_bytes = Number();
  phase.live_bytes = Number();
  if (Yes()) {
    phase.conditions = Conditions{.seconds = Seconds()};
    if (Yes()) phase.conditions->stolen_share = Seconds();
    if (Yes()) phase.conditions->others_share = Seconds();
    if (Yes()) phase.conditions->end_mhz = Seconds();
  }
  if (Yes()) phase.page_cache = PageCacheShare{Yes(), Number(), Number(), Number(), Number()};
  if (Yes()) {
    phase.ceilings = Ceilings{Seconds(), Number(),  Seconds(), Seconds(), Seconds(),
                              Number(),  Seconds(), Seconds(), {},        {}};
    if (Yes()) phase.ceilings->device_flushes = Number();
    if (Yes()) phase.ceilings->device_writes = Number();
  }
  if (Yes()) phase.medium = Medium{Text(), Text(), Text(), Text(), "", std::nullopt};
  if (phase.medium && Yes()) {
    phase.medium->devices = Text();
    phase.medium->unverifiable_because = Text();
  }
  if (Yes()) {
    phase.audit = Audit{Number(), Number(), Number(), Number(), Number()};
    phase.audit->reason = Text();
    phase.audit->uncounted = Text();
    if (Yes()) phase.audit->flushes_past_libc = Number();
    if (Yes()) phase.audit->device_flushes = Number();
    if (Yes()) {
      phase.audit->dirty_pages = Number();
      for (size_t i = Few(); i > 0; --i) {
        phase.audit->dirty_files.emplace_back("f" + std::to_string(i), Number());
      }
    }
  }
  for (size_t i = Few(); i > 0; --i) {
    phase.counters.emplace_back("c" + std::to_string(i), Number());
    phase.sizes.emplace_back("s" + std::to_string(i), Number());
    phase.roles.push_back(AnyRole());
    phase.load_steps.push_back(AnyStep());
  }
  if (Yes()) phase.slo = {Text(), Number()};
  if (Yes()) {
    Resources& used = phase.resources.emplace();
    used.user_seconds = Seconds();
    used.system_seconds = Seconds();
    for (uint64_t* count : {&used.peak_resident_bytes, &used.minor_faults, &used.major_faults,
                            &used.voluntary_switches, &used.involuntary_switches}) {
      *count = Number();
    }
    if (Yes()) used.foreground_seconds = Seconds();
    if (Yes()) used.watcher_seconds = Seconds();
    if (Yes()) used.memory = {Number(), Number(), Number(), Number()};
    if (Yes()) used.syncs = {Number(), Seconds(), Number(), std::nullopt};
    if (used.syncs && Yes()) used.syncs->kinds = {{"fsync", Number()}, {"synced_write", Number()}};
    if (Yes()) used.synced_device = {Number(), Number(), std::nullopt, std::nullopt};
    if (Yes()) used.io = {Number(), Number(), Number(), Number()};
    if (Yes()) used.device = {Number(), Number(), std::nullopt, std::nullopt};
    if (used.device && Yes()) used.device->flushes = Number();
    if (used.device && Yes()) used.device->writes = Number();
  }
  if (Yes()) {
    phase.settle = {Seconds(), Text(), Yes(), Seconds(), std::nullopt};
    if (Yes()) phase.settle->dirtied_bytes = Number();
  }
  if (Yes()) phase.ticks = AnyTicks();
  if (Yes()) {
    phase.space.emplace();
    for (size_t i = Few(); i > 0; --i) {
      phase.space->at_ms.push_back(1000 * phase.space->at_ms.size());
      phase.space->allocated_bytes.push_back(Number());
    }
  }
  return phase;
}
std::vector<std::string> Texts() {
  std::vector<std::string> texts(Few());
  for (std::string& text : texts) text = Text();
  return texts;
}
RunResult AnyRun() {
  RunResult run{Text(), Text(),       Text(),   Text(),   Text(), Text(),
                Yes(),  AnyOutcome(), Text(),   Texts(),  {},     Texts(),
                Text(), Number(),     Number(), Number(), {}};
  for (size_t i = Few(); i > 0; --i) run.settings.emplace_back("s" + std::to_string(i), Text());
  if (Yes()) run.memory = {Number(), Number()};
  if (Yes()) run.allocator = Text();
  if (Yes()) run.cpus = Text();
  for (size_t i = Few(); i > 0; --i)
    run.configuration.emplace_back("d" + std::to_string(i), Text());
  if (Yes()) {
    run.file_system =
        FileSystem{Text(), Text(),   Text(), Text(), Text(),
                   Text(), Number(), Text(), Yes(),  {Text(), Text(), Text(), Text()}};
  }
  if (Yes()) run.variant = {.number = 1 + Number() / 2, .name = Text(), .settings = run.settings};
  return run;
}

TEST(ResultJson, APhaseComesBackWithEveryField) {
  EXPECT_TRUE(rc::check([] {
    const PhaseResult phase = AnyPhase();
    const std::string line = ToJson(phase).dump();
    RC_ASSERT(line.find('\n') == std::string::npos);
    const StatusOr<PhaseResult> back = PhaseFromJson(Json::parse(line));
    if (!back.ok()) RC_FAIL(back.status().message());
    RC_ASSERT(Fields(*back) == Fields(phase));
  }));
}

TEST(ResultJson, ARunComesBackWithEveryField) {
  EXPECT_TRUE(rc::check([] {
    const RunResult run = AnyRun();
    const StatusOr<RunResult> back = RunFromJson(Json::parse(ToJson(run).dump()));
    if (!back.ok()) RC_FAIL(back.status().message());
    RC_ASSERT(Fields(*back) == Fields(run));
  }));
}

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
    const bool is_optional =
        name == "latency_ns" || name == "text" || name == "note" || name == "thread_seconds" ||
        name == "rate" || name == "counters" || name == "repetition" || name == "sizes" ||
        name == "resources" || name == "io" || name == "device" || name == "memory" ||
        name == "round" || name == "seed" || name == "padding_bytes" || name == "run_seconds" ||
        name == "peak_disk_bytes" || name == "live_bytes" || name == "settle" ||
        name == "dirtied_bytes" || name == "response_ns" || name == "load" ||
        name == "load_steps" || name == "slo" || name == "allocator" || name == "cpus" ||
        name == "configuration" || name == "audit" || name == "medium" || name == "dirty_pages" ||
        name == "device_flushes" || name == "device_writes" || name == "flushes" ||
        name == "writes" || name == "unverifiable_because" || name == "kinds" ||
        name == "overwrites" || name == "variant" || name == "file_system";
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
  phase.roles.push_back({"writer", 1, 1, 0.25, 0.25, {{"put", 3, 3, 0, 348, 7, 0, Histogram()}}});
  for (const uint64_t ns : {100, 200, 300}) phase.roles[0].lanes[0].latency_ns->Add(ns);
  phase.settle = {0.5, "flush", true, 0.1, 4096};
  phase.roles[0].load = {"poisson", "ok", *phase.roles[0].lanes[0].latency_ns, {1, 2}, 0.25};
  phase.load_steps.push_back({5, 4.5, 1, "ok", "", *phase.roles[0].lanes[0].latency_ns, {}, {}});
  phase.slo = {"p99<1ms", 5};
  return phase;
}

// As it comes from a file, where a number has no sign of its own.
template <class Part>
Json Written(const Part& part) {
  return Json::parse(ToJson(part).dump());
}

TEST(ResultJson, AMemberThatIsMissingOrOfAnotherTypeIsRefused) {
  Json phase = Written(Example());
  ASSERT_TRUE(PhaseFromJson(phase).ok()) << PhaseFromJson(phase).status().message();
  int damages = 0;
  ForEachDamage(phase, phase, "", [&](const Json& damaged, const std::string& what) {
    EXPECT_FALSE(PhaseFromJson(damaged).ok()) << what;
    ++damages;
  });
  EXPECT_GT(damages, 150);
  RunResult run;
  run.notes.emplace_back("a note");
  Json run_json = Written(run);
  ASSERT_TRUE(RunFromJson(run_json).ok());
  ForEachDamage(run_json, run_json, "", [&](const Json& damaged, const std::string& what) {
    EXPECT_FALSE(RunFromJson(damaged).ok()) << what;
  });
}

TEST(ResultJson, AMemberOfANewerVersionIsSkipped) {
  Json json = Written(Example());
  json["newer"] = {{"a", 1}};
  json["roles"][0]["newer"] = 5;
  json["roles"][0]["lanes"][0]["newer"] = nullptr;
  const StatusOr<PhaseResult> back = PhaseFromJson(json);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(Fields(*back), Fields(Example()));
}

TEST(ResultJson, TheCountsOfEachThreadComeBack) {
  PhaseResult phase = Example();
  phase.run_seconds = 0.5;
  phase.roles[0].thread_operations = {1, 2};
  phase.roles[0].thread_calls = {1, 1};
  phase.roles[0].operations_per_second = 12;
  phase.roles[0].lanes[0].entry_bytes = 116;
  const Json json = Written(phase);
  const StatusOr<PhaseResult> back = PhaseFromJson(json);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(Fields(*back), Fields(phase));
  Json damaged = json;
  damaged["roles"][0]["thread_operations"][1] = "2";
  EXPECT_FALSE(PhaseFromJson(damaged).ok());
  damaged = json;
  damaged["roles"][0].erase("thread_calls");
  EXPECT_FALSE(PhaseFromJson(damaged).ok());
}

TEST(ResultJson, HistogramsThatNoValuesMakeAreRefused) {
  const auto with = [](const char* name, const Json& value) {
    Json json = Written(Example());
    json["roles"][0]["lanes"][0]["latency_ns"][name] = value;
    return PhaseFromJson(json).ok();
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
  EXPECT_THAT(PhaseFromJson(json).status().message(),
              AllOf(HasSubstr("outcome"), HasSubstr("splendid")));
  for (const char* const digest : {"", "123", "0x00000000000000", "zzzzzzzzzzzzzzzz",
                                   "00000000000000000", "FFFFFFFFFFFFFFFF"}) {
    json = Written(Example());
    json["roles"][0]["lanes"][0]["digest"] = digest;
    EXPECT_FALSE(PhaseFromJson(json).ok()) << digest;
  }
}

TEST(ResultJson, EveryOutcomeHasANameThatLeadsBackToIt) {
  for (const Outcome outcome : {Outcome::kOk, Outcome::kWrong, Outcome::kFailed,
                                Outcome::kUnsupported, Outcome::kInterrupted, Outcome::kNotRun,
                                Outcome::kInvalid, Outcome::kSkipped, Outcome::kStopped}) {
    EXPECT_EQ(OutcomeOf(OutcomeName(outcome)), outcome);
  }
  EXPECT_EQ(OutcomeOf(""), std::nullopt);
}

// What nobody chose for us: names of files, messages of engines, paths.
TEST(ResultJson, TextsOfAnyBytesReadBackExactly) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    PhaseResult phase = Example();
    RunResult run;
    const std::vector<std::string*> texts = {
        &phase.workload,   &phase.family,        &phase.message,
        &phase.checked,    &phase.check_detail,  &phase.text,
        &phase.note,       &phase.roles[0].name, &phase.roles[0].lanes[0].operation,
        &run.engine,       &run.label,           &run.warning,
        &run.library_path, &run.message,         &run.clock};
    for (std::string* const text : texts) *text = bytes + "\xff\uef80";
    run.notes = run.stderr_tail = {bytes, "\xc3"};
    const auto phase_back = PhaseFromJson(ParseJsonText(JsonText(ToJson(phase))));
    RC_ASSERT(phase_back.ok());
    RC_ASSERT(ToJson(*phase_back) == ToJson(phase));
    RC_ASSERT(phase_back->workload == bytes + "\xff\uef80");
    const auto run_back = RunFromJson(ParseJsonText(JsonText(ToJson(run))));
    RC_ASSERT(run_back.ok());
    RC_ASSERT(ToJson(*run_back) == ToJson(run));
    RC_ASSERT(run_back->notes == run.notes);
  }));
}

// A result directory that a test fills by hand.
class ResultFiles : public ::testing::Test {
 protected:
  ResultFiles() {
    WriteManifest(GoodManifest().dump());
    WriteLines("");
  }

  static Json GoodManifest() {
    return {{"schema", kSchemaMajor},    {"schema_minor", kSchemaMinor}, {"name", "run"},
            {"started", "now"},          {"command", "levelfield run"},  {"version", "0"},
            {"settings", Json::object()}};
  }
  static std::string PhaseLine(uint64_t run, const PhaseResult& phase = Example()) {
    Json line = {{"type", "phase"}, {"schema", kSchemaMajor}, {"run", run}, {"engine", "e"}};
    line.update(ToJson(phase));
    return line.dump() + "\n";
  }
  static std::string RunLine(uint64_t run) {
    RunResult result;
    result.engine = "e";
    result.outcome = Outcome::kOk;
    Json line = {{"type", "run"}, {"schema", kSchemaMajor}, {"run", run}};
    line.update(ToJson(result));
    return line.dump() + "\n";
  }
  void WriteManifest(const std::string& text) { Write("manifest.json", text + "\n"); }
  void WriteLines(const std::string& text) { Write("results.jsonl", text); }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ + "/" + name, std::ios::binary) << text;
  }
  StatusOr<Result> Read() const { return ReadResultDirectory(directory_); }
  std::string Refusal() const {
    const StatusOr<Result> result = Read();
    EXPECT_FALSE(result.ok());
    return result.status().message();
  }

  const TemporaryDirectory temporary_;
  const std::string directory_ = temporary_.path();
};

TEST_F(ResultFiles, ARunIsPutTogetherFromItsLines) {
  WriteLines(PhaseLine(0) + PhaseLine(0) + RunLine(0) + PhaseLine(1));
  const StatusOr<Result> result = Read();
  ASSERT_TRUE(result.ok()) << result.status().message();
  ASSERT_EQ(result->runs.size(), 2u);
  EXPECT_EQ(result->runs[0].outcome, Outcome::kOk);
  EXPECT_EQ(result->runs[0].phases.size(), 2u);
  EXPECT_EQ(result->runs[1].outcome, Outcome::kFailed);  // Its own line never came.
  EXPECT_THAT(result->runs[1].message, HasSubstr("cut off"));
  EXPECT_THAT(result->warnings, ::testing::IsEmpty());
}

TEST_F(ResultFiles, ATornLastLineIsAWarningAndTheOthersAreThere) {
  const std::string whole = PhaseLine(0);
  for (const size_t cut : {size_t{1}, whole.size() / 2, whole.size() - 1}) {
    WriteLines(PhaseLine(0) + RunLine(0) + whole.substr(0, cut));
    const StatusOr<Result> result = Read();
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_EQ(result->runs[0].phases.size(), 1u);
    ASSERT_EQ(result->warnings.size(), 1u);
    EXPECT_THAT(result->warnings[0], HasSubstr("torn"));
    EXPECT_EQ(result->warnings[0].find(directory_), std::string::npos);
  }
}

TEST_F(ResultFiles, ALineThatDoesNotReadIsNamedByItsNumber) {
  WriteLines(PhaseLine(0) + "{\"type\": \"phase\"\n" + RunLine(0));
  EXPECT_THAT(Refusal(), HasSubstr("results.jsonl, line 2"));
  WriteLines(PhaseLine(0) + "[]\n");
  EXPECT_THAT(Refusal(), HasSubstr("line 2"));
  WriteLines("\n");
  EXPECT_THAT(Refusal(), HasSubstr("line 1"));
}

TEST_F(ResultFiles, NumbersBeyondAllBoundsAreRefused) {
  for (const char* const number : {"1e999", "-1", "18446744073709551616", "1.5", "1e3"}) {
    std::string line = PhaseLine(0);
    const std::string member = "\"disk_bytes\":0";
    line.replace(line.find(member), member.size(), "\"disk_bytes\":" + std::string(number));
    WriteLines(line);
    EXPECT_THAT(Refusal(), HasSubstr("line 1")) << number;
  }
  WriteLines(PhaseLine(4'000'000'000));  // Not a vector of so many runs.
  EXPECT_THAT(Refusal(), HasSubstr("never begun"));
  WriteLines(PhaseLine(~uint64_t{0}));
  EXPECT_THAT(Refusal(), HasSubstr("never begun"));
}

TEST_F(ResultFiles, NestingBeyondReasonIsRefusedAndCostsNoStack) {
  WriteManifest(std::string(5'000'000, '['));
  EXPECT_THAT(Refusal(), HasSubstr("manifest.json"));
  WriteManifest(GoodManifest().dump());
  WriteLines("{\"a\":" + std::string(2'000'000, '[') + std::string(2'000'000, ']') + "}\n");
  EXPECT_THAT(Refusal(), HasSubstr("nested"));
}

TEST_F(ResultFiles, FilesTooLargeForAnyResultAreRefusedUnread) {
  ASSERT_EQ(truncate((directory_ + "/results.jsonl").c_str(), 300 << 20), 0);
  EXPECT_THAT(Refusal(), HasSubstr("results.jsonl"));
  ASSERT_EQ(truncate((directory_ + "/manifest.json").c_str(), 17 << 20), 0);
  EXPECT_THAT(Refusal(), HasSubstr("manifest.json"));
}

TEST_F(ResultFiles, AnotherMajorVersionIsRefusedByItsNumberAndAMinorOneIsRead) {
  Json manifest = GoodManifest();
  manifest["schema"] = kSchemaMajor + 1;
  WriteManifest(manifest.dump());
  EXPECT_THAT(Refusal(), AllOf(HasSubstr("version 2"), HasSubstr("reads version 1")));
  manifest.erase("schema");
  WriteManifest(manifest.dump());
  EXPECT_THAT(Refusal(), HasSubstr("schema"));
  manifest["schema"] = kSchemaMajor;
  manifest["schema_minor"] = kSchemaMinor + 7;
  WriteManifest(manifest.dump());
  WriteLines(R"({"type": "weather", "schema": 1, "sky": "blue"})"
             "\n");
  const StatusOr<Result> result = Read();
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_TRUE(result->runs.empty());
  std::string line = PhaseLine(0);
  line.replace(line.find("\"schema\":1"), 10, "\"schema\":2");
  WriteLines(line);
  EXPECT_THAT(Refusal(), HasSubstr("line 1"));
}

TEST_F(ResultFiles, WhatIsNoResultDirectoryIsAMistakeOfTheOneWhoAsks) {
  const StatusOr<Result> result = ReadResultDirectory(directory_ + "/nothing");
  EXPECT_EQ(result.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(result.status().message(), HasSubstr("manifest.json"));
  fs::remove(directory_ + "/manifest.json");
  fs::create_directory(directory_ + "/manifest.json");
  EXPECT_THAT(Refusal(), HasSubstr("not a regular file"));
  fs::remove(directory_ + "/manifest.json");
  ASSERT_EQ(mkfifo((directory_ + "/manifest.json").c_str(), 0600), 0);
  EXPECT_THAT(Refusal(), HasSubstr("not a regular file"));  // And does not wait for a writer.
}

TEST_F(ResultFiles, AKillBeforeTheFirstLineLeavesAResultThatReads) {
  fs::remove(directory_ + "/results.jsonl");
  const StatusOr<Result> result = Read();
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_THAT(result->warnings, ::testing::SizeIs(1));
}

}  // namespace
}  // namespace levelfield
