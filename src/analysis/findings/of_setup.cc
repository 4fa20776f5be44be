// What differs although a table compares it, or is not as it was asked for: clocks, allocators,
// configurations.
#include <algorithm>
#include <limits>

#include "analysis/findings/findings.h"
#include "base/clock.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

void FindClocks(const Findings& of, Remarks& remarks) {
  const bool wants_counter = SettingOf(of.result, "clock") == NameOf(ClockKind::kTsc);
  Remark other{.kind = RemarkKind::kOtherClock};
  Remark differ{.kind = RemarkKind::kClocksDiffer};
  std::vector<ClockKind> kinds;
  for (const RunResult& run : of.result.runs) {
    if (run.clock_kind == ClockKind::kNotKnown ||
        std::ranges::none_of(run.phases, &PhaseResult::timed)) {
      continue;
    }
    AddOnce(kinds, run.clock_kind);
    AddOnce(differ.cases, RemarkCase{.engine = of.NameOf(run),
                                     .texts = {{"clock", std::string(NameOf(run.clock_kind))}}});
    if (wants_counter && run.clock_kind == ClockKind::kMonotonic) {
      AddOnce(other.cases,
              RemarkCase{.engine = of.NameOf(run), .texts = {{"clock", Printable(run.clock)}}});
    }
  }
  AddIfAny(std::move(other), remarks);
  if (kinds.size() > 1) remarks.push_back(std::move(differ));
}

void FindAllocators(const Findings& of, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kAllocatorsDiffer};
  std::vector<std::string> allocators;
  for (const RunResult& run : of.result.runs) {
    if (run.allocator.empty()) continue;  // It never began.
    AddOnce(allocators, run.allocator);
    AddOnce(remark.cases, RemarkCase{.engine = of.NameOf(run),
                                     .texts = {{"allocator", Printable(run.allocator)}}});
  }
  if (allocators.size() > 1) remarks.push_back(std::move(remark));
}

// The share of the processor time that a server had which works for the engine on this machine. 0:
// it is elsewhere, or nothing was measured.
// Of its own server, which ends with the run. Of one that runs nothing is known.
double ShareOfServer(const RunResult& run) {
  if (!TextIn(run.settings, "endpoint").empty()) return 0;
  double all_seconds = 0;
  double foreground_seconds = 0;
  for (const PhaseResult& phase : run.phases) {
    if (!phase.resources) continue;
    all_seconds += phase.resources->user_seconds + phase.resources->system_seconds;
    foreground_seconds += phase.resources->foreground_seconds;
  }
  return all_seconds > 0 ? std::max(0.0, 1 - foreground_seconds / all_seconds) : 0;
}

// Whether the address of a server that runs is of this machine.
bool IsHere(std::string_view endpoint) {
  constexpr std::string_view kSigns[] = {"127.0.0.1", "localhost", "[::1]", "host=/"};
  return endpoint.starts_with('/') || std::ranges::any_of(kSigns, [&](std::string_view sign) {
           return endpoint.find(sign) != endpoint.npos;
         });
}

void FindServers(const Findings& of, Remarks& remarks) {
  constexpr double kLeastShare = 0.02;  // Less is what a worker's other threads take.
  Remark remark{.kind = RemarkKind::kServers};
  std::vector<std::string> others;
  for (const Series* const series : of.shown) {
    const RunResult& run = series->sum;
    if (run.round_trip_ns == 0) {
      AddOnce(others, of.NameOf(run));
      continue;
    }
    RemarkCase one{
        .engine = of.NameOf(run),
        .numbers = {{"time", static_cast<double>(run.round_trip_ns), RemarkUnit::kNanoseconds}}};
    const double share = ShareOfServer(run);
    if (share > kLeastShare) one.numbers.push_back({"share", share, RemarkUnit::kShare});
    if (IsHere(TextIn(run.settings, "endpoint"))) one.texts = {{"where", "on this machine"}};
    remark.cases.push_back(std::move(one));
  }
  const std::string depth = SettingOf(of.result, "depth");
  if (!depth.empty() && depth != "1") remark.texts = {{"depth", depth}};
  if (!others.empty()) remark.texts.emplace_back("others", Listed(others));
  AddIfAny(std::move(remark), remarks);
}

void FindConfigurations(const Findings& of, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kConfigurationChanged};
  for (const Series& series : of.series) {
    const bool is_same = std::ranges::all_of(series.rounds, [&](const RunResult* round) {
      return round->configuration.empty() ||
             round->configuration == series.rounds.front()->configuration;
    });
    if (!is_same) remark.cases.push_back({.engine = of.NameOf(series.sum)});
  }
  AddIfAny(std::move(remark), remarks);
}

// Engines whose libraries are of different years. The screen has the years in a row of its own.
void FindYears(const Findings& of, Remarks& remarks) {
  constexpr uint64_t kFarApart = 3;
  Remark remark{.kind = RemarkKind::kLibraryYears};
  uint64_t first = std::numeric_limits<uint64_t>::max();
  uint64_t last = 0;
  for (const Series* const series : of.shown) {
    const std::optional<uint64_t> year = Digits(series->sum.released);
    if (!year) continue;
    first = std::min(first, *year);
    last = std::max(last, *year);
    // Its variants are of one library.
    AddOnce(remark.cases, RemarkCase{.engine = Printable(series->sum.engine),
                                     .texts = {{"version", Printable(series->sum.version)},
                                               {"year", std::to_string(*year)}}});
  }
  if (remark.cases.size() < 2 || last - first < kFarApart) return;
  remark.numbers = {{"years", static_cast<double>(last - first)}};
  remarks.push_back(std::move(remark));
}

}  // namespace

void FindHowItWasSetUp(const Findings& of, Remarks& remarks) {
  FindClocks(of, remarks);
  FindAllocators(of, remarks);
  FindServers(of, remarks);
  FindConfigurations(of, remarks);
  FindYears(of, remarks);
}

}  // namespace levelfield
