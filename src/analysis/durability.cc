#include "analysis/durability.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "analysis/cost.h"
#include "base/text.h"

namespace levelfield {
namespace {

// No known device makes 4 KiB durable in less. By their data sheets, the fastest drives on sale,
// Intel's Optane, take 5 us (P5800X) to 10 us (P4800X) for one write, and a sync also has to go
// through the kernel. An fsync on ext4 on a P4800X was measured at 47 us (percona.com, "Update on
// fsync performance", 2019). A sync in memory, or one that does nothing, takes 1 to 3 us.
constexpr double kFastestDeviceSeconds = 5e-6;

// Kernels count each flush of a device's cache. A device without a cache gets none. A device with
// FUA may get a write through its cache instead.
bool TakesFlushesAlone(const Medium& medium) {
  return medium.write_cache == WriteCache::kWriteBack;
}

// Whether the counts say anything.
bool IsCounted(const CameToDevice& came, const Medium& medium) {
  return came.commits != 0 && came.flushes && (TakesFlushesAlone(medium) || came.writes);
}

// Threads that commit together may share a flush, so each flush can serve one commit of each
// thread. Others use the device too: a large count proves nothing, a small count is evidence.
std::string WhyTooLittle(const CameToDevice& came, const Medium& medium, const std::string& what) {
  if (!IsCounted(came, medium)) return "";
  const bool flushes_alone = TakesFlushesAlone(medium);
  const uint64_t count = *came.flushes + (flushes_alone ? 0 : *came.writes);
  if (count >= came.commits || count * came.writers >= came.commits) return "";
  return fmt::format("{} {} of {} returned, but only {} {} came to {} ({})", came.commits, what,
                     Plural(came.writers, "thread"), count,
                     flushes_alone ? "flushes" : "flushes and writes", medium.devices,
                     NameOf(medium.write_cache));
}

std::string WhyTooLittleCame(const DurabilityEvidence& evidence) {
  const Medium& medium = *evidence.medium;
  if (!medium.unverifiable_because.empty()) return "";
  const std::string of_phase = WhyTooLittle(evidence.of_phase, medium, "synced commits");
  if (!of_phase.empty()) return of_phase;
  return WhyTooLittle(evidence.of_probe, medium, "syncs that were tried before");
}

// Why the device's counts are no evidence.
std::string WhyNotAsked(const DurabilityEvidence& evidence) {
  const Medium& medium = *evidence.medium;
  if (!medium.unverifiable_because.empty()) return medium.unverifiable_because;
  // Operations that may have nothing to make durable (erasures) cannot be counted.
  const bool is_counted =
      IsCounted(evidence.of_phase, medium) || IsCounted(evidence.of_probe, medium);
  return is_counted ? "" : "what came to it was not counted: " + medium.devices;
}

std::string WhyTooFast(double fastest_sync_seconds) {
  if (fastest_sync_seconds <= 0 || fastest_sync_seconds >= kFastestDeviceSeconds) return "";
  return fmt::format(
      "the fastest sync of 4 KiB took {:.1f} us, and no device that we know takes less than {:.0f}",
      fastest_sync_seconds * 1e6, kFastestDeviceSeconds * 1e6);
}

// Judges commits that were each flushed by a call.
DurabilityVerdict JudgeDevice(const DurabilityEvidence& evidence) {
  const DurabilityVerdict kept = {.seen = Seen::kLevel, .level = evidence.by_calls};
  const DurabilityVerdict in_kernel = {.seen = Seen::kLevel, .level = DurabilityLevel::kD1};
  if (!evidence.medium) return kept;
  if (!evidence.medium->volatile_because.empty()) return in_kernel;
  const std::string too_little = WhyTooLittleCame(evidence);
  std::string doubt = WhyNotAsked(evidence);
  // A device may be faster than those we know, so this alone voids nothing.
  if (doubt.empty()) doubt = WhyTooFast(evidence.fastest_sync_seconds);
  if (too_little.empty() && doubt.empty()) return kept;
  if (!IsLevelOfFlushes(evidence.claimed)) return in_kernel;
  if (too_little.empty()) return {.seen = Seen::kFlushed, .reason = doubt};
  return {.seen = Seen::kTooLittle, .level = DurabilityLevel::kD1, .reason = too_little};
}

uint64_t CountOf(const Resources::Syncs& syncs, bool durable) {
  uint64_t sum = 0;
  for (const auto& [kind, count] : syncs.kinds) sum += IsDurable(kind) == durable ? count : 0;
  return sum;
}

bool HasSyncs(const PhaseResult& phase) { return phase.resources && phase.resources->syncs; }

bool HasAudit(const PhaseResult& phase) { return phase.audit && phase.audit->commits != 0; }

// Why an engine may have made calls that nobody counted, so that a small count says nothing. Empty:
// it cannot have.
std::string WhyUncounted(const PhaseResult& phase) {
  if (!HasAudit(phase)) {
    const bool has_reason = phase.audit && !phase.audit->reason.empty();
    return "no commit was looked at by itself" + (has_reason ? ": " + phase.audit->reason : "");
  }
  if (!phase.audit->uncounted.empty()) return phase.audit->uncounted;
  return phase.audit->flushes_past_libc ? "" : "only calls of libc's functions were counted";
}

// Calls that are no durable flush: ", but 20 of sync_file_range".
std::string Instead(const Resources::Syncs& syncs) {
  std::string text;
  for (const auto& [kind, count] : syncs.kinds) {
    if (!IsDurable(kind))
      text += fmt::format("{} {} of {}", text.empty() ? "; and" : ",", count, kind);
  }
  return text.empty() ? text : text + ", which make nothing durable or are not known to";
}

std::string WhyCountsAreTooLow(const PhaseResult& phase) {
  if (!HasSyncs(phase) || !HasWritten(phase)) return "";
  const Resources::Syncs& syncs = *phase.resources->syncs;
  const Commits commits = CommitsOf(phase);
  const uint64_t flushes = CountOf(syncs, true);
  if (flushes == 0 && commits.count != 0) {
    return "each acknowledged write is to survive a power cut, but the engine called neither fsync "
           "nor any of its like, and has no file open that is synced by itself" +
           Instead(syncs);
  }
  if (flushes * commits.writers >= commits.count) return "";
  return fmt::format("{} commits of {} were acknowledged, but only {} durable flushes made{}",
                     commits.count, Plural(commits.writers, "thread"), flushes, Instead(syncs));
}

// The store's pages that were in the page cache alone, with their files: "2 dirty pages
// (lock.mdb)".
std::string DirtyWords(const Audit& audit) {
  if (!audit.dirty_pages) return "dirty pages n/a";
  if (*audit.dirty_pages == 0) return "0 dirty pages";
  std::string files;
  constexpr size_t kMostFiles = 3;
  for (size_t i = 0; i < std::min(audit.dirty_files.size(), kMostFiles); ++i) {
    files += (i == 0 ? "" : ", ") + audit.dirty_files[i].first;
  }
  if (audit.dirty_files.size() > kMostFiles) {
    files += fmt::format(" and {} more", audit.dirty_files.size() - kMostFiles);
  }
  return fmt::format("{} ({})", Plural(*audit.dirty_pages, "dirty page"), files);
}

std::string WhyCallsAreTooFew(const PhaseResult& phase) {
  if (!ClaimsFlushes(phase)) return "";
  if (std::string why = WhyCountsAreTooLow(phase); !why.empty()) return why;
  if (!HasAudit(phase) || phase.audit->without_flush == 0) return "";
  return fmt::format(
      "of {} commits that were looked at one by one, {} had no durable flush of what "
      "they had written before they were acknowledged",
      phase.audit->commits, phase.audit->without_flush);
}

// The level if the device keeps what is flushed.
DurabilityLevel LevelByFlushes(const PhaseResult& phase) {
  if (HasAudit(phase)) {
    const Audit& audit = *phase.audit;
    if (audit.without_flush == 0)
      return WhyCountsAreTooLow(phase).empty() ? DurabilityLevel::kD4 : DurabilityLevel::kD1;
    // By calls, or through a map.
    const bool is_in_kernel = std::max(audit.written_bytes, audit.dirty_pages.value_or(0) * 4096) >=
                              audit.acknowledged_bytes;
    return is_in_kernel ? DurabilityLevel::kD1 : DurabilityLevel::kD0;
  }
  const bool is_counted = HasSyncs(phase) && CommitsOf(phase).count != 0;
  if (!ClaimsFlushes(phase) || !is_counted) return DurabilityLevel::kNone;
  return WhyCountsAreTooLow(phase).empty() ? DurabilityLevel::kD4 : DurabilityLevel::kD1;
}

}  // namespace

DurabilityVerdict Judge(const DurabilityEvidence& evidence) {
  if (!evidence.missing_calls.empty() && !evidence.uncounted.empty()) {
    return {.seen = Seen::kNotSeen, .reason = evidence.uncounted};
  }
  if (!evidence.missing_calls.empty()) {
    return {.seen = Seen::kTooLittle, .level = evidence.by_calls, .reason = evidence.missing_calls};
  }
  if (evidence.by_calls == DurabilityLevel::kNone) return {};
  if (evidence.by_calls == DurabilityLevel::kD4) return JudgeDevice(evidence);
  return {.seen = Seen::kLevel, .level = evidence.by_calls};
}

std::string WordOf(const DurabilityVerdict& verdict) {
  return std::string(verdict.seen == Seen::kFlushed   ? "flushed"
                     : verdict.seen == Seen::kNotSeen ? "not seen"
                                                      : NameOf(verdict.level));
}

std::string ClaimAndWord(DurabilityLevel claimed, const DurabilityVerdict& verdict) {
  const std::string claim(NameOf(claimed));
  const std::string word = WordOf(verdict);
  if (word.empty()) return claim;
  if (verdict.level == DurabilityLevel::kNone) return claim + ", " + word;
  return verdict.level == claimed ? claim + ", seen" : claim + ", seen " + word;
}

std::string ReasonInWords(const DurabilityVerdict& verdict) {
  if (verdict.seen == Seen::kFlushed) {
    return "flushed, device unverifiable: " + verdict.reason;
  }
  return verdict.seen == Seen::kNotSeen ? "not seen: " + verdict.reason : "";
}

bool ClaimsFlushes(const PhaseResult& phase) { return IsLevelOfFlushes(phase.level); }

bool IsVolatile(const PhaseResult& phase) {
  return HasWritten(phase) && ClaimsFlushes(phase) && phase.medium &&
         !phase.medium->volatile_because.empty();
}

Commits CommitsOf(const PhaseResult& phase) {
  Commits commits;
  for (const RoleResult& role : phase.roles) {
    const uint64_t batch = std::max<uint64_t>(role.batch, 1);
    uint64_t count = 0;
    bool each_commits = true;
    for (const OperationStatistics& stats : role.statistics) {
      const bool commits_value = stats.Does(Effect::kWrites) && stats.Does(Effect::kCommits);
      each_commits = each_commits && commits_value;
      if (commits_value) count += (stats.operations + batch - 1) / batch;
    }
    if (count == 0) continue;
    if (each_commits && !role.thread_calls.empty()) {
      count = std::accumulate(role.thread_calls.begin(), role.thread_calls.end(), uint64_t{0});
    }
    commits.count += count;
    commits.writers += role.threads;
  }
  return commits;
}

std::optional<uint64_t> DurableFlushes(const PhaseResult& phase) {
  if (!HasSyncs(phase)) return std::nullopt;
  return CountOf(*phase.resources->syncs, true);
}

std::optional<double> FlushesPerCommit(const PhaseResult& phase) {
  const Commits commits = CommitsOf(phase);
  const std::optional<uint64_t> flushes = DurableFlushes(phase);
  if (!flushes || commits.count == 0) return std::nullopt;
  return static_cast<double>(*flushes) / static_cast<double>(commits.count);
}

bool IsWrittenThrough(const PhaseResult& phase) {
  return phase.medium && phase.medium->write_cache == WriteCache::kWriteThrough;
}

std::optional<double> DeviceFlushesPerCommit(const PhaseResult& phase) {
  const Commits commits = CommitsOf(phase);
  if (!phase.resources || !phase.resources->device || commits.count == 0) return std::nullopt;
  const Resources::Device& device = *phase.resources->device;
  const std::optional<uint64_t> came = IsWrittenThrough(phase) ? device.writes : device.flushes;
  if (!came) return std::nullopt;
  return static_cast<double>(*came) / static_cast<double>(commits.count);
}

namespace {

// The evidence about the phase's commits.
DurabilityEvidence EvidenceOf(const PhaseResult& phase) {
  DurabilityEvidence evidence = {.claimed = phase.level,
                                 .by_calls = LevelByFlushes(phase),
                                 .missing_calls = WhyCallsAreTooFew(phase),
                                 .uncounted = WhyUncounted(phase),
                                 .medium = phase.medium};
  const Commits commits = CommitsOf(phase);
  if (commits.count != 0 && phase.resources && phase.resources->device) {
    evidence.of_phase = {.commits = commits.count,
                         .writers = commits.writers,
                         .flushes = phase.resources->device->flushes,
                         .writes = phase.resources->device->writes};
  }
  if (phase.limits) {
    evidence.of_probe = {.commits = phase.limits->syncs + phase.limits->overwrites,
                         .flushes = phase.limits->device_flushes,
                         .writes = phase.limits->device_writes};
    evidence.fastest_sync_seconds = FastestSyncSeconds(*phase.limits);
  }
  return evidence;
}

}  // namespace

DurabilityVerdict DurabilityVerdictOf(const PhaseResult& phase) {
  const DurabilityVerdict verdict = Judge(EvidenceOf(phase));
  if (verdict.seen == Seen::kTooLittle || phase.store_level == DurabilityLevel::kNone)
    return verdict;
  // Durable commits do not make the store below them better.
  if (phase.store_level == DurabilityLevel::kNotKnown) return {};
  if (phase.store_level >= verdict.level) return verdict;
  return {.seen = Seen::kLevel, .level = phase.store_level};
}

std::string SuspectBecause(const PhaseResult& phase) {
  if (!ClaimsFlushes(phase) || !phase.limits || phase.limits->overwrites == 0) return "";
  const Commits commits = CommitsOf(phase);
  if (commits.writers != 1) return "";
  for (const RoleResult& role : phase.roles) {
    for (const OperationStatistics& stats : role.statistics) {
      if (stats.effects != kPuts || !stats.latency_ns) continue;
      const std::optional<uint64_t> median = stats.latency_ns->Percentile(0.5);
      const double floor_ns = phase.limits->least_overwrite_seconds * 1e9;
      if (!median || static_cast<double>(*median) >= floor_ns / 2) continue;
      return fmt::format(
          "its median synced {} took {:.1f} us, and the fastest overwrite of 4 KiB in "
          "place, synced, {:.1f} us",
          stats.operation, static_cast<double>(*median) * 1e-3, floor_ns * 1e-3);
    }
  }
  return "";
}

Durability DurabilityOf(const RunResult& run, const PhaseResult& phase) {
  if (!HasWritten(phase)) return {};
  Durability durability = {.has_written = true,
                           .verdict = DurabilityVerdictOf(phase),
                           .flushes_per_commit = FlushesPerCommit(phase),
                           .device_flushes_per_commit = DeviceFlushesPerCommit(phase),
                           .counts_writes = IsWrittenThrough(phase),
                           .suspect_because = SuspectBecause(phase)};
  if (ClaimsFlushes(phase) && phase.medium) {
    durability.volatile_because = phase.medium->volatile_because;
    durability.doubt = phase.medium->doubt;
  }
  const auto declared =
      std::ranges::find(run.deviations, phase.durability, [](const auto& of) { return of.first; });
  if (declared != run.deviations.end()) durability.known_deviation = declared->second;
  return durability;
}

std::string WhyNotDurable(const PhaseResult& phase) {
  const DurabilityVerdict verdict = DurabilityVerdictOf(phase);
  return verdict.seen == Seen::kTooLittle ? verdict.reason : "";
}

std::string DurabilityWords(const PhaseResult& phase) {
  const DurabilityVerdict verdict = DurabilityVerdictOf(phase);
  if (verdict.seen == Seen::kNothing) return "";
  const std::string reason = ReasonInWords(verdict);
  if (verdict.seen == Seen::kNotSeen)
    return fmt::format("claimed {}, {}", NameOf(phase.level), reason);
  std::string text =
      fmt::format("claimed {}, {}: ", NameOf(phase.level),
                  reason.empty() ? fmt::format("observed {}", NameOf(verdict.level)) : reason);
  if (const std::optional<double> flushes = FlushesPerCommit(phase)) {
    text += fmt::format("{:.2f} durable flushes a commit", *flushes);
    const uint64_t writers = CommitsOf(phase).writers;
    if (writers > 1 && *flushes != 0) {
      text += fmt::format(" ({:.2f} commits a flush, {} writers)", 1 / *flushes, writers);
    }
    const std::optional<double> device = DeviceFlushesPerCommit(phase);
    text += device ? fmt::format(", {:.2f} {} a commit", *device,
                                 IsWrittenThrough(phase) ? "device writes" : "device flushes")
                   : ", device flushes n/a";
    text += "; ";
  }
  if (!HasAudit(phase)) {
    return text + (phase.audit && !phase.audit->reason.empty()
                       ? "no commit was looked at by itself: " + phase.audit->reason
                       : "no commit was looked at by itself");
  }
  const Audit& audit = *phase.audit;
  return text + fmt::format("{} of {} commits without, {}", audit.without_flush, audit.commits,
                            DirtyWords(audit));
}

std::string MixedLevels(const Result& result) {
  std::map<std::string, std::set<DurabilityLevel>> levels;  // By workload.
  std::vector<std::string> told;                        // "engine D4", in the engines' order.
  std::set<std::string> mixed;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (run.is_baseline_engine || phase.level == DurabilityLevel::kNone ||
          phase.outcome != Outcome::kOk)
        continue;
      if (levels[phase.workload].insert(phase.level).second && levels[phase.workload].size() > 1) {
        mixed.insert(phase.workload);
      }
    }
  }
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (run.is_baseline_engine || phase.outcome != Outcome::kOk ||
          !mixed.contains(phase.workload))
        continue;
      AddOnce(told, fmt::format("{} {}", run.engine, NameOf(phase.level)));
    }
  }
  return fmt::format("{}", fmt::join(told, ", "));
}

}  // namespace levelfield
