#include "durability/crash_record.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/path_owners.h"
#include "base/sealed_json.h"
#include "base/utc.h"
#include "base/version.h"
#include "result/environment.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLinesName = "/durability.jsonl";
constexpr uint64_t kMostLinesBytes = uint64_t{64} << 20;

}  // namespace

StatusOr<CrashRecord> CrashRecord::Create(const std::string& results, const Head& head) {
  const uint64_t now_ns = UtcNowNs();
  StatusOr<std::string> path =
      MakeNewDirectory(fmt::format("{}/{}-durability", results, UtcText(now_ns, kResultTime)));
  if (!path.ok()) {
    return Status::Usage(fmt::format("--results={}: {}", results, path.status().message()));
  }
  const Json manifest = {
      {"schema", kResultFormat},
      {"name", "durability"},
      {"started", UtcText(now_ns)},
      {"started_ns", now_ns},
      {"command", head.command},
      {"version", kVersion},
      {"seed", head.seed},
      {"engines", head.engines},
      {"environment", CaptureEnvironment(head.store_path.empty() ? *path : head.store_path)}};
  RETURN_IF_ERROR(WriteFileAtomically(*path + "/manifest.json", SealedText(manifest, 1)));
  ASSIGN_OR_RETURN(AppendOnlyFile lines, AppendOnlyFile::Open(*path + kLinesName, kMostLinesBytes));
  return CrashRecord(*path, std::move(lines), manifest);
}

Status CrashRecord::Add(const CrashState& state) {
  states_.states.push_back(state);
  return lines_.AppendLine(SealedText(ToJson(state)));
}

Status CrashRecord::Add(const CrashSkip& skip) {
  states_.skips.push_back(skip);
  return lines_.AppendLine(SealedText(ToJson(skip)));
}

bool HasCrashStates(const std::string& directory) {
  std::error_code ignored;
  return std::filesystem::exists(directory + kLinesName, ignored);
}

StatusOr<CrashStates> CrashStatesIn(const std::string& directory) {
  bool torn = false;
  const StatusOr<std::vector<std::string>> lines =
      ReadSealedLines(directory + kLinesName, &torn, kMostLinesBytes);
  if (!lines.ok()) return Status::Usage(lines.status().message());
  return CrashStatesOf(*lines);
}

}  // namespace levelfield
