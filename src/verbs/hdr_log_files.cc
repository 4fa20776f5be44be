#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "analysis/result_files.h"
#include "base/atomic_file.h"
#include "base/quote.h"
#include "report/csv.h"
#include "result/hdr_log.h"
#include "result/result_json.h"
#include "settings/report_formats.h"
#include "settings/settings.h"
#include "verbs/report.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

constexpr uint64_t kMostLogBytes = uint64_t{1} << 30;

// What a file may be called everywhere, and what a tag of a log may be.
std::string Plain(const std::string& name) {
  constexpr std::string_view kKept =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  std::string plain = name.empty() ? "_" : name.substr(0, 40);
  for (char& c : plain) c = kKept.find(c) == std::string_view::npos ? '_' : c;
  return plain;
}

struct Log {
  std::string lines;
  Histogram all;

  void Add(const std::string& tag, const PhaseInterval& interval, const SparseHistogram& values) {
    const Histogram whole = values.Whole();
    lines += HdrLogLine(tag, interval.begin_ms, interval.end_ms, whole);
    all.Merge(whole);
  }
};

}  // namespace

StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to) {
  std::map<std::string, Log> logs;
  bool torn = false;
  RETURN_IF_ERROR(ForEachInterval(directory, &torn, [&](const StoredInterval& stored) {
    for (const RoleInterval& role : stored.interval.roles) {
      for (const LaneInterval& lane : role.lanes) {
        const std::string tag = Plain(lane.operation);
        const std::string name =
            fmt::format("{}-{}-{}-{}-{}-{}", stored.run, Plain(stored.engine), stored.phase,
                        Plain(stored.workload), Plain(role.name), tag);
        logs[name].Add(tag, stored.interval, lane.latency_ns);
        if (!lane.response_ns) continue;
        logs[name + "-response"].Add(tag + "-response", stored.interval, *lane.response_ns);
      }
    }
  }));
  if (logs.empty()) return NoIntervals(directory);
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(to, error))) {
    return Status::Usage(fmt::format(
        "--to={}: is there already; name another directory, or move it away", Printable(to)));
  }
  std::filesystem::create_directories(to, error);
  if (error) {
    return Status::Usage(
        fmt::format("--to={}: cannot make it: {}", Printable(to), error.message()));
  }
  std::string names;
  for (const auto& [name, log] : logs) {
    const std::string path = to + "/" + name;
    Status written = WriteFileAtomically(path + ".hlog", HdrLogHeader(name) + log.lines,
                                         Overwrite::kNever, kMostLogBytes);
    if (written.ok()) {
      written = WriteFileAtomically(path + ".hgrm", HdrPercentiles(log.all));
    }
    if (!written.ok()) return written;
    names += fmt::format("{}.hlog\n{}.hgrm\n", path, path);
  }
  return names;
}

Answer WriteHdrLogFiles(const Settings& settings) {
  if (settings.to.empty() || settings.arguments.size() != 1) {
    return Status::Usage(
        "--format=hlog: writes the logs of one result directory into --to, which is made: "
        "levelfield report --format=hlog --to=logs results/<...>");
  }
  ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(settings.arguments.front()));
  ASSIGN_OR_RETURN(const std::string names, WriteHdrLogs(settings.arguments.front(), settings.to));
  return names;
}

}  // namespace levelfield
