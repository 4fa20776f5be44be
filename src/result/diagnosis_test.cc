#include "result/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "result/rounds_for_test.h"

namespace levelfield {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::Pair;

const EngineOptions kOptions = {
    {"leveldb", {{"write_buffer_size", "4M"}, {"bloom_bits", "0"}, {"cache_size", "8M"}}}};

PhaseResult& PhaseIn(Result& result) { return result.runs.front().phases.front(); }

// Nothing is the matter with it.
Result Healthy() {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 100'000, 2000)};
  PhaseResult& phase = PhaseIn(result);
  phase.level = "D1";
  phase.roles[0].thread_seconds = 1;
  for (int i = 0; i < 100'000; ++i) phase.roles[0].lanes[0].latency_ns->Add(2000);
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
  LaneResult& lane = phase.roles[0].lanes[0];
  lane.operation = "put";
  lane.bytes = 90 << 20;
  Ticks& ticks = phase.ticks.emplace();
  ticks.operations.resize(1);
  for (uint64_t i = 1; i <= 100; ++i) {
    ticks.end_ms.push_back(i * 100);
    ticks.operations[0].push_back(1000);
  }
  phase.roles[0].seconds = phase.roles[0].thread_seconds = 10;
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

TEST_P(Diagnosis, NamesTheCauseWithItsEvidenceAndNothingElse) {
  Result result = GetParam().healthy();
  EXPECT_THAT(RulesOf(Diagnose(result, kOptions)), ElementsAre());
  GetParam().spoil(result);
  const std::vector<Finding> findings = Diagnose(result, kOptions);
  ASSERT_THAT(RulesOf(findings), ElementsAre(GetParam().rule));
  EXPECT_EQ(findings[0].engine, "leveldb");
  EXPECT_FALSE(findings[0].evidence.empty());
  EXPECT_THAT(findings[0].evidence.front(), testing::ContainsRegex("[0-9]"));
  EXPECT_FALSE(findings[0].advice.empty());
  EXPECT_EQ(findings[0].change, GetParam().change);
}

TEST_P(Diagnosis, SaysNothingOfAFloor) {
  Result result = GetParam().healthy();
  GetParam().spoil(result);
  for (RunResult& run : result.runs) run.floor = true;
  EXPECT_TRUE(Diagnose(result, kOptions).empty());
}

void StandStill(Result& result, bool tells) {
  Ticks& ticks = *PhaseIn(result).ticks;
  for (size_t i = 40; i < 50; ++i) ticks.operations[0][i] = 0;
  ticks.tells_activities = tells;
  if (tells) ticks.activities = {{.name = "compaction", .ticks = {{39, 50}}}};
}

void Jitter(Result& result) {
  for (int i = 0; i < 200; ++i) PhaseIn(result).roles[0].lanes[0].latency_ns->Add(2'000'000);
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
       LaneResult& lane = PhaseIn(result).roles[0].lanes[0];
       lane.misses = lane.operations / 2;
       lane.hits = lane.operations - lane.misses;
     },
     Change{"bloom_bits", "0", "10"}},
    {"working set", Healthy,
     [](Result& result) {
       PhaseIn(result).resources->io->storage_read_bytes = uint64_t{400} << 20;
       result.runs[0].memory = RunResult::Memory{.limit_bytes = 64 << 20, .peak_bytes = 0};
     },
     Change{"memory", "64M", "256M"}},
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
       result.prices = {
           {.engine = "null", .keys = 1, .clock_ns = 0, .workload_ns = {{"readrandom", 5000}}}};
     },
     {}},
    {"noise", Healthy, [](Result& result) { PhaseIn(result).conditions->others_share = 0.5; }, {}},
    {"rate not kept",
     Healthy,
     [](Result& result) {
       RoleResult& role = PhaseIn(result).roles[0];
       role.rate = 200'000;
       role.load.emplace().verdict = "not sustainable";
       PhaseIn(result).outcome = Outcome::kInvalid;
     },
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

}  // namespace
}  // namespace levelfield
