#include "plan/memory_budget.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/plan_for_test.h"

namespace levelfield::memory_budget_test {

Settings Budgeted(const std::vector<std::string>& words) {
  Settings settings = With(words);
  Must(ApplyMemoryBudget(settings));
  return settings;
}

TEST(MemoryBudget, GivesEveryEngineTheSameShares) {
  const Settings settings = Budgeted({"--memory=256M"});
  EXPECT_EQ(settings.cache_size, std::to_string(64 << 20));
  EXPECT_EQ(settings.write_buffer_size, std::to_string(16 << 20));
  EXPECT_EQ(Budgeted({"--memory=64G"}).write_buffer_size, std::to_string(64 << 20)) << "the most";
}

TEST(MemoryBudget, LeavesAloneWhatIsGivenAndWhatIsNotCapped) {
  const Settings settings =
      Budgeted({"--memory=256M", "--cache_size=8M", "--write_buffer_size=4M"});
  EXPECT_EQ(settings.cache_size, "8M");
  EXPECT_EQ(settings.write_buffer_size, "4M");
  const Settings uncapped = Budgeted({});
  EXPECT_EQ(uncapped.cache_size, Settings().cache_size);
  EXPECT_EQ(uncapped.write_buffer_size, "");
}

TEST(MemoryBudget, LeavesEnginesTheirOwnCachesWhereTheyAreAskedFor) {
  Settings settings = With({"--memory=256M", "--settings=default"});
  settings.cache_size = "";
  ASSERT_TRUE(ApplyMemoryBudget(settings).ok());
  EXPECT_EQ(settings.cache_size, "");
  EXPECT_EQ(settings.write_buffer_size, "");
}

TEST(MemoryBudget, RefusesCachesThatFillTheLimit) {
  Settings settings = With({"--memory=64M", "--cache_size=64M"});
  EXPECT_THAT(UsageErrorOf(ApplyMemoryBudget(settings)), HasSubstr("more than half"));
  Budgeted({"--memory=64M", "--cache_size=28M", "--write_buffer_size=4M"});
}

TEST(MemoryBudget, GivesLessWhereManyThreadsLeaveLess) {
  const Settings one = Budgeted({"--memory=64M"});
  EXPECT_EQ(one.cache_size, std::to_string(16 << 20));
  EXPECT_EQ(one.write_buffer_size, std::to_string(4 << 20));
  const Settings many = Budgeted({"--memory=64M", "--threads=32", "--num=1M"});
  EXPECT_EQ(many.cache_size, std::to_string(4 << 20)) << "the least: a sixteenth";
  EXPECT_EQ(many.write_buffer_size, std::to_string(1 << 20));
  EXPECT_EQ(Budgeted({"--memory=1G", "--threads=32", "--num=1M"}).cache_size,
            std::to_string(256 << 20));
}

ProbeReply OfMemory(const std::string& fact, const Settings& settings) {
  ProbeReply engine;
  engine.engine = "leveldb";
  if (!fact.empty()) engine.description.facts = {{"memory", fact}};
  engine.options.settings = {{"cache_size", settings.cache_size},
                             {"write_buffer_size", settings.write_buffer_size}};
  return engine;
}

TEST(MemoryBudget, ThatAnEngineDoesNotLiveWithIsRefusedWithWhatWouldDo) {
  const std::vector<std::string> words = {"--threads=32", "--num=1M", "--benchmarks=readrandom"};
  const auto check = [&](const std::string& memory, const std::string& fact) {
    std::vector<std::string> all = words;
    all.push_back("--memory=" + memory);
    const Settings settings = Budgeted(all);
    return CheckMemoryLimit(OfMemory(fact, settings), settings, Phases(all));
  };
  EXPECT_TRUE(check("64M", "2M 100K (measured)").ok());
  EXPECT_TRUE(check("8M", "").ok()) << "an engine that says nothing";
  const std::string said = UsageErrorOf(check("24M", "2M 100K (measured)"));
  EXPECT_THAT(said, AllOf(HasSubstr("--memory=24M: leveldb would be killed"),
                          HasSubstr("32 threads"), HasSubstr("say --memory=")));
  const size_t at = said.find("say --memory=") + std::string("say --memory=").size();
  EXPECT_TRUE(check(said.substr(at, said.find(',', at) - at), "2M 100K (measured)").ok())
      << "what it says would do";
}

}  // namespace levelfield::memory_budget_test
