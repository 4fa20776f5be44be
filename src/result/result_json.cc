#include "result/result_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/bounded_json.h"
#include "base/sealed_json.h"
#include "result/circumstances_json.h"
#include "result/consistency.h"
#include "result/drive_state.h"
#include "result/environment.h"
#include "result/json_reader.h"
#include "result/time_series_json.h"

namespace levelfield {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 9> kOutcomes{{
    {Outcome::kOk, "ok"},
    {Outcome::kWrong, "wrong"},
    {Outcome::kFailed, "failed"},
    {Outcome::kUnsupported, "unsupported"},
    {Outcome::kInterrupted, "interrupted"},
    {Outcome::kNotRun, "not run"},
    {Outcome::kInvalid, "invalid"},
    {Outcome::kSkipped, "skipped"},
    {Outcome::kStopped, "stopped"},
}};

constexpr uint64_t kMaxResultBytes = uint64_t{256} << 20;

}  // namespace

Json ToJson(const Histogram& histogram) {
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

StatusOr<Histogram> HistogramFromJson(const Json& json) {
  Reader reader(json, "a histogram");
  std::vector<Histogram::Bucket> buckets;
  if (reader.Get<uint64_t>("sub_bucket_bits") != Histogram::kSubBucketBits) {
    reader.Fail("has another width of its buckets than this program");
  }
  for (const Json& bucket : reader.Member("buckets", true)) {
    if (bucket.is_array() && bucket.size() == 2 && bucket[0].is_number_unsigned() &&
        bucket[1].is_number_unsigned()) {
      buckets.push_back({bucket[0].get<uint64_t>(), bucket[1].get<uint64_t>()});
    } else {
      reader.Fail("has a bucket that is no pair of counts");
    }
  }
  const std::optional<Histogram> histogram =
      Histogram::Restore(buckets, reader.Get<uint64_t>("sum"), reader.Get<uint64_t>("min"),
                         reader.Get<uint64_t>("max"));
  if (!histogram || histogram->Count() != reader.Get<uint64_t>("count")) {
    reader.Fail("has buckets that no values fill so");
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return *histogram;
}

namespace {

Json ToJson(const LaneResult& lane) {
  Json json = {{"operation", TextJson(lane.operation)},
               {"operations", lane.operations},
               {"hits", lane.hits},
               {"misses", lane.misses},
               {"bytes", lane.bytes},
               {"digest", fmt::format("{:016x}", lane.digest)},
               {"wrong", lane.wrong}};
  if (lane.entry_bytes != 0) json["entry_bytes"] = lane.entry_bytes;
  if (lane.latency_ns) json["latency_ns"] = ToJson(*lane.latency_ns);
  if (lane.response_ns) json["response_ns"] = ToJson(*lane.response_ns);
  return json;
}

// Takes a histogram out of an object; an empty one where it cannot be read, and `reader` tells.
Histogram TakeHistogram(const Json& json, const char* name, Reader& reader) {
  const auto it = json.find(name);
  StatusOr<Histogram> histogram = HistogramFromJson(it != json.end() ? *it : Json());
  if (histogram.ok()) return std::move(*histogram);
  reader.Fail(histogram.status());
  return {};
}

Json ToJson(const LoadResult& load) {
  return {{"arrival", TextJson(load.arrival)},
          {"verdict", TextJson(load.verdict)},
          {"interval_seconds", load.interval_seconds},
          {"backlog_ns", load.backlog_ns},
          {"lateness_ns", ToJson(load.lateness_ns)}};
}

StatusOr<LoadResult> LoadFromJson(const Json& json) {
  Reader reader(json, "an open loop's load");
  LoadResult load;
  load.arrival = reader.Get<std::string>("arrival");
  load.verdict = reader.Get<std::string>("verdict");
  load.interval_seconds = reader.Get<double>("interval_seconds");
  load.backlog_ns = reader.Numbers("backlog_ns");
  if (reader.status().ok()) load.lateness_ns = TakeHistogram(json, "lateness_ns", reader);
  if (const Status status = reader.status(); !status.ok()) return status;
  return load;
}

Json ToJson(const LoadStep& step) {
  return {{"rate", step.rate},
          {"achieved", step.achieved},
          {"seconds", step.seconds},
          {"verdict", TextJson(step.verdict)},
          {"message", TextJson(step.message)},
          {"service_ns", ToJson(step.service_ns)},
          {"response_ns", ToJson(step.response_ns)},
          {"lateness_ns", ToJson(step.lateness_ns)}};
}

StatusOr<LoadStep> LoadStepFromJson(const Json& json) {
  Reader reader(json, "a step of the load");
  LoadStep step;
  step.rate = reader.Get<uint64_t>("rate");
  step.achieved = reader.Get<double>("achieved");
  step.seconds = reader.Get<double>("seconds");
  step.verdict = reader.Get<std::string>("verdict");
  step.message = reader.Get<std::string>("message");
  if (reader.status().ok()) {
    step.service_ns = TakeHistogram(json, "service_ns", reader);
    step.response_ns = TakeHistogram(json, "response_ns", reader);
    step.lateness_ns = TakeHistogram(json, "lateness_ns", reader);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return step;
}

StatusOr<LaneResult> LaneFromJson(const Json& json) {
  Reader reader(json, "an operation's result");
  LaneResult lane;
  lane.operation = reader.Get<std::string>("operation");
  lane.operations = reader.Get<uint64_t>("operations");
  lane.hits = reader.Get<uint64_t>("hits");
  lane.misses = reader.Get<uint64_t>("misses");
  lane.bytes = reader.Get<uint64_t>("bytes");
  lane.wrong = reader.Get<uint64_t>("wrong");
  const auto digest = reader.Get<std::string>("digest");
  if (digest.size() != 16 || digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
    reader.Fail("has a digest that is no 16 hexadecimal digits");
  } else {
    lane.digest = std::stoull(digest, nullptr, 16);
  }
  if (json.is_object() && json.contains("entry_bytes")) {
    lane.entry_bytes = reader.Get<uint64_t>("entry_bytes");
  }
  if (json.is_object() && json.contains("latency_ns")) {
    const StatusOr<Histogram> histogram = HistogramFromJson(json["latency_ns"]);
    if (histogram.ok()) {
      lane.latency_ns = *histogram;
    } else {
      reader.Fail(histogram.status());
    }
  }
  if (json.is_object() && json.contains("response_ns")) {
    lane.response_ns = TakeHistogram(json, "response_ns", reader);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return lane;
}

Json ToJson(const RoleResult& role) {
  Json lanes = Json::array();
  for (const LaneResult& lane : role.lanes) lanes.push_back(ToJson(lane));
  Json json = {{"name", TextJson(role.name)}, {"threads", role.threads},
               {"batch", role.batch},         {"rate", role.rate},
               {"seconds", role.seconds},     {"thread_seconds", role.thread_seconds}};
  if (!role.thread_operations.empty()) {
    json["thread_operations"] = role.thread_operations;
    json["thread_calls"] = role.thread_calls;
  }
  if (role.operations_per_second) json["operations_per_second"] = *role.operations_per_second;
  if (role.load) json["load"] = ToJson(*role.load);
  json["lanes"] = std::move(lanes);
  return json;
}

StatusOr<RoleResult> RoleFromJson(const Json& json) {
  Reader reader(json, "a role's result");
  RoleResult role;
  role.name = reader.Get<std::string>("name");
  role.threads = reader.Get<uint64_t>("threads");
  role.batch = reader.Get<uint64_t>("batch");
  if (json.contains("rate")) role.rate = reader.Get<uint64_t>("rate");
  role.seconds = reader.Get<double>("seconds");
  role.thread_seconds =
      json.contains("thread_seconds") ? reader.Get<double>("thread_seconds") : role.seconds;
  if (json.contains("thread_operations")) {
    role.thread_operations = reader.Numbers("thread_operations");
    role.thread_calls = reader.Numbers("thread_calls");
  }
  if (json.contains("operations_per_second")) {
    role.operations_per_second = reader.Get<double>("operations_per_second");
  }
  if (json.contains("load")) {
    StatusOr<LoadResult> load = LoadFromJson(json["load"]);
    if (!load.ok()) return load.status();
    role.load = std::move(*load);
  }
  for (const Json& lane_json : reader.Member("lanes", true)) {
    StatusOr<LaneResult> lane = LaneFromJson(lane_json);
    if (lane.ok()) {
      role.lanes.push_back(std::move(*lane));
    } else {
      reader.Fail(lane.status());
    }
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return role;
}

StatusOr<Json> ParseJson(const std::string& text, const std::string& what) {
  StatusOr<Json> json = ParseBoundedJson(text);
  return json.ok() ? std::move(json)
                   : StatusOr<Json>(Status::Failed(what + ": " + json.status().message()));
}

Status CheckSchema(const Json& json, const std::string& what) {
  Reader reader(json, what);
  const auto major = reader.Get<uint64_t>("schema");
  if (const Status status = reader.status(); !status.ok()) return status;
  if (major == kSchemaMajor) return Status::Ok();
  return Status::Failed(
      fmt::format("{}: written in version {} of the result format; this program "
                  "reads version {}",
                  what, major, kSchemaMajor));
}

}  // namespace

std::string_view OutcomeName(Outcome outcome) {
  return std::ranges::find(kOutcomes, outcome, &decltype(kOutcomes)::value_type::first)->second;
}

std::optional<Outcome> OutcomeOf(std::string_view name) {
  const auto it = std::ranges::find(kOutcomes, name, &decltype(kOutcomes)::value_type::second);
  if (it == kOutcomes.end()) return std::nullopt;
  return it->first;
}

Json ToJson(const PhaseResult& phase) {
  Json resources = Json::object();
  if (phase.resources) resources["resources"] = ToJson(*phase.resources);
  if (phase.conditions) resources["conditions"] = ToJson(*phase.conditions);
  if (phase.ceilings) resources["ceilings"] = ToJson(*phase.ceilings);
  if (phase.page_cache) resources["page_cache"] = ToJson(*phase.page_cache);
  if (phase.audit) resources["audit"] = ToJson(*phase.audit);
  if (phase.medium) resources["medium"] = ToJson(*phase.medium);
  Json roles = Json::array();
  for (const RoleResult& role : phase.roles) roles.push_back(ToJson(role));
  Json json = {{"workload", TextJson(phase.workload)},
               {"family", TextJson(phase.family)},
               {"durability", TextJson(phase.durability)},
               {"level", TextJson(phase.level)},
               {"outcome", OutcomeName(phase.outcome)},
               {"message", TextJson(phase.message)},
               {"implicit", phase.implicit},
               {"timed", phase.timed},
               {"checked", TextJson(phase.checked)},
               {"check_detail", TextJson(phase.check_detail)},
               {"verified_entries", phase.verified_entries},
               {"run_seconds", phase.run_seconds},
               {"open_seconds", phase.open_seconds},
               {"close_seconds", phase.close_seconds},
               {"reopen_seconds", phase.reopen_seconds},
               {"disk_bytes", phase.disk_bytes},
               {"peak_disk_bytes", phase.peak_disk_bytes},
               {"live_bytes", phase.live_bytes},
               {"clock_drift_ppm", phase.clock_drift_ppm},
               {"text", TextJson(phase.text)},
               {"note", TextJson(phase.note)},
               {"counters", CountsJson(phase.counters)},
               {"sizes", CountsJson(phase.sizes)},
               {"repetition",
                {{"number", phase.repetition.number},
                 {"of", phase.repetition.of},
                 {"warm_up", phase.repetition.warm_up}}},
               {"roles", std::move(roles)}};
  json.update(resources);
  if (phase.settle) json["settle"] = ToJson(*phase.settle);
  for (const LoadStep& step : phase.load_steps) json["load_steps"].push_back(ToJson(step));
  if (phase.slo) {
    json["slo"] = {{"objective", TextJson(phase.slo->objective)}, {"rate", phase.slo->rate}};
  }
  if (phase.ticks) json["ticks"] = ToJson(*phase.ticks);
  if (phase.space) json["space"] = ToJson(*phase.space);
  return json;
}

StatusOr<PhaseResult> PhaseFromJson(const Json& json) {
  Reader reader(json, "a phase's result");
  PhaseResult phase;
  phase.workload = reader.Get<std::string>("workload");
  phase.family = reader.Get<std::string>("family");
  phase.durability = reader.Get<std::string>("durability");
  phase.level = reader.Get<std::string>("level");
  phase.outcome = reader.GetOutcome();
  phase.message = reader.Get<std::string>("message");
  phase.implicit = reader.Get<bool>("implicit");
  phase.timed = reader.Get<bool>("timed");
  phase.checked = reader.Get<std::string>("checked");
  phase.check_detail = reader.Get<std::string>("check_detail");
  phase.verified_entries = reader.Get<uint64_t>("verified_entries");
  phase.open_seconds = reader.Get<double>("open_seconds");
  phase.close_seconds = reader.Get<double>("close_seconds");
  phase.reopen_seconds = reader.Get<double>("reopen_seconds");
  phase.disk_bytes = reader.Get<uint64_t>("disk_bytes");
  phase.clock_drift_ppm = reader.Get<double>("clock_drift_ppm");
  if (json.contains("peak_disk_bytes")) {
    phase.peak_disk_bytes = reader.Get<uint64_t>("peak_disk_bytes");
  }
  if (json.contains("live_bytes")) phase.live_bytes = reader.Get<uint64_t>("live_bytes");
  if (json.contains("run_seconds")) phase.run_seconds = reader.Get<double>("run_seconds");
  if (json.contains("text")) phase.text = reader.Get<std::string>("text");
  if (json.contains("note")) phase.note = reader.Get<std::string>("note");
  if (json.contains("counters")) phase.counters = reader.Counts("counters");
  if (json.contains("sizes")) phase.sizes = reader.Counts("sizes");
  if (json.contains("resources")) {
    const StatusOr<Resources> resources = ResourcesFromJson(json["resources"]);
    if (!resources.ok()) return resources.status();
    phase.resources = *resources;
  }
  if (json.contains("conditions")) {
    const StatusOr<Conditions> conditions = ConditionsFromJson(json["conditions"]);
    if (!conditions.ok()) return conditions.status();
    phase.conditions = *conditions;
  }
  if (json.contains("ceilings")) {
    const StatusOr<Ceilings> ceilings = CeilingsFromJson(json["ceilings"]);
    if (!ceilings.ok()) return ceilings.status();
    phase.ceilings = *ceilings;
  }
  if (json.contains("page_cache")) {
    const StatusOr<PageCacheShare> share = PageCacheFromJson(json["page_cache"]);
    if (!share.ok()) return share.status();
    phase.page_cache = *share;
  }
  if (json.contains("audit")) {
    StatusOr<Audit> audit = AuditFromJson(json["audit"]);
    if (!audit.ok()) return audit.status();
    phase.audit = std::move(*audit);
  }
  if (json.contains("medium")) {
    StatusOr<Medium> medium = MediumFromJson(json["medium"]);
    if (!medium.ok()) return medium.status();
    phase.medium = std::move(*medium);
  }
  if (json.contains("settle")) {
    StatusOr<Settle> settle = SettleFromJson(json["settle"]);
    if (!settle.ok()) return settle.status();
    phase.settle = std::move(*settle);
  }
  if (json.contains("load_steps")) {
    for (const Json& step_json : reader.Member("load_steps", true)) {
      StatusOr<LoadStep> step = LoadStepFromJson(step_json);
      if (!step.ok()) return step.status();
      phase.load_steps.push_back(std::move(*step));
    }
  }
  if (json.contains("slo")) {
    Reader slo(json["slo"], "what a search came to");
    phase.slo = {.objective = slo.Get<std::string>("objective"), .rate = slo.Get<uint64_t>("rate")};
    if (!slo.status().ok()) return slo.status();
  }
  if (json.contains("ticks")) {
    const StatusOr<Ticks> ticks = TicksFromJson(json["ticks"]);
    if (!ticks.ok()) return ticks.status();
    phase.ticks = *ticks;
  }
  if (json.contains("space")) {
    StatusOr<SpaceSeries> space = SpaceFromJson(json["space"]);
    if (!space.ok()) return space.status();
    phase.space = std::move(*space);
  }
  if (json.contains("repetition")) {
    Reader repetition(json["repetition"], "a repetition");
    phase.repetition = {.number = repetition.Get<uint64_t>("number"),
                        .of = repetition.Get<uint64_t>("of"),
                        .warm_up = repetition.Get<bool>("warm_up")};
    if (!repetition.status().ok()) return repetition.status();
  }
  for (const Json& role_json : reader.Member("roles", true)) {
    StatusOr<RoleResult> role = RoleFromJson(role_json);
    if (role.ok()) {
      phase.roles.push_back(std::move(*role));
    } else {
      reader.Fail(role.status());
    }
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return phase;
}

Json ToJson(const Variant& variant) {
  return {{"number", variant.number},
          {"name", TextJson(variant.name)},
          {"settings", PairsJson(variant.settings)}};
}

Json ToJson(const RunResult& run) {
  Json tail = Json::array();
  for (const std::string& line : run.stderr_tail) tail.push_back(TextJson(line));
  Json notes = Json::array();
  for (const std::string& note : run.notes) notes.push_back(TextJson(note));
  Json json = {{"engine", TextJson(run.engine)},
               {"label", TextJson(run.label)},
               {"version", TextJson(run.version)},
               {"warning", TextJson(run.warning)},
               {"library_path", TextJson(run.library_path)},
               {"library_sha256", TextJson(run.library_sha256)},
               {"floor", run.floor},
               {"outcome", OutcomeName(run.outcome)},
               {"message", TextJson(run.message)},
               {"stderr_tail", std::move(tail)},
               {"settings", PairsJson(run.settings)},
               {"notes", std::move(notes)},
               {"clock", TextJson(run.clock)},
               {"round", run.round},
               {"seed", run.seed},
               {"padding_bytes", run.padding_bytes}};
  if (run.memory) {
    json["memory"] = {{"limit_bytes", run.memory->limit_bytes},
                      {"peak_bytes", run.memory->peak_bytes}};
  }
  if (run.variant.number != 0) json["variant"] = ToJson(run.variant);
  if (!run.allocator.empty()) json["allocator"] = TextJson(run.allocator);
  if (!run.cpus.empty()) json["cpus"] = TextJson(run.cpus);
  if (!run.configuration.empty()) json["configuration"] = PairsJson(run.configuration);
  if (run.file_system) json["file_system"] = ToJson(*run.file_system);
  return json;
}

namespace {

// Of a run, or of a phase whose run was cut off.
Variant VariantOf(const Json& json, Reader& reader) {
  if (!json.is_object() || !json.contains("variant")) return {};
  Reader variant(json["variant"], "a run's variant");
  Variant read{.number = variant.Get<uint64_t>("number"),
               .name = variant.Get<std::string>("name"),
               .settings = variant.Pairs("settings")};
  reader.Fail(variant.status());
  return read;
}

}  // namespace

StatusOr<RunResult> RunFromJson(const Json& json) {
  Reader reader(json, "a run's result");
  RunResult run;
  run.variant = VariantOf(json, reader);
  run.engine = reader.Get<std::string>("engine");
  run.label = reader.Get<std::string>("label");
  run.version = reader.Get<std::string>("version");
  run.warning = reader.Get<std::string>("warning");
  run.library_path = reader.Get<std::string>("library_path");
  run.library_sha256 = reader.Get<std::string>("library_sha256");
  run.floor = reader.Get<bool>("floor");
  run.outcome = reader.GetOutcome();
  run.message = reader.Get<std::string>("message");
  run.stderr_tail = reader.Texts("stderr_tail");
  run.settings = reader.Pairs("settings");
  run.notes = reader.Texts("notes");
  run.clock = reader.Get<std::string>("clock");
  if (json.is_object() && json.contains("memory")) {
    Reader memory(json["memory"], "a run's memory");
    run.memory = {.limit_bytes = memory.Get<uint64_t>("limit_bytes"),
                  .peak_bytes = memory.Get<uint64_t>("peak_bytes")};
    reader.Fail(memory.status());
  }
  // Since format 1.2.
  if (json.contains("round")) run.round = reader.Get<uint64_t>("round");
  if (json.contains("seed")) run.seed = reader.Get<uint64_t>("seed");
  if (json.contains("padding_bytes")) run.padding_bytes = reader.Get<uint64_t>("padding_bytes");
  // Since format 1.3.
  if (json.contains("allocator")) run.allocator = reader.Get<std::string>("allocator");
  if (json.contains("cpus")) run.cpus = reader.Get<std::string>("cpus");
  if (json.contains("configuration")) run.configuration = reader.Pairs("configuration");
  if (json.contains("file_system")) {
    StatusOr<FileSystem> file_system = FileSystemFromJson(json["file_system"]);
    if (!file_system.ok()) return file_system.status();
    run.file_system = std::move(*file_system);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return run;
}

namespace {

// What each engine's plug-in declares, by the engine; a manifest may lack any of it.
std::map<std::string, std::vector<std::pair<std::string, std::string>>> DeviationsIn(
    const Json& manifest) {
  constexpr std::string_view kPrefix = "deviation_";
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> deviations;
  const auto text = [](const Json& json, const char* name) {
    const auto it = json.is_object() ? json.find(name) : json.end();
    return it != json.end() && it->is_string() ? it->get<std::string>() : "";
  };
  for (const Json& engine : manifest.value("engines", Json::array())) {
    if (!engine.is_object()) continue;
    for (const Json& fact : engine.value("facts", Json::array())) {
      const std::string name = text(fact, "name");
      if (!name.starts_with(kPrefix)) continue;
      deviations[text(engine, "spec")].emplace_back(name.substr(kPrefix.size()),
                                                    text(fact, "value"));
    }
  }
  return deviations;
}

// What reports tell of the machine and of the program; a manifest may lack any of it.
void ReadEnvironment(const Json& manifest, Result& result) {
  const Json environment = manifest.value("environment", Json::object());
  if (!environment.is_object()) return;
  const auto text = [&](const char* name) {
    const auto it = environment.find(name);
    return it == environment.end() ? "unknown"
           : it->is_string()       ? it->get<std::string>()
                                   : it->dump();
  };
  result.git = text("harness_git");
  result.kernel = text("kernel");
  result.conditions = LastingConditions(environment);
  result.warnings = DriveWarnings(environment);
  const auto fingerprint = manifest.find("fingerprint");  // Since format 1.3.
  result.fingerprint = fingerprint != manifest.end() && fingerprint->is_string()
                           ? fingerprint->get<std::string>()
                           : Fingerprint(environment);
  result.cpu = text("cpu_threads_online") + " * " + text("cpu_model");
  result.cpu_cache = "unknown";
  const auto caches = environment.find("cpu_caches");
  if (caches == environment.end() || !caches->is_object()) return;
  for (const auto& [name, size] : caches->items()) {  // The last one is the largest.
    if (!size.is_string()) continue;
    const std::string kilobytes = size.get<std::string>();
    result.cpu_cache = kilobytes.substr(0, kilobytes.find('K')) + " KB";
  }
}

}  // namespace

StatusOr<Result> ReadResultDirectory(const std::string& path) {
  Result result;
  const std::string manifest_path = path + "/manifest.json";
  const std::string lines_path = path + "/results.jsonl";
  std::error_code error;
  if (!std::filesystem::exists(manifest_path, error)) {
    return Status::Usage(
        fmt::format("{}: not a result directory: there is no readable "
                    "manifest.json in it",
                    path));
  }
  const StatusOr<std::string> text = ReadSealedFile(manifest_path);
  if (!text.ok()) return text.status();
  const StatusOr<Json> manifest = ParseJson(*text, manifest_path);
  if (!manifest.ok()) return manifest.status();
  if (const Status status = CheckSchema(*manifest, manifest_path); !status.ok()) return status;
  Reader reader(*manifest, manifest_path);
  result.name = reader.Get<std::string>("name");
  result.started = reader.Get<std::string>("started");
  result.command = reader.Get<std::string>("command");
  result.version = reader.Get<std::string>("version");
  result.settings = reader.Pairs("settings");
  if (manifest->contains("workloads")) result.workload_texts = reader.Pairs("workloads");
  if (const Status status = reader.status(); !status.ok()) return status;
  ReadEnvironment(*manifest, result);

  // Warnings name no path: a copy of the directory gives the same report.
  if (!std::filesystem::exists(lines_path, error)) {
    result.warnings.push_back("there is no results.jsonl: the program ended before anything ran");
    return result;
  }
  std::error_code ignored;
  if (const uint64_t bytes = std::filesystem::file_size(lines_path, ignored);
      !ignored && bytes > kMaxResultBytes) {
    return Status::Failed(fmt::format("{}: {} bytes are more than the {} allowed for it",
                                      lines_path, bytes, kMaxResultBytes));
  }
  std::vector<bool> complete;
  const auto take = [&](const std::string& text_of_line, uint64_t number) -> Status {
    const std::string where = fmt::format("{}, line {}", lines_path, number);
    const StatusOr<Json> json = ParseJson(text_of_line, where);
    if (!json.ok()) return json.status();
    if (const Status status = CheckSchema(*json, where); !status.ok()) return status;
    Reader line(*json, where);
    const auto type = line.Get<std::string>("type");
    if (line.status().ok() && type == "price") {
      StatusOr<Price> price = PriceFromJson(*json);
      if (!price.ok()) return Status::Failed(where + ": " + price.status().message());
      result.prices.push_back(std::move(*price));
      return Status::Ok();
    }
    if (line.status().ok() && type != "phase" && type != "run") {
      return Status::Ok();  // Of a newer version.
    }
    const auto run_number = line.Get<uint64_t>("run");
    if (run_number > number) line.Fail("has a run that was never begun");
    if (const Status status = line.status(); !status.ok()) return status;
    if (run_number >= result.runs.size()) {
      result.runs.resize(run_number + 1);
      complete.resize(run_number + 1);
    }
    RunResult& run = result.runs[run_number];
    if (type == "phase") {
      StatusOr<PhaseResult> phase = PhaseFromJson(*json);
      if (!phase.ok()) return Status::Failed(where + ": " + phase.status().message());
      run.engine = line.Get<std::string>("engine");
      run.variant = VariantOf(*json, line);
      run.phases.push_back(std::move(*phase));
    } else {
      StatusOr<RunResult> read = RunFromJson(*json);
      if (!read.ok()) return Status::Failed(where + ": " + read.status().message());
      read->phases = std::move(run.phases);
      run = std::move(*read);
      complete[run_number] = true;
    }
    if (const Status status = line.status(); !status.ok()) return status;
    return Status::Ok();
  };
  bool torn = false;
  const Status read = ForEachSealedLine(lines_path, &torn, kMaxFileBytes, take);
  if (!read.ok()) return read;
  if (torn) {
    result.warnings.push_back("results.jsonl: the last line was torn by a crash and is left out");
  }
  const auto deviations = DeviationsIn(*manifest);
  for (size_t i = 0; i < result.runs.size(); ++i) {
    if (const auto of_engine = deviations.find(result.runs[i].engine);
        of_engine != deviations.end()) {
      result.runs[i].deviations = of_engine->second;
    }
    for (PhaseResult& phase : result.runs[i].phases) {
      const bool is_void = VoidIfInconsistent(phase);
      if (is_void && result.runs[i].outcome == Outcome::kOk) {
        result.runs[i].outcome = Outcome::kInvalid;
      }
    }
    if (complete[i]) continue;
    result.runs[i].outcome = Outcome::kFailed;
    result.runs[i].label = result.runs[i].engine;
    result.runs[i].message = "cut off: the program ended before this run did";
  }
  return result;
}

}  // namespace levelfield
