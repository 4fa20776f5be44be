#include "analysis/cost.h"

#include "base/matchers_for_test.h"

namespace levelfield::cost_test {

OperationStatistics Statistics(const char* operation, Effects effects, uint64_t operations,
                               uint64_t bytes) {
  OperationStatistics stats;
  stats.operation = operation;
  stats.effects = effects;
  stats.operations = stats.hits = operations;
  stats.bytes = bytes;
  return stats;
}

// 1,000 puts of 100 bytes, which took 3 ms of the threads and 1 ms of the engine's own.
PhaseResult Puts() {
  PhaseResult phase;
  phase.outcome = Outcome::kOk;
  phase.live_bytes = 100'000;
  phase.counters = {{"written_bytes", 250'000}};
  RoleResult role;
  role.statistics.push_back(Statistics("put", kPuts, 1000, 100'000));
  phase.roles.push_back(role);
  Resources used;
  used.user_seconds = 0.004;
  used.system_seconds = 0.001;
  used.foreground_seconds = 0.003;
  used.watcher_seconds = 0.001;
  used.io = {.read_call_bytes = 0,
             .write_call_bytes = 110'000,
             .storage_read_bytes = 50'000,
             .dirtied_bytes = 120'000};
  used.device = {.read_bytes = 0, .written_bytes = 0};
  used.synced_device = {.read_bytes = 0, .written_bytes = 400'000};
  phase.resources = used;
  return phase;
}

TEST(Cost, OfAnOperationHasTheEnginesOwnThreadsAndNotTheWatcher) {
  const Cost cost = CostOf(Puts());
  EXPECT_NEAR(*cost.cpu_us.value, 4.0, 1e-9);
  EXPECT_NEAR(*cost.background_share.value, 0.25, 1e-9);
}

TEST(Cost, TellsWhereTheTimeOfAnOperationWent) {
  PhaseResult phase = Puts();
  EXPECT_FALSE(CostOf(phase).computing.value) << "nobody knows how long its threads ran";
  phase.roles[0].thread_seconds = 0.01;
  phase.resources->syncs = Resources::Syncs{.calls = 2, .waited_seconds = 0.005};
  const Cost cost = CostOf(phase);
  EXPECT_NEAR(*cost.computing.value, 0.3, 1e-9);
  EXPECT_NEAR(*cost.in_syncs.value, 0.5, 1e-9);
  EXPECT_NEAR(*cost.waiting.value, 0.2, 1e-9);
  phase.roles[0].load.emplace();
  EXPECT_FALSE(CostOf(phase).waiting.value) << "in an open loop they read the clock";
}

TEST(Cost, TellsWriteAmplificationByFourDefinitions) {
  const Cost cost = CostOf(Puts());
  EXPECT_NEAR(*cost.write_calls.value, 1.1, 1e-9);
  EXPECT_NEAR(*cost.write_dirtied.value, 1.2, 1e-9);
  EXPECT_NEAR(*cost.write_device.value, 4.0, 1e-9);
  EXPECT_NEAR(*cost.write_engine.value, 2.5, 1e-9);
}

TEST(Cost, OfSpaceIsAllocatedBlocksOverWhatTheStoreHolds) {
  PhaseResult whole = Puts();
  whole.live_bytes = 2 << 20;
  whole.disk_bytes = 3 << 20;
  whole.peak_disk_bytes = 6 << 20;
  const Cost cost = CostOf(whole);
  EXPECT_NEAR(*cost.space.value, 1.5, 1e-9);
  EXPECT_NEAR(*cost.peak_space.value, 3.0, 1e-9);
  PhaseResult unread = Puts();
  unread.live_bytes = 0;
  EXPECT_FALSE(CostOf(unread).space.value);
  PhaseResult tiny = Puts();
  tiny.live_bytes = 5'800;  // Fifty entries.
  EXPECT_FALSE(CostOf(tiny).space.value);
  EXPECT_THAT(CostOf(tiny).space.reason, HasSubstr("less than 1 MiB"));
}

TEST(Cost, OfCallsIsNotToldOfAStoreThatIsWrittenThroughAMap) {
  PhaseResult phase = Puts();
  phase.resources->io->write_call_bytes = 99'999;
  const Cost cost = CostOf(phase);
  EXPECT_FALSE(cost.write_calls.value);
  EXPECT_NE(cost.write_calls.reason.find("memory map"), std::string::npos);
  EXPECT_TRUE(cost.write_dirtied.value);
}

TEST(Cost, OfWritesIsNotToldWhereOneOperationReadsAndWrites) {
  PhaseResult phase = Puts();
  phase.roles[0].statistics.push_back(Statistics("update", kChanges, 10, 4000));
  EXPECT_FALSE(PutBytes(phase));
  EXPECT_FALSE(CostOf(phase).write_device.value);
  EXPECT_TRUE(HasWritten(phase));
}

TEST(Cost, FollowsFromWhatAnOperationDoesWhateverItsName) {
  PhaseResult phase = Puts();
  const auto with = [&](Effects effects) {
    phase.roles[0].statistics = {Statistics("of tomorrow", effects, 10, 4000)};
    return phase;
  };
  EXPECT_EQ(PutBytes(with(kPuts)), 4000u);
  EXPECT_EQ(PutBytes(with(kErasures)), 0u);
  EXPECT_TRUE(HasWritten(with(kErasures)));
  EXPECT_FALSE(HasWritten(with(Effect::kReads)));
  EXPECT_FALSE(HasWritten(with(Effect::kReads | Effect::kWrites)));  // Rolled back.
}

TEST(Cost, OfReadsIsWhatHadToBeFetched) {
  PhaseResult phase = Puts();
  EXPECT_FALSE(CostOf(phase).read_device.value);
  phase.roles[0].statistics.push_back(Statistics("get", Effect::kReads, 1000, 100'000));
  EXPECT_NEAR(*CostOf(phase).read_device.value, 0.5, 1e-9);
}

TEST(Cost, IsNotKnownWithoutTheDetails) {
  PhaseResult phase = Puts();
  phase.resources.reset();
  const Cost cost = CostOf(phase);
  EXPECT_FALSE(cost.cpu_us.value);
  EXPECT_NE(cost.cpu_us.reason.find("details"), std::string::npos);
  EXPECT_FALSE(cost.write_device.value);
}

TEST(Cost, OfProcessorsIsNotToldWhereThreadsWaitWithTheClockInHand) {
  PhaseResult phase = Puts();
  phase.roles[0].load.emplace();
  EXPECT_FALSE(CostOf(phase).cpu_us.value);
  EXPECT_TRUE(CostOf(phase).write_device.value);
}

TEST(Cost, OfThreadsThatSeemToHaveTakenMoreThanTheProcessHasNothingInTheBackground) {
  PhaseResult phase = Puts();
  phase.resources->foreground_seconds = 0.0045;
  EXPECT_EQ(*CostOf(phase).background_share.value, 0);
}

}  // namespace levelfield::cost_test
