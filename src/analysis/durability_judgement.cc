#include "analysis/durability_judgement.h"

#include <fmt/format.h>

namespace levelfield {
namespace {

// No device that we know makes 4 KiB durable in less. Of those that one can buy the fastest,
// Intel's Optane drives, take 5 (P5800X) to 10 us (P4800X) for one write by their data sheets, and
// a sync is that and the way through the kernel; an fsync on ext4 on a P4800X was measured at 47 us
// (percona.com, "Update on fsync performance", 2019). A sync in memory, or one that does nothing,
// takes 1 to 3 us.
constexpr double kFastestDeviceSeconds = 5e-6;

// Kernels count a flush for each time that a device's cache was flushed. A device without a cache
// gets none, and one that can write through its cache (FUA) may get such a write in its place.
bool TakesFlushesAlone(const Medium& medium) { return medium.write_cache == "write back"; }

// Whether what was counted says anything.
bool IsCounted(const CameToDevice& came, const Medium& medium) {
  return came.commits != 0 && came.flushes && (TakesFlushesAlone(medium) || came.writes);
}

// Threads that commit together may share a flush, so each can be for one commit of each thread.
// Others use the device too: too many say nothing, too few are too few.
std::string WhyTooLittle(const CameToDevice& came, const Medium& medium, const std::string& what) {
  if (!IsCounted(came, medium)) return "";
  const bool flushes_alone = TakesFlushesAlone(medium);
  const uint64_t count = *came.flushes + (flushes_alone ? 0 : *came.writes);
  if (count >= came.commits || count * came.writers >= came.commits) return "";
  return fmt::format("{} {} of {} thread{} returned, but only {} {} came to {} ({})", came.commits,
                     what, came.writers, came.writers == 1 ? "" : "s", count,
                     flushes_alone ? "flushes" : "flushes and writes", medium.devices,
                     medium.write_cache);
}

std::string WhyTooLittleCame(const DurabilityEvidence& evidence) {
  const Medium& medium = *evidence.medium;
  if (!medium.unverifiable_because->empty()) return "";
  const std::string of_phase = WhyTooLittle(evidence.of_phase, medium, "synced commits");
  if (!of_phase.empty()) return of_phase;
  return WhyTooLittle(evidence.of_probe, medium, "syncs that were tried before");
}

// Why what came to the device is no evidence.
std::string WhyNotAsked(const DurabilityEvidence& evidence) {
  const Medium& medium = *evidence.medium;
  if (!medium.unverifiable_because->empty()) return *medium.unverifiable_because;
  // What may have had nothing to make durable (erasures) is no count of anything.
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

// Of commits each of which was flushed by a call.
DurabilityJudgement JudgeDevice(const DurabilityEvidence& evidence) {
  const DurabilityJudgement kept = {.seen = Seen::kLevel, .level = evidence.by_calls};
  const DurabilityJudgement in_kernel = {.seen = Seen::kLevel, .level = "D1"};
  if (!evidence.medium) return kept;
  if (!evidence.medium->volatile_because.empty()) return in_kernel;
  if (!evidence.medium->unverifiable_because) return kept;  // An older version did not look.
  const std::string too_little = WhyTooLittleCame(evidence);
  std::string doubt = WhyNotAsked(evidence);
  // A device may be faster than those that we know, so that alone voids nothing.
  if (doubt.empty()) doubt = WhyTooFast(evidence.fastest_sync_seconds);
  if (too_little.empty() && doubt.empty()) return kept;
  if (!IsLevelOfFlushes(evidence.claimed)) return in_kernel;
  if (too_little.empty()) return {.seen = Seen::kFlushed, .reason = doubt};
  return {.seen = Seen::kTooLittle, .level = "D1", .reason = too_little};
}

}  // namespace

bool IsLevelOfFlushes(const std::string& level) {
  return level == "D2" || level == "D3" || level == "D4";
}

DurabilityJudgement Judge(const DurabilityEvidence& evidence) {
  if (!evidence.missing_calls.empty() && !evidence.uncounted.empty()) {
    return {.seen = Seen::kNotSeen, .reason = evidence.uncounted};
  }
  if (!evidence.missing_calls.empty()) {
    return {.seen = Seen::kTooLittle, .level = evidence.by_calls, .reason = evidence.missing_calls};
  }
  if (evidence.by_calls.empty()) return {};
  if (evidence.by_calls == "D4") return JudgeDevice(evidence);
  return {.seen = Seen::kLevel, .level = evidence.by_calls};
}

std::string WordOf(const DurabilityJudgement& judgement) {
  return judgement.seen == Seen::kFlushed   ? "flushed"
         : judgement.seen == Seen::kNotSeen ? "not seen"
                                            : judgement.level;
}

std::string ClaimAndWord(const std::string& claimed, const DurabilityJudgement& judgement) {
  const std::string word = WordOf(judgement);
  if (word.empty()) return claimed;
  if (judgement.level.empty()) return claimed + ", " + word;
  return word == claimed ? claimed + ", seen" : claimed + ", seen " + word;
}

std::string ReasonInWords(const DurabilityJudgement& judgement) {
  if (judgement.seen == Seen::kFlushed) {
    return "flushed, device unverifiable: " + judgement.reason;
  }
  return judgement.seen == Seen::kNotSeen ? "not seen: " + judgement.reason : "";
}

}  // namespace levelfield
