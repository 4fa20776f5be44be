// Whether a level of durability was seen: one rule, from the calls that were counted down to the
// device, with the reason. Every report and every verdict takes its word from here. Pure.
#ifndef LEVELFIELD_ANALYSIS_DURABILITY_JUDGEMENT_H_
#define LEVELFIELD_ANALYSIS_DURABILITY_JUDGEMENT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "result/medium.h"

namespace levelfield {

// What came to the device while so many commits were acknowledged to so many threads.
struct CameToDevice {
  uint64_t commits = 0;
  uint64_t writers = 1;
  std::optional<uint64_t> flushes = {};  // Of its cache; absent: not counted.
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

struct DurabilityJudgement {
  Seen seen = Seen::kNothing;
  std::string level = {};   // "D0", "D1" or "D4"; empty where none was seen.
  std::string reason = {};  // Of kFlushed, kNotSeen and kTooLittle.

  bool operator==(const DurabilityJudgement&) const = default;
};

// "D2", "D3" and "D4" say that each commit is flushed before it is acknowledged.
bool IsLevelOfFlushes(const std::string& level);

DurabilityJudgement Judge(const DurabilityEvidence& evidence);

// What was seen in a word: "D4", "flushed", "not seen"; empty where nobody looked.
std::string WordOf(const DurabilityJudgement& judgement);

// "D4, seen", "D4, seen D1", "D4, flushed", "D4, not seen"; the claim alone where nobody looked.
std::string ClaimAndWord(const std::string& claimed, const DurabilityJudgement& judgement);

// "flushed, device unverifiable: ..." or "not seen: ..."; empty where there is nothing to explain.
std::string ReasonInWords(const DurabilityJudgement& judgement);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DURABILITY_JUDGEMENT_H_
