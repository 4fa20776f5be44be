// Rules of what writers wait for, and of what the engine does behind them.
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/diagnosis_case.h"
#include "result/stalls.h"

namespace levelfield {

// Half a second of standing still, or a twentieth of the time, is what people call a stall.
std::optional<Finding> WritesStandStill(const Case& of) {
  constexpr uint64_t kLongMs = 500;
  constexpr double kShare = 0.05;
  if (of.reads_only() || !of.phase.ticks) return std::nullopt;
  const Stalls found = FindStalls(*of.phase.ticks, 0, of.role().batch);
  if (found.stalls.empty()) return std::nullopt;
  uint64_t sum_ms = 0;
  uint64_t longest_ms = 0;
  std::set<std::string> causes;
  for (const Stall& stall : found.stalls) {
    sum_ms += stall.Ms();
    longest_ms = std::max(longest_ms, stall.Ms());
    causes.insert(stall.causes.begin(), stall.causes.end());
  }
  const double share = static_cast<double>(sum_ms) * 1e-3 / of.role().seconds;
  if (longest_ms < kLongMs && share < kShare) return std::nullopt;
  Finding finding;
  finding.symptom = "writes suddenly become slow, or stand still";
  finding.cause =
      causes.empty() ? "work in the background that writers wait for; the engine does not say which"
                     : fmt::format(
                           "the engine was busy with {} meanwhile: files of level 0, or "
                           "buffers, pile up faster than they are merged",
                           fmt::join(causes, ", "));
  finding.confidence = causes.empty() ? Confidence::kMedium : Confidence::kHigh;
  finding.evidence.push_back(
      fmt::format("{} stalls of {:.1f} s in all ({} of the time), the longest {:.1f} s, the first "
                  "after {:.1f} s",
                  found.stalls.size(), static_cast<double>(sum_ms) * 1e-3, Percent(share),
                  static_cast<double>(longest_ms) * 1e-3,
                  static_cast<double>(found.stalls.front().begin_ms) * 1e-3));
  finding.advice =
      "a larger write buffer makes fewer and larger files; if the stalls only come later then, the "
      "device is too slow for this rate, and --rate tells which it keeps";
  if (const auto buffer = of.Bytes("write_buffer_size")) {
    finding.change = {"write_buffer_size", Typed(*buffer), Typed(*buffer * 4)};
  }
  return finding;
}

std::optional<Finding> ProcessorIsBusyInTheBackground(const Case& of) {
  constexpr double kMuch = 0.5;
  if (of.reads_only()) return std::nullopt;
  const Cost cost = CostOf(of.phase);
  if (!cost.background_share.value || *cost.background_share.value < kMuch ||
      of.role().seconds < 1) {
    return std::nullopt;
  }
  Finding finding;
  finding.symptom = "processors are busy with more than the operations";
  finding.cause = "frequent compactions";
  finding.confidence = Confidence::kMedium;
  finding.evidence.push_back(fmt::format("{} of the processor time was the engine's own threads'",
                                         Percent(*cost.background_share.value)));
  if (cost.write_device.value) {
    finding.evidence.push_back(
        fmt::format("{:.1f} bytes came to the device for each byte put", *cost.write_device.value));
  }
  finding.advice = "a larger write buffer, larger files, or another style of compaction";
  if (const auto buffer = of.Bytes("write_buffer_size")) {
    finding.change = {"write_buffer_size", Typed(*buffer), Typed(*buffer * 4)};
  }
  return finding;
}

namespace {

std::string SyncsText(const Case& of) {
  const Resources::Syncs& syncs = *of.phase.resources->syncs;
  return fmt::format(
      "{} sync calls took {:.1f} s, and the threads {:.1f} s in all; {:.0f} us each", syncs.calls,
      syncs.waited_seconds, of.role().thread_seconds,
      syncs.waited_seconds * 1e6 / static_cast<double>(std::max<uint64_t>(1, syncs.calls)));
}

// Half of the time that the threads had, by whatever threads the syncs were.
bool SyncsAreMuch(const Case& of) {
  constexpr double kShare = 0.5;
  return of.phase.resources && of.phase.resources->syncs && of.role().thread_seconds > 0 &&
         of.phase.resources->syncs->waited_seconds >= kShare * of.role().thread_seconds;
}

uint64_t CommitsOf(const RoleResult& role) {
  uint64_t calls = 0;
  for (const uint64_t of_thread : role.thread_calls) calls += of_thread;
  return calls != 0 ? calls : role.Operations() / std::max<uint64_t>(role.batch, 1);
}

// Where each write is synced before it is acknowledged there is a sync for each, or one for as many
// as there are threads; those of compactions are far fewer.
bool EachWriteSyncs(const Case& of) {
  const uint64_t shared =
      of.phase.resources->syncs->calls * std::max<uint64_t>(of.role().threads, 1);
  return 2 * shared >= CommitsOf(of.role());
}

}  // namespace

std::optional<Finding> SyncsAreMostOfIt(const Case& of) {
  if (!SyncsAreMuch(of) || of.reads_only() || !EachWriteSyncs(of)) return std::nullopt;
  Finding finding;
  finding.symptom = "writes are as slow as the device syncs";
  finding.cause = "each acknowledged write waits for its sync";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(SyncsText(of));
  finding.evidence.push_back(fmt::format("{} syncs for {} writes", of.phase.resources->syncs->calls,
                                         CommitsOf(of.role())));
  finding.advice =
      "batches (fillbatch), or more threads whose writes share a sync where the engine groups "
      "them; "
      "--durability=process if the last writes may be lost by a power cut";
  if (of.role().threads == 1) finding.change = {"threads", "1", "4"};
  return finding;
}

std::optional<Finding> BackgroundSyncs(const Case& of) {
  if (!SyncsAreMuch(of) || of.reads_only() || EachWriteSyncs(of)) return std::nullopt;
  Finding finding;
  finding.symptom = "the engine's own work waits for the device to sync";
  finding.cause =
      "flushes, compactions or evictions sync what they write; the writes themselves wait for no "
      "sync of their own, but for that work where it falls behind";
  finding.confidence = Confidence::kMedium;
  finding.evidence.push_back(SyncsText(of));
  finding.evidence.push_back(fmt::format("{} syncs for {} writes", of.phase.resources->syncs->calls,
                                         CommitsOf(of.role())));
  finding.advice =
      "a larger write buffer and larger files make fewer of them; or a device that "
      "syncs faster";
  if (const auto buffer = of.Bytes("write_buffer_size")) {
    finding.change = {"write_buffer_size", Typed(*buffer), Typed(*buffer * 4)};
  }
  return finding;
}

std::optional<Finding> DebtIsCarriedOver(const Case& of) {
  if (!of.phase.settle || of.phase.settle->complete) return std::nullopt;
  Finding finding;
  finding.symptom = "what follows pays for this workload";
  finding.cause = "settling was given up before the background was done";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format("after {:.1f} s it was not settled ({})",
                                         of.phase.settle->seconds, of.phase.settle->how));
  finding.advice = "fewer keys, or `waitforcompaction` behind it";
  return finding;
}

}  // namespace levelfield
