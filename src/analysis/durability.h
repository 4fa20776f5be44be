// What is claimed about a phase's writes, what was seen of them, and whether the two agree. Derived
// from a phase's result alone, so a report made from the files has the same values. Pure. Any
// thread may call.
//
// One can see whether a commit was flushed before it was acknowledged, and that it reached the
// device. Only power cuts can show that it contained everything that the next opening of the store
// needs. So an observed level is the highest one that nothing here contradicts.
#ifndef LEVELFIELD_ANALYSIS_DURABILITY_H_
#define LEVELFIELD_ANALYSIS_DURABILITY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/durability_level.h"
#include "result/medium.h"
#include "result/result.h"

namespace levelfield {

// Whether a level of durability was seen: one rule, from the counted calls down to the device, with
// the reason. Every report and every verdict uses it. Pure.

// Flushes or writes that reached the device while so many commits were acknowledged to so many
// threads.
struct CameToDevice {
  uint64_t commits = 0;
  uint64_t writers = 1;
  std::optional<uint64_t> flushes = {};  // Flushes of its cache. Absent: not counted.
  std::optional<uint64_t> writes = {};
};

// The evidence about the commits of a phase (see DurabilityVerdictOf).
struct DurabilityEvidence {
  DurabilityLevel claimed = DurabilityLevel::kNone;
  // The highest level that the calls allow: D0, D1 or D4. kNone: nobody looked.
  DurabilityLevel by_calls = DurabilityLevel::kNone;
  std::string missing_calls = {};  // Why the calls are too few for the claim. Empty: they are not.
  std::string uncounted = {};      // Why too few calls say nothing. Empty: they count.
  std::optional<Medium> medium = {};
  CameToDevice of_phase = {};
  // Syncs of 4 KiB tried before, without an engine, and the time of the fastest. 0: none.
  CameToDevice of_probe = {};
  double fastest_sync_seconds = 0;
};

enum class Seen {
  kNothing,   // Nobody looked, or there was nothing to see.
  kLevel,     // `level` was seen, down to the device.
  kFlushed,   // A call flushed each commit. What the device did with it is not known.
  kNotSeen,   // The calls could not be counted.
  kTooLittle  // Less than claimed. The phase is void.
};

struct DurabilityVerdict {
  Seen seen = Seen::kNothing;
  DurabilityLevel level = DurabilityLevel::kNone;  // D0, D1 or D4. kNone: none was seen.
  std::string reason = {};  // For kFlushed, kNotSeen and kTooLittle.

  bool operator==(const DurabilityVerdict&) const = default;
};

DurabilityVerdict Judge(const DurabilityEvidence& evidence);

// The observation in a word: "D4", "flushed", "not seen". Empty if nobody looked.
std::string WordOf(const DurabilityVerdict& verdict);

// "D4, seen", "D4, seen D1", "D4, flushed", "D4, not seen". The claim alone if nobody looked.
std::string ClaimAndWord(DurabilityLevel claimed, const DurabilityVerdict& verdict);

// "flushed, device unverifiable: ..." or "not seen: ...". Empty if there is nothing to explain.
std::string ReasonInWords(const DurabilityVerdict& verdict);

// Whether the phase's level means that each commit is flushed before it is acknowledged: D2, D3,
// D4.
bool ClaimsFlushes(const PhaseResult& phase);

// The smallest number of acknowledged calls that had something to make durable (an erasure may find
// nothing to erase), and the number of threads that made them.
struct Commits {
  uint64_t count = 0;
  uint64_t writers = 0;
};
Commits CommitsOf(const PhaseResult& phase);

// Calls that make earlier writes durable (kSyncKinds). Nothing if they were not counted by kind.
std::optional<uint64_t> DurableFlushes(const PhaseResult& phase);

// Durable calls per commit, and flushes (without a cache to flush: writes) of the device per
// commit. Nothing if there were no commits, or nobody counted.
std::optional<double> FlushesPerCommit(const PhaseResult& phase);
std::optional<double> DeviceFlushesPerCommit(const PhaseResult& phase);
bool IsWrittenThrough(const PhaseResult& phase);

// The verdict on the phase's commits.
DurabilityVerdict DurabilityVerdictOf(const PhaseResult& phase);

// Whether it wrote to a medium that forgets everything without power, though its class claims
// flushes (--allow_volatile).
bool IsVolatile(const PhaseResult& phase);

// Why one writer's synced puts were faster than this disk is. Empty: they were not.
std::string SuspectBecause(const PhaseResult& phase);

// What is known about that which a phase wrote. Of a phase that wrote nothing: nothing.
struct Durability {
  bool has_written = false;
  DurabilityVerdict verdict = {};
  std::optional<double> flushes_per_commit = {};
  std::optional<double> device_flushes_per_commit = {};
  bool counts_writes = false;  // The device's writes, where it has no cache to flush.
  // Why everything is forgotten without power, though the class claims flushes (--allow_volatile).
  std::string volatile_because = {};
  std::string doubt = {};  // About the store's place, of a class that claims flushes.
  std::string suspect_because = {};
  // The lower level than its claim that the plug-in declares for this class: "D2: after ...".
  std::string known_deviation = {};
};
Durability DurabilityOf(const RunResult& run, const PhaseResult& phase);

// The observation that contradicts the claim, in words with numbers. Empty: none.
std::string WhyNotDurable(const PhaseResult& phase);

// Claim and evidence in one line: "claimed D4, observed D4: 1.00 durable flushes a commit, ...".
// Empty if nobody looked.
std::string DurabilityWords(const PhaseResult& phase);

// "engine D4, other D1" if the levels of the stores in a result differ in one workload, so that
// numbers with different promises stand beside each other. Baseline engines do not count. Empty: no
// difference.
std::string MixedLevels(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DURABILITY_H_
