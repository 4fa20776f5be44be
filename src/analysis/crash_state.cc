#include "analysis/crash_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json_text.h"
#include "result/fields_json.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

CrashRow& RowOf(const CrashCell& cell, std::vector<CrashRow>& rows) {
  const auto it = std::ranges::find(rows, cell, &CrashRow::cell);
  if (it != rows.end()) return *it;
  rows.emplace_back().cell = cell;
  return rows.back();
}

std::string Worst(const CrashRow& row) {
  return fmt::format("{} of {} states lost up to {} commits ({:.0f} ms)", row.lossy, row.states,
                     row.worst_lost, row.worst_lost_seconds * 1e3);
}

// The rule of three: no event in n trials bounds the rate by 3/n, at 95 %.
std::string Bound(const CrashRow& row) {
  const double percent = 300.0 / static_cast<double>(row.states);
  return percent >= 100
             ? fmt::format("none of {} lost, too few for a bound", row.states)
             : fmt::format("none of {} lost, so below {:.2g} % (95 %)", row.states, percent);
}

template <class T>
Json Line(const char* type, const T& part) {
  Json json = {{"type", type}};
  json.update(Codec<T>::Write(part));
  return json;
}

}  // namespace

std::vector<CrashRow> RowsOf(const CrashStates& states) {
  std::vector<CrashRow> rows;
  for (const CrashState& state : states.states) {
    CrashRow& row = RowOf(state.cell, rows);
    ++row.states;
    row.acked += state.acked;
    row.lossy += state.finding.lost != 0 ? 1 : 0;
    row.lost += state.finding.lost;
    row.worst_lost = std::max(row.worst_lost, state.finding.lost);
    row.worst_lost_seconds = std::max(row.worst_lost_seconds, state.lost_seconds);
    if (!state.finding.IsBroken()) continue;
    if (row.broken++ == 0) row.broken_how = BrokenText(state.finding);
  }
  for (CrashRow& row : rows) {
    std::vector<double> seconds;
    for (const CrashState& state : states.states) {
      if (state.cell == row.cell && state.finding.opened) {
        seconds.push_back(state.finding.open_seconds);
      }
    }
    row.median_open_seconds = seconds.empty() ? 0 : Median(seconds);
    row.most_open_seconds = seconds.empty() ? 0 : *std::ranges::max_element(seconds);
  }
  for (const CrashSkip& skip : states.skips) {
    CrashRow& row = RowOf(skip.cell, rows);
    row.skipped += skip.count;
    row.skip_reason = skip.reason;
  }
  return rows;
}

CrashPromise PromiseOf(const CrashCell& cell) {
  if (cell.fault == CrashFault::kKill) {
    return cell.claimed == DurabilityLevel::kD0 ? CrashPromise::kNothing : CrashPromise::kAll;
  }
  return cell.claimed == DurabilityLevel::kD4   ? CrashPromise::kAll
         : cell.claimed == DurabilityLevel::kD3 ? CrashPromise::kInOrder
                                                : CrashPromise::kNothing;
}

bool KeepsPromise(const CrashRow& row) {
  const CrashPromise promise = PromiseOf(row.cell);
  if (promise == CrashPromise::kNothing) return true;
  return row.broken == 0 && (promise == CrashPromise::kInOrder || row.lossy == 0);
}

bool DeviatesAsDeclared(const CrashRow& row) {
  if (KeepsPromise(row) || row.cell.eats_flushes || row.cell.deviation.empty()) return false;
  // "D2: after ...".
  const auto declared = FromName<DurabilityLevel>(row.cell.deviation.substr(0, 2));
  return declared && ObservedLevel(row) >= *declared;
}

DurabilityLevel ObservedLevel(const CrashRow& row) {
  if (row.states == 0) return DurabilityLevel::kNone;
  if (row.cell.fault == CrashFault::kKill)
    return row.broken + row.lossy != 0 ? DurabilityLevel::kD0 : DurabilityLevel::kNone;
  if (row.broken != 0)
    return row.cell.claimed >= DurabilityLevel::kD2 ? DurabilityLevel::kD2 : DurabilityLevel::kD1;
  return row.lossy != 0 ? DurabilityLevel::kD3 : DurabilityLevel::kD4;
}

std::string BrokenText(const CrashFinding& finding) {
  if (!finding.opened) return "does not open: " + finding.message;
  if (!finding.message.empty()) return "cannot be read: " + finding.message;
  std::vector<std::string> parts;
  for (const auto& [count, what] :
       {std::pair(finding.wrong, "wrong values"),
        std::pair(finding.never_issued, "keys or versions that were never written"),
        std::pair(finding.torn, "torn batches"),
        std::pair(finding.out_of_order, "commits missing ahead of later ones"),
        std::pair(finding.disagree, "keys on which get and scan disagree")}) {
    if (count != 0) parts.push_back(fmt::format("{} {}", count, what));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string VerdictText(const CrashRow& row) {
  const std::string skipped =
      row.skipped != 0 ? fmt::format("{} skipped: {}", row.skipped, row.skip_reason) : "";
  if (row.states == 0) return skipped;
  std::string text;
  const std::string how = row.broken != 0 ? fmt::format("{} of {} states are broken, the first: {}",
                                                        row.broken, row.states, row.broken_how)
                          : row.lossy != 0 ? Worst(row)
                                           : Bound(row);
  if (!KeepsPromise(row)) {
    text = fmt::format("deviates, is {}{}: {}", NameOf(ObservedLevel(row)),
                       DeviatesAsDeclared(row) ? ", as its plug-in declares" : "", how);
  } else if (PromiseOf(row.cell) == CrashPromise::kNothing) {
    const char* const as = row.broken != 0  ? "the store may break"
                           : row.lossy != 0 ? "a tail only, in order"
                                            : "nothing lost here";
    text = fmt::format("nothing promised; {}: {}", as, how);
  } else {
    text = "kept: " + how;
  }
  return skipped.empty() ? text : text + "; " + skipped;
}

int ExitCodeOf(const std::vector<CrashRow>& rows) {
  const auto is_expected = [](const CrashRow& row) {
    return KeepsPromise(row) || DeviatesAsDeclared(row);
  };
  if (!std::ranges::all_of(rows, is_expected)) return 1;
  return std::ranges::any_of(rows, [](const CrashRow& row) { return row.skipped != 0; }) ? 3 : 0;
}

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
