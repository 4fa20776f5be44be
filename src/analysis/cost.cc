#include "analysis/cost.h"

#include <algorithm>

#include "analysis/durability.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

constexpr const char* kNotTold = "the kernel does not tell";
constexpr const char* kNothingPut = "nothing was put";
constexpr const char* kSpins = "in an open loop a thread reads the clock while it waits";
// Log files and first pages take at least this much, however small the store is.
constexpr uint64_t kLeastHeld = 1 << 20;

// The bytes of all operations that do this and nothing else.
uint64_t BytesOf(const PhaseResult& phase, Effects effects) {
  uint64_t bytes = 0;
  for (const RoleResult& role : phase.roles) {
    for (const OperationStatistics& stats : role.statistics) {
      if (stats.effects == effects) bytes += stats.bytes;
    }
  }
  return bytes;
}

template <class Condition>
bool HasAny(const PhaseResult& phase, Condition condition) {
  return std::ranges::any_of(phase.roles, [&](const RoleResult& role) {
    return std::ranges::any_of(role.statistics, [&](const OperationStatistics& stats) {
      return stats.operations != 0 && condition(stats);
    });
  });
}

Ratio None(std::string reason) { return {.value = std::nullopt, .reason = std::move(reason)}; }

Ratio Quotient(double part, double whole) { return {.value = part / whole, .reason = ""}; }

uint64_t Operations(const PhaseResult& phase) {
  uint64_t operations = 0;
  for (const RoleResult& role : phase.roles) operations += role.Operations();
  return operations;
}

// With what settling dirtied behind the phase. The kernel counts them.
uint64_t DirtiedBytes(const PhaseResult& phase) {
  const uint64_t behind = phase.settle ? phase.settle->dirtied_bytes.value_or(0) : 0;
  return phase.resources->io->dirtied_bytes + behind;
}

void AddWrites(const PhaseResult& phase, Cost& cost) {
  const std::optional<uint64_t> put = PutBytes(phase);
  const std::string reason = !put ? "an operation that reads and writes counts the bytes of both"
                             : *put == 0 ? kNothingPut
                                         : "";
  cost.write_calls = cost.write_dirtied = cost.write_device = cost.write_engine = None(reason);
  if (!reason.empty()) return;
  const auto bytes = static_cast<double>(*put);
  const Resources& used = *phase.resources;
  if (!used.io) {
    cost.write_calls = cost.write_dirtied = None("/proc/self/io could not be read");
  } else {
    cost.write_calls = used.io->write_call_bytes < *put
                           ? None("it writes through a memory map, which is in no call")
                           : Quotient(static_cast<double>(used.io->write_call_bytes), bytes);
    cost.write_dirtied = Quotient(static_cast<double>(DirtiedBytes(phase)), bytes);
  }
  cost.write_device =
      used.synced_device
          ? Quotient(static_cast<double>(used.synced_device->written_bytes), bytes)
          : None(used.device ? "the store was not synced after it" : "it is on no block device");
  const auto written = std::ranges::find(phase.counters, "written_bytes",
                                         &decltype(phase.counters)::value_type::first);
  cost.write_engine = written == phase.counters.end()
                          ? None("the engine does not tell")
                          : Quotient(static_cast<double>(written->second), bytes);
}

Ratio Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return None("the store has no files, or they were not looked at");
  return Quotient(static_cast<double>(part), static_cast<double>(whole));
}

void AddResourceCosts(const PhaseResult& phase, Cost& cost) {
  const PageCacheShare cached = phase.page_cache.value_or(PageCacheShare());
  cost.cached_at_begin = Share(cached.cached_bytes, cached.file_bytes);
  cost.cached_at_end = Share(cached.end_cached_bytes, cached.end_file_bytes);
  const std::string none = phase.resources ? kNotTold : kNoDetails;
  cost.sync_calls = cost.sync_seconds = cost.anonymous_bytes = cost.file_bytes = cost.major_faults =
      cost.preempted = None(none);
  if (!phase.resources) return;
  const Resources& used = *phase.resources;
  const auto number = [](auto value) { return Quotient(static_cast<double>(value), 1); };
  if (used.syncs) {
    cost.sync_calls = number(used.syncs->calls);
    cost.sync_seconds = number(used.syncs->waited_seconds);
  }
  if (used.memory) {
    cost.anonymous_bytes = number(used.memory->anonymous_bytes);
    cost.file_bytes = number(used.memory->file_bytes);
  }
  cost.major_faults = number(used.major_faults);
  cost.preempted = number(used.involuntary_switches);
}

bool IsOpenLoop(const PhaseResult& phase) {
  return std::ranges::any_of(phase.roles,
                             [](const RoleResult& role) { return role.load.has_value(); });
}

void AddTimes(const PhaseResult& phase, Cost& cost) {
  double seconds = 0;
  for (const RoleResult& role : phase.roles) seconds += role.thread_seconds;
  const bool is_known = phase.resources && seconds > 0;
  cost.computing = cost.in_syncs = cost.waiting = None(IsOpenLoop(phase) ? kSpins : kNoDetails);
  if (!is_known || IsOpenLoop(phase)) return;
  const Resources& used = *phase.resources;
  cost.computing = Quotient(std::min(used.foreground_seconds, seconds), seconds);
  cost.in_syncs = Quotient(used.syncs ? used.syncs->waited_seconds : 0, seconds);
  cost.waiting = Quotient(std::max(0.0, 1 - *cost.computing.value - *cost.in_syncs.value), 1);
}

void AddFlushes(const PhaseResult& phase, Cost& cost) {
  const uint64_t commits = CommitsOf(phase).count;
  const auto per_commit = [&](const std::optional<uint64_t>& flushes) {
    if (commits == 0) return None("no commit had anything to flush");
    return flushes ? Quotient(static_cast<double>(*flushes), static_cast<double>(commits))
                   : None(kNotTold);
  };
  const bool has_device = phase.resources && phase.resources->device;
  cost.flushes = per_commit(DurableFlushes(phase));
  cost.device_flushes =
      IsWrittenThrough(phase)
          ? None("the device has no cache to flush")
          : per_commit(has_device ? phase.resources->device->flushes : std::nullopt);
  cost.unflushed = phase.audit && phase.audit->commits != 0
                       ? Quotient(static_cast<double>(phase.audit->without_flush),
                                  static_cast<double>(phase.audit->commits))
                       : None("no commit was audited");
}

}  // namespace

std::optional<uint64_t> PutBytes(const PhaseResult& phase) {
  const bool has_mixed = HasAny(phase, [](const OperationStatistics& stats) {
    return stats.Does(Effect::kWrites) && stats.Does(Effect::kCommits) && stats.effects != kPuts;
  });
  if (has_mixed) return std::nullopt;
  return BytesOf(phase, kPuts);
}

bool HasWritten(const PhaseResult& phase) {
  return HasAny(phase,
                [](const OperationStatistics& stats) { return stats.Does(Effect::kCommits); });
}

std::optional<BytesOfOthers> BytesOfOthersIn(const PhaseResult& phase) {
  constexpr uint64_t kOften = 3;
  constexpr uint64_t kBySync = 64 << 10;
  constexpr uint64_t kLeast = 16 << 20;
  const auto& used = phase.resources;
  if (!HasWritten(phase) || !used || !used->synced_device || !used->io || !used->syncs) {
    return std::nullopt;
  }
  const BytesOfOthers bytes = {
      .came = used->synced_device->written_bytes,
      .most_own = kOften * DirtiedBytes(phase) + kBySync * used->syncs->calls};
  return bytes.came > bytes.most_own + kLeast ? std::optional(bytes) : std::nullopt;
}

Cost CostOf(const PhaseResult& phase) {
  Cost cost;
  AddResourceCosts(phase, cost);
  AddFlushes(phase, cost);
  AddTimes(phase, cost);
  if (phase.live_bytes == 0) {
    cost.space = cost.peak_space = None("how much the store holds was not read back");
  } else if (phase.live_bytes < kLeastHeld) {
    cost.space = cost.peak_space =
        None("the store holds less than 1 MiB, so its size is mostly that of empty files");
  } else {
    const auto live = static_cast<double>(phase.live_bytes);
    cost.space = Quotient(static_cast<double>(phase.disk_bytes), live);
    cost.peak_space = Quotient(static_cast<double>(phase.peak_disk_bytes), live);
  }
  const std::optional<Resources>& used = phase.resources;
  if (!used) {
    cost.cpu_us = cost.background_share = cost.write_calls = cost.write_dirtied =
        cost.write_device = cost.write_engine = cost.read_device = None(kNoDetails);
    return cost;
  }
  const uint64_t operations = Operations(phase);
  const double background =
      used->BackgroundSeconds() + (phase.settle ? phase.settle->cpu_seconds : 0);
  const double cpu = used->foreground_seconds + background;
  cost.cpu_us = IsOpenLoop(phase) ? None(kSpins)
                : operations == 0 ? None("no operation was done")
                                  : Quotient(cpu * 1e6, static_cast<double>(operations));
  cost.background_share = cpu > 0 ? Quotient(background, cpu) : None("it took no time");
  AddWrites(phase, cost);
  const uint64_t read = BytesOf(phase, Effect::kReads);
  cost.read_device = read == 0   ? None("nothing was read")
                     : !used->io ? None("/proc/self/io could not be read")
                                 : Quotient(static_cast<double>(used->io->storage_read_bytes),
                                            static_cast<double>(read));
  return cost;
}

}  // namespace levelfield
