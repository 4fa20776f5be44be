// What the stores held: fewer keys than a workload is made for, or not all the same; and whether
// reads and erasures found what they asked for.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "analysis/equal_stores.h"
#include "analysis/findings/findings.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

void FindSmallStores(const Findings& of, Remarks& remarks) {
  const Standings& standings = of.standings;
  Remark remark{
      .kind = RemarkKind::kSmallStore,
      .numbers = {{"asked", static_cast<double>(Digits(SettingOf(of.result, "num")).value_or(0)),
                   RemarkUnit::kKeys}}};
  for (const WorkloadStandings& workload : standings.workloads) {
    for (size_t i = 0; i < workload.few_keys.size(); ++i) {
      if (!workload.few_keys[i] || !workload.unequal.empty()) continue;
      remark.cases.push_back(
          {.engine = standings.engines.size() == 1 ? "" : standings.engines[i],
           .workload = workload.name,
           .numbers = {{"held", static_cast<double>(*workload.few_keys[i]), RemarkUnit::kCount}},
           .place = workload.place});
    }
  }
  AddIfAny(std::move(remark), remarks);
}

// Workloads that rank nothing. One remark for all that differ in the same way.
void FindDifferentStores(const Findings& of, Remarks& remarks) {
  std::map<std::string, Remark> by_reason;
  for (const WorkloadStandings& workload : of.standings.workloads) {
    if (workload.unequal.empty()) continue;
    Remark& remark =
        by_reason
            .emplace(workload.unequal, Remark{.kind = RemarkKind::kStoresDiffer,
                                              .texts = {{"why", Printable(workload.unequal)}}})
            .first->second;
    for (size_t i = 0; i < of.shown.size(); ++i) {
      const std::optional<Held> held = HeldIn(*of.shown[i], workload.place);
      if (!held) continue;
      remark.cases.push_back(
          {.engine = of.standings.engines[i],
           .workload = workload.name,
           .numbers = {{"held", static_cast<double>(held->entries), RemarkUnit::kKeys},
                       {"of", static_cast<double>(held->of), RemarkUnit::kKeys}},
           .place = workload.place});
    }
  }
  for (auto& [reason, remark] : by_reason) remarks.push_back(std::move(remark));
}

struct Missing {
  RemarkKind kind;
  std::string why = {};
};

// Then reads of a store that held all keys miss what was erased meanwhile.
bool Erases(const PhaseResult& phase) {
  return std::ranges::any_of(phase.roles, [](const RoleResult& role) {
    return std::ranges::any_of(role.statistics, [](const OperationStatistics& stats) {
      return stats.Does(Effect::kErases) && stats.hits != 0;
    });
  });
}

// Why most operations of a kind found nothing, if that is no part of the workload.
std::optional<Missing> MissingIn(const PhaseResult& phase) {
  const OperationStatistics* const stats = StatisticsOf(&phase);
  if (stats == nullptr || phase.implicit || stats->misses <= stats->operations / 2) {
    return std::nullopt;
  }
  if (stats->effects == kErasures) return Missing{RemarkKind::kErasuresFoundNothing};
  const bool is_reading = stats->effects && stats->effects->Has(Effect::kReads) &&
                          !stats->effects->Has(Effect::kWrites);
  if (!is_reading || phase.roles[0].asks_for_absent_keys || !phase.held ||
      !phase.held->are_needed) {
    return std::nullopt;
  }
  const bool held_few = phase.held->entries < phase.held->of;
  if (!held_few && Erases(phase)) return std::nullopt;
  const std::string held = Grouped(phase.held->entries);
  return Missing{RemarkKind::kReadsFoundNothing,
                 held_few
                     ? fmt::format("The store holds {} of the {} keys that were asked for", held,
                                   Grouped(phase.held->of))
                     : fmt::format("The store holds {} keys, but under other names: perhaps it was "
                                   "written with another --key_format, --key_size or --seed",
                                   held)};
}

// Reading or erasing an absent key is another operation, and a fast one. One remark a workload.
void FindMisses(const Findings& of, Remarks& remarks) {
  for (const WorkloadStandings& workload : of.standings.workloads) {
    std::map<RemarkKind, Remark> found;
    for (const Series* const series : of.shown) {
      const PhaseResult* const phase = PhaseAt(series->sum, workload.place);
      const std::optional<Missing> missing = phase == nullptr ? std::nullopt : MissingIn(*phase);
      if (!missing) continue;
      const OperationStatistics& stats = *StatisticsOf(phase);
      Remark& remark = found.emplace(missing->kind, Remark{.kind = missing->kind}).first->second;
      remark.cases.push_back(
          {.engine = of.NameOf(series->sum),
           .workload = workload.name,
           .numbers = {{"share",
                        static_cast<double>(stats.misses) / static_cast<double>(stats.operations),
                        RemarkUnit::kShare}},
           .place = workload.place,
           .series = of.IndexOf(*series)});
      if (remark.texts.empty()) remark.texts = {{"why", missing->why}};
    }
    for (auto& [kind, remark] : found) remarks.push_back(std::move(remark));
  }
}

}  // namespace

void FindWhatStoresHeld(const Findings& of, Remarks& remarks) {
  FindSmallStores(of, remarks);
  FindDifferentStores(of, remarks);
  FindMisses(of, remarks);
}

}  // namespace levelfield
