#include "result/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quote.h"
#include "result/add_statistics.h"

namespace levelfield {
namespace {

const RankShare* RankOf(const Result& result) {
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.rank) return &*phase.rank;
    }
  }
  return nullptr;
}

// A rank's part, by its number.
struct RankPart {
  uint64_t rank = 0;
  const PartOfMerge* part = nullptr;
  std::string Name(uint64_t of) const {
    const std::string& host = part->host;
    return fmt::format("rank {} of {}{}", rank, of, host.empty() ? "" : " (" + host + ")");
  }
};

double Seconds(uint64_t from_ns, uint64_t to_ns) {
  return to_ns > from_ns ? static_cast<double>(to_ns - from_ns) * 1e-9 : 0;
}

void AddRole(const RoleResult& from, RoleResult& to) {
  to.threads += from.threads;
  to.thread_seconds += from.thread_seconds;
  to.rate += from.rate;
  to.entries += from.entries;
  for (const auto& [ours, theirs] : {std::pair(&to.thread_operations, &from.thread_operations),
                                     std::pair(&to.thread_calls, &from.thread_calls)}) {
    ours->insert(ours->end(), theirs->begin(), theirs->end());
  }
  for (size_t i = 0; i < std::min(to.statistics.size(), from.statistics.size()); ++i) {
    AddStatistics(from.statistics[i], to.statistics[i]);
  }
  for (size_t i = 0; i < std::min(to.parts.size(), from.parts.size()); ++i) {
    to.parts[i].latency_ns.Merge(from.parts[i].latency_ns);
  }
  if (!to.load || !from.load) return;
  to.load->lateness_ns.Merge(from.load->lateness_ns);
  to.load->verdict = std::max(to.load->verdict, from.load->verdict);
}

void AddResources(const Resources& from, Resources& to) {
  for (double Resources::*seconds : {&Resources::user_seconds, &Resources::system_seconds,
                                     &Resources::foreground_seconds, &Resources::watcher_seconds}) {
    to.*seconds += from.*seconds;
  }
  for (uint64_t Resources::*count :
       {&Resources::peak_resident_bytes, &Resources::minor_faults, &Resources::major_faults,
        &Resources::voluntary_switches, &Resources::involuntary_switches}) {
    to.*count += from.*count;
  }
}

double MeanSeconds(const RoleResult& role) {
  const uint64_t operations = role.Operations();
  return operations == 0 ? 0 : role.thread_seconds / static_cast<double>(operations);
}

// Why this rank, and not the server, was what limited the phase. Empty: it was not. Times are at
// most a little longer than the threads' own, and a thread that computes nine tenths of the time
// has no room for a faster server.
std::string WhyTheLimit(const PhaseResult& phase, uint64_t round_trip_ns,
                        uint64_t usual_round_trip_ns) {
  constexpr double kMostComputed = 0.9;
  constexpr double kMostTimesUsual = 2;
  constexpr double kMostOfOperation = 0.5;
  constexpr double kLeastLongerNs = 100'000;  // Less is noise of a machine.
  const RoleResult& role = phase.roles.front();
  double thread_seconds = 0;
  for (const RoleResult& each : phase.roles) thread_seconds += each.thread_seconds;
  const double computed = phase.resources && thread_seconds > 0
                              ? phase.resources->foreground_seconds / thread_seconds
                              : 0;
  if (computed > kMostComputed) {
    return fmt::format("its threads computed {:.0f} % of the time; use more ranks or threads",
                       computed * 100);
  }
  const auto usual_ns = static_cast<double>(usual_round_trip_ns);
  const auto trip_ns = static_cast<double>(round_trip_ns);
  const bool is_far = trip_ns > kMostTimesUsual * usual_ns && trip_ns > usual_ns + kLeastLongerNs;
  if (is_far && trip_ns * 1e-9 > kMostOfOperation * MeanSeconds(role)) {
    return fmt::format(
        "an empty round trip took it {:.1f} us, and the others {:.1f} us; look at its "
        "link to the server",
        trip_ns * 1e-3, usual_ns * 1e-3);
  }
  return "";
}

// The phases of one number, by rank, of which `ranks` have one.
class PhaseOfRanks {
 public:
  PhaseOfRanks(std::vector<RankPart> ranks, std::vector<const PhaseResult*> phases,
               std::vector<uint64_t> round_trips_ns, uint64_t of)
      : ranks_(std::move(ranks)),
        phases_(std::move(phases)),
        round_trips_ns_(std::move(round_trips_ns)),
        of_(of) {}

  PhaseResult Together() const {
    PhaseResult whole = *phases_.front();
    whole.rank.reset();
    whole.ticks.reset();  // Each rank has its own time.
    whole.space.reset();
    if (const std::string why = WhyVoid(whole.outcome); !why.empty()) whole.message = why;
    if (whole.outcome == Outcome::kSkipped || whole.outcome == Outcome::kUnsupported) return whole;
    const auto has_begun = [](const PhaseResult* phase) {
      return phase->rank && phase->rank->end_ns != 0;
    };
    if (!std::ranges::all_of(phases_, has_begun)) return whole;
    for (size_t i = 1; i < phases_.size(); ++i) Add(*phases_[i], whole);
    Rate(whole);
    if (whole.outcome == Outcome::kOk && !whole.implicit) VoidIfLimited(whole);
    return whole;
  }

 private:
  // Why it counts for nothing, with its outcome. Empty: it is as good as rank 0's.
  std::string WhyVoid(Outcome& outcome) const {
    constexpr std::string_view kOfOthers = "the fleet is not whole";
    const auto is_fault = [&](const PhaseResult& phase) {
      return phase.outcome != Outcome::kOk && phase.message.find(kOfOthers) == std::string::npos;
    };
    const bool are_alike = std::ranges::all_of(phases_, [&](const PhaseResult* phase) {
      return phase->outcome == phases_.front()->outcome;
    });
    if (phases_.size() == of_ && are_alike) return "";
    for (size_t i = 0; i < phases_.size(); ++i) {
      if (!is_fault(*phases_[i])) continue;
      outcome = phases_[i]->outcome;
      return fmt::format("{}: {}", ranks_[i].Name(of_), phases_[i]->message);
    }
    outcome = Outcome::kInvalid;
    for (uint64_t rank = 0; rank < of_; ++rank) {
      const bool is_there =
          std::ranges::any_of(ranks_, [&](const RankPart& one) { return one.rank == rank; });
      if (!is_there) return fmt::format("rank {} of {} has left no result of it", rank, of_);
    }
    const auto first = std::ranges::find_if(
        phases_, [](const PhaseResult* phase) { return phase->outcome != Outcome::kOk; });
    return (*first)->message;
  }

  static void Add(const PhaseResult& from, PhaseResult& whole) {
    for (size_t r = 0; r < std::min(whole.roles.size(), from.roles.size()); ++r) {
      AddRole(from.roles[r], whole.roles[r]);
    }
    whole.run_seconds = std::max(whole.run_seconds, from.run_seconds);
    if (whole.resources && from.resources) AddResources(*from.resources, *whole.resources);
    if (from.checked.answers == AnswersChecked::kNone) whole.checked = from.checked;
    whole.checked.is_store_verified =
        whole.checked.is_store_verified && from.checked.is_store_verified;
  }

  void Rate(PhaseResult& whole) const {
    FleetResult& fleet = whole.fleet.emplace();
    fleet.id = phases_.front()->rank->id;
    fleet.ranks = of_;
    uint64_t first_ns = UINT64_MAX;
    uint64_t begin_ns = 0;
    uint64_t end_ns = UINT64_MAX;
    uint64_t last_ns = 0;
    for (const PhaseResult* phase : phases_) {
      const RankShare& rank = *phase->rank;
      first_ns = std::min(first_ns, rank.begin_ns);
      begin_ns = std::max(begin_ns, rank.begin_ns);
      end_ns = std::min(end_ns, rank.end_ns);
      last_ns = std::max(last_ns, rank.end_ns);
      fleet.rank_seconds.push_back(Seconds(rank.begin_ns, rank.end_ns));
      fleet.rank_operations.push_back(phase->roles.empty() ? 0 : phase->roles.front().Operations());
      fleet.clock_error_ns = std::max(fleet.clock_error_ns, rank.clock_error_ns);
    }
    fleet.common_seconds = Seconds(begin_ns, end_ns);
    fleet.span_seconds = Seconds(first_ns, last_ns);
    for (size_t r = 0; r < whole.roles.size(); ++r) {
      double& seconds = whole.roles[r].seconds;
      for (const PhaseResult* phase : phases_) seconds = std::max(seconds, phase->roles[r].seconds);
      seconds = r == 0 ? fleet.span_seconds : seconds + Seconds(first_ns, begin_ns);
      whole.run_seconds = std::max(whole.run_seconds, seconds);
    }
    if (fleet.common_seconds == 0) {
      if (whole.outcome == Outcome::kOk) {
        whole.outcome = Outcome::kInvalid;
        whole.message =
            "there was no time in which all ranks were under way: some had ended "
            "before others began; give it more operations or a longer --duration";
      }
      return;
    }
    for (size_t r = 0; r < whole.roles.size(); ++r) {
      double operations = 0;
      for (const PhaseResult* phase : phases_) {
        operations += OperationsWithin(*phase, r, Seconds(phase->rank->begin_ns, begin_ns),
                                       Seconds(phase->rank->begin_ns, end_ns));
      }
      RoleResult& role = whole.roles[r];
      if (r == 0) {
        fleet.operations = static_cast<uint64_t>(std::llround(operations));
        fleet.left_out = role.Operations() - std::min(role.Operations(), fleet.operations);
      }
      role.rated = RatedPart{.operations = operations, .seconds = fleet.common_seconds};
      role.operations_per_second = role.OperationsPerSecond();
    }
  }

  void VoidIfLimited(PhaseResult& whole) const {
    std::vector<uint64_t> sorted = round_trips_ns_;
    std::ranges::sort(sorted);
    const uint64_t usual_ns = sorted[(sorted.size() - 1) / 2];
    for (size_t i = 0; i < phases_.size(); ++i) {
      const std::string why = WhyTheLimit(*phases_[i], round_trips_ns_[i], usual_ns);
      if (why.empty()) continue;
      whole.outcome = Outcome::kInvalid;
      whole.message = fmt::format("{} was the limit, not the server: {}", ranks_[i].Name(of_), why);
      return;
    }
  }

  std::vector<RankPart> ranks_;
  std::vector<const PhaseResult*> phases_;
  std::vector<uint64_t> round_trips_ns_;
  uint64_t of_;
};

}  // namespace

std::string FleetOf(const Result& result) {
  const RankShare* const rank = RankOf(result);
  return rank == nullptr ? "" : rank->id;
}

double OperationsWithin(const PhaseResult& phase, size_t role, double from_seconds,
                        double to_seconds) {
  const RoleResult& its = phase.roles[role];
  const double seconds = Seconds(phase.rank->begin_ns, phase.rank->end_ns);
  const auto share = [&](double begin, double end) {
    const double part = std::min(end, to_seconds) - std::max(begin, from_seconds);
    return end > begin ? std::clamp(part / (end - begin), 0.0, 1.0) : 0;
  };
  if (!phase.ticks || phase.ticks->operations.size() <= role) {
    return static_cast<double>(its.Operations()) * share(0, seconds);
  }
  const Ticks& ticks = *phase.ticks;
  double operations = 0;
  for (size_t i = 0; i < ticks.end_ms.size(); ++i) {
    const double begin = static_cast<double>(ticks.BeginMs(i)) * 1e-3;
    // The last tick ends when the watcher has seen that all threads have ended.
    const bool is_last = i + 1 == ticks.end_ms.size();
    const double end = is_last ? std::max(seconds, begin)
                               : std::min(static_cast<double>(ticks.end_ms[i]) * 1e-3, seconds);
    operations += static_cast<double>(ticks.operations[role][i]) * share(begin, end);
  }
  return operations;
}

StatusOr<Result> TogetherOfRanks(const std::vector<PartOfMerge>& parts) {
  const RankShare& any = *RankOf(parts.front().result);
  std::vector<RankPart> ranks;
  for (const PartOfMerge& part : parts) {
    const RankShare& rank = *RankOf(part.result);
    const auto same = std::ranges::find(ranks, rank.rank, &RankPart::rank);
    if (same != ranks.end()) {
      return Status::Usage(fmt::format("{} and {} are both of rank {}, which would count twice",
                                       Quote(same->part->path), Quote(part.path), rank.rank));
    }
    ranks.push_back({rank.rank, &part});
  }
  std::ranges::sort(ranks, {}, &RankPart::rank);
  Result whole = ranks.front().part->result;
  for (size_t r = 0; r < whole.runs.size(); ++r) {
    RunResult& run = whole.runs[r];
    SharedList<PhaseResult> phases;
    for (size_t p = 0; p < run.phases.size(); ++p) {
      // With --vary=ranks the last ones had nothing to do.
      const Boxed<RankShare>& first = run.phases[p].rank;
      const uint64_t of = first ? first->of : any.of;
      std::vector<RankPart> with;
      std::vector<const PhaseResult*> of_ranks;
      std::vector<uint64_t> round_trips_ns;
      for (const RankPart& rank : ranks) {
        const auto& runs = rank.part->result.runs;
        if (rank.rank >= of || r >= runs.size() || p >= runs[r].phases.size()) continue;
        with.push_back(rank);
        of_ranks.push_back(&runs[r].phases[p]);
        round_trips_ns.push_back(runs[r].round_trip_ns);
      }
      phases.push_back(
          PhaseOfRanks(std::move(with), std::move(of_ranks), std::move(round_trips_ns), of)
              .Together());
    }
    for (const RankPart& rank : ranks) {
      const auto& runs = rank.part->result.runs;
      if (r >= runs.size()) continue;
      if (run.outcome != Outcome::kOk || runs[r].outcome == Outcome::kOk ||
          runs[r].outcome == Outcome::kSkipped) {
        continue;
      }
      run.outcome = runs[r].outcome;
      run.message = fmt::format("{}: {}", rank.Name(any.of), runs[r].message);
    }
    run.phases = std::move(phases);
    for (const PhaseResult& phase : run.phases) {
      const bool is_void = phase.outcome == Outcome::kInvalid && !phase.implicit;
      if (run.outcome == Outcome::kOk && is_void) run.outcome = Outcome::kInvalid;
    }
  }
  whole.name = "fleet";
  return whole;
}

}  // namespace levelfield
