#include "run/result_directory.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/new_directory.h"
#include "base/version.h"
#include "result/environment.h"
#include "result/circumstances_json.h"
#include "result/result_json.h"
#include "result/time_series_json.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostLinesBytes = uint64_t{256} << 20;

Status CheckName(const std::string& name) {
  constexpr std::string_view kAccepted =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (!name.empty() && name.size() <= 64 &&
      name.find_first_not_of(kAccepted) == std::string::npos && name[0] != '.') {
    return Status::Ok();
  }
  return Status::Usage(
      "--name: up to 64 letters, digits, '.', '_' and '-' are accepted, the first "
      "no '.'");
}

Json Manifest(const Settings& settings, const std::string& started, const std::string& command,
              const std::vector<PlannedPhase>& phases, const Json& engines,
              const std::string& store_path) {
  Json values = Json::object();
  Json given = Json::array();
  for (const Flag& flag : Flags()) {
    values[std::string(flag.name)] = TextOf(flag, settings);
    if (settings.given.contains(std::string(flag.name))) given.push_back(flag.name);
  }
  Json environment = CaptureEnvironment(store_path);
  Json workloads = Json::object();
  for (const PlannedPhase& phase : phases) workloads[phase.source.name] = phase.source.text;
  return {{"schema", kSchemaMajor},
          {"schema_minor", kSchemaMinor},
          {"name", settings.name},
          {"started", started},
          {"command", command},
          {"version", kVersion},
          {"settings", std::move(values)},
          {"given", std::move(given)},
          {"workloads", std::move(workloads)},
          {"engines", engines},
          {"fingerprint", Fingerprint(environment)},
          {"environment", std::move(environment)}};
}

}  // namespace

StatusOr<ResultDirectory> ResultDirectory::Create(const Settings& settings,
                                                  const std::string& command,
                                                  const std::vector<PlannedPhase>& phases,
                                                  const Json& engines,
                                                  const std::string& store_path) {
  if (const Status status = CheckName(settings.name); !status.ok()) return status;
  const std::tm now = fmt::gmtime(std::time(nullptr));
  StatusOr<std::string> made =
      MakeNewDirectory(fmt::format("{}/{:%Y%m%d-%H%M%S}-{}", settings.results, now, settings.name));
  if (!made.ok()) {
    return Status::Usage(
        fmt::format("--results={}: {}", settings.results, made.status().message()));
  }
  std::string path = std::move(*made);
  const Json manifest = Manifest(settings, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now), command,
                                 phases, engines, store_path.empty() ? path : store_path);
  const Status written = WriteFileAtomically(
      path + "/manifest.json", manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!written.ok()) return written;
  StatusOr<AppendOnlyFile> lines = AppendOnlyFile::Open(path + "/results.jsonl", kMostLinesBytes);
  if (!lines.ok()) return lines.status();
  return ResultDirectory(std::move(path), std::move(*lines));
}

Status ResultDirectory::AddInterval(size_t run, const std::string& engine,
                                    const IntervalPlace& phase, const PhaseInterval& interval) {
  if (!intervals_) {
    StatusOr<AppendOnlyFile> file =
        AppendOnlyFile::Open(path_ + "/intervals.jsonl", kMostIntervalsBytes);
    if (!file.ok()) return file.status();
    intervals_.emplace(std::move(*file));
  }
  Json line = {{"type", "interval"}, {"schema", kSchemaMajor}, {"run", run},
               {"engine", engine},   {"phase", phase.phase},   {"workload", phase.workload}};
  line.update(ToJson(interval));
  return intervals_->AppendLine(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Status ResultDirectory::AddPhase(size_t run, const std::string& engine, const Variant& variant,
                                 const PhaseResult& phase) {
  if (const Status synced = intervals_ ? intervals_->Sync() : Status::Ok(); !synced.ok()) {
    return synced;
  }
  Json body = {{"engine", engine}};
  if (variant.number != 0) body["variant"] = ToJson(variant);
  body.update(ToJson(phase));
  return Add("phase", run, std::move(body));
}

Status ResultDirectory::AddRun(size_t run, const RunResult& result) {
  return Add("run", run, ToJson(result));
}

Status ResultDirectory::AddPrice(const Price& price) { return Add("price", 0, ToJson(price)); }

Status ResultDirectory::Add(std::string_view type, size_t run, Json body) {
  Json line = {{"type", type}, {"schema", kSchemaMajor}, {"run", run}};
  line.update(body);
  const Status status =
      lines_.AppendLine(line.dump(-1, ' ', false, Json::error_handler_t::replace));
  return status.ok() ? lines_.Sync() : status;
}

}  // namespace levelfield
