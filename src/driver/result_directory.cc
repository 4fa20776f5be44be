#include "driver/result_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/gzip.h"
#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/sealed_json.h"
#include "base/text.h"
#include "base/utc.h"
#include "base/version.h"
#include "result/environment.h"
#include "result/result.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostLinesBytes = uint64_t{256} << 20;
constexpr uint64_t kMostIntervalsBytes = uint64_t{1} << 30;
// Per line, in each of the two files. Most lines of a phase have 1 to 2 KB.
constexpr uint64_t kRoomOfLine = 8 << 10;

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

}  // namespace

StatusOr<ResultDirectory> ResultDirectory::Create(const std::string& results, Undertaking of,
                                                  const std::string& store_path) {
  const uint64_t now_ns = UtcNowNs();
  StatusOr<std::string> made =
      MakeNewDirectory(fmt::format("{}/{}-{}", results, UtcText(now_ns, kResultTime), of.name));
  if (!made.ok()) {
    return Status::Usage(fmt::format("--results={}: {}", results, made.status().message()));
  }
  std::string path = std::move(*made);
  Json environment;
  std::string fingerprint;
  if (of.machines.empty()) {
    environment = CaptureEnvironment(store_path.empty() ? path : store_path);
    fingerprint = Fingerprint(environment);
  } else {
    environment = of.machines.front()["environment"];
    for (const Json& machine : of.machines) {
      fingerprint += machine["fingerprint"].get<std::string>();
    }
    if (of.machines.size() > 1) fingerprint = TextHash(fingerprint);
  }
  Json manifest = {{"schema", kResultFormat},
                   {"name", std::move(of.name)},
                   {"started", UtcText(now_ns)},
                   {"started_ns", now_ns},
                   {"command", std::move(of.command)},
                   {"planned", std::move(of.planned)},
                   {"version", kVersion},
                   {"settings", std::move(of.settings)},
                   {"given", std::move(of.given)},
                   {"workloads", std::move(of.workloads)},
                   {"engines", std::move(of.engines)},
                   {"fingerprint", std::move(fingerprint)},
                   {"environment", std::move(environment)}};
  if (!of.machines.empty()) manifest["machines"] = std::move(of.machines);
  for (const auto& [workload, share] : of.noise) manifest["noise"][workload] = share;
  RETURN_IF_ERROR(WriteFileAtomically(path + "/manifest.json", SealedText(manifest, 1)));
  ASSIGN_OR_RETURN(AppendOnlyFile lines,
                   AppendOnlyFile::Open(path + "/results.jsonl", kMostLinesBytes));
  ASSIGN_OR_RETURN(AppendOnlyFile details,
                   AppendOnlyFile::Open(path + "/" + kDetailsFile, kMostLinesBytes));
  return ResultDirectory(std::move(path), std::move(lines), std::move(details));
}

StatusOr<ResultDirectory> ResultDirectory::Create(
    const Settings& settings, const std::string& command, const std::vector<PlannedPhase>& phases,
    const Json& engines, const std::string& store_path, uint64_t runs_of_round,
    const std::vector<std::pair<std::string, double>>& noise) {
  RETURN_IF_ERROR(CheckName(settings.name));
  Undertaking of{
      .name = settings.name,
      .command = command,
      .planned = {{"rounds", settings.repeat},
                  {"most_rounds", settings.precision > 0 ? settings.repeat_most : settings.repeat},
                  {"runs", runs_of_round}},
      .settings = Json::object(),
      .given = Json::array(),
      .workloads = Json::object(),
      .noise = noise,
      .engines = engines};
  for (const Flag& flag : Flags()) {
    of.settings[std::string(flag.name)] = TextOf(flag, settings);
    if (settings.IsGiven(flag.name)) of.given.push_back(flag.name);
  }
  for (const PlannedPhase& phase : phases) of.workloads[phase.source.name] = phase.source.text;
  return Create(settings.results, std::move(of), store_path);
}

Status ResultDirectory::AddInterval(size_t run, const std::string& engine,
                                    const IntervalPlace& phase, const PhaseInterval& interval) {
  if (!intervals_) {
    ASSIGN_OR_RETURN(AppendOnlyFile file,
                     AppendOnlyFile::Open(path_ + "/intervals.jsonl", kMostIntervalsBytes));
    intervals_.emplace(std::move(file));
  }
  Json line = {{"type", "interval"},   {"schema", kResultFormat},
               {"run", run},           {"engine", engine},
               {"round", phase.round}, {"phase", phase.phase},
               {"workload", phase.workload}};
  line.update(ToJson(interval));
  return intervals_->AppendLine(SealedText(line));
}

Status ResultDirectory::MakeRoom(size_t run, size_t phases) {
  coming_[run] = phases;
  size_t lines = 1;
  for (const auto& [its_run, its_phases] : coming_) lines += its_phases + 1;
  const uint64_t room = std::max(kRoomOfLine, 2 * longest_line_);
  RETURN_IF_ERROR(details_.Reserve(room * (lines - 1 - coming_.size())));
  return lines_.Reserve(room * lines);
}

Status ResultDirectory::SyncIntervals() { return intervals_ ? intervals_->Sync() : Status::Ok(); }

Status ResultDirectory::AddPhase(size_t run, const RunResult& of, const PhaseResult& phase) {
  phases_.resize(std::max(phases_.size(), run + 1));
  const size_t number = phases_[run]++;
  Json body = {{"engine", of.engine}, {"round", of.round}, {"phase", number}};
  if (of.variant.number != 0) body["variant"] = ToJson(of.variant);
  Json members = ToJson(phase);
  RETURN_IF_ERROR(AddDetailsOf(run, number, TakeDetails(members)));
  body.update(members);
  return Add("phase", run, std::move(body));
}

// Details are written before the line to which they belong.
Status ResultDirectory::AddDetailsOf(size_t run, size_t phase, Json details) {
  Json line = {{"run", run}, {"phase", phase}};
  if (details.is_object()) line.update(details);
  std::istringstream text(JsonText(line) + "\n");
  const std::string packed = Gzipped(text);
  longest_line_ = std::max<uint64_t>(longest_line_, packed.size());
  const Status status = details_.Append(packed);
  return status.ok() ? details_.Sync() : status;
}

Status ResultDirectory::AddRun(size_t run, const RunResult& result) {
  coming_.erase(run);
  return Add("run", run, ToJson(result));
}

Status ResultDirectory::AddOverhead(const Overhead& overhead) {
  return Add("price", 0, ToJson(overhead));
}

Status ResultDirectory::AddTried(const TriedSetting& tried) {
  return Add("tried", 0, ToJson(tried));
}

Status ResultDirectory::AddEnd(Completion::End end, const std::string& message) {
  const Status status = Add("end", 0, {{"how", NameOf(end)}, {"message", message}});
  lines_.Release();
  details_.Release();
  return status;
}

Status ResultDirectory::Add(std::string_view type, size_t run, Json body) {
  Json line = {{"type", type}, {"schema", kResultFormat}, {"run", run}};
  line.update(body);
  const std::string text = SealedText(line);
  longest_line_ = std::max<uint64_t>(longest_line_, text.size());
  const Status status = lines_.AppendLine(text);
  return status.ok() ? lines_.Sync() : status;
}

}  // namespace levelfield
