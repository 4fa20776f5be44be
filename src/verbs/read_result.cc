#include "verbs/read_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/validity.h"
#include "base/number.h"
#include "base/text.h"
#include "result/result_files.h"
#include "result/result_json.h"
#include "settings/settings.h"

namespace levelfield {

namespace fs = std::filesystem;

namespace {

// 0: not known, as of a result that an earlier version wrote.
uint64_t StartedNs(const std::string& path) {
  const auto manifest = ReadManifest(path);
  if (!manifest.ok()) return 0;
  const auto it = manifest->find("started_ns");
  return it != manifest->end() && it->is_number_unsigned() ? it->get<uint64_t>() : 0;
}

}  // namespace

StatusOr<Result> ReadResultDirectory(const std::string& path) {
  StatusOr<Result> result = ReadResultFiles(path);
  if (!result.ok()) return result;
  for (RunResult& run : result->runs) {
    JudgeActs(run);
    for (PhaseResult& phase : run.phases) {
      const bool is_void = VoidIfUnsound(phase);
      if (is_void && run.outcome == Outcome::kOk) run.outcome = Outcome::kInvalid;
    }
  }
  return result;
}

std::vector<std::string> ResultsIn(const std::string& root) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (fs::exists(it->path() / "manifest.json", ignored)) paths.push_back(it->path().string());
  }
  std::ranges::sort(paths);
  const auto second = [](const std::string& path) {
    return fs::path(path).filename().string().substr(0, kResultTimeChars);
  };
  for (auto begin = paths.begin(); begin != paths.end();) {
    const auto end = std::find_if(
        begin, paths.end(),
        [&, at = second(*begin)](const std::string& path) { return second(path) != at; });
    if (end - begin > 1) std::ranges::stable_sort(begin, end, {}, StartedNs);
    begin = end;
  }
  return paths;
}

StatusOr<std::string> ResultPath(const std::string& typed) {
  constexpr std::string_view kLatest = "latest";
  std::error_code error;
  if (!typed.starts_with(kLatest) || fs::exists(typed, error)) return typed;
  const std::string_view behind = std::string_view(typed).substr(kLatest.size());
  const std::optional<uint64_t> back = behind.empty()            ? 0
                                       : behind.starts_with('~') ? Digits(behind.substr(1))
                                                                 : std::nullopt;
  if (!back) return typed;
  const std::string root = Settings().results;
  std::vector<std::string> paths = ResultsIn(root);
  std::erase_if(paths, [](const std::string& path) {
    return path.ends_with(fmt::format("-{}", kWhatIfName));
  });
  if (*back < paths.size()) return paths[paths.size() - 1 - *back];
  return Status::Usage(fmt::format(
      "{}: there {} in {}/; name the directory of a result", typed,
      paths.size() == 1 ? "is one result" : fmt::format("are {} results", paths.size()), root));
}

Status FindResults(std::vector<std::string>& typed) {
  for (std::string& path : typed) {
    ASSIGN_OR_RETURN(path, ResultPath(path));
  }
  return Status::Ok();
}

}  // namespace levelfield
