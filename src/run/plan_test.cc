#include "run/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Settings With(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return *settings;
}

// The names of the phases, in brackets where nobody asked for them.
std::vector<std::string> Phases(const std::string& benchmarks) {
  const StatusOr<std::vector<PlannedPhase>> phases =
      PlanPhases(With({"--benchmarks=" + benchmarks}));
  EXPECT_TRUE(phases.ok()) << phases.status().message();
  std::vector<std::string> names;
  if (!phases.ok()) return names;
  for (const PlannedPhase& phase : *phases) {
    names.push_back(phase.implicit ? "(" + phase.workload.name + ")" : phase.workload.name);
  }
  return names;
}

Status RefusedPhases(const std::string& benchmarks) {
  const StatusOr<std::vector<PlannedPhase>> phases =
      PlanPhases(With({"--benchmarks=" + benchmarks}));
  EXPECT_FALSE(phases.ok());
  EXPECT_EQ(phases.status().kind(), ErrorKind::kUsage);
  return phases.status();
}

TEST(Plan, AStoreIsLoadedBeforeTheFirstWorkloadThatNeedsIt) {
  EXPECT_THAT(Phases("readrandom"), ElementsAre("(fillrandom)", "readrandom"));
  EXPECT_THAT(Phases("readrandom,readseq"), ElementsAre("(fillrandom)", "readrandom", "readseq"));
  EXPECT_THAT(Phases("fillseq,readrandom"), ElementsAre("fillseq", "readrandom"));
  EXPECT_THAT(Phases("overwrite"), ElementsAre("(fillrandom)", "overwrite"));
  EXPECT_THAT(Phases("readseq,fillseq,readseq"),
              ElementsAre("(fillrandom)", "readseq", "fillseq", "readseq"));
}

TEST(Plan, TheDefaultListNeedsNothingThatItDoesNotLoadItself) {
  const StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(Settings());
  ASSERT_TRUE(phases.ok()) << phases.status().message();
  EXPECT_EQ(phases->size(), 18u);
  for (const PlannedPhase& phase : *phases) EXPECT_FALSE(phase.implicit) << phase.workload.name;
}

TEST(Plan, AWorkloadsOwnDurabilityWinsOverTheRuns) {
  const StatusOr<std::vector<PlannedPhase>> phases =
      PlanPhases(With({"--benchmarks=fillseq,fillsync", "--durability=none"}));
  ASSERT_TRUE(phases.ok());
  EXPECT_EQ((*phases)[0].durability, "none");
  EXPECT_EQ((*phases)[1].durability, "synced");
}

TEST(Plan, ReadsAreAsManyAsKeysUnlessSaid) {
  EXPECT_EQ(VariablesOf(With({"--num=7"})).reads, 7u);
  EXPECT_EQ(VariablesOf(With({"--num=7", "--reads=3"})).reads, 3u);
}

TEST(Plan, AnUnknownWorkloadNamesTheNearest) {
  EXPECT_THAT(RefusedPhases("fillsec").message(),
              AllOf(HasSubstr("fillsec"), HasSubstr("did you mean 'fillseq'?")));
  EXPECT_THAT(RefusedPhases("fillseq,zzzzzzzzzz").message(), HasSubstr("levelfield workloads"));
  EXPECT_THAT(RefusedPhases(",,").message(), HasSubstr("--benchmarks"));
}

TEST(Plan, AWorkloadFileIsReadByItsPathAndItsMistakesAreNamedByLine) {
  const std::string path = ::testing::TempDir() + "/plan_test.workload";
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write(
      "summary = s\nfamily = f\nneeds = any store\n[r]\nop = get\nkeys = uniform\n"
      "stop = after $reads operations\n");
  EXPECT_THAT(Phases(path), ElementsAre(HasSubstr("plan_test")));
  write("summary = s\nfamily = f\n[r]\nopp = get\n");
  EXPECT_THAT(RefusedPhases(path).message(),
              AllOf(HasSubstr("line 4"), HasSubstr("did you mean 'op'?")));
  std::filesystem::remove(path);
  EXPECT_THAT(RefusedPhases(path).message(), HasSubstr("plan_test.workload"));
}

const std::vector<std::string> kFound = {"leveldb", "leveldb@system", "lmdb",   "memory",
                                         "null",    "rocksdb",        "sqlite3"};

std::vector<std::string> Engines(const std::string& engine) {
  const StatusOr<std::vector<std::string>> engines =
      PlanEngines(With({"--engine=" + engine}), kFound);
  EXPECT_TRUE(engines.ok()) << engines.status().message();
  return engines.ok() ? *engines : std::vector<std::string>();
}

std::string RefusedEngines(const std::string& engine) {
  const StatusOr<std::vector<std::string>> engines =
      PlanEngines(With({"--engine=" + engine}), kFound);
  EXPECT_FALSE(engines.ok());
  EXPECT_EQ(engines.status().kind(), ErrorKind::kUsage);
  return engines.status().message();
}

TEST(Plan, AllStandsForEveryEngineButTheVariantsOfOne) {
  EXPECT_THAT(Engines("all"),
              ElementsAre("leveldb", "lmdb", "memory", "null", "rocksdb", "sqlite3"));
  EXPECT_THAT(Engines("leveldb@system,all"), ElementsAre("leveldb@system", "leveldb", "lmdb",
                                                         "memory", "null", "rocksdb", "sqlite3"));
}

TEST(Plan, EnginesRunInTheOrderGivenAlsoByVersionAndPath) {
  EXPECT_THAT(Engines("rocksdb@9.10.0,rocksdb,rocksdb:/a/librocksdb.so"),
              ElementsAre("rocksdb@9.10.0", "rocksdb", "rocksdb:/a/librocksdb.so"));
}

TEST(Plan, AnUnknownEngineNamesTheNearest) {
  EXPECT_THAT(RefusedEngines("rocskdb"),
              AllOf(HasSubstr("rocskdb"), HasSubstr("did you mean 'rocksdb'?")));
  EXPECT_THAT(RefusedEngines("rocskdb@7.8"), HasSubstr("did you mean 'rocksdb'?"));
  EXPECT_THAT(RefusedEngines("zzzzzzzz"), HasSubstr("levelfield engines"));
  EXPECT_THAT(RefusedEngines(","), HasSubstr("--engine"));
  EXPECT_THAT(RefusedEngines("LMDB"), HasSubstr("a-z"));
}

TEST(Plan, AnEngineNamedTwiceIsRefused) {
  EXPECT_THAT(RefusedEngines("lmdb,lmdb"), HasSubstr("twice"));
  EXPECT_THAT(RefusedEngines("all,lmdb"), HasSubstr("twice"));
}

TEST(Plan, AWorkerIsToldEverythingThroughText) {
  WorkerSpec spec;
  spec.engine = "rocksdb@11.8.1";
  spec.engine_settings = {{"cache_size", "67108864"}, {"comment", "with \"quotes\"\nand lines"}};
  spec.settings = With({"--num=9007199254740993", "--seed=18446744073709551615",
                        "--compression_ratio=0.1", "--duration=0.333", "--histogram=0", "--keep",
                        "--db=/a b/c", "--benchmarks=fillseq,readwhilewriting", "--threads=3",
                        "--rocksdb.x=1=2", "--rocksdb.a=", "--lmdb.y=--z"});
  StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(spec.settings);
  ASSERT_TRUE(phases.ok());
  spec.phases = std::move(*phases);
  spec.phases[1].implicit = true;
  spec.phases[1].durability = "synced";
  spec.directory = "/tmp/with \"quotes\"";
  spec.salt = 0xffffffffffffffff;

  const StatusOr<WorkerSpec> back = WorkerSpecFromText(ToText(spec));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->engine, spec.engine);
  EXPECT_EQ(back->engine_settings, spec.engine_settings);
  EXPECT_EQ(back->settings.engine_options, spec.settings.engine_options);
  for (const Flag& flag : Flags()) {
    EXPECT_EQ(TextOf(flag, back->settings), TextOf(flag, spec.settings)) << flag.name;
  }
  ASSERT_EQ(back->phases.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back->phases[i].source.name, spec.phases[i].source.name);
    EXPECT_EQ(back->phases[i].source.text, spec.phases[i].source.text);
    EXPECT_EQ(back->phases[i].durability, spec.phases[i].durability);
    EXPECT_EQ(back->phases[i].implicit, spec.phases[i].implicit);
    ASSERT_EQ(back->phases[i].workload.roles.size(), spec.phases[i].workload.roles.size());
    EXPECT_EQ(back->phases[i].workload.roles[0].operations,
              spec.phases[i].workload.roles[0].operations);
  }
  EXPECT_EQ(back->directory, spec.directory);
  EXPECT_EQ(back->salt, spec.salt);
}

TEST(Plan, AWorkersTextThatIsBrokenIsAnErrorAndNoCrash) {
  WorkerSpec spec;
  spec.engine = "memory";
  const std::string text = ToText(spec);
  ASSERT_TRUE(WorkerSpecFromText(text).ok());
  for (size_t length = 0; length < text.size(); length += 7) {
    EXPECT_FALSE(WorkerSpecFromText(text.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(WorkerSpecFromText("{}").ok());
  EXPECT_FALSE(WorkerSpecFromText("[1]").ok());
}

}  // namespace
}  // namespace levelfield
