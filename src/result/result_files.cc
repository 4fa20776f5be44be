#include "result/result_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "base/gzip.h"
#include "base/json_text.h"
#include "base/sealed_json.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "result/environment.h"
#include "result/fields_json.h"
#include "result/merge.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

constexpr uint64_t kMaxResultBytes = uint64_t{256} << 20;
// The alternative of an engine (engine_abi.h) that is its own means against the kernel's
// read-ahead.
constexpr std::string_view kNoReadahead = "no_readahead";

using Pairs = std::vector<std::pair<std::string, std::string>>;

Status At(const std::string& where, const Status& status) {
  return status.ok() ? status : Status::Failed(where + ": " + status.message());
}

StatusOr<Json> ParseJson(const std::string& text, const std::string& where) {
  StatusOr<Json> json = ParseBoundedJson(text);
  return json.ok() ? std::move(json) : At(where, json.status());
}

Status CheckFormat(const Json& json, const std::string& what) {
  Reader reader(json, what);
  const auto format = reader.Get<uint64_t>("schema");
  RETURN_IF_ERROR(reader.status());
  if (format == kResultFormat) return Status::Ok();
  return Status::Failed(
      fmt::format("{}: its format of results is {}, and this program reads {} alone; read it with "
                  "the version of Levelfield that wrote it",
                  what, format, kResultFormat));
}

// What an engine's plug-in declares (RunResult's members of these names).
struct Declared {
  Pairs deviations;
  Pairs no_readahead;
};

// By engine. A manifest may lack any of it.
std::map<std::string, Declared> DeclaredIn(const Json& manifest) {
  constexpr std::string_view kPrefix = "deviation_";
  std::map<std::string, Declared> declared;
  const auto text = [](const Json& json, const char* name) {
    const auto it = json.is_object() ? json.find(name) : json.end();
    return it != json.end() && it->is_string() ? it->get<std::string>() : "";
  };
  for (const Json& engine : manifest.value("engines", Json::array())) {
    if (!engine.is_object()) continue;
    Declared& by = declared[text(engine, "spec")];
    for (const Json& fact : engine.value("facts", Json::array())) {
      const std::string name = text(fact, "name");
      if (!name.starts_with(kPrefix)) continue;
      by.deviations.emplace_back(name.substr(kPrefix.size()), text(fact, "value"));
    }
    for (const Json& row : engine.value("alternatives", Json::array())) {
      if (text(row, "name") != kNoReadahead) continue;
      for (const std::string& setting : Split(text(row, "settings"), ' ')) {
        const size_t equals = setting.find('=');
        if (equals == setting.npos) continue;
        by.no_readahead.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
      }
    }
  }
  return declared;
}

// Facts about the machine and the program for reports. A manifest may lack any of it.
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
  if (const std::string device = text("block_device"); !IsUnknown(device)) {
    result.block_device = device;
  }
  result.read_ahead_kb = Digits(text("block_read_ahead_kb")).value_or(0);
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

// Whether the writing program is alive: it holds a lock (base/atomic_file.h).
bool IsBeingWritten(const std::string& lines_path) {
  const UniqueFd fd(open(lines_path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  return fd.ok() && flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Status CheckSize(const std::string& path) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes <= kMaxResultBytes) return Status::Ok();
  return Status::Failed(fmt::format("{}: {} bytes are more than the {} allowed for it", path, bytes,
                                    kMaxResultBytes));
}

// Reads details.jsonl.gz along with results.jsonl. Its lines have the same order.
class DetailsReader {
 public:
  static StatusOr<DetailsReader> Open(const std::string& directory) {
    DetailsReader details(directory + "/" + kDetailsFile);
    std::error_code error;
    if (!std::filesystem::exists(details.path_, error)) return details;
    RETURN_IF_ERROR(CheckSize(details.path_));
    ASSIGN_OR_RETURN(details.lines_, GzipLines::Open(details.path_));
    return details;
  }

  // Adds its details to the line of a phase. One without `phase` has them itself.
  Status AddTo(Json& phase) {
    if (!phase.is_object() || !phase.contains("phase")) return Status::Ok();
    is_wanted_ = true;
    if (!lines_) return Status::Ok();
    const auto is_same = [&](const Json& line, const char* name) {
      return line.is_object() && line.value(name, Json()) == phase.value(name, Json());
    };
    // Skips details of a phase whose own line could not be written.
    for (;;) {
      ASSIGN_OR_RETURN(const bool is_there, Next());
      if (!is_there) return Damaged("it lacks a phase that results.jsonl has");
      StatusOr<Json> line = ParseBoundedJson(line_);
      if (!line.ok()) return Damaged(line.status().message());
      if (!is_same(*line, "run") || !is_same(*line, "phase")) continue;
      AddDetails(std::move(*line), phase);
      return Status::Ok();
    }
  }

  // Whether the file is whole is known only at its end.
  Status Finish() { return lines_ ? Next().status() : Status::Ok(); }
  bool AreMissing() const { return is_wanted_ && !lines_; }

 private:
  explicit DetailsReader(std::string path) : path_(std::move(path)) {}

  StatusOr<bool> Next() {
    const StatusOr<bool> is_there = lines_->Next(line_);
    return is_there.ok() ? is_there : Damaged(is_there.status().message());
  }
  Status Damaged(const std::string& why) const {
    return Status::Usage(
        fmt::format("{}: the file was damaged since it was written ({}); take a whole copy of it, "
                    "or remove it, and reports have rates without percentiles",
                    path_, why));
  }

  std::string path_;
  std::optional<GzipLines> lines_;  // Absent: there is no such file.
  std::string line_;
  bool is_wanted_ = false;
};

// Builds a result from its manifest and from lines, which may be cut off anywhere.
class ResultReader {
 public:
  Status TakeManifest(const Json& manifest, const std::string& where) {
    RETURN_IF_ERROR(CheckFormat(manifest, where));
    Reader reader(manifest, where);
    reader.Read("name", result_.name);
    reader.Read("started", result_.started);
    if (reader.Has("started_ns")) reader.Read("started_ns", result_.started_ns);
    reader.Read("command", result_.command);
    reader.Read("version", result_.version);
    reader.Read("settings", result_.settings);
    if (reader.Has("noise")) reader.Read("noise", result_.noise);
    reader.Read("fingerprint", result_.fingerprint);
    reader.Read("workloads", result_.workload_texts);
    if (!reader.Has("planned")) reader.Fail("has no \"planned\"");
    RETURN_IF_ERROR(reader.status());
    ReadEnvironment(manifest, result_);
    RETURN_IF_ERROR(ReadMachines(manifest, where));
    declared_ = DeclaredIn(manifest);
    Reader planned(manifest["planned"], "what was planned");
    result_.completion.end = Completion::End::kCutOff;
    planned.Read("rounds", result_.completion.planned_rounds);
    planned.Read("most_rounds", result_.completion.most_rounds);
    planned.Read("runs", planned_runs_);
    return At(where, planned.status());
  }

  Status TakeLine(const Json& json, const std::string& where) {
    RETURN_IF_ERROR(CheckFormat(json, where));
    Reader line(json, where);
    const auto type = line.Get<std::string>("type");
    RETURN_IF_ERROR(line.status());
    if (type == "price") {
      return Add(json, where, result_.overheads);
    }
    if (type == "tried") {
      return Add(json, where, result_.tried);
    }
    if (type == "end") return TakeEnd(line);
    if (type != "phase" && type != "run") {
      return Status::Ok();  // Nothing that this program knows.
    }
    const auto run = line.Get<uint64_t>("run");
    if (!CanHaveBegun(run)) line.Fail("has a run that was never begun");
    RETURN_IF_ERROR(line.status());
    return type == "phase" ? TakePhase(json, line, runs_[run].result, where)
                           : TakeRun(json, runs_[run], where);
  }

  Result Finish(bool is_being_written) {
    for (auto& [number, run] : runs_) {
      FinishRun(run.result, run.has_line);
      run.result.number = number;
      result_.runs.push_back(std::move(run.result));
    }
    Completion& completion = result_.completion;
    completion.rounds = WholeRounds(result_.runs, planned_runs_);
    const bool has_end = completion.end != Completion::End::kCutOff;
    if (!has_end && is_being_written) completion.message = "still running";
    return std::move(result_);
  }

  void Warn(const std::string& warning) { result_.warnings.push_back(warning); }

 private:
  // Those of a merged result.
  Status ReadMachines(const Json& manifest, const std::string& where) {
    for (const Json& json : manifest.value("machines", Json::array())) {
      Result machine;
      machine.version = result_.version;
      machine.settings = result_.settings;
      Reader reader(json, "a machine");
      reader.Read("host", machine.name);
      reader.Read("started", machine.started);
      reader.Read("command", machine.command);
      reader.Read("fingerprint", machine.fingerprint);
      RETURN_IF_ERROR(At(where, reader.status()));
      ReadEnvironment(json, machine);
      for (const Json& price : json.value("price", Json::array())) {
        RETURN_IF_ERROR(Add(price, where, machine.overheads));
      }
      result_.machines.push_back(std::move(machine));
    }
    DescribeTogether(result_);
    return Status::Ok();
  }

  // Each of its phases precedes its own line.
  struct Run {
    RunResult result;
    bool has_line = false;
  };

  // In slices the runs of a round are begun together, and any may be the first to have a line.
  bool CanHaveBegun(uint64_t run) const {
    return planned_runs_ != 0 && run / planned_runs_ < result_.completion.most_rounds;
  }

  template <class T>
  static Status Add(const Json& json, const std::string& where, std::vector<T>& parts) {
    StatusOr<T> part = FromJson<T>(json);
    if (part.ok()) parts.push_back(std::move(*part));
    return At(where, part.status());
  }

  Status TakeEnd(Reader& line) {
    line.Read("how", result_.completion.end);
    line.Read("message", result_.completion.message);
    return line.status();
  }

  static Status TakePhase(const Json& json, Reader& line, RunResult& run,
                          const std::string& where) {
    StatusOr<PhaseResult> phase = FromJson<PhaseResult>(json);
    if (!phase.ok()) return At(where, phase.status());
    line.Read("engine", run.engine);
    line.Read("round", run.round);
    run.variant = {};
    if (line.Has("variant")) line.Read("variant", run.variant);
    run.phases.push_back(std::move(*phase));
    return line.status();
  }

  static Status TakeRun(const Json& json, Run& run, const std::string& where) {
    StatusOr<RunResult> read = FromJson<RunResult>(json);
    return read.ok() ? Complete(run, std::move(*read)) : At(where, read.status());
  }

  static Status Complete(Run& run, RunResult read) {
    read.phases = std::move(run.result.phases);
    run = {.result = std::move(read), .has_line = true};
    return Status::Ok();
  }

  void FinishRun(RunResult& run, bool has_line) const {
    if (const auto it = declared_.find(run.engine); it != declared_.end()) {
      run.deviations = it->second.deviations;
      run.no_readahead = it->second.no_readahead;
    }
    run.cut_off = !has_line || run.outcome == Outcome::kInterrupted;
    if (has_line) return;
    run.outcome = Outcome::kInterrupted;
    run.label = run.engine;
    run.message = "cut off: the program ended before this run did";
  }

  Result result_;
  std::map<std::string, Declared> declared_;
  uint64_t planned_runs_ = 0;
  std::map<uint64_t, Run> runs_;  // By number. One that was cut off before its first line is none.
};

}  // namespace

StatusOr<Json> ReadManifest(const std::string& path) {
  const std::string manifest_path = path + "/manifest.json";
  ASSIGN_OR_RETURN(const std::string text, ReadSealedFile(manifest_path));
  ASSIGN_OR_RETURN(Json manifest, ParseJson(text, manifest_path));
  if (!manifest.is_object()) return Status::Failed(manifest_path + " is not an object");
  return manifest;
}

StatusOr<Result> ReadResultFiles(const std::string& path) {
  const std::string manifest_path = path + "/manifest.json";
  const std::string lines_path = path + "/results.jsonl";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Status::Usage(path + ": there is no such result directory");
  }
  if (!std::filesystem::exists(manifest_path, error)) {
    return Status::Usage(
        fmt::format("{}: not a result directory: there is no readable "
                    "manifest.json in it",
                    path));
  }
  ASSIGN_OR_RETURN(const Json manifest, ReadManifest(path));
  ResultReader reader;
  RETURN_IF_ERROR(reader.TakeManifest(manifest, manifest_path));

  // Warnings contain no path, so that a copy of the directory gives the same report.
  if (!std::filesystem::exists(lines_path, error)) {
    reader.Warn("there is no results.jsonl: the program ended before anything ran");
    return reader.Finish(false);
  }
  RETURN_IF_ERROR(CheckSize(lines_path));
  ASSIGN_OR_RETURN(DetailsReader details, DetailsReader::Open(path));
  bool torn = false;
  const auto take = [&](const std::string& line, uint64_t number) -> Status {
    const std::string where = fmt::format("{}, line {}", lines_path, number);
    ASSIGN_OR_RETURN(Json json, ParseJson(line, where));
    RETURN_IF_ERROR(details.AddTo(json));
    return reader.TakeLine(json, where);
  };
  RETURN_IF_ERROR(ForEachSealedLine(lines_path, &torn, kMaxFileBytes, take));
  RETURN_IF_ERROR(details.Finish());
  if (torn) reader.Warn("results.jsonl: the last line was torn by a crash and is left out");
  Result result = reader.Finish(IsBeingWritten(lines_path));
  result.lacks_details = details.AreMissing();
  return result;
}

Status ForEachInterval(const std::string& directory, bool* torn,
                       const std::function<void(const StoredInterval&)>& take) {
  const std::string path = directory + "/intervals.jsonl";
  std::error_code error;
  *torn = false;
  if (!std::filesystem::exists(path, error)) return Status::Ok();
  const auto take_line = [&](const std::string& text, uint64_t number) -> Status {
    const std::string where = fmt::format("{}, line {}", path, number);
    ASSIGN_OR_RETURN(const Json json, ParseJson(text, where));
    RETURN_IF_ERROR(CheckFormat(json, where));
    Reader line(json, where);
    if (line.Get<std::string>("type") != "interval") return line.status();
    StoredInterval stored;
    line.Read("run", stored.run);
    line.Read("round", stored.round);
    line.Read("phase", stored.phase);
    line.Read("engine", stored.engine);
    line.Read("workload", stored.workload);
    RETURN_IF_ERROR(line.status());
    StatusOr<PhaseInterval> interval = FromJson<PhaseInterval>(json);
    if (!interval.ok()) return At(where, interval.status());
    stored.interval = std::move(*interval);
    take(stored);
    return Status::Ok();
  };
  return ForEachSealedLine(path, torn, kMaxFileBytes, take_line);
}

}  // namespace levelfield
