#include "plan/compat.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/messages.h"
#include "plan/plan_for_test.h"

namespace levelfield::compat_test {

StatusOr<std::vector<PlannedPhase>> Plan(std::vector<std::string> words) {
  words.emplace_back("--compat=exact");
  return PlanPhases(Must(ParseSettings(words)));
}

Role RoleOf(const std::string& dialect, const std::string& name, std::vector<std::string> words) {
  words.insert(words.end(), {"--dialect=" + dialect, "--benchmarks=" + name});
  const auto phases = Must(Plan(words));
  EXPECT_EQ(phases.size(), 1u) << "nothing is put before " << name;
  return phases.front().workload.roles.front();
}

std::string Refusal(const std::vector<std::string>& words) { return UsageErrorOf(Plan(words)); }

// All names of the programs' own sources.
const std::pair<const char*, const char*> kNames[] = {
    {"leveldb",
     "fillseq,fillbatch,fillrandom,overwrite,fillsync,fill100K,deleteseq,deleterandom,readseq,"
     "readreverse,readrandom,readrandomsmall,readmissing,readhot,seekrandom,seekordered,"
     "readwhilewriting,open,compact"},
    {"sqlite3",
     "fillseq,fillseqsync,fillseqbatch,fillrandom,fillrandsync,fillrandbatch,overwrite,"
     "overwritebatch,readrandom,readseq,fillrand100K,fillseq100K,readrand100K"},
    {"treedb",
     "fillseq,fillseqsync,fillrandsync,fillrandom,overwrite,readrandom,readseq,fillrand100K,"
     "fillseq100K,readseq100K,readrand100K"},
    {"lmdb",
     "fillrandsync,fillrandom,fillrandbatch,fillseqsync,fillseq,fillseqbatch,overwrite,"
     "overwritebatch,readrandom,readseq,readreverse,fillrand100K,fillseq100K,readseq100K,"
     "readrand100K,readwhilewriting"},
    {"berkeleydb",
     "fillrandsync,fillrandom,fillrandbatch,fillseqsync,fillseq,fillseqbatch,overwrite,"
     "overwritebatch,readrandom,readseq,readreverse,fillrand100K,fillseq100K,readseq100K,"
     "readrand100K,readwhilewriting"},
};

TEST(Exact, EveryBenchmarkOfTheOriginalsIsPlannedAtEverySize) {
  for (const auto& [dialect, names] : kNames) {
    for (const char* const num : {"1", "7", "999", "1500", "1000000", "2000000000"}) {
      const auto phases = Plan({std::string("--dialect=") + dialect,
                                std::string("--benchmarks=") + names, std::string("--num=") + num});
      ASSERT_TRUE(phases.ok()) << dialect << ": " << phases.status().message();
      for (const PlannedPhase& phase : *phases) {
        EXPECT_FALSE(phase.implicit);
        for (const Role& role : phase.workload.roles) {
          EXPECT_GE(role.range, 1u);
          EXPECT_TRUE(IsDrawn(role.order) == (role.source != DrawSource::kOwn))
              << dialect << " " << phase.workload.name;
        }
      }
    }
  }
}

TEST(Exact, CountsAreThoseOfEachProgram) {
  struct Row {
    const char* dialect;
    const char* name;
    uint64_t num;
    uint64_t operations;
    uint64_t range;
  };
  for (const Row& row : std::vector<Row>{
           {"leveldb", "fillbatch", 2500, 3000, 3000},  // Batches that have begun are filled.
           {"leveldb", "fillsync", 2500, 2, 2500},
           {"leveldb", "fillsync", 999, 0, 999},  // Nothing is done, and that is what it does.
           {"leveldb", "fill100K", 2500, 2, 2500},
           {"leveldb", "readrandomsmall", 999, 0, 999},
           {"leveldb", "readhot", 2501, 2501, 26},
           {"leveldb", "readmissing", 2500, 2500, 2500},
           {"sqlite3", "fillrandbatch", 2500, 3000, 2500},
           {"sqlite3", "fillseqbatch", 2500, 3000, 3000},
           {"sqlite3", "fillrandsync", 2500, 25, 25},
           {"sqlite3", "fillrand100K", 2500, 2, 2},
           {"sqlite3", "readrand100K", 2500, 2, 2},
           {"treedb", "fillseqsync", 2500, 25, 2500},
           {"treedb", "readseq", 2500, Role::kToTheEnd, 2500},
           {"lmdb", "fillrandsync", 2500, 10, 2500},
           {"lmdb", "fillrandsync", 25'000, 25, 25'000},
           {"lmdb", "fillseqbatch", 2500, 2000, 2500},  // Only whole batches.
           {"lmdb", "fillrandbatch", 999, 0, 999},
           {"lmdb", "fillrand100K", 2500, 2, 2500},
           {"berkeleydb", "overwritebatch", 2500, 2000, 2500},
       }) {
    const Role role = RoleOf(row.dialect, row.name, {"--num=" + std::to_string(row.num)});
    EXPECT_EQ(role.operations, row.operations) << row.dialect << " " << row.name;
    EXPECT_EQ(role.range, row.range) << row.dialect << " " << row.name;
  }
  EXPECT_EQ(RoleOf("lmdb", "fillseqbatch", {"--num=100", "--batch=30"}).operations, 90u);
  // Flaw F7: the range of the keys is the number of reads.
  EXPECT_EQ(RoleOf("sqlite3", "readrandom", {"--num=1000", "--reads=10"}).range, 10u);
  EXPECT_EQ(RoleOf("leveldb", "readrandom", {"--num=1000", "--reads=10"}).range, 1000u);
  EXPECT_TRUE(RoleOf("leveldb", "fillseq", {"--threads=4"}).repeat);
}

TEST(Exact, WhatAnOriginalCannotDoIsRefused) {
  EXPECT_THAT(Refusal({"--value_size=1048577", "--benchmarks=fillseq"}),
              HasSubstr("reads past its end"));
  EXPECT_TRUE(Plan({"--value_size=1048576", "--benchmarks=fillseq"}).ok());
  EXPECT_THAT(Refusal({"--key_size=20"}), HasSubstr("16 digits"));
  EXPECT_THAT(Refusal({"--key_size_max=20"}), HasSubstr("one size"));
  EXPECT_THAT(Refusal({"--duration=1"}), HasSubstr("--duration"));
  EXPECT_THAT(Refusal({"--finish_after_writes"}), HasSubstr("--finish_after_writes"));
  EXPECT_THAT(Refusal({"--reads_per_second=1"}), HasSubstr("--reads_per_second"));
  EXPECT_THAT(Refusal({"--write_bytes_per_second=1"}), HasSubstr("--write_bytes_per_second"));
  EXPECT_THAT(Refusal({"--num=2147483648"}), HasSubstr("32 bits"));
  EXPECT_THAT(Refusal({"--dialect=sqlite3", "--threads=2", "--benchmarks=fillseq"}),
              HasSubstr("one thread"));
  EXPECT_THAT(Refusal({"--dialect=lmdb", "--num=10000000000", "--benchmarks=fillseq"}),
              HasSubstr("4 bytes"));
  EXPECT_THAT(Refusal({"--benchmarks=fillseqbatch"}), HasSubstr("there are: fillseq, fillbatch,"))
      << "the benchmarks, and no word of the comment above them";
  EXPECT_THAT(Refusal({"--benchmarks=fillrandmo"}), HasSubstr("did you mean 'fillrandom'?"));
  EXPECT_THAT(Refusal({"--dialect=sqlite3", "--benchmarks=readreverse"}), HasSubstr("readseq"));
}

TEST(Exact, SurvivesTheWayToTheWorker) {
  const Settings settings = Must(ParseSettings(
      {"--compat=exact", "--dialect=lmdb", "--benchmarks=fillseqbatch", "--batch=7"}));
  const auto phases = Must(PlanPhases(settings));
  const WorkerSpec sent{.engine = "lmdb",
                        .engine_settings = {},
                        .settings = settings,
                        .phases = phases,
                        .directory = "/d"};
  const auto spec = Must(WorkerSpecFromText(ToText(sent)));
  EXPECT_TRUE(IsExact(spec.settings));
  EXPECT_EQ(spec.settings.dialect, "lmdb");
  EXPECT_EQ(spec.phases.at(0).workload.roles.at(0).operations, 999'999u);
}

}  // namespace levelfield::compat_test
