#include "workload/find_workload.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "base/text.h"
#include "workload/workload_file.h"

namespace levelfield {
namespace {

constexpr std::string_view kDeterministic =
    "writes overlapping files for each of RocksDB's levels and moves them there by hand, which no "
    "other engine has; `fillseq,compact` and `filluniquerandom,compact` leave one shape, too";
constexpr std::string_view kWide =
    "reads or writes wide columns (entities), which RocksDB's C interface does not have";
constexpr std::string_view kCoroutines =
    "reads through RocksDB's coroutines, a build of its own that its C interface does not reach";
constexpr std::string_view kOperands =
    "asks for the operands of a merge (GetMergeOperands), which RocksDB's C interface does not "
    "have; `readrandommergerandom` reads what merges made";
constexpr std::string_view kMultiScan =
    "scans many ranges by RocksDB's MultiScan, which its C interface does not have";
constexpr std::string_view kIngest =
    "builds table files outside of the store and has RocksDB take them in, which no other engine "
    "does, so no engine's table has the call";

constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"fillseqdeterministic", kDeterministic},
    {"filluniquerandomdeterministic", kDeterministic},
    {"ingestexternalfile", kIngest},
    {"fillembeddedentity", kIngest},
    {"fillembeddedblob", kIngest},
    {"readrandomentity", kWide},
    {"multireadentity", kWide},
    {"readrandomcoroutine", kCoroutines},
    {"multireadrandomcoroutine", kCoroutines},
    {"readrandomoperands", kOperands},
    {"getmergeoperands", kOperands},
    {"multiscan", kMultiScan},
    {"multiscanrandom", kMultiScan},
    {"approximatesizerandom",
     "asks RocksDB how large random ranges are: an estimate, which no check can tell from a wrong "
     "one"},
    {"approximatememtablestats",
     "asks RocksDB how many entries of a range are in its memtable: an estimate, which no check "
     "can "
     "tell from a wrong one"},
    {"verify",
     "compares the store with another one (truth_db) by assertions, which a release build leaves "
     "out; here every workload that writes is verified"},
    {"resetstats",
     "sets RocksDB's statistics back to zero (ResetStats), which its C interface does not have; a "
     "workload's counters are those that grew while it ran"},
    {"stats_history",
     "tells RocksDB's statistics of earlier times (GetStatsHistory), which its C interface does "
     "not "
     "have"},
    {"cache_report_problems",
     "has RocksDB's cache look for what is wrong in it (ReportProblems), which its C interface "
     "does "
     "not have; `block_cache_entry_stats` tells what is in it"},
    {"openandcompact",
     "compacts in another process for a store that is open (OpenAndCompact), which RocksDB's C "
     "interface does not have"},
};

}  // namespace

std::span<const std::pair<std::string_view, std::string_view>> WorkloadsNotRun() { return kNames; }

std::string_view WhyNotRun(std::string_view name) {
  const auto it = std::ranges::find(kNames, name, [](const auto& pair) { return pair.first; });
  return it == std::end(kNames) ? std::string_view() : it->second;
}

bool IsWorkloadFile(std::string_view name_or_path) { return name_or_path.ends_with(".workload"); }

StatusOr<WorkloadText> ReadWorkloadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Status::Usage(fmt::format("--benchmarks: cannot read the workload file {}", path));
  }
  std::string text(kMostWorkloadBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return WorkloadText{std::filesystem::path(path).stem().string(), std::move(text)};
}

StatusOr<std::vector<std::string>> WorkloadsNamed(const std::string& text) {
  const size_t end = std::min(text.find('['), text.size());
  const std::string pattern = text.substr(0, end);
  if (IsWorkloadFile(text) || pattern.find_first_of("*?") == std::string::npos) {
    return std::vector{text};
  }
  std::vector<std::string> names;
  for (const auto& [name, its_text] : BuiltinWorkloads()) {
    const std::string its_name(name);
    if (fnmatch(pattern.c_str(), its_name.c_str(), 0) == 0) {
      names.push_back(its_name + text.substr(end));
    }
  }
  if (!names.empty()) return names;
  return Status::Usage(fmt::format(
      "--benchmarks: no workload's name is like '{}'. `levelfield workloads` lists them.",
      pattern));
}

StatusOr<WorkloadText> FindWorkload(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [its_name, text] : BuiltinWorkloads()) {
    if (its_name == name) return WorkloadText{name, std::string(text)};
    names.emplace_back(its_name);
  }
  if (const std::string_view why = WhyNotRun(name); !why.empty()) {
    return Status::Usage(fmt::format(
        "--benchmarks: '{}' {}, so it is not run here. `levelfield workloads` lists what is.", name,
        why));
  }
  return Status::Usage(fmt::format(
      "--benchmarks: no workload is called '{}'{} `levelfield workloads` lists them; a file of "
      "your "
      "own is given by its path, ending in .workload.",
      name, DidYouMean(name, names, ".")));
}

}  // namespace levelfield
