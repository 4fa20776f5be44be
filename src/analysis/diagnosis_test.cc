#include "analysis/diagnosis.h"

#include <functional>
#include <stdexcept>

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::diagnosis_test {

using testing::ContainsRegex;

const EngineOptions kOptions = {
    {"leveldb",
     {{"write_buffer_size", "4M"}, {"bloom_bits", "0"}, {"cache_size", "8M"}, {"readahead", "1"}}}};

PhaseResult& PhaseIn(Result& result) { return result.runs.front().phases.front(); }

// Nothing is the matter with it.
Result Healthy() {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 100'000, 2000)};
  PhaseResult& phase = PhaseIn(result);
  phase.level = DurabilityLevel::kD1;
  phase.roles[0].thread_seconds = 1;
  for (int i = 0; i < 100'000; ++i) phase.roles[0].statistics[0].latency_ns->Add(2000);
  phase.disk_bytes = 100 << 20;
  phase.live_bytes = 90 << 20;
  Resources& used = phase.resources.emplace();
  used.user_seconds = 1;
  used.foreground_seconds = 0.9;
  used.watcher_seconds = 0;
  used.memory = Resources::Memory();
  used.memory->anonymous_bytes = 20 << 20;
  used.io = Resources::Io();
  used.syncs = Resources::Syncs();
  phase.conditions.emplace().seconds = 1;
  return result;
}

Result HealthyWrites() {
  Result result = Healthy();
  PhaseResult& phase = PhaseIn(result);
  phase.workload = "overwrite";
  OperationStatistics& stats = phase.roles[0].statistics[0];
  stats.operation = "put";
  stats.effects = kPuts;
  stats.lookup = Lookup::kNone;
  stats.bytes = 90 << 20;
  Ticks& ticks = phase.ticks.emplace();
  ticks.operations.resize(1);
  for (uint64_t i = 1; i <= 100; ++i) {
    ticks.end_ms.push_back(i * 100);
    ticks.operations[0].push_back(1000);
  }
  phase.roles[0].seconds = phase.roles[0].thread_seconds = 10;
  return result;
}

// Seeks, erasures of most of the entries, and seeks that are as fast as before.
Result HealthySeeks() {
  Result result = Healthy();
  std::vector<PhaseResult> phases(3, PhaseIn(result));
  for (PhaseResult& phase : phases) {
    phase.workload = "seekrandom";
    phase.roles[0].statistics[0].lookup = Lookup::kPlace;
    phase.held = Held{.entries = 100'000, .of = 100'000, .are_needed = true};
  }
  phases[1].workload = "deleterandom";
  phases[1].roles[0].statistics[0].effects = kErasures;
  phases[1].roles[0].statistics[0].lookup = Lookup::kNone;
  phases[2].held->entries = 20'000;
  result.runs.front().phases = SharedList<PhaseResult>(phases);
  return result;
}

struct Fixture {
  const char* rule;
  std::function<Result()> healthy;
  std::function<void(Result&)> spoil;
  std::optional<Change> change;
};

std::ostream& operator<<(std::ostream& out, const Fixture& fixture) { return out << fixture.rule; }

class Diagnosis : public testing::TestWithParam<Fixture> {};

std::vector<std::string> RulesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings) rules.push_back(finding.rule);
  return rules;
}

// What is found. Ends the test where that is not of these rules.
std::vector<Finding> ExpectFindings(const Result& result, const std::vector<std::string>& rules) {
  std::vector<Finding> findings = Diagnose(result, kOptions);
  if (RulesOf(findings) != rules) {
    throw std::runtime_error("found: " + testing::PrintToString(RulesOf(findings)));
  }
  return findings;
}

TEST_P(Diagnosis, NamesTheCauseWithItsEvidenceAndNothingElse) {
  Result result = GetParam().healthy();
  ExpectFindings(result, {});
  GetParam().spoil(result);
  const std::vector<Finding> findings = ExpectFindings(result, {GetParam().rule});
  EXPECT_EQ(findings[0].engine, "leveldb");
  EXPECT_FALSE(findings[0].evidence.empty());
  EXPECT_THAT(findings[0].evidence.front(), ContainsRegex("[0-9]"));
  EXPECT_FALSE(findings[0].advice.empty());
  EXPECT_THAT(findings[0].advice, Not(ContainsRegex("--[a-z_]+=[0-9.]+%"))) << "no flag takes it";
  EXPECT_EQ(findings[0].change, GetParam().change);
}

TEST_P(Diagnosis, SaysNothingOfAFloor) {
  Result result = GetParam().healthy();
  GetParam().spoil(result);
  for (RunResult& run : result.runs) run.is_baseline_engine = true;
  EXPECT_TRUE(Diagnose(result, kOptions).empty());
}

void StandStill(Result& result, bool tells) {
  Ticks& ticks = *PhaseIn(result).ticks;
  for (size_t i = 40; i < 50; ++i) ticks.operations[0][i] = 0;
  if (tells) ticks.activities = std::vector<Activity>{{.name = "compaction", .ticks = {{39, 50}}}};
}

void Jitter(Result& result) {
  for (int i = 0; i < 200; ++i) PhaseIn(result).roles[0].statistics[0].latency_ns->Add(2'000'000);
  PhaseIn(result).resources->foreground_seconds = 0.6;
}

const Fixture kFixtures[] = {
    {"writes stand still", HealthyWrites, [](Result& result) { StandStill(result, true); },
     Change{"write_buffer_size", "4M", "16M"}},
    {"read jitter", Healthy, Jitter, {}},
    {"memory", Healthy,
     [](Result& result) {
       PhaseIn(result).resources->memory->anonymous_bytes = uint64_t{1} << 30;
       result.runs[0].settings = {{"cache_size", "1G"}};
     },
     Change{"cache_size", "1G", "512M"}},
    {"space", HealthyWrites, [](Result& result) { PhaseIn(result).disk_bytes = 400 << 20; }, {}},
    {"background processor time", HealthyWrites,
     [](Result& result) { PhaseIn(result).resources->foreground_seconds = 0.2; },
     Change{"write_buffer_size", "4M", "16M"}},
    {"no filter", Healthy,
     [](Result& result) {
       OperationStatistics& stats = PhaseIn(result).roles[0].statistics[0];
       stats.misses = stats.operations / 2;
       stats.hits = stats.operations - stats.misses;
     },
     Change{"bloom_bits", "0", "10"}},
    {"working set", Healthy,
     [](Result& result) {
       PhaseIn(result).resources->io->storage_read_bytes = uint64_t{400} << 20;
       result.runs[0].memory = RunResult::Memory{.limit_bytes = 64 << 20, .peak_bytes = 0};
     },
     Change{"memory", "64M", "256M"}},
    {"read-ahead", Healthy,
     [](Result& result) {
       Resources& used = *PhaseIn(result).resources;
       used.major_faults = 50'000;
       used.io->storage_read_bytes = uint64_t{40} << 30;
       PhaseIn(result).roles[0].statistics[0].bytes = 116 * 100'000;
       result.runs[0].no_readahead = {{"readahead", "0"}};
     },
     Change{"leveldb.readahead", "1", "0"}},
    {"sync-bound", HealthyWrites,
     [](Result& result) {
       PhaseIn(result).resources->syncs =
           Resources::Syncs{.calls = 100'000, .waited_seconds = 9, .synced_files = 0};
       PhaseIn(result).roles[0].threads = 1;
     },
     Change{"threads", "1", "4"}},
    {"harness-bound",
     Healthy,
     [](Result& result) {
       result.overheads = {
           {.engine = "null", .keys = 1, .clock_ns = 0, .workload_ns = {{"readrandom", 5000}}}};
     },
     {}},
    {"background syncs", HealthyWrites,
     [](Result& result) {
       // As LevelDB's compactions sync in the class process: 577 syncs of 8,734 puts.
       PhaseIn(result).resources->syncs =
           Resources::Syncs{.calls = 6'600, .waited_seconds = 6.6, .synced_files = 0};
       PhaseIn(result).roles[0].threads = 1;
     },
     Change{"write_buffer_size", "4M", "16M"}},
    {"small cache", Healthy,
     [](Result& result) {
       // As RocksDB read blocks with a cache of 64 KiB.
       PhaseIn(result).resources->io->read_call_bytes = uint64_t{4036} * 100'000;
       result.runs[0].settings = {{"cache_size", "65536"}};
     },
     Change{"cache_size", "64k", "128M"}},
    {"other load",
     Healthy,
     [](Result& result) { PhaseIn(result).conditions->others_share = 0.3; },
     {}},
    {"noise",
     Healthy,
     [](Result& result) {
       const RunResult first = result.runs.front();
       for (uint64_t round = 2; round <= 3; ++round) {
         result.runs.push_back(first);
         result.runs.back().round = round;
         result.runs.back().phases[0].roles[0].seconds = 1 + 0.5 * static_cast<double>(round);
       }
     },
     {}},
    {"failure",
     Healthy,
     [](Result& result) {
       PhaseIn(result).outcome = Outcome::kFailed;
       PhaseIn(result).message =
           "LevelDB: put: IO error: /db/000025.log: No space left on device; disk full: 0.0 of "
           "40.0 MiB are free on the disk";
     },
     {}},
    {"rate not kept",
     Healthy,
     [](Result& result) {
       RoleResult& role = PhaseIn(result).roles[0];
       role.rate = 200'000;
       role.load.emplace().verdict = LoadOutcome::kNotSustainable;
       PhaseIn(result).outcome = Outcome::kInvalid;
     },
     {}},
    {"busy disk",
     Healthy,
     [](Result& result) {
       PhaseIn(result).resources->device = Resources::Device{.read_bytes = uint64_t{200} << 20};
       PhaseIn(result).resources->io->storage_read_bytes = 20 << 20;
     },
     {}},

    {"small write buffer", HealthyWrites,
     [](Result& result) {
       result.runs[0].settings = {{"write_buffer_size", "65536"}};
     },
     Change{"write_buffer_size", "64k", "256k"}},
    {"tombstones",
     HealthySeeks,
     [](Result& result) { result.runs[0].phases[2].roles[0].thread_seconds *= 10; },
     {}},
    {"debt",
     HealthyWrites,
     [](Result& result) {
       PhaseIn(result).settle = Settle{.seconds = 600, .how = "wait", .complete = false};
     },
     {}},
};

INSTANTIATE_TEST_SUITE_P(All, Diagnosis, testing::ValuesIn(kFixtures),
                         [](const testing::TestParamInfo<Fixture>& fixture) {
                           std::string name = fixture.param.rule;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

TEST(DiagnosisRules, AllHaveAFixture) {
  std::vector<std::string> of_fixtures;
  for (const Fixture& fixture : kFixtures) of_fixtures.emplace_back(fixture.rule);
  for (const std::string_view rule : DiagnosisRules()) {
    EXPECT_THAT(of_fixtures, Contains(rule));
  }
}

TEST(DiagnosisRules, AreSurerWhereTheEngineSaysWhatItWasAt) {
  Result told = HealthyWrites();
  StandStill(told, true);
  Result untold = HealthyWrites();
  StandStill(untold, false);
  EXPECT_EQ(Diagnose(told, kOptions)[0].confidence, Confidence::kHigh);
  EXPECT_EQ(Diagnose(untold, kOptions)[0].confidence, Confidence::kMedium);
}

TEST(DiagnosisRules, AdviseNoOptionThatTheEngineDoesNotHave) {
  Result result = HealthyWrites();
  StandStill(result, true);
  ASSERT_EQ(Diagnose(result, {}).size(), 1u);
  EXPECT_TRUE(Diagnose(result, {})[0].change == std::nullopt);
}

TEST(DiagnosisRules, CallNoSyncOfACompactionThatOfAWrite) {
  Result result = HealthyWrites();
  PhaseResult& phase = PhaseIn(result);
  phase.durability = "process";
  phase.roles[0].threads = 1;
  phase.roles[0].thread_calls = {8'734};
  phase.resources->syncs = Resources::Syncs{.calls = 577, .waited_seconds = 6.6, .synced_files = 0};
  EXPECT_EQ(ExpectFindings(result, {"background syncs"})[0].evidence[1],
            "577 syncs for 8734 writes");
  // A sync for each commit of two threads that share it.
  phase.roles[0].threads = 2;
  phase.roles[0].thread_calls = {600, 550};
  ExpectFindings(result, {"sync-bound"});
}

Result RateNotKept(double others, double cpu_wait) {
  Result result = Healthy();
  PhaseResult& phase = PhaseIn(result);
  phase.roles[0].rate = 400'000;
  phase.roles[0].load.emplace().verdict = LoadOutcome::kNotSustainable;
  phase.outcome = Outcome::kInvalid;
  phase.message = "rate not sustainable: of 400000 operations a second 178729 were done";
  phase.conditions->others_share = others;
  phase.conditions->cpu_wait_share = cpu_wait;
  return result;
}

TEST(DiagnosisRules, BlameTheMachineWhereOthersHadTakenIt) {
  const std::vector<Finding> findings =
      ExpectFindings(RateNotKept(0.94, 0.96), {"other load", "rate not kept"});
  EXPECT_EQ(findings[0].confidence, Confidence::kHigh);
  EXPECT_THAT(findings[0].evidence[0], HasSubstr("other processes took 94 %"));
  EXPECT_EQ(findings[1].confidence, Confidence::kLow);
  EXPECT_THAT(findings[1].cause, StartsWith("other programs had taken the machine"));
  EXPECT_THAT(findings[1].advice, HasSubstr("end other programs"));
}

TEST(DiagnosisRules, SayWhichSideOfAnEngineThatWasMeasuredAgainstItself) {
  Result result = HealthyWrites();
  result.runs.push_back(result.runs.front());
  PhaseResult& second = result.runs.back().phases.front();
  second.outcome = Outcome::kFailed;
  second.message = "disk";
  const std::vector<Finding> findings = Diagnose(result, kOptions);
  ASSERT_THAT(findings, Not(IsEmpty()));
  EXPECT_EQ(findings.front().workload, "overwrite (second side)");
}

TEST(DiagnosisRules, BlameTheEngineWhereOthersWereInNobodysWay) {
  // Another process on another processor.
  const std::vector<Finding> findings =
      ExpectFindings(RateNotKept(0.25, 0.02), {"other load", "rate not kept"});
  EXPECT_EQ(findings[1].confidence, Confidence::kHigh);
  EXPECT_THAT(findings[1].cause, StartsWith("the requested rate"));
}

// Four rounds that did not keep their rate.
Result FourRoundsNotKept() {
  Result result = RateNotKept(0.01, 0.01);
  for (uint64_t round = 2; round <= 4; ++round) {
    result.runs.push_back(result.runs.front());
    result.runs.back().round = round;
  }
  return result;
}

TEST(DiagnosisRules, BlameTheMachineWhereOthersHadTakenItInAnyRound) {
  Result result = FourRoundsNotKept();
  EXPECT_EQ(ExpectFindings(result, {"rate not kept"})[0].confidence, Confidence::kHigh);
  for (const size_t round : {1, 3}) result.runs[round].phases[0].conditions->others_share = 0.97;
  const std::vector<Finding> findings = ExpectFindings(result, {"other load", "rate not kept"});
  EXPECT_EQ(findings[1].confidence, Confidence::kLow);
  EXPECT_THAT(findings[1].cause, StartsWith("other programs had taken the machine"));
  EXPECT_THAT(findings[1].evidence, Contains(HasSubstr("in 2 of 4 rounds: other processes took")));
}

TEST(DiagnosisRules, BlameTheMachineThatHadBeenTakenForAShortPhase) {
  Result result = RateNotKept(0.97, 0.9);
  PhaseIn(result).conditions->seconds = 0.1;
  const std::vector<Finding> findings = ExpectFindings(result, {"other load", "rate not kept"});
  EXPECT_EQ(findings[1].confidence, Confidence::kLow);
  EXPECT_THAT(findings[1].evidence, Contains(HasSubstr("other processes took 97 %")));
}

TEST(DiagnosisRules, AreNotSureOfAPhaseTooShortToTellWhoUsedTheMachine) {
  Result result = RateNotKept(0.01, 0.01);
  PhaseIn(result).conditions->seconds = 0.1;
  const std::vector<Finding> findings = ExpectFindings(result, {"rate not kept"});
  EXPECT_EQ(findings[0].confidence, Confidence::kMedium);
  EXPECT_THAT(findings[0].evidence, Contains(HasSubstr("too short to tell")));
}

TEST(DiagnosisRules, AreNotSureOfARateThatTheLoadGeneratorDidNotKeepItself) {
  Result result = FourRoundsNotKept();
  result.runs[2].phases[0].roles[0].load->verdict = LoadOutcome::kLateGenerator;
  const std::vector<Finding> findings = ExpectFindings(result, {"failure", "rate not kept"});
  EXPECT_EQ(findings[1].confidence, Confidence::kLow);
  EXPECT_THAT(findings[1].evidence,
              Contains("in 1 of 4 rounds: the load generator itself was late"));
}

TEST(DiagnosisRules, SayThatACappedMemoryHasWritesReadAgain) {
  // SQLite below --memory=48M: 4,298 bytes fetched for each put.
  Result result = HealthyWrites();
  PhaseIn(result).resources->io->storage_read_bytes = uint64_t{4298} * 100'000;
  result.runs[0].memory = RunResult::Memory{.limit_bytes = 48 << 20, .peak_bytes = 48 << 20};
  std::vector<Finding> findings = ExpectFindings(result, {"working set"});
  EXPECT_EQ(findings[0].change, (Change{"memory", "48M", "192M"}));
  EXPECT_THAT(findings[0].evidence, Contains(HasSubstr("memory is limited to 48.0 MiB")));
  // LevelDB: 325 bytes for each put of 116, which are its compactions'.
  PhaseIn(result).roles[0].statistics[0].bytes = uint64_t{116} * 100'000;
  PhaseIn(result).resources->io->storage_read_bytes = uint64_t{325} * 100'000;
  ExpectFindings(result, {"working set"});
}

TEST(DiagnosisRules, SayHowFarTheDeviceReadsAheadAndHowThatIsLimited) {
  Result result = Healthy();
  PhaseIn(result).resources->major_faults = 100;
  PhaseIn(result).resources->io->storage_read_bytes = uint64_t{800} << 20;
  PhaseIn(result).roles[0].statistics[0].bytes = 116 * 100'000;
  result.block_device = "sda";
  result.read_ahead_kb = 8192;
  const std::vector<Finding> findings = ExpectFindings(result, {"read-ahead"});
  EXPECT_THAT(findings[0].evidence, Contains("100 pages were missing, and each fetched 8.0 MiB"));
  EXPECT_THAT(findings[0].evidence, Contains("read_ahead_kb of sda is 8192"));
  EXPECT_EQ(findings[0].advice, "a smaller read-ahead: sudo blockdev --setra 32 /dev/sda");
  EXPECT_FALSE(findings[0].change);
}

TEST(DiagnosisRules, NameASmallCacheWithWhatIsKnownOfIt) {
  Result result = Healthy();
  result.runs[0].settings = {{"cache_size", "65536"}};
  // Files that are mapped are read without a call.
  EXPECT_EQ(ExpectFindings(result, {"small cache"})[0].confidence, Confidence::kMedium);
  PhaseIn(result).resources->io->read_call_bytes = uint64_t{4036} * 100'000;
  EXPECT_EQ(Diagnose(result, kOptions)[0].confidence, Confidence::kHigh);
  // Where they come from the device, it is memory that is lacking.
  PhaseIn(result).resources->io->storage_read_bytes = uint64_t{4000} * 100'000;
  ExpectFindings(result, {"working set"});
}

TEST(DiagnosisRules, NameASmallCacheOfWritesThatReadPages) {
  // Berkeley DB with 64 KiB: 4,365 bytes read for each put, by the thread that puts.
  Result result = HealthyWrites();
  result.runs[0].settings = {{"cache_size", "65536"}};
  PhaseIn(result).resources->io->read_call_bytes = uint64_t{4365} * 100'000;
  ExpectFindings(result, {"small cache"});
  // What threads of the engine's own read is a compaction's.
  PhaseIn(result).resources->foreground_seconds = 0.6;
  ExpectFindings(result, {});
}

TEST(Failures, ComeBeforeAllThatIsSaidOfFigures) {
  Result result = Healthy();
  PhaseIn(result).conditions->others_share = 0.3;
  RunResult broken = RoundOf("lmdb", 1, 1000);
  broken.phases[0].outcome = Outcome::kWrong;
  broken.phases[0].message = "readrandom: 3 values of another key";
  result.runs.push_back(broken);
  const std::vector<Finding> findings = ExpectFindings(result, {"failure", "other load"});
  EXPECT_EQ(findings[0].engine, "lmdb");
  EXPECT_THAT(findings[0].evidence, ElementsAre("readrandom: 3 values of another key"));
  EXPECT_THAT(findings[0].advice, HasSubstr("verify store"));
}

TEST(Failures, OfAFullDiskSayWhatIsToBeDone) {
  for (const FailureCause cause : {FailureCause::kDiskFull, FailureCause::kLowSpace}) {
    Result result = Healthy();
    PhaseIn(result).outcome = Outcome::kStopped;
    PhaseIn(result).message = "in whatever words";
    PhaseIn(result).cause = cause;
    const std::vector<Finding> findings = ExpectFindings(result, {"failure"});
    EXPECT_THAT(findings[0].cause, HasSubstr("disk"));
    EXPECT_THAT(findings[0].advice, HasSubstr("--db="));
    EXPECT_EQ(findings[0].confidence, Confidence::kHigh);
  }
}

TEST(Failures, OfTooLittleMemoryNameTheLimit) {
  Result result = Healthy();
  PhaseIn(result).outcome = Outcome::kFailed;
  PhaseIn(result).message = "in whatever words";
  PhaseIn(result).cause = FailureCause::kMemoryLimit;
  const std::vector<Finding> findings = ExpectFindings(result, {"failure"});
  EXPECT_THAT(findings[0].advice, HasSubstr("a higher --memory"));
}

TEST(Failures, TakeWhatDidNotRunBehindThemAlong) {
  Result result = Healthy();
  PhaseResult behind = PhaseIn(result);
  PhaseIn(result).workload = "fillrandom";
  PhaseIn(result).implicit = true;  // It was to load the store for the next.
  PhaseIn(result).outcome = Outcome::kFailed;
  PhaseIn(result).message = "died by SIGSEGV";
  behind.outcome = Outcome::kNotRun;
  behind.message = "not run: the store failed in fillrandom";
  result.runs[0].phases.push_back(behind);
  const std::vector<Finding> findings = ExpectFindings(result, {"failure"});
  EXPECT_EQ(findings[0].workload, "fillrandom");
  EXPECT_THAT(findings[0].evidence,
              ElementsAre("died by SIGSEGV", "behind it did not run: readrandom"));
}

TEST(Failures, OfOneRoundAreNotHiddenByTheOthers) {
  Result result = RoundsOf(6, {{"leveldb", [](uint64_t) { return 100'000; }}});
  result.runs[3].phases[0].outcome = Outcome::kFailed;
  result.runs[3].phases[0].message = "hung: no progress in 'readrandom' for 30.0 s (--stall)";
  result.runs[3].phases[0].cause = FailureCause::kHung;
  const std::vector<Finding> findings = ExpectFindings(result, {"failure"});
  EXPECT_THAT(findings[0].evidence[0], StartsWith("in 1 of 6 rounds: hung"));
  EXPECT_THAT(findings[0].advice, HasSubstr("--stall"));
}

TEST(Failures, AreNotWhatAnEngineCannotDoUnlessItHasNoFigureAtAll) {
  Result result = Healthy();
  PhaseResult other = PhaseIn(result);
  other.outcome = Outcome::kUnsupported;
  other.message = "LevelDB has no merge";
  result.runs[0].phases.push_back(other);
  ExpectFindings(result, {});
  PhaseIn(result) = other;
  ExpectFindings(result, {"failure", "failure"});
}

TEST(Failures, OfARunWithoutAnyWorkloadAreTheRuns) {
  Result result = Healthy();
  result.runs[0].phases.clear();
  result.runs[0].outcome = Outcome::kFailed;
  result.runs[0].message = "leveldb: its library cannot be loaded";
  const std::vector<Finding> findings = ExpectFindings(result, {"failure"});
  EXPECT_THAT(findings[0].evidence, ElementsAre("leveldb: its library cannot be loaded"));
}

TEST(EngineOptionsIn, AreThoseOfTheManifestAndNothingThatIsOfAnotherType) {
  const auto options = [](const char* manifest) {
    return EngineOptionsIn(nlohmann::ordered_json::parse(manifest));
  };
  const EngineOptions known = {{"leveldb", {{"cache_size", "8M"}}}};
  EXPECT_EQ(options(R"({"engines":[{"spec":"leveldb","options":[)"
                    R"({"name":"cache_size","default":"8M"}]}]})"),
            known);
  for (const char* const other :
       {"5", "[]", "{}", R"({"engines":5})", R"({"engines":[5,{"options":5}]})"}) {
    EXPECT_EQ(options(other), EngineOptions()) << other;
  }
  // Nothing is called that.
  EXPECT_EQ(options(R"({"engines":[{"spec":1,"options":[{"name":2,"default":3},4]}]})").count("1"),
            0u);
}

}  // namespace levelfield::diagnosis_test
