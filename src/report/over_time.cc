#include "report/over_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/cost.h"
#include "analysis/steady_state.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// A larger difference of the first tenth from the rest is reported.
constexpr double kMuch = 0.2;

std::string Seconds(uint64_t ms) { return fmt::format("{:.1f} s", static_cast<double>(ms) * 1e-3); }

std::string CausesText(const Ticks& ticks, const Stall& stall) {
  if (!ticks.activities) return "the engine does not report its activity";
  if (stall.causes.empty()) return "the engine reported no activity";
  return Printable(Joined(stall.causes, ", "));
}

// Adds the stalls of one role in all rounds.
void AddStalls(const std::vector<const PhaseResult*>& rounds, size_t role,
               std::vector<OverTimeCell>& cells) {
  size_t count = 0;
  uint64_t all_ms = 0;
  std::string longest;
  uint64_t longest_ms = 0;
  for (const PhaseResult* phase : rounds) {
    const Stalls found = FindStalls(TicksOf(*phase), role, phase->roles[role].batch);
    for (const Stall& stall : found.stalls) {
      ++count;
      all_ms += stall.Ms();
      if (stall.Ms() <= longest_ms) continue;
      longest_ms = stall.Ms();
      longest = fmt::format("longest {} at {} ({})", Seconds(stall.Ms()), Seconds(stall.begin_ms),
                            CausesText(*phase->ticks, stall));
    }
  }
  if (count == 0) return;
  const PhaseResult& first = *rounds.front();
  const std::string of_role =
      role == 0 ? "" : fmt::format("[{}] ", Printable(first.roles[role].name));
  cells.push_back(
      {.title = of_role + "stalls",
       .cell = std::to_string(count),
       .note = fmt::format("{}stalls in {}: {}, {} in all, {}", of_role, Printable(first.workload),
                           count, Seconds(all_ms), longest)});
}

// A series over time: the rate, the bytes that an operation dirtied, or the size of the store.
struct TimeLine {
  const char* title;
  const char* words;
  ThroughputState (*state)(const PhaseResult& phase);
};
constexpr TimeLine kRate = {"steady", "its rate does not settle",
                            [](const PhaseResult& phase) { return StateOf(TicksOf(phase), 0); }};
constexpr TimeLine kWrites = {
    "steady writes", "the bytes written by an operation do not settle",
    [](const PhaseResult& phase) { return WriteStateOf(*phase.ticks, 0); }};
constexpr TimeLine kSpace = {
    "steady space", "the store's space on the disk does not settle",
    [](const PhaseResult& phase) { return SpaceStateOf(phase.space.value_or(SpaceSeries())); }};

void AddSteadiness(const std::vector<const PhaseResult*>& rounds, const TimeLine& series,
                   std::vector<OverTimeCell>& cells) {
  size_t told = 0;
  std::vector<double> since;
  std::vector<double> periods;
  size_t least_rounds = SIZE_MAX;
  for (const PhaseResult* phase : rounds) {
    const ThroughputState state = series.state(*phase);
    if (state.steadiness == Steadiness::kTooShort) continue;
    ++told;
    least_rounds = std::min(least_rounds, state.rounds);
    if (state.steadiness == Steadiness::kSteady) since.push_back(state.since_seconds);
    if (state.period_seconds) periods.push_back(*state.period_seconds);
  }
  if (told == 0) return;
  OverTimeCell cell{.title = series.title, .cell = "", .note = ""};
  cell.cell = since.empty() ? "never" : fmt::format("since {:.0f} s", Median(since));
  if (!since.empty() && since.size() < told)
    cell.cell = fmt::format("{} of {}", since.size(), told);
  if (since.size() < told) {
    cell.note = fmt::format(
        "{}: {}: in the last quarter of it, five of {} parts differ by more than 20 % of their "
        "mean, or rise or fall by more than 10 %",
        Printable(rounds.front()->workload), series.words, least_rounds);
    if (!periods.empty()) {
      cell.note += fmt::format("; it goes up and down every {:.1f} s", Median(periods));
    }
  }
  cells.push_back(std::move(cell));
}

void AddRamp(const std::vector<const PhaseResult*>& rounds, std::vector<OverTimeCell>& cells) {
  std::vector<double> shares;
  std::vector<double> seconds;
  for (const PhaseResult* phase : rounds) {
    const std::optional<Ramp> ramp = RampOf(TicksOf(*phase), 0);
    if (!ramp || ramp->of_the_rest == 0) continue;
    shares.push_back(ramp->of_the_rest);
    seconds.push_back(ramp->seconds);
  }
  if (shares.empty()) return;
  const double share = Median(shares);
  if (share >= 1 - kMuch && share <= 1 / (1 - kMuch)) return;
  cells.push_back(
      {.title = "first tenth",
       .cell = fmt::format("x {:.2f}", share),
       .note = fmt::format("{}: its first {:.1f} s ran at {:.2f} times the rate of the "
                           "rest; they are in its figures",
                           Printable(rounds.front()->workload), Median(seconds), share)});
}

}  // namespace

std::vector<OverTimeCell> OverTime(const std::vector<const PhaseResult*>& rounds) {
  std::vector<const PhaseResult*> watched;
  for (const PhaseResult* phase : rounds) {
    const bool counts = phase->outcome == Outcome::kOk && phase->ticks && !phase->roles.empty();
    if (counts && (watched.empty() || watched[0]->roles.size() == phase->roles.size())) {
      watched.push_back(phase);
    }
  }
  std::vector<OverTimeCell> cells;
  if (watched.empty()) return cells;
  for (size_t r = 0; r < watched[0]->roles.size(); ++r) AddStalls(watched, r, cells);
  AddSteadiness(watched, kRate, cells);
  const bool writes =
      std::ranges::all_of(watched, [](const PhaseResult* phase) { return HasWritten(*phase); });
  const bool dirties = writes && std::ranges::all_of(watched, [](const PhaseResult* phase) {
                         const std::vector<uint64_t>& dirtied = phase->ticks->dirtied_bytes;
                         return std::ranges::any_of(dirtied, [](uint64_t n) { return n != 0; });
                       });
  if (dirties) AddSteadiness(watched, kWrites, cells);
  const bool grows = writes && std::ranges::all_of(watched, [](const PhaseResult* phase) {
                       return phase->space.has_value();
                     });
  if (grows) AddSteadiness(watched, kSpace, cells);
  AddRamp(watched, cells);
  return cells;
}

}  // namespace levelfield
