// One invocation, several ways of setting things: each runs for itself and is compared with the
// first.

#include <map>

#include "analysis/result_files.h"
#include "analysis/variants.h"
#include "end_to_end.h"
#include "result/setting_of.h"

namespace levelfield {
namespace {

class Varied : public EndToEnd {
 protected:
  Ending RunSmall(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--num=300", "--price=0", "--audit=0"});
    return Run(words);
  }
};

TEST_F(Varied, RunsEveryCombinationOnEveryEngineOnceARound) {
  const Ending ending =
      RunSmall({"--engine=leveldb,lmdb", "--benchmarks=fillseq,readrandom",
                "--vary=value_size=100,1000", "--vary=threads=1,2", "--repeat=2"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  std::map<std::string, int> times;
  for (const RunResult& run : result.runs) ++times[RunName(run.engine, run.variant)];
  EXPECT_EQ(times.size(), 8u);
  for (const auto& [name, count] : times) EXPECT_EQ(count, 2) << name;
  // Each did what its settings say.
  for (const Result& part : VariantsOf(result)) {
    for (const RunResult& run : part.runs) {
      const RoleResult& readers = run.phases.back().roles.front();
      EXPECT_EQ(std::to_string(readers.threads), SettingOf(part, "threads"));
      const LaneResult& gets = readers.lanes.front();
      EXPECT_EQ(gets.bytes / gets.hits, 16 + std::stoul(SettingOf(part, "value_size")));
    }
  }
  EXPECT_THAT(ending.out, HasSubstr("readrandom, ops/s"));
  EXPECT_THAT(ending.out, HasSubstr("value_size=1000 threads=2"));
  EXPECT_THAT(ending.out, HasSubstr("leveldb value_size=1000 threads=1 against leveldb "
                                    "value_size=100 threads=1"));
  EXPECT_THAT(ending.out, HasSubstr("indicative"));
}

TEST_F(Varied, ReportsAreOfEachVariantWithItsOwnSettings) {
  ASSERT_EQ(RunSmall({"--engine=leveldb", "--benchmarks=fillseq", "--vary=value_size=100,1000"})
                .exit_code,
            0);
  const Ending table = Run({"report", ResultPath()});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("== value_size=100 =="));
  EXPECT_THAT(table.out, HasSubstr("== value_size=1000 =="));
  const Ending csv = Run({"report", "--format=csv", ResultPath()});
  EXPECT_THAT(csv.out, HasSubstr(",value_size=1000,"));
  const Ending json = Run({"report", "--format=google_benchmark", ResultPath()});
  EXPECT_THAT(json.out, HasSubstr("leveldb/fillseq/num:300/value_size:1000"));
  const Ending comparison = Run({"compare", ResultPath()});
  EXPECT_THAT(comparison.out, HasSubstr("leveldb value_size=1000 against leveldb value_size=100"));
}

TEST_F(Varied, AnEnginesOwnOptionIsNothingToTheOthers) {
  const Ending ending = RunSmall(
      {"--engine=leveldb,rocksdb", "--benchmarks=fillseq", "--vary=rocksdb.block_size=4K,16K"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  std::map<std::string, int> times;
  for (const RunResult& run : ReadResult().runs) ++times[run.engine];
  EXPECT_EQ(times["leveldb"], 1);
  EXPECT_EQ(times["rocksdb"], 2);
}

TEST_F(Varied, WhatIsNothingToAnEngineIsMarked) {
  const Ending ending =
      RunSmall({"--engine=leveldb,lmdb", "--benchmarks=fillseq", "--vary=write_buffer_size=1M,4M"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("[1] lmdb: write_buffer_size does not apply"));
  EXPECT_THAT(ending.out, Not(HasSubstr("leveldb: write_buffer_size")));
}

TEST_F(Varied, WhatOneEngineCannotDoIsARowWithItsReason) {
  const Ending ending =
      RunSmall({"--engine=leveldb,rocksdb", "--benchmarks=fillseq", "--vary=compression=none,lz4"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("unsupported [1]"));
  EXPECT_THAT(ending.out, HasSubstr("[1] leveldb compression=lz4: "));
}

TEST_F(Varied, FailsWhereOneOfThemFailsAndGoesOnWithTheOthers) {
  const Ending ending = RunSmall({"--engine=misbehaving@flip_bit",
                                  "--benchmarks=fillseq,readrandom", "--vary=value_size=100,200"});
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_EQ(ReadResult().runs.size(), 2u);
  EXPECT_THAT(ending.out, HasSubstr("wrong [1]"));
}

TEST_F(Varied, IsRefusedWhereThereWouldBeNothingToCompare) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--engine=lmdb", "--vary=results=a,b"},
           {"--engine=lmdb", "--vary=num=1,many"},
           {"--engine=lmdb", "--vary=value_size=1,2", "--keep"},
           {"--engine=leveldb", "--vary=value_size=1,2", "--against=lmdb"}}) {
    const Ending ending = RunSmall(words);
    EXPECT_EQ(ending.exit_code, 2) << words.back();
    EXPECT_FALSE(fs::exists(path() + "/results")) << words.back();
  }
}

TEST_F(Varied, PlanShowsEachOfThem) {
  const Ending ending =
      Run({"plan", "--engine=lmdb", "--benchmarks=fillseq", "--vary=value_size=100,1000"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("[1] value_size=100"));
  EXPECT_THAT(ending.out, HasSubstr("[2] value_size=1000"));
}

TEST_F(Varied, DiagnoseTriesWhatItAdvises) {
  const Ending ran = Run({"run", "--engine=leveldb", "--benchmarks=fillrandom,readmissing",
                          "--num=2000", "--bloom_bits=0", "--price=0", "--audit=0"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ending tried =
      Run({"diagnose", ResultPath(), "--try", "--repeat=2", "--results=" + path() + "/tried"});
  ASSERT_EQ(tried.exit_code, 0) << tried.err;
  EXPECT_THAT(tried.out, HasSubstr("there is no Bloom filter"));
  EXPECT_THAT(tried.out, HasSubstr("leveldb, readmissing: --bloom_bits=10 instead of 0: "
                                   "not resolved: too few rounds"));
  const auto result = ReadResultDirectory(fs::directory_iterator(path() + "/tried")->path());
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->runs.size(), 4u);
}

TEST_F(Varied, DiagnoseTriesNothingWhereNothingIsAdvised) {
  ASSERT_EQ(RunSmall({"--engine=lmdb", "--benchmarks=fillseq"}).exit_code, 0);
  const Ending tried = Run({"diagnose", ResultPath(), "--try"});
  EXPECT_EQ(tried.exit_code, 0) << tried.err;
  EXPECT_THAT(tried.out, HasSubstr("Nothing to try"));
}

}  // namespace
}  // namespace levelfield
