#include "analysis/result_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "analysis/consistency.h"
#include "analysis/drive_state.h"
#include "base/json_text.h"
#include "base/sealed_json.h"
#include "base/unique_fd.h"
#include "result/circumstances_json.h"
#include "result/completion.h"
#include "result/environment.h"
#include "result/json_reader.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

constexpr uint64_t kMaxResultBytes = uint64_t{256} << 20;

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
                                   : JsonText(*it);
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

// Whether the program that writes them lives: it holds a lock (base/atomic_file.h).
bool IsBeingWritten(const std::string& lines_path) {
  const UniqueFd fd(open(lines_path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  return fd.ok() && flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
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
  uint64_t planned_runs = 0;
  if (manifest->contains("planned")) {  // Since format 1.4.
    Reader planned((*manifest)["planned"], "what was planned");
    result.completion = {.planned_rounds = planned.Get<uint64_t>("rounds"),
                         .most_rounds = planned.Get<uint64_t>("most_rounds")};
    planned_runs = planned.Get<uint64_t>("runs");
    if (!planned.status().ok()) {
      return Status::Failed(manifest_path + ": " + planned.status().message());
    }
  }

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
    if (line.status().ok() && type == "end" && result.completion) {
      result.completion->end = EndOf(line.Get<std::string>("how"));
      result.completion->message = line.Get<std::string>("message");
      return line.status();
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
      if (json->contains("round")) run.round = line.Get<uint64_t>("round");  // Since format 1.4.
      const StatusOr<Variant> variant = VariantFromJson(*json);
      if (variant.ok()) run.variant = *variant;
      line.Fail(variant.status());
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
    result.runs[i].cut_off =
        result.completion && (!complete[i] || result.runs[i].outcome == Outcome::kInterrupted);
    if (complete[i]) continue;
    result.runs[i].outcome = result.completion ? Outcome::kInterrupted : Outcome::kFailed;
    result.runs[i].label = result.runs[i].engine;
    result.runs[i].message = "cut off: the program ended before this run did";
  }
  if (result.completion) {
    Completion& completion = *result.completion;
    completion.rounds = WholeRounds(result.runs, planned_runs);
    const bool has_end = completion.end != Completion::End::kCutOff;
    if (!has_end && IsBeingWritten(lines_path)) completion.message = "still running";
  }
  return result;
}

}  // namespace levelfield
