// What is claimed about a phase's writes, what was seen of them, and whether the two agree. Derived
// from a phase's result alone, so a report from the files has the same. Pure; any thread.
//
// One can see whether a commit was flushed before it was acknowledged, and that it reached the
// device. Only power cuts can show that it contained everything the next opening of the store
// needs. So an observed level is the highest one that nothing here contradicts.
#ifndef LEVELFIELD_ANALYSIS_DURABILITY_H_
#define LEVELFIELD_ANALYSIS_DURABILITY_H_

#include <cstdint>
#include <optional>
#include <string>

#include "result/medium.h"
#include "result/result.h"

namespace levelfield {

// Whether a level of durability was seen: one rule, from the calls that were counted down to the
// device, with the reason. Every report and every verdict takes its word from here. Pure.

// What came to the device while so many commits were acknowledged to so many threads.
struct CameToDevice {
  uint64_t commits = 0;
  uint64_t writers = 1;
  std::optional<uint64_t> flushes = {};  // Flushes of its cache; absent: not counted.
  std::optional<uint64_t> writes = {};
};

// What is known of the commits of a phase (analysis/durability.h derives it).
struct DurabilityEvidence {
  std::string claimed = {};  // "D4".
  // The highest level that the calls allow: "D0", "D1", "D4"; empty: nobody looked.
  std::string by_calls = {};
  std::string missing_calls = {};  // Why they are too few for the claim; empty: they are not.
  std::string uncounted = {};      // Why calls that are too few say nothing; empty: they do.
  std::optional<Medium> medium = {};
  CameToDevice of_phase = {};
  // Of syncs of 4 KiB that were tried before, with no engine in them; the fastest of them, 0: none.
  CameToDevice of_probe = {};
  double fastest_sync_seconds = 0;
};

enum class Seen {
  kNothing,   // Nobody looked, or there was nothing to look at.
  kLevel,     // `level`, down to the device.
  kFlushed,   // Each commit was flushed by a call; what the device made of it cannot be told.
  kNotSeen,   // The calls could not be counted.
  kTooLittle  // Less than is claimed: the phase is void.
};

struct DurabilityVerdict {
  Seen seen = Seen::kNothing;
  std::string level = {};   // "D0", "D1" or "D4"; empty where none was seen.
  std::string reason = {};  // For kFlushed, kNotSeen and kTooLittle.

  bool operator==(const DurabilityVerdict&) const = default;
};

// "D2", "D3" and "D4" say that each commit is flushed before it is acknowledged.
bool IsLevelOfFlushes(const std::string& level);

DurabilityVerdict Judge(const DurabilityEvidence& evidence);

// What was seen in a word: "D4", "flushed", "not seen"; empty where nobody looked.
std::string WordOf(const DurabilityVerdict& verdict);

// "D4, seen", "D4, seen D1", "D4, flushed", "D4, not seen"; the claim alone where nobody looked.
std::string ClaimAndWord(const std::string& claimed, const DurabilityVerdict& verdict);

// "flushed, device unverifiable: ..." or "not seen: ..."; empty where there is nothing to explain.
std::string ReasonInWords(const DurabilityVerdict& verdict);

// Whether the level says that each commit is flushed before it is acknowledged: D2, D3, D4.
bool ClaimsFlushes(const PhaseResult& phase);

// The acknowledged calls of a phase each of which had something to make durable, at the least: an
// erasure may have found nothing to erase, and a change nothing to change. And the threads that
// made them.
struct Commits {
  uint64_t count = 0;
  uint64_t writers = 0;
};
Commits CommitsOf(const PhaseResult& phase);

// Calls that make durable what was written before (kSyncKinds); nothing where they were
// not counted by kind.
std::optional<uint64_t> DurableFlushes(const PhaseResult& phase);

// Those for each commit, of the calls and of what came to the device (there it is writes where the
// device has no cache to flush); nothing where there were no commits, or nobody counted.
std::optional<double> FlushesPerCommit(const PhaseResult& phase);
std::optional<double> DeviceFlushesPerCommit(const PhaseResult& phase);
bool IsWrittenThrough(const PhaseResult& phase);

// What was seen of the phase's commits. `level` is empty where no level was seen.
DurabilityVerdict DurabilityVerdictOf(const PhaseResult& phase);

// What was seen that the claim cannot be true with, in words with numbers; empty: nothing.
std::string WhyNotDurable(const PhaseResult& phase);

// Claim and evidence in one line: "claimed D4, observed D4: 1.00 durable flushes a commit, ...";
// empty where nobody looked.
std::string DurabilityWords(const PhaseResult& phase);

// What the plug-in declares that this class of it was seen to keep less than it claims: "D2: after
// ..."; empty where it declares nothing, or the phase has written nothing.
std::string KnownDeviation(const RunResult& run, const PhaseResult& phase);

// "volatile" where the phase wrote to what forgets everything with the power (--allow_volatile).
bool IsVolatile(const PhaseResult& phase);

// Why one writer's synced puts were faster than this disk is; empty: they were not.
std::string SuspectBecause(const PhaseResult& phase);

// Of the stores in a result that are no baseline engines: "engine D4, other D1" where their levels
// differ in one workload, so that the numbers beside each other are of different promises; empty:
// nowhere.
std::string MixedLevels(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DURABILITY_H_
