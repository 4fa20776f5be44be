#include "analysis/crash_state.h"

#include "base/json_text.h"
#include "result/fields_json.h"

namespace levelfield {

namespace {

template <class T>
Json Line(const char* type, const T& part) {
  Json json = {{"type", type}};
  json.update(Codec<T>::Write(part));
  return json;
}

}  // namespace

Json ToJson(const CrashState& state) { return Line("state", state); }
Json ToJson(const CrashSkip& skip) { return Line("skip", skip); }
Json ToJson(const CrashFinding& finding) { return Codec<CrashFinding>::Write(finding); }

StatusOr<CrashFinding> CrashFindingOf(const Json& json) {
  CrashFinding finding;
  const Status status = Codec<CrashFinding>::Read(json, finding);
  return status.ok() ? StatusOr<CrashFinding>(finding) : status;
}

StatusOr<CrashStates> CrashStatesOf(const std::vector<std::string>& lines) {
  CrashStates all;
  for (const std::string& line : lines) {
    const StatusOr<Json> json = ParseBoundedJson(line);
    if (!json.ok()) return Status::Failed("a line of durability.jsonl: " + json.status().message());
    Reader reader(*json, CrashState::kFields.what);
    const auto type = reader.Get<std::string>("type");
    if (!reader.status().ok()) return reader.status();
    Status status = Status::Ok();
    if (type == "state") {
      status = Codec<CrashState>::Read(*json, all.states.emplace_back());
    } else if (type == "skip") {
      status = Codec<CrashSkip>::Read(*json, all.skips.emplace_back());
    } else {
      reader.Fail("is of an unknown type");
      status = reader.status();
    }
    if (!status.ok()) return status;
  }
  return all;
}

}  // namespace levelfield
