#include "report/durability_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/cost.h"
#include "analysis/durability.h"
#include "base/quote.h"

namespace levelfield {
namespace {

// The first phase of an engine that wrote in a class.
struct Writing {
  const RunResult* run = nullptr;
  const PhaseResult* phase = nullptr;
};

// In the order in which they ran.
std::vector<Writing> WritingsOf(const Result& result) {
  std::vector<Writing> writings;
  for (const RunResult& run : result.runs) {
    std::set<std::string> seen;
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit || !HasWritten(phase) || !seen.insert(phase.durability).second) continue;
      if (phase.outcome != Outcome::kOk && phase.outcome != Outcome::kInvalid) continue;
      writings.push_back({&run, &phase});
    }
  }
  return writings;
}

std::string PerCommit(const std::optional<double>& flushes) {
  return flushes ? fmt::format("{:.2f}", *flushes) : "n/a";
}

// A device without a cache has nothing to flush: what came to it is writes.
std::string ThatCameToTheDevice(const PhaseResult& phase) {
  const std::optional<double> came = DeviceFlushesPerCommit(phase);
  return PerCommit(came) + (came && IsWrittenThrough(phase) ? " writes" : "");
}

Table TableOf(const std::string& durability, const std::vector<Writing>& writings) {
  Table table{.title = "durability: " + Printable(durability),
              .rows = {{"claimed"},
                       {"seen"},
                       {"flushes a commit"},
                       {"that came to the device", {}, true},
                       {"commits without a flush"},
                       {"pages left dirty by one"}}};
  for (const auto& [run, phase] : writings) {
    const DurabilityJudgement judgement = JudgementOf(*phase);
    if (phase->durability != durability || judgement.seen == Seen::kNothing) continue;
    table.columns.push_back(ColumnOf(*run));
    const bool is_audited = phase->audit && phase->audit->commits != 0;
    const bool has_pages = is_audited && phase->audit->dirty_pages.has_value();
    const std::string cells[] = {
        Printable(phase->level),
        WordOf(judgement),
        PerCommit(FlushesPerCommit(*phase)),
        ThatCameToTheDevice(*phase),
        is_audited ? fmt::format("{} of {}", phase->audit->without_flush, phase->audit->commits)
                   : "n/a",
        has_pages ? std::to_string(*phase->audit->dirty_pages) : "n/a"};
    for (size_t i = 0; i < table.rows.size(); ++i) table.rows[i].cells.emplace_back(cells[i]);
  }
  return table;
}

}  // namespace

void AddDurabilityTables(const Result& result, Report& report) {
  const std::vector<Writing> writings = WritingsOf(result);
  std::set<std::string> done;
  for (const Writing& writing : writings) {
    if (!done.insert(writing.phase->durability).second) continue;
    Table table = TableOf(writing.phase->durability, writings);
    if (!table.columns.empty()) report.Add(std::move(table));
  }
}

std::vector<std::string> DurabilityNotes(const Result& result) {
  std::vector<std::string> notes;
  const auto add = [&](const Writing& writing, const std::string& words) {
    notes.push_back(Printable(fmt::format("durability of {}, {}: {}", writing.run->engine,
                                          writing.phase->durability, words)));
  };
  for (const Writing& writing : WritingsOf(result)) {
    const PhaseResult& phase = *writing.phase;
    const DurabilityJudgement judgement = JudgementOf(phase);
    if (phase.audit && phase.audit->commits == 0 && !phase.audit->reason.empty() &&
        !WordOf(judgement).empty() && judgement.seen != Seen::kNotSeen) {
      add(writing, "no commit was looked at by itself: " + phase.audit->reason);
    }
    const std::string unseen = ReasonInWords(judgement);
    if (!unseen.empty()) add(writing, unseen);
    const std::string known = KnownDeviation(*writing.run, phase);
    if (!known.empty()) add(writing, "known deviation: " + known);
    if (!phase.medium || !ClaimsFlushes(phase)) continue;
    if (IsVolatile(phase)) add(writing, "volatile: " + phase.medium->volatile_because);
    if (phase.medium->doubt.empty()) continue;
    std::string doubt = Printable("the store's place: " + phase.medium->doubt);
    if (std::ranges::find(notes, doubt) == notes.end()) notes.push_back(std::move(doubt));
  }
  return notes;
}

}  // namespace levelfield
