#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "analysis/durability.h"

namespace levelfield {
namespace {

using testing::HasSubstr;

// A disk with a cache, which can be asked.
Medium Disk(const std::string& write_cache = "write back") {
  return {.filesystem = "ext4",
          .write_cache = write_cache,
          .devices = "sda",
          .unverifiable_because = ""};
}
Medium Unverifiable(const std::string& why) {
  return {.filesystem = "overlay", .unverifiable_because = why};
}
Medium Volatile(const std::string& why) {
  return {.filesystem = "tmpfs", .volatile_because = why, .unverifiable_because = ""};
}
// As a version wrote it that did not ask the device.
Medium OfOldResult() { return {.filesystem = "ext4", .write_cache = "write back"}; }

constexpr double kUs = 1e-6;

struct Case {
  const char* name;
  DurabilityEvidence evidence;
  Seen seen;
  const char* cell;    // What stands in the tables.
  const char* reason;  // Has this in it.
};

std::vector<Case> Cases() {
  const auto claimed = [](const std::string& level, const std::string& by_calls) {
    return DurabilityEvidence{.claimed = level, .by_calls = by_calls};
  };
  // So many commits of one thread, each with its calls, of a probe that took so long.
  const auto at = [&](const Medium& medium, uint64_t flushes, double fastest_sync_seconds = 90e-6) {
    DurabilityEvidence evidence = claimed("D4", "D4");
    evidence.medium = medium;
    evidence.of_phase = {.commits = 200, .flushes = flushes, .writes = 0};
    evidence.fastest_sync_seconds = fastest_sync_seconds;
    return evidence;
  };
  const auto with = [](DurabilityEvidence evidence, auto change) {
    change(evidence);
    return evidence;
  };
  using E = DurabilityEvidence;
  return {
      {"nobody looked", claimed("D4", ""), Seen::kNothing, "D4", ""},
      {"no flush is claimed and none is made", claimed("D1", "D1"), Seen::kLevel, "D1, seen", ""},
      {"less than claimed, of a level without flushes", claimed("D1", "D0"), Seen::kLevel,
       "D1, seen D0", ""},
      {"calls are missing",
       with(claimed("D4", "D1"), [](E& e) { e.missing_calls = "199 of 200 commits"; }),
       Seen::kTooLittle, "D4, seen D1", "199 of 200"},
      {"calls are missing, but were not all counted",
       with(claimed("D4", "D1"),
            [](E& e) {
              e.missing_calls = "199 of 200 commits";
              e.uncounted = "ptrace is refused";
            }),
       Seen::kNotSeen, "D4, not seen", "ptrace is refused"},
      {"nobody looked, nor could have",
       with(claimed("D4", ""), [](E& e) { e.uncounted = "no commit was looked at"; }),
       Seen::kNothing, "D4", ""},
      {"enough was counted, if not all",
       with(at(Disk(), 200), [](E& e) { e.uncounted = "ptrace is refused"; }), Seen::kLevel,
       "D4, seen", ""},
      {"a result of an older version, without a medium", claimed("D4", "D4"), Seen::kLevel,
       "D4, seen", ""},
      {"a result of an older version that did not ask the device", at(OfOldResult(), 0),
       Seen::kLevel, "D4, seen", ""},

      {"a flush at the device for each commit", at(Disk(), 200), Seen::kLevel, "D4, seen", ""},
      {"more flushes, as others use it too", at(Disk(), 7000), Seen::kLevel, "D4, seen", ""},
      {"no flush came to the device", at(Disk(), 0, 4.3 * kUs), Seen::kTooLittle, "D4, seen D1",
       "200 synced commits of 1 thread returned, but only 0 flushes came to sda (write back)"},
      {"no flush came when a sync was tried, with no engine in it",
       with(at(Disk(), 200), [](E& e) { e.of_probe = {.commits = 100, .flushes = 3}; }),
       Seen::kTooLittle, "D4, seen D1", "100 syncs that were tried before of 1 thread returned"},
      {"each sync that was tried came",
       with(at(Disk(), 200), [](E& e) { e.of_probe = {.commits = 100, .flushes = 100}; }),
       Seen::kLevel, "D4, seen", ""},
      {"one flush too few", at(Disk(), 199), Seen::kTooLittle, "D4, seen D1", "only 199 flushes"},
      {"threads that share flushes", with(at(Disk(), 50), [](E& e) { e.of_phase.writers = 4; }),
       Seen::kLevel, "D4, seen", ""},
      {"fewer flushes than threads can share",
       with(at(Disk(), 49), [](E& e) { e.of_phase.writers = 4; }), Seen::kTooLittle, "D4, seen D1",
       "200 synced commits of 4 threads"},
      {"D3 needs them, too", with(at(Disk(), 0), [](E& e) { e.claimed = "D3"; }), Seen::kTooLittle,
       "D3, seen D1", "only 0 flushes"},
      {"flushes that nobody claimed did not come",
       with(at(Disk(), 0), [](E& e) { e.claimed = "D1"; }), Seen::kLevel, "D1, seen", ""},
      {"flushes that nobody claimed came", with(at(Disk(), 200), [](E& e) { e.claimed = "D1"; }),
       Seen::kLevel, "D1, seen D4", ""},
      {"flushes that nobody claimed, where nobody can ask",
       with(at(Unverifiable("zfs"), 0), [](E& e) { e.claimed = "D1"; }), Seen::kLevel, "D1, seen",
       ""},

      {"a device without a cache takes writes",
       with(at(Disk("write through"), 0), [](E& e) { e.of_phase.writes = 200; }), Seen::kLevel,
       "D4, seen", ""},
      {"and must have got them", at(Disk("write through"), 0), Seen::kTooLittle, "D4, seen D1",
       "only 0 flushes and writes came to sda (write through)"},
      {"a device with FUA may take writes for flushes",
       with(at(Disk("write back, fua"), 60), [](E& e) { e.of_phase.writes = 140; }), Seen::kLevel,
       "D4, seen", ""},
      {"where writes were not counted, nothing is known of it",
       with(at(Disk("write through"), 0), [](E& e) { e.of_phase.writes.reset(); }), Seen::kFlushed,
       "D4, flushed", "not counted: sda"},

      {"the device cannot be asked", at(Unverifiable("nfs4: it is on no block device"), 0),
       Seen::kFlushed, "D4, flushed", "no block device"},
      {"no commit is known to have had anything to flush",
       with(at(Disk(), 5), [](E& e) { e.of_phase.commits = 0; }), Seen::kFlushed, "D4, flushed",
       "not counted: sda"},
      {"but each sync that was tried before came",
       with(at(Disk(), 5),
            [](E& e) {
              e.of_phase.commits = 0;
              e.of_probe = {.commits = 200, .flushes = 200};
            }),
       Seen::kLevel, "D4, seen", ""},
      {"faster than any device, however it flushes", at(Disk(), 200, 1.6 * kUs), Seen::kFlushed,
       "D4, flushed", "took 1.6 us, and no device that we know takes less than 5"},
      {"as fast as the fastest device", at(Disk(), 200, 8 * kUs), Seen::kLevel, "D4, seen", ""},
      {"the probe was not made", at(Disk(), 200, 0), Seen::kLevel, "D4, seen", ""},
      {"a medium that forgets", at(Volatile("tmpfs"), 0, 1 * kUs), Seen::kLevel, "D4, seen D1", ""},
  };
}

TEST(DurabilityJudgement, HasOneWordForEachCase) {
  for (const Case& it : Cases()) {
    SCOPED_TRACE(it.name);
    const DurabilityJudgement judgement = Judge(it.evidence);
    EXPECT_EQ(judgement.seen, it.seen);
    EXPECT_EQ(ClaimAndWord(it.evidence.claimed, judgement), it.cell);
    EXPECT_THAT(judgement.reason, HasSubstr(it.reason));
    EXPECT_EQ(judgement.reason.empty(), std::string(it.reason).empty()) << judgement.reason;
  }
}

TEST(DurabilityJudgement, TellsWhyNothingWasSeen) {
  EXPECT_EQ(ReasonInWords({.seen = Seen::kFlushed, .reason = "nfs4"}),
            "flushed, device unverifiable: nfs4");
  EXPECT_EQ(ReasonInWords({.seen = Seen::kNotSeen, .reason = "ptrace is refused"}),
            "not seen: ptrace is refused");
  EXPECT_EQ(ReasonInWords({.seen = Seen::kLevel, .level = "D4"}), "");
}

}  // namespace
}  // namespace levelfield
