// Values of varying sizes, from the thread that writes them to the replay that knows them.

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/plan.h"
#include "plan/plan_for_test.h"
#include "plan/preflight.h"
#include "worker/roles_for_test.h"
#include "workload/workload_file.h"
#include "workload/workload_settings.h"

namespace levelfield::varied_values_test {

const ValueSizes kSizes[] = {ValueSizes::Uniform(0, kLargestValue).WithSeed(5),
                             ValueSizes::Uniform(16, 200).WithSeed(6),
                             ValueSizes::Normal(100, 1000).WithSeed(7),
                             ValueSizes::Pareto(16, 1024, 0, 0.2615, 25.45).WithSeed(8)};

constexpr uint64_t kRange = 500;

// The threads' writes have the bytes of the model, and reads return them.
void ExpectWrittenAndRead(ThreadFixture& fixture, const ThreadFixture::Asked& asked) {
  uint64_t written_bytes = 0;
  uint64_t written = 0;
  for (const ThreadResult& result : fixture.Run(asked)) {
    for (const ThreadStatistics& stats : result.statistics) {
      written += stats.counts.operations;
      written_bytes += stats.counts.bytes;
    }
  }
  if (written == asked.role.range) {  // Each key once, so the store holds all that was written.
    uint64_t bytes = 0;
    for (uint64_t key = 0; key < asked.role.range; ++key) {
      bytes += kKeySize + fixture.state().Find(key)->value_size;
    }
    EXPECT_EQ(written_bytes, bytes);
  }
  for (const auto& [operation, order] :
       {std::pair("get", KeyOrder::kUniform), std::pair("seek", KeyOrder::kUniform),
        std::pair("next", KeyOrder::kNone)}) {
    const ThreadFixture::Asked reads{.role = RoleOf(operation, order, kRange, 0),
                                     .operations = 2000};
    const std::vector<OperationCounts> expected = fixture.Replayed(reads);
    EXPECT_EQ(fixture.Run(reads)[0].statistics[0].counts, expected[0]);
    EXPECT_GT(expected[0].bytes, 0u);
  }
}

TEST(VariedValues, OfPutsAreWhatTheReplayKnows) {
  for (const ValueSizes& sizes : kSizes) {
    for (const uint64_t batch : {1, 7, 100}) {
      ThreadFixture fixture("memory", kLargestValue);
      Role role = RoleOf("put", KeyOrder::kShuffled, kRange, sizes);
      role.batch = batch;
      ExpectWrittenAndRead(fixture, {.role = role, .operations = 500});
      ExpectWrittenAndRead(fixture, {.role = role, .threads = 2, .operations = 610});
      const uint64_t before = fixture.state().Find(3)->value_size;
      bool changes = false;  // A new version has a new size.
      for (uint64_t key = 0; key < 500; ++key) {
        changes = changes || fixture.state().Find(key)->value_size != before;
      }
      EXPECT_TRUE(changes);
    }
  }
}

TEST(VariedValues, OfDrawnKeysAreWhatTheReplayKnows) {
  for (const ValueSizes& sizes : kSizes) {
    ThreadFixture fixture("memory", kLargestValue);
    const Role role = RoleOf("put", KeyOrder::kUniform, kRange, sizes);
    ExpectWrittenAndRead(fixture, {.role = role, .operations = 900});
  }
}

TEST(VariedValues, OfUpdatesAndMixesAreWhatTheReplayKnows) {
  for (const char* operation : {"update", "mix"}) {
    ThreadFixture fixture("memory", 200);
    ExpectWrittenAndRead(fixture, {.role = RoleOf("put", KeyOrder::kShuffled, kRange, kSizes[1]),
                                   .operations = 500});
    Role role = RoleOf(operation, KeyOrder::kShuffled, kRange, kSizes[1]);
    role.get_percent = 50;
    const ThreadFixture::Asked asked{
        .role = role, .threads = 2, .operations = 777, .check_in_loop = true};
    uint64_t wrong = 0;
    for (const ThreadResult& result : fixture.Run(asked)) {
      for (const ThreadStatistics& stats : result.statistics) wrong += stats.counts.wrong;
    }
    EXPECT_EQ(wrong, 0u);
    const ThreadFixture::Asked reads{.role = RoleOf("get", KeyOrder::kUniform, kRange, 0),
                                     .operations = 2000};
    EXPECT_EQ(fixture.Run(reads)[0].statistics[0].counts, fixture.Replayed(reads)[0]);
  }
}

// Which of two threads came last is unknown, so the size is too.
TEST(VariedValues, OfContestedKeysHaveNoKnownSize) {
  ExpectedState state;
  WriteLayer layer{.order = {.order = KeyOrder::kUniform, .range = 50, .end_position = 50},
                   .shares = {{0, 50, 400, 1}, {0, 50, 400, 2}},
                   .value_size = kSizes[1]};
  state.Add(layer);
  uint64_t unknown = 0;
  for (uint64_t key = 0; key < 50; ++key) {
    const auto entry = state.Find(key);
    if (!entry) continue;
    EXPECT_EQ(entry->version == ExpectedState::kUnknownVersion, entry->unknown_size != nullptr);
    if (entry->unknown_size == nullptr) continue;
    EXPECT_EQ(*entry->unknown_size, kSizes[1]);
    ++unknown;
  }
  EXPECT_GT(unknown, 40u);
  layer.value_size = 100;
  state.Clear();
  state.Add(layer);
  EXPECT_EQ(state.Find(7)->version, ExpectedState::kUnknownVersion);
  EXPECT_EQ(state.Find(7)->unknown_size, nullptr);
  EXPECT_EQ(state.Find(7)->value_size, 100u);
}

StatusOr<Workload> Parsed(const std::string& value_size) {
  return ParseWorkload("w",
                       "summary = s\nfamily = f\n[writer]\nop = put\nkeys = shuffled\n"
                       "stop = after $num operations\nvalue_size = " +
                           value_size + "\n",
                       {.num = 1000, .reads = 1, .value_size = 100});
}

TEST(ValueSizesOfARole, AreReadInEveryForm) {
  const std::pair<const char*, ValueSizes> kForms[] = {
      {"12", 12},
      {"$value_size*2", 200},
      {"uniform 100..102400", ValueSizes::Uniform(100, 102'400)},
      {"uniform $value_size..$value_size*10", ValueSizes::Uniform(100, 1000)},
      {"normal 100..1000", ValueSizes::Normal(100, 1000)},
      {"normal 100..1000 mean 400 deviation 50.5", ValueSizes::Normal(100, 1000, 400, 50.5)},
      {"pareto 10..1024 theta 0 k 0.2615 sigma 25.45",
       ValueSizes::Pareto(10, 1024, 0, 0.2615, 25.45)}};
  for (const auto& [text, sizes] : kForms) {
    const StatusOr<Workload> workload = Parsed(text);
    ASSERT_TRUE(workload.ok()) << text << ": " << workload.status().message();
    EXPECT_EQ(workload->roles.at(0).value_size, sizes.WithSeed(ValueSizeSeed(Settings()))) << text;
  }
}

TEST(ValueSizesOfARole, AreRefusedWithWhatIsAccepted) {
  for (const char* text :
       {"uniform", "uniform 5", "uniform 5..", "uniform ..5", "uniform 9..5", "uniform 1..2 3",
        "uniform 1..2000000000", "unifrom 1..2", "normal 1..2 mean 3",
        "normal 1..2 mean x deviation 1", "normal 1..2 mean 1 deviation -1",
        "normal 1..2 mean 1 mean 2", "pareto 1..2", "pareto 1..2 theta 0 k 1 sigma 0",
        "pareto 1..2 theta nan k 1 sigma 1", "pareto 0..0 theta 0 k 1 sigma 1",
        "pareto 1..2 theta 0 k 1 sigma"}) {
    EXPECT_THAT(ErrorOf(Parsed(text)), AllOf(HasSubstr("line 7"), HasSubstr("value_size"))) << text;
  }
  EXPECT_THAT(Parsed("unifrom 1..2").status().message(), HasSubstr("did you mean 'uniform'?"));
  EXPECT_THAT(Parsed("uniform 9..5").status().message(), HasSubstr("LOW at most HIGH"));
}

StatusOr<std::vector<PlannedPhase>> Plan(const std::vector<std::string>& words) {
  return PlanPhases(Must(ParseSettings(words)));
}

TEST(ValueSizeSettings, AreThoseOfEveryRoleThatNamesNone) {
  const auto phases = Must(Plan({"--benchmarks=fillrandom,fill100K", "--value_size_min=20",
                                 "--value_size_max=60", "--value_size_distribution_type=uniform"}));
  EXPECT_EQ(phases.at(0).workload.roles.at(0).value_size,
            ValueSizes::Uniform(20, 60).WithSeed(ValueSizeSeed(Settings())));
  EXPECT_EQ(phases.at(1).workload.roles.at(0).value_size, 100'000u);
}

TEST(ValueSizeSettings, ThatDoNotGoTogetherAreRefused) {
  const std::pair<std::vector<std::string>, const char*> kMistakes[] = {
      {{"--value_size_min=5"}, "--value_size_min"},
      {{"--value_size_distribution_type=uniform", "--value_size_min=9", "--value_size_max=8"},
       "more than --value_size_max=8"}};
  for (const auto& [words, message] : kMistakes) {
    EXPECT_THAT(UsageErrorOf(Plan(words)), HasSubstr(message));
  }
}

TEST(ValueSizeSettings, TheDiskIsCountedWithTheirMean) {
  Settings settings;
  settings.num = 1'000'000;
  const uint64_t fixed = NeededDiskBytes(settings);
  settings.value_size_distribution_type = "uniform";
  settings.value_size_max = 300;
  EXPECT_EQ(NeededDiskBytes(settings) - fixed, 500'000'000u);
}

}  // namespace levelfield::varied_values_test
