#include "analysis/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/durability.h"

namespace levelfield {
namespace {

using Wide = unsigned __int128;

// Seconds come from counts of nanoseconds converted to double, and from sums of them.
constexpr double kRounding = 1e-9;
// Latencies may come from the time-stamp counter, which is trusted to 50 ppm. Their phase's time
// comes from CLOCK_MONOTONIC.
constexpr double kClocksDiffer = 5e-4;

bool Exceeds(double part, double whole, double slack) {
  return part > whole * (1 + slack) + kRounding;
}

// Percentiles are read from the buckets. So they must be in order, and the extremes must lie in the
// outermost buckets. The mean times the count must be a sum that the buckets allow.
std::string OfLatencies(const SparseHistogram& latency_ns) {
  const std::vector<Histogram::Bucket> buckets = latency_ns.NonEmpty();
  if (buckets.empty()) {
    return latency_ns.Sum() == 0 ? ""
                                 : fmt::format("0 latencies, but a sum of {} ns", latency_ns.Sum());
  }
  const auto is_outside = [](uint64_t value, const Histogram::Bucket& bucket) {
    return value < Histogram::LowestOf(bucket.bucket) ||
           value > Histogram::HighestOf(bucket.bucket);
  };
  if (is_outside(latency_ns.Max(), buckets.back())) {
    return fmt::format("the largest latency is {} ns, but the highest percentile {} ns",
                       latency_ns.Max(), Histogram::LowestOf(buckets.back().bucket));
  }
  if (is_outside(latency_ns.Min(), buckets.front())) {
    return fmt::format("the smallest latency is {} ns, but the lowest percentile {} ns",
                       latency_ns.Min(), Histogram::LowestOf(buckets.front().bucket));
  }
  Wide least = 0;
  Wide most = 0;
  for (const Histogram::Bucket& bucket : buckets) {
    least += Wide{bucket.count} * Histogram::LowestOf(bucket.bucket);
    most += Wide{bucket.count} * Histogram::HighestOf(bucket.bucket);
  }
  if (latency_ns.Sum() >= least && latency_ns.Sum() <= most) return "";
  return fmt::format("the latencies' sum is {} ns, but their buckets come to {:.0f} to {:.0f} ns",
                     latency_ns.Sum(), static_cast<double>(least), static_cast<double>(most));
}

std::string OfStatistics(const OperationStatistics& stats, uint64_t batch) {
  if (Wide{stats.hits} + stats.misses != stats.operations) {
    return fmt::format("{} hits and {} misses, but {} operations", stats.hits, stats.misses,
                       stats.operations);
  }
  if (stats.entry_bytes != 0 && Wide{stats.hits} * stats.entry_bytes != stats.bytes) {
    return fmt::format("{} entries of {} bytes, but {} bytes", stats.hits, stats.entry_bytes,
                       stats.bytes);
  }
  if (!stats.latency_ns) return "";
  const uint64_t count = stats.latency_ns->Count();
  if (batch == 1 && count != stats.operations) {
    return fmt::format("{} operations, but {} latencies", stats.operations, count);
  }
  if (const std::string why = OfLatencies(*stats.latency_ns); !why.empty()) return why;
  if (!stats.response_ns) return "";
  if (stats.response_ns->Count() != count) {
    return fmt::format("{} service times, but {} response times", count,
                       stats.response_ns->Count());
  }
  if (stats.response_ns->Sum() < stats.latency_ns->Sum()) {
    return fmt::format("service times of {} ns in all, but response times of {} ns",
                       stats.latency_ns->Sum(), stats.response_ns->Sum());
  }
  return OfLatencies(*stats.response_ns);
}

// Compares the threads, one by one, with the sums over all of them.
std::string OfThreads(const RoleResult& role) {
  if (role.thread_operations.empty()) return "";
  const auto sum = [](const std::vector<uint64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), uint64_t{0});
  };
  if (role.thread_operations.size() != role.threads || role.thread_calls.size() != role.threads) {
    return fmt::format("{} threads, but the counts of {}", role.threads,
                       std::min(role.thread_operations.size(), role.thread_calls.size()));
  }
  // Includes operations that were rolled back after a conflict, which are not in the rate.
  uint64_t operations_of_statistics = 0;
  for (const OperationStatistics& stats : role.statistics)
    operations_of_statistics += stats.operations;
  if (sum(role.thread_operations) != operations_of_statistics) {
    return fmt::format("{} operations, but {} of its threads one by one", operations_of_statistics,
                       sum(role.thread_operations));
  }
  for (size_t t = 0; t < role.thread_operations.size(); ++t) {
    const uint64_t operations = role.thread_operations[t];
    const uint64_t calls = role.thread_calls[t];
    if (calls <= operations && Wide{calls} * role.batch >= operations) continue;
    return fmt::format("thread {}: {} operations, {} to a call, but {} calls", t, operations,
                       role.batch, calls);
  }
  uint64_t latencies = 0;
  for (const OperationStatistics& stats : role.statistics) {
    if (!stats.latency_ns) return "";
    latencies += stats.latency_ns->Count();
  }
  if (latencies == sum(role.thread_calls)) return "";
  return fmt::format("{} calls, but {} latencies", sum(role.thread_calls), latencies);
}

// Compares what was seen of a role while it ran with what it had done in the end.
std::string OfTicks(const PhaseResult& phase, size_t role) {
  const std::vector<uint64_t>& threads = phase.roles[role].thread_operations;
  if (!phase.ticks || threads.empty()) return "";
  if (role >= phase.ticks->operations.size()) return "no operations in the phase's ticks";
  const std::vector<uint64_t>& ticks = phase.ticks->operations[role];
  const auto of_ticks = std::accumulate(ticks.begin(), ticks.end(), uint64_t{0});
  const auto of_threads = std::accumulate(threads.begin(), threads.end(), uint64_t{0});
  if (of_ticks == of_threads) return "";
  return fmt::format("{} operations of its threads, but {} in the phase's ticks", of_threads,
                     of_ticks);
}

double InFlight(const RoleResult& role) {
  return static_cast<double>(std::max<uint64_t>(role.in_flight, 1));
}

std::string OfTimes(const PhaseResult& phase, const RoleResult& role) {
  const auto threads = static_cast<double>(role.threads);
  if (phase.run_seconds > 0 && Exceeds(role.seconds, phase.run_seconds, kRounding)) {
    return fmt::format("{:.9f} seconds, but the whole phase took {:.9f}", role.seconds,
                       phase.run_seconds);
  }
  if (Exceeds(role.thread_seconds, role.seconds * threads, kRounding)) {
    return fmt::format("{:.9f} seconds of its threads, but {} threads had {:.9f} each",
                       role.thread_seconds, role.threads, role.seconds);
  }
  double latency_seconds = 0;
  for (const OperationStatistics& stats : role.statistics) {
    if (stats.latency_ns) latency_seconds += static_cast<double>(stats.latency_ns->Sum()) * 1e-9;
  }
  // Each moment of a thread is part of as many latencies as it has operations in flight.
  const double most_seconds = role.thread_seconds * InFlight(role);
  if (Exceeds(latency_seconds, most_seconds, kClocksDiffer)) {
    return fmt::format("latencies of {:.9f} seconds in all, but its threads ran for {:.9f}",
                       latency_seconds, role.thread_seconds);
  }
  if (!role.operations_per_second) return "";
  const double rate = role.OperationsPerSecond();
  if (std::abs(*role.operations_per_second - rate) <= rate * kRounding) return "";
  return fmt::format("{:.3f} operations a second, but {} in {:.9f} seconds are {:.3f}",
                     *role.operations_per_second, role.Operations(), role.seconds, rate);
}

// Twice, because a momentary measurement is no promise.
constexpr double kBeyondLimit = 2;
// A copy moves each byte twice, a read once: on processors whose memcpy moves 16 bytes a cycle, the
// digest reads a value of 100 KB at 2.0 times the copies (41 and 83 GB/s were seen).
constexpr double kReadsOfACopy = 2;

// Nobody reads bytes faster than twice as many can be copied, nor has more synced commits than
// there are syncs. Threads, and operations in flight, that share a sync count one each.
std::string OfLimits(const PhaseResult& phase, const RoleResult& role) {
  if (!phase.limits || role.thread_seconds <= 0) return "";
  const MachineLimits& limits = *phase.limits;
  double bytes = 0;
  double calls = 0;
  for (const OperationStatistics& stats : role.statistics) {
    bytes += static_cast<double>(stats.bytes);
    // An erasure may have nothing to erase.
    if (stats.Does(Effect::kWrites) && stats.Does(Effect::kCommits)) {
      calls += static_cast<double>(stats.operations) / static_cast<double>(role.batch);
    }
  }
  const double bandwidth = bytes / role.thread_seconds;
  const double most_bandwidth = kBeyondLimit * kReadsOfACopy * limits.copy_bytes_per_second;
  if (limits.copy_bytes_per_second > 0 && bandwidth > most_bandwidth) {
    return fmt::format(
        "{:.1f} GB/s to a thread, but this machine copies {:.1f} GB/s: the values cannot have been "
        "read",
        bandwidth * 1e-9, limits.copy_bytes_per_second * 1e-9);
  }
  if (!ClaimsFlushes(phase) || limits.syncs == 0) return "";
  const double commits = calls / (role.thread_seconds * InFlight(role));
  const double least = FastestSyncSeconds(limits);
  if (commits * least <= kBeyondLimit) return "";
  return fmt::format(
      "{:.0f} synced writes a second to a thread, but the fastest of {} syncs took {:.1f} us: they "
      "cannot all have been synced",
      commits, limits.syncs + limits.overwrites, least * 1e6);
}

}  // namespace

std::string ContradictionIn(const PhaseResult& phase) {
  for (size_t r = 0; r < phase.roles.size(); ++r) {
    const RoleResult& role = phase.roles[r];
    for (const OperationStatistics& stats : role.statistics) {
      const std::string why = OfStatistics(stats, role.batch);
      if (!why.empty()) return fmt::format("[{}] {}: {}", role.name, stats.operation, why);
    }
    for (const std::string& why :
         {OfThreads(role), OfTicks(phase, r), OfTimes(phase, role), OfLimits(phase, role)}) {
      if (!why.empty()) return fmt::format("[{}]: {}", role.name, why);
    }
  }
  return "";
}

}  // namespace levelfield
