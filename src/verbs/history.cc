#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "analysis/series.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "report/history_report.h"
#include "report/html/history_page.h"
#include "report/terminal.h"
#include "settings/settings.h"
#include "verbs/diagnose.h"
#include "verbs/read_result.h"
#include "verbs/report.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// Everything in a directory of results, read one by one, because the histograms of hundreds of
// results would not fit into memory.
struct Gathered {
  std::vector<Measured> measured;
  size_t results = 0;
  std::vector<std::string> skipped;  // With the reasons.
};

StatusOr<Gathered> Gather(const std::string& root) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored)) paths.push_back(it->path().string());
  }
  if (error) {
    return Status::Usage(
        fmt::format("{}: cannot be read: {}; history takes the directory that results are in", root,
                    error.message()));
  }
  std::ranges::sort(paths);
  std::map<std::string, std::string> defaults;
  for (const Flag& flag : Flags()) defaults[std::string(flag.name)] = TextOf(flag, Settings());
  Gathered gathered;
  for (const std::string& path : paths) {
    const StatusOr<Result> result = ReadResultDirectory(path);
    if (!result.ok()) {
      gathered.skipped.push_back(result.status().message());
      continue;
    }
    ++gathered.results;
    for (const Result& part : VariantsOf(*result)) {
      for (Measured& one : MeasuredIn(part, defaults)) {
        one.point.directory = path;
        gathered.measured.push_back(std::move(one));
      }
    }
  }
  return gathered;
}

// Keeps those that the flag names. A name that matches nothing is a mistake.
template <class NamesOf>
Status Choose(const char* flag, const std::string& list, const NamesOf& names_of,
              std::vector<Measured>& measured) {
  std::set<std::string> there;
  for (const Measured& one : measured) {
    for (const std::string& name : names_of(one)) there.insert(name);
  }
  const std::vector<std::string> names = Split(list, ',');
  for (const std::string& name : names) {
    if (there.contains(name)) continue;
    return Status::Usage(fmt::format("--{}: no result has {}{}", flag, Quote(name),
                                     DidYouMean(name, std::vector(there.begin(), there.end()))));
  }
  std::erase_if(measured, [&](const Measured& one) {
    return std::ranges::none_of(names_of(one), [&](const std::string& name) {
      return std::ranges::find(names, name) != names.end();
    });
  });
  return Status::Ok();
}

StatusOr<Settings> SettingsOf(const Words& words) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettingsOf("history", words));
  if (settings.arguments.size() > 1 ||
      (settings.arguments.size() == 1 && settings.given.contains("results"))) {
    return Status::Usage(
        "history takes one directory with results in it: levelfield history results");
  }
  return settings;
}

// `skipped`: what is there, and why each is none. If the results are one directory further down,
// that is said instead.
Status NoResult(const std::string& root, const std::vector<std::string>& skipped) {
  std::error_code error;
  if (fs::exists(root + "/manifest.json", error)) {
    const fs::path above = fs::absolute(root, error).lexically_normal().parent_path();
    return Status::Usage(
        fmt::format("{}: is a result itself; the directory above has several: "
                    "levelfield history {}",
                    root, ShellWord(above.string())));
  }
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (ResultsIn(it->path().string()).empty()) continue;
    return Status::Usage(
        fmt::format("{}: there is no result in it; they are one directory "
                    "further down: levelfield history {}",
                    root, ShellWord(it->path().string())));
  }
  return Status::Usage(fmt::format("{}: there is no result in it that can be read{}{}", root,
                                   skipped.empty() ? "" : "; ",
                                   skipped.empty() ? "" : skipped.front()));
}

std::string Explained(const std::string& before, const std::string& after) {
  const StatusOr<Report> report = ChangeReport(before, after, Settings().margin);
  return report.ok() ? WriteTerminal(*report) : report.status().message();
}

}  // namespace

Answer HistoryVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Settings settings, SettingsOf(words));
  const std::string root =
      settings.arguments.empty() ? settings.results : settings.arguments.front();
  ASSIGN_OR_RETURN(Gathered gathered, Gather(root));
  if (gathered.results == 0) {
    return NoResult(root, gathered.skipped);
  }
  const auto engines = [](const Measured& one) {
    return std::vector{one.spec, EngineName(one.spec)};
  };
  const auto workloads = [](const Measured& one) {
    return std::vector{one.key.workload.substr(0, one.key.workload.find(' '))};
  };
  const bool names_engines = settings.given.contains("engine") && settings.engine != "all";
  if (names_engines) {
    RETURN_IF_ERROR(Choose("engine", settings.engine, engines, gathered.measured));
  } else {
    std::erase_if(gathered.measured, &Measured::is_beside_stores);
  }
  if (settings.given.contains("benchmarks")) {
    RETURN_IF_ERROR(Choose("benchmarks", settings.benchmarks, workloads, gathered.measured));
  }
  const ChangePointRules rules{.least_size = settings.margin};
  const std::vector<History> histories = HistoriesOf(std::move(gathered.measured), rules);
  if (histories.empty()) {
    return Status::Usage(root + ": no result in it has a rate of an engine");
  }
  const bool has_single = names_engines || settings.given.contains("benchmarks");
  const int exit_code = std::ranges::any_of(histories, IsSlowerOfLate) ? 1 : 0;
  if (settings.format == "html") {
    return {HistoryPage(ShownOf(histories, has_single), Explained), exit_code};
  }
  Report report = HistoryReport(histories, rules, has_single);
  for (const std::string& why : gathered.skipped) {
    report.AddLine("left out: " + Printable(why));
  }
  const StatusOr<std::string> text = WriteReport(report, settings, "history");
  if (text.ok()) return {*text, exit_code};
  return Status::Usage(text.status().message() + " or --format=html");
}

}  // namespace levelfield
