#include "analysis/durability.h"

#include <vector>

#include "analysis/consistency.h"
#include "analysis/validity.h"
#include "base/matchers_for_test.h"

namespace levelfield::durability_test {

// So many puts of so many threads, each acknowledged by itself, and so many fdatasyncs, of an
// engine whose calls were all counted.
PhaseResult Puts(uint64_t puts, uint64_t threads, uint64_t flushes) {
  OperationStatistics stats;
  stats.operation = "put";
  stats.effects = kPuts;
  stats.operations = stats.hits = puts;
  RoleResult role;
  role.threads = threads;
  role.statistics = {stats};
  PhaseResult phase;
  phase.workload = "fillseq";
  phase.level = DurabilityLevel::kD4;
  phase.outcome = Outcome::kOk;
  phase.roles = {role};
  phase.resources.emplace().syncs = Resources::Syncs{.calls = flushes};
  if (flushes != 0) phase.resources->syncs->kinds.emplace_back("fdatasync", flushes);
  phase.audit = Audit{.commits = 50, .flushes = 50, .flushes_past_libc = 0};
  return phase;
}

TEST(Durability, NeedsAFlushForEachCommitOfOneWriter) {
  EXPECT_EQ(WhyNotDurable(Puts(200, 1, 200)), "");
  EXPECT_EQ(WhyNotDurable(Puts(200, 1, 205)), "");
  EXPECT_THAT(WhyNotDurable(Puts(200, 1, 199)), HasSubstr("200 commits of 1 thread"));
  EXPECT_THAT(WhyNotDurable(Puts(200, 1, 0)), HasSubstr("called neither fsync"));
}

TEST(Durability, LetsThreadsCommitTogetherButNoneTwiceWithAFlush) {
  EXPECT_EQ(WhyNotDurable(Puts(800, 8, 100)), "");
  EXPECT_THAT(WhyNotDurable(Puts(800, 8, 99)), HasSubstr("only 99 durable flushes"));
  EXPECT_THAT(DurabilityWords(Puts(800, 8, 160)), HasSubstr("5.00 commits a flush, 8 writers"));
}

TEST(Durability, TakesACallOfManyPutsForOneCommit) {
  PhaseResult phase = Puts(1000, 1, 10);
  EXPECT_NE(WhyNotDurable(phase), "");
  phase.roles[0].batch = 100;
  EXPECT_EQ(WhyNotDurable(phase), "");
  phase.roles[0].thread_calls = {11};  // The last of them was not full.
  EXPECT_NE(WhyNotDurable(phase), "");
}

TEST(Durability, IsNotMadeByWhatMakesNothingDurable) {
  PhaseResult phase = Puts(20, 1, 0);
  phase.resources->syncs->kinds.emplace_back("sync_file_range", 40);
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("40 of sync_file_range"));
  phase.resources->syncs->kinds = {{"unknown_call", 20}};
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("20 of unknown_call"));
  phase.resources->syncs->kinds = {{"synced_write", 20}};
  EXPECT_EQ(WhyNotDurable(phase), "");
}

TEST(Durability, IsClaimedOfWritesThatAreToBeFlushedAlone) {
  PhaseResult phase = Puts(20, 1, 0);
  phase.level = DurabilityLevel::kD1;
  EXPECT_EQ(WhyNotDurable(phase), "");
  phase = Puts(20, 1, 0);
  phase.roles[0].statistics[0].operation = "get";
  phase.roles[0].statistics[0].effects = Effect::kReads;
  EXPECT_EQ(WhyNotDurable(phase), "");
  phase.roles[0].statistics[0].operation = "erase";  // They may have found nothing to erase.
  phase.roles[0].statistics[0].effects = kErasures;
  phase.resources->syncs->kinds = {{"fdatasync", 1}};
  EXPECT_EQ(WhyNotDurable(phase), "");
}

TEST(Durability, OfOneCommitThatWasSeenWithoutAFlushIsNone) {
  PhaseResult phase = Puts(20, 1, 40);  // Background threads flush too, so the sum proves nothing.
  EXPECT_EQ(WhyNotDurable(phase), "");
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
  phase.audit->without_flush = 1;
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("of 50 commits that were looked at one by one, 1 "));
  ASSERT_TRUE(VoidIfUnsound(phase));
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, StartsWith("not durable: "));
}

TEST(Durability, ThatIsMoreThanWasClaimedIsTold) {
  PhaseResult phase = Puts(20, 1, 20);
  phase.level = DurabilityLevel::kD1;
  phase.audit.reset();
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kNone)
      << "the sum may be of the background";
  phase.audit = Audit{.commits = 50, .flushes = 50};
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
  EXPECT_THAT(DurabilityWords(phase), HasSubstr("claimed D1, observed D4"));
  EXPECT_EQ(WhyNotDurable(phase), "");
}

// Commits may be kept all right: what they are put beside is what it was.
TEST(Durability, IsNeverSeenToBeMoreThanTheStoreWasFilledWith) {
  PhaseResult phase = Puts(20, 1, 20);
  phase.audit = Audit{.commits = 50, .flushes = 50};
  phase.level = phase.store_level = DurabilityLevel::kD0;
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD0);
  EXPECT_EQ(WhyNotDurable(phase), "");
  phase.level = phase.store_level = DurabilityLevel::kNotKnown;
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kNone);
  EXPECT_EQ(DurabilityWords(phase), "");
  phase.level = phase.store_level = DurabilityLevel::kD4;
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
}

TEST(Durability, WithoutFlushesDependsOnWhatTheKernelHas) {
  PhaseResult phase = Puts(20, 1, 0);
  phase.level = DurabilityLevel::kD1;
  phase.audit = Audit{.commits = 50,
                      .without_flush = 50,
                      .acknowledged_bytes = 5800,
                      .written_bytes = 6000,
                      .dirty_pages = 2,
                      .dirty_files = {{"000003.log", 2}},
                      .flushes_past_libc = 0};
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD1);
  EXPECT_THAT(DurabilityWords(phase), HasSubstr("50 of 50 commits without, 2 dirty pages (000003"));
  phase.audit->written_bytes = 100;
  phase.audit->dirty_pages = 0;
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD0);
}

TEST(Durability, OfCallsThatNobodyCountedIsNotJudged) {
  PhaseResult phase = Puts(20, 1, 0);
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("called neither fsync"));
  phase.resources->syncs.reset();
  EXPECT_EQ(WhyNotDurable(phase), "");
}

// On a disk that can be asked, to which so many flushes came.
PhaseResult OnDisk(uint64_t puts, uint64_t threads, uint64_t device_flushes) {
  PhaseResult phase = Puts(puts, threads, puts);
  phase.medium =
      Medium{.filesystem = "ext4", .write_cache = WriteCache::kWriteBack, .devices = "sda"};
  phase.resources->device = Resources::Device{.flushes = device_flushes, .writes = 0};
  return phase;
}

TEST(Durability, ThatDoesNotComeToTheDeviceIsNone) {
  EXPECT_EQ(WhyNotDurable(OnDisk(200, 1, 200)), "");
  EXPECT_EQ(DurabilityVerdictOf(OnDisk(200, 1, 200)).level, DurabilityLevel::kD4);
  EXPECT_EQ(WhyNotDurable(OnDisk(200, 4, 50)), "");
  PhaseResult phase = OnDisk(200, 1, 0);
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD1);
  ASSERT_TRUE(VoidIfUnsound(phase));
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_EQ(phase.message,
            "not durable: 200 synced commits of 1 thread returned, but only 0 flushes came to sda "
            "(write back)");
  phase = OnDisk(200, 1, 200);
  phase.limits = MachineLimits{.syncs = 100, .overwrites = 100, .device_flushes = 3};
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("200 syncs that were tried before"));
}

TEST(Durability, OfErasuresIsThatOfTheSyncsThatWereTried) {
  PhaseResult phase = OnDisk(200, 1, 0);
  phase.roles[0].statistics[0].operation = "erase";  // They may have found nothing to erase.
  phase.roles[0].statistics[0].effects = kErasures;
  phase.audit = Audit{.commits = 50, .flushes = 50};
  EXPECT_EQ(DurabilityVerdictOf(phase).seen, Seen::kFlushed);
  phase.limits = MachineLimits{.syncs = 100, .overwrites = 100, .device_flushes = 200};
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
  phase.limits->device_flushes = 20;
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("200 syncs that were tried before"));
}

TEST(Durability, OfADeviceThatNobodyCanAskIsFlushedAtBest) {
  PhaseResult phase = OnDisk(200, 1, 0);
  phase.medium->unverifiable_because = "nfs4: it is on no block device that can be seen from here";
  EXPECT_EQ(WhyNotDurable(phase), "");
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kNone);
  EXPECT_THAT(DurabilityWords(phase),
              StartsWith("claimed D4, flushed, device unverifiable: nfs4: it is on no"));
}

TEST(Durability, OfADeviceWithoutACacheIsWrites) {
  PhaseResult phase = OnDisk(200, 1, 0);
  phase.medium->write_cache = WriteCache::kWriteThrough;
  phase.resources->device->writes = 202;
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
  EXPECT_THAT(DurabilityWords(phase), HasSubstr(", 1.01 device writes a commit"));
}

// Whoever makes its own system calls, or has another process make them, is not seen by libc.
TEST(Durability, IsNotDeniedWhereNotAllCallsCouldBeCounted) {
  const auto expect_not_seen = [](PhaseResult phase, const std::string& reason) {
    EXPECT_EQ(WhyNotDurable(phase), "");
    EXPECT_EQ(DurabilityVerdictOf(phase).reason, reason);
    EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kNone);
    EXPECT_THAT(DurabilityWords(phase), "claimed D4, not seen: " + reason);
    EXPECT_FALSE(VoidIfUnsound(phase)) << phase.message;
  };
  PhaseResult phase = Puts(200, 1, 0);
  phase.audit->without_flush = 50;
  EXPECT_NE(WhyNotDurable(phase), "");
  EXPECT_NE(DurabilityVerdictOf(phase).seen, Seen::kNotSeen);
  phase.audit->uncounted = "ptrace is refused";
  expect_not_seen(phase, "ptrace is refused");
  phase.audit->uncounted = "";
  phase.audit->flushes_past_libc.reset();
  expect_not_seen(phase, "only calls of libc's functions were counted");
  phase.audit = Audit{.reason = "the store is not ours"};
  expect_not_seen(phase, "no commit was looked at by itself: the store is not ours");
  phase.audit.reset();
  expect_not_seen(phase, "no commit was looked at by itself");
}

TEST(Durability, OfEnoughFlushesIsSeenWhoeverElseMayHaveFlushed) {
  PhaseResult phase = Puts(200, 1, 200);
  phase.audit->uncounted = "ptrace is refused";
  EXPECT_NE(DurabilityVerdictOf(phase).seen, Seen::kNotSeen);
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
  phase.audit.reset();
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
}

TEST(Durability, OfAPhaseWhoseOwnCountIsDroppedIsThatOfItsAudit) {
  PhaseResult phase = Puts(200, 1, 0);
  phase.audit->flushes_past_libc = 50;
  phase.resources->syncs.reset();
  EXPECT_EQ(WhyNotDurable(phase), "");
  EXPECT_EQ(DurabilityVerdictOf(phase).level, DurabilityLevel::kD4);
  phase.audit->without_flush = 1;
  EXPECT_THAT(WhyNotDurable(phase), HasSubstr("of 50 commits that were looked at one by one, 1 "));
}

TEST(Durability, FasterThanAnOverwriteIsSuspect) {
  PhaseResult phase = Puts(20, 1, 20);
  phase.roles[0].statistics[0].latency_ns.emplace();
  for (int i = 0; i < 20; ++i) phase.roles[0].statistics[0].latency_ns->Add(40'000);
  phase.limits = MachineLimits{.overwrites = 100, .least_overwrite_seconds = 90e-6};
  EXPECT_THAT(DurabilityOf(RunResult(), phase).suspect_because,
              HasSubstr("median synced put took 4"));
  phase.limits->least_overwrite_seconds = 70e-6;
  EXPECT_EQ(DurabilityOf(RunResult(), phase).suspect_because, "");
  phase.limits->least_overwrite_seconds = 90e-6;
  phase.roles[0].threads = 2;  // They may share syncs.
  EXPECT_EQ(DurabilityOf(RunResult(), phase).suspect_because, "");
}

TEST(Durability, OfTwoLevelsInOneTableIsTold) {
  RunResult first;
  first.engine = "a";
  first.phases = {Puts(20, 1, 20)};
  RunResult second = first;
  second.engine = "b";
  Result result;
  result.runs = {first, second};
  EXPECT_EQ(MixedLevels(result), "");
  result.runs[1].phases[0].level = DurabilityLevel::kD2;
  EXPECT_EQ(MixedLevels(result), "a D4, b D2");
  result.runs[1].is_baseline_engine = true;
  EXPECT_EQ(MixedLevels(result), "");
}

// A disk with a cache, which can be asked.
Medium Disk(WriteCache write_cache = WriteCache::kWriteBack) {
  return {.filesystem = "ext4",
          .write_cache = write_cache,
          .devices = "sda"};
}
Medium Unverifiable(const std::string& why) {
  return {.filesystem = "overlay", .unverifiable_because = why};
}
Medium Volatile(const std::string& why) {
  return {.filesystem = "tmpfs", .volatile_because = why};
}
// As a version wrote it that did not ask the device.

constexpr double kUs = 1e-6;

struct Case {
  const char* name;
  DurabilityEvidence evidence;
  Seen seen;
  const char* cell;    // What stands in the tables.
  const char* reason;  // Has this in it.
};

std::vector<Case> Cases() {
  using enum DurabilityLevel;
  const auto claimed = [](DurabilityLevel level, DurabilityLevel by_calls) {
    return DurabilityEvidence{.claimed = level, .by_calls = by_calls};
  };
  // So many commits of one thread, each with its calls, of a probe that took so long.
  const auto at = [&](const Medium& medium, uint64_t flushes, double fastest_sync_seconds = 90e-6) {
    DurabilityEvidence evidence = claimed(kD4, kD4);
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
      {"nobody looked", claimed(kD4, kNone), Seen::kNothing, "D4", ""},
      {"no flush is claimed and none is made", claimed(kD1, kD1), Seen::kLevel, "D1, seen", ""},
      {"less than claimed, of a level without flushes", claimed(kD1, kD0), Seen::kLevel,
       "D1, seen D0", ""},
      {"calls are missing",
       with(claimed(kD4, kD1), [](E& e) { e.missing_calls = "199 of 200 commits"; }),
       Seen::kTooLittle, "D4, seen D1", "199 of 200"},
      {"calls are missing, but were not all counted",
       with(claimed(kD4, kD1),
            [](E& e) {
              e.missing_calls = "199 of 200 commits";
              e.uncounted = "ptrace is refused";
            }),
       Seen::kNotSeen, "D4, not seen", "ptrace is refused"},
      {"nobody looked, nor could have",
       with(claimed(kD4, kNone), [](E& e) { e.uncounted = "no commit was looked at"; }),
       Seen::kNothing, "D4", ""},
      {"enough was counted, if not all",
       with(at(Disk(), 200), [](E& e) { e.uncounted = "ptrace is refused"; }), Seen::kLevel,
       "D4, seen", ""},
      {"a result without its details", claimed(kD4, kD4), Seen::kLevel, "D4, seen", ""},

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
      {"D3 needs them, too", with(at(Disk(), 0), [](E& e) { e.claimed = kD3; }), Seen::kTooLittle,
       "D3, seen D1", "only 0 flushes"},
      {"flushes that nobody claimed did not come",
       with(at(Disk(), 0), [](E& e) { e.claimed = kD1; }), Seen::kLevel, "D1, seen", ""},
      {"flushes that nobody claimed came", with(at(Disk(), 200), [](E& e) { e.claimed = kD1; }),
       Seen::kLevel, "D1, seen D4", ""},
      {"flushes that nobody claimed, where nobody can ask",
       with(at(Unverifiable("zfs"), 0), [](E& e) { e.claimed = kD1; }), Seen::kLevel, "D1, seen",
       ""},

      {"a device without a cache takes writes",
       with(at(Disk(WriteCache::kWriteThrough), 0), [](E& e) { e.of_phase.writes = 200; }),
       Seen::kLevel, "D4, seen", ""},
      {"and must have got them", at(Disk(WriteCache::kWriteThrough), 0), Seen::kTooLittle,
       "D4, seen D1", "only 0 flushes and writes came to sda (write through)"},
      {"a device with FUA may take writes for flushes",
       with(at(Disk(WriteCache::kWriteBackWithFua), 60), [](E& e) { e.of_phase.writes = 140; }),
       Seen::kLevel, "D4, seen", ""},
      {"where writes were not counted, nothing is known of it",
       with(at(Disk(WriteCache::kWriteThrough), 0), [](E& e) { e.of_phase.writes.reset(); }),
       Seen::kFlushed, "D4, flushed", "not counted: sda"},

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

TEST(DurabilityVerdict, HasOneWordForEachCase) {
  for (const Case& it : Cases()) {
    SCOPED_TRACE(it.name);
    const DurabilityVerdict verdict = Judge(it.evidence);
    EXPECT_EQ(verdict.seen, it.seen);
    EXPECT_EQ(ClaimAndWord(it.evidence.claimed, verdict), it.cell);
    EXPECT_THAT(verdict.reason, HasSubstr(it.reason));
    EXPECT_EQ(verdict.reason.empty(), std::string(it.reason).empty()) << verdict.reason;
  }
}

TEST(DurabilityVerdict, TellsWhyNothingWasSeen) {
  EXPECT_EQ(ReasonInWords({.seen = Seen::kFlushed, .reason = "nfs4"}),
            "flushed, device unverifiable: nfs4");
  EXPECT_EQ(ReasonInWords({.seen = Seen::kNotSeen, .reason = "ptrace is refused"}),
            "not seen: ptrace is refused");
  EXPECT_EQ(ReasonInWords({.seen = Seen::kLevel, .level = DurabilityLevel::kD4}), "");
}

}  // namespace levelfield::durability_test
