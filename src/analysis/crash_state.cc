#include "analysis/crash_state.h"

#include "base/json_text.h"
#include "result/json_reader.h"

namespace levelfield {
namespace {

Json CellJson(const CrashCell& cell) {
  return {{"engine", cell.engine},
          {"durability", cell.durability},
          {"claimed", cell.claimed},
          {"fault", cell.fault},
          {"cut_method", cell.cut_method},
          {"file_system", cell.file_system},
          {"eats_flushes", cell.eats_flushes},
          {"deviation", cell.deviation}};
}

CrashCell CellOf(const Json& json, Status& status) {
  Reader reader(json, "the cell of a crash state");
  CrashCell cell = {.engine = reader.Get<std::string>("engine"),
                    .durability = reader.Get<std::string>("durability"),
                    .claimed = reader.Get<std::string>("claimed"),
                    .fault = reader.Get<std::string>("fault"),
                    .cut_method = reader.Get<std::string>("cut_method"),
                    .file_system = reader.Get<std::string>("file_system"),
                    .eats_flushes = reader.Get<bool>("eats_flushes")};
  if (json.is_object() && json.contains("deviation")) {  // Of older programs it is not there.
    cell.deviation = reader.Get<std::string>("deviation");
  }
  status = reader.status();
  return cell;
}

Json Typed(const char* type, const CrashCell& cell) {
  return {{"type", type}, {"cell", CellJson(cell)}};
}

}  // namespace

Json ToJson(const CrashFinding& finding) {
  return {{"opened", finding.opened},
          {"message", finding.message},
          {"open_seconds", finding.open_seconds},
          {"kept", finding.kept},
          {"lost", finding.lost},
          {"out_of_order", finding.out_of_order},
          {"torn", finding.torn},
          {"wrong", finding.wrong},
          {"never_issued", finding.never_issued},
          {"disagree", finding.disagree}};
}

StatusOr<CrashFinding> CrashFindingOf(const Json& json) {
  Reader reader(json, "what was found after a fault");
  CrashFinding finding = {.opened = reader.Get<bool>("opened"),
                          .message = reader.Get<std::string>("message"),
                          .open_seconds = reader.Get<double>("open_seconds"),
                          .kept = reader.Get<uint64_t>("kept"),
                          .lost = reader.Get<uint64_t>("lost"),
                          .out_of_order = reader.Get<uint64_t>("out_of_order"),
                          .torn = reader.Get<uint64_t>("torn"),
                          .wrong = reader.Get<uint64_t>("wrong"),
                          .never_issued = reader.Get<uint64_t>("never_issued"),
                          .disagree = reader.Get<uint64_t>("disagree")};
  if (!reader.status().ok()) return reader.status();
  return finding;
}

Json ToJson(const CrashState& state) {
  Json json = Typed("state", state.cell);
  json["threads"] = state.threads;
  json["survives"] = state.survives;
  json["written_back"] = state.written_back;
  json["issued"] = state.issued;
  json["acked"] = state.acked;
  json["lost_seconds"] = state.lost_seconds;
  json["finding"] = ToJson(state.finding);
  return json;
}

Json ToJson(const CrashSkip& skip) {
  Json json = Typed("skip", skip.cell);
  json["count"] = skip.count;
  json["reason"] = skip.reason;
  return json;
}

StatusOr<CrashStates> CrashStatesOf(const std::vector<std::string>& lines) {
  CrashStates all;
  for (const std::string& line : lines) {
    const StatusOr<Json> json = ParseBoundedJson(line);
    if (!json.ok()) return Status::Failed("a line of durability.jsonl: " + json.status().message());
    Reader reader(*json, "a line of durability.jsonl");
    const auto type = reader.Get<std::string>("type");
    if (reader.status().ok() && type != "state" && type != "skip") {
      reader.Fail("is of an unknown type");
    }
    Status status = Status::Ok();
    const CrashCell cell = CellOf(reader.Member("cell", false), status);
    reader.Fail(status);
    if (type == "skip") {
      all.skips.push_back({.cell = cell,
                           .count = reader.Get<uint64_t>("count"),
                           .reason = reader.Get<std::string>("reason")});
    } else {
      const StatusOr<CrashFinding> finding = CrashFindingOf(reader.Member("finding", false));
      reader.Fail(finding.status());
      all.states.push_back({.cell = cell,
                            .threads = reader.Get<uint64_t>("threads"),
                            .survives = reader.Get<double>("survives"),
                            .written_back = reader.Get<bool>("written_back"),
                            .issued = reader.Get<uint64_t>("issued"),
                            .acked = reader.Get<uint64_t>("acked"),
                            .lost_seconds = reader.Get<double>("lost_seconds"),
                            .finding = finding.ok() ? *finding : CrashFinding{}});
    }
    if (!reader.status().ok()) return reader.status();
  }
  return all;
}

}  // namespace levelfield
