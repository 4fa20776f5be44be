#include "report/far_behind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/read_ahead.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr double kFarBehind = 0.1;
constexpr size_t kMostNamed = 12;

// A share of the time of the threads that ran the operations, and its name.
using Part = std::pair<double, std::string>;

// Largest first, without those below a tenth. An engine's own threads may wait for syncs while
// operations go on, so the shares may be more than the whole.
std::vector<Part> PartsOf(const PhaseResult& phase, double seconds, double operations) {
  constexpr double kLeast = 0.1;
  constexpr double kPageBytes = 4096;
  const Resources& used = *phase.resources;
  std::vector<Part> parts = {{used.foreground_seconds / seconds, "computing"}};
  if (used.syncs && used.syncs->calls != 0) {
    const double calls = static_cast<double>(used.syncs->calls) / operations;
    parts.emplace_back(used.syncs->waited_seconds / seconds,
                       calls < 1.5 ? "in syncs" : fmt::format("in {:.0f} syncs", calls));
  }
  double known = 0;
  for (const Part& part : parts) known += part.first;
  const bool is_fetched =
      used.io && static_cast<double>(used.io->storage_read_bytes) >= kPageBytes * operations;
  parts.emplace_back(1 - known, is_fetched ? "waiting for reads of the device" : "waiting");
  std::erase_if(parts, [](const Part& part) { return part.first < kLeast; });
  std::ranges::stable_sort(parts, std::greater<>(), &Part::first);
  return parts;
}

// "38.1 ms (81 % in 27 syncs, 14 % computing)". Nothing where it is not known.
std::optional<std::string> TimeWords(const PhaseResult& phase) {
  double seconds = 0;
  double operations = 0;
  for (const RoleResult& role : phase.roles) {
    seconds += role.thread_seconds;
    operations += static_cast<double>(role.Operations());
  }
  if (!phase.resources || seconds <= 0 || operations == 0) return std::nullopt;
  std::vector<std::string> words;
  for (const auto& [share, name] : PartsOf(phase, seconds, operations)) {
    words.push_back(fmt::format("{:.0f} % {}", 100 * share, name));
  }
  return fmt::format("{} ({})", Latency(Whole(seconds * 1e9 / operations + 0.5)),
                     Joined(words, ", "));
}

}  // namespace

std::string FarBehindWords(const Standings& screen, const std::vector<const Series*>& shown) {
  std::vector<std::string> workloads;
  size_t named = 0;
  size_t more = 0;
  for (const WorkloadStandings& workload : screen.workloads) {
    std::vector<std::string> engines;
    for (size_t i = 0; i < workload.figures.size(); ++i) {
      const StandingFigure& figure = workload.figures[i];
      if (!figure.rate || !workload.unequal.empty() || figure.share >= kFarBehind) continue;
      const PhaseResult* const phase = shown[i]->MiddleRound(workload.place);
      if (phase == nullptr || ReadAheadOf(shown[i]->sum, *phase)) continue;
      const std::optional<std::string> time = TimeWords(*phase);
      if (!time) continue;
      if (named == kMostNamed) {
        ++more;
        continue;
      }
      ++named;
      engines.push_back(fmt::format("{} {}", screen.engines[i], *time));
    }
    if (!engines.empty()) {
      workloads.push_back(fmt::format("{} takes {}", workload.name, Listed(engines)));
    }
  }
  if (workloads.empty()) return "";
  return fmt::format("Below a tenth of the fastest: {}{}.", Joined(workloads, "; "),
                     more == 0 ? "" : fmt::format("; {} more figures", more));
}

}  // namespace levelfield
