#include "settings/suite.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/text.h"
#include "settings/settings.h"

namespace levelfield::suite_test {

constexpr std::string_view kText = R"(
summary = a test
source  = nowhere
engine  = rocksdb
[variables]
KEYS  = 100 | keys
DICT  = 0   | bytes
STYLE = one | a group
[refused]
SHARDS = -1 6 | the engine chooses
[flags]
num = $KEYS
compression = snappy
other.compression = none
rocksdb.dict ?= {bytes=$DICT}
also = $STYLE
[group one]
rocksdb.style = first
[group two]
rocksdb.style = second
[job fill]
summary = fills
store = new
workloads = fillseq stats
test = fill.v${KEYS}
threads = 1
[job read]
store = existing
workloads = stats readrandom
row = readrandom
test = read.t$threads
threads = 4
[job many]
store = new
workloads = fillseq
test = many.$KEYS
each KEYS = 1 2
[job alone]
store = new
workloads = fillseq
left_out = sweep
only = rocksdb | it is its own
[job small]
set KEYS = 7
[job rounds]
store = fresh
workloads = fillseq readseq
row = each
[preset quick]
KEYS = 5
[preset full]
)";

Suite Parsed(std::string_view text = kText) { return Must(ParseSuite("test", text)); }
std::vector<JobRun> Runs(const std::string& jobs, const SuiteVariables& values = {},
                         const std::vector<std::string>& words = {}) {
  return Must(PlanJobs(Parsed(), jobs, values, words));
}

TEST(Suite, AJobIsWordsOfTheCommandLine) {
  const std::vector<JobRun> runs = Runs("fill");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(runs[0].words,
              ElementsAre("--benchmarks=fillseq,stats", "--engine=rocksdb", "--name=fill",
                          "--keep=1", "--use_existing_db=0", "--rocksdb.style=first", "--num=100",
                          "--compression=snappy", "--threads=1"));
  EXPECT_EQ(runs[0].row, "fillseq");
  EXPECT_EQ(runs[0].test, "fill.v100");
}

TEST(Suite, ValuesOfVariablesAndGivenFlagsWin) {
  const JobRun run = Runs("read", {{"STYLE", "two"}, {"DICT", "9"}}, {"--threads=2"}).at(0);
  EXPECT_THAT(run.words, Contains("--rocksdb.style=second"));
  EXPECT_THAT(run.words, Contains("--rocksdb.dict={bytes=9}"));
  EXPECT_THAT(run.words, Contains("--threads=2"));
  EXPECT_THAT(run.words, Not(Contains("--threads=4")));
  EXPECT_THAT(run.words, Contains("--use_existing_db=1"));
  EXPECT_EQ(run.test, "read.t2");
  EXPECT_EQ(run.row, "readrandom");
}

TEST(Suite, OptionsOfItsEngineReachNoOther) {
  const JobRun run = Runs("fill", {}, {"--engine=leveldb,lmdb"}).at(0);
  for (const std::string& word : run.words) EXPECT_THAT(word, Not(StartsWith("--rocksdb.")));
  EXPECT_THAT(run.words, Contains("--compression=none"));
  const JobRun both = Runs("fill", {}, {"--engine", "rocksdb@system,lmdb"}).at(0);
  EXPECT_THAT(both.words, Contains("--rocksdb.style=first"));
  EXPECT_THAT(both.words, Contains("--compression=none"));
}

TEST(Suite, AJobOfItsEngineAloneIsWithoutTheOthers) {
  const auto with = [](const std::vector<std::string>& words) {
    return Runs("alone", {}, words).at(0);
  };
  EXPECT_THAT(with({}).without, IsEmpty());
  EXPECT_TRUE(with({}).has_engines);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--engine=leveldb,rocksdb@1", "--seed=2"},
        std::vector<std::string>{"--engine", "rocksdb@1,leveldb", "--seed=2"}}) {
    const JobRun both = with(words);
    EXPECT_THAT(both.without, ElementsAre("leveldb"));
    EXPECT_EQ(both.without_why, "it is its own");
    EXPECT_TRUE(both.has_engines);
    EXPECT_THAT(both.words, Contains("--engine=rocksdb@1"));
    EXPECT_THAT(both.words, Contains("--seed=2"));
    EXPECT_THAT(both.words, Contains("--compression=snappy")) << "nobody else is there";
  }
  const JobRun all = with({"--engine=all"});
  EXPECT_THAT(all.without, ElementsAre("all others"));
  EXPECT_THAT(all.words, Contains("--engine=rocksdb"));
  const JobRun others = with({"--engine=leveldb,lmdb"});
  EXPECT_THAT(others.without, ElementsAre("leveldb", "lmdb"));
  EXPECT_FALSE(others.has_engines);
}

TEST(Suite, SaysWhatOfTheOriginalAJobLeavesOut) {
  EXPECT_THAT(Runs("alone").at(0).left_out, ElementsAre("sweep"));
  EXPECT_THAT(Runs("fill").at(0).left_out, IsEmpty());
  EXPECT_THAT(SuiteText(Parsed()), HasSubstr("without the original's sweep"));
  EXPECT_THAT(SuiteText(Parsed()), HasSubstr("rocksdb only: it is its own"));
}

TEST(Suite, AFreshStoreIsOfTheJobAloneAndCanHaveRounds) {
  const JobRun run = Runs("rounds").at(0);
  EXPECT_FALSE(run.is_kept);
  EXPECT_TRUE(Runs("fill").at(0).is_kept);
  for (const std::string& word : run.words) {
    EXPECT_THAT(word, Not(StartsWith("--keep")));
    EXPECT_THAT(word, Not(StartsWith("--use_existing_db")));
  }
  EXPECT_EQ(run.row, "") << "each of them has a row";
  EXPECT_EQ(run.test, "rounds");
}

TEST(Suite, APresetIsOtherValuesOfVariables) {
  const SuiteVariables quick = Must(PresetOf(Parsed(), "quick"));
  EXPECT_THAT(Runs("rounds", quick).at(0).words, Contains("--num=5"));
  EXPECT_THAT(*PresetOf(Parsed(), "full"), IsEmpty());
  EXPECT_EQ(PresetOf(Parsed(), "fast").status().message(), "--preset=fast: test has full, quick");
  EXPECT_EQ(JobsOf(Parsed()), "fill,read,many,alone,small,rounds");
}

TEST(Suite, OptionsOfEachEngineReachThatOneAlone) {
  const Suite suite = Must(ParseSuite(
      "two",
      "engine = leveldb,lmdb\n[flags]\nleveldb.max_file_size = 1M\nlmdb.map_size = 1G\n"
      "[job a]\nstore = fresh\nworkloads = fillseq\n"
      "[job b]\nstore = fresh\nworkloads = fillseq\nonly = lmdb | it has keys of its own\n"));
  const auto words = [&](const std::string& job, const std::vector<std::string>& given) {
    return PlanJobs(suite, job, {}, given).operator*().at(0).words;
  };
  EXPECT_THAT(words("a", {}), Contains("--engine=leveldb,lmdb"));
  EXPECT_THAT(words("a", {}), Contains("--lmdb.map_size=1G"));
  EXPECT_THAT(words("a", {"--engine=leveldb"}), Not(Contains("--lmdb.map_size=1G")));
  EXPECT_THAT(words("a", {"--engine=leveldb"}), Contains("--leveldb.max_file_size=1M"));
  EXPECT_THAT(words("a", {"--engine=all"}), Contains("--lmdb.map_size=1G"));
  EXPECT_THAT(words("b", {}), Contains("--engine=lmdb"));
  EXPECT_THAT(words("b", {}), Not(Contains("--leveldb.max_file_size=1M")));
  const JobRun both = PlanJobs(suite, "b", {}, {"--engine=leveldb,lmdb"}).operator*().at(0);
  EXPECT_THAT(both.without, ElementsAre("leveldb"));
  EXPECT_THAT(both.words, Contains("--engine=lmdb"));
}

TEST(Suite, NamesNearAVariableAreMisspelt) {
  const auto misspelt = [](const std::vector<std::string>& names) {
    return MisspeltVariables(Parsed(), {"OUTPUT"}, names);
  };
  EXPECT_THAT(misspelt({"KEYS", "OUTPUT", "HOME", "SHELL", "SHARDS", "TERM"}), IsEmpty());
  EXPECT_THAT(misspelt({"KEY", "OUTPUTS", "SHARD", "STLYE", "keys"}),
              ElementsAre(Pair("KEY", "KEYS"), Pair("OUTPUTS", "OUTPUT"), Pair("SHARD", "SHARDS"),
                          Pair("STLYE", "STYLE"), Pair("keys", "KEYS")));
}

TEST(Suite, JobsRunInTheirOrderAndSetWhatIsBehindThem) {
  const std::vector<JobRun> runs = Runs("fill,small,many,fill");
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_THAT(runs[0].words, Contains("--num=100"));
  EXPECT_THAT(runs[1].words, Contains("--num=1"));
  EXPECT_EQ(runs[2].test, "many.2");
  EXPECT_THAT(runs[3].words, Contains("--num=7"));
}

void ExpectRefused(const StatusOr<std::vector<JobRun>>& runs, const std::string& why) {
  EXPECT_EQ(runs.status().kind(), ErrorKind::kUsage) << why;
  EXPECT_THAT(runs.status().message(), HasSubstr(why));
}

TEST(Suite, MistakesSayWhatThereIs) {
  ExpectRefused(PlanJobs(Parsed(), "fil", {}, {}), "did you mean 'fill'?");
  ExpectRefused(PlanJobs(Parsed(), "", {}, {}), "which job?");
  ExpectRefused(PlanJobs(Parsed(), "fill", {{"STYLE", "three"}}, {}), "STYLE=three");
  EXPECT_THAT(FindSuite("rocksdb_flush").status().message(), HasSubstr("'rocksdb_flash'"));
}

TEST(Suite, ErrorsOfATextNameTheirLine) {
  const auto error = [](std::string_view text) { return ErrorOf(ParseSuite("x", text)); };
  EXPECT_THAT(error("summary = a\nnonsense\n"), HasSubstr("x.suite, line 2"));
  EXPECT_THAT(error("[jobs]\n"), HasSubstr("line 1"));
  EXPECT_THAT(error("[variables]\nA = 1\n"), HasSubstr("| what it is"));
  EXPECT_THAT(error("[job a]\nstore = old\n"), HasSubstr("new or existing"));
  EXPECT_THAT(error("[preset p]\nB = 1\n"), HasSubstr("B is no variable"));
  EXPECT_THAT(error("engine = a,b\n[job a]\nworkloads = w\nonly = c | d\n"),
              HasSubstr("an engine of the suite"));
  EXPECT_THAT(error("[job a]\nworkloads = b\nrow = c\n"), HasSubstr("none of its workloads"));
  EXPECT_THAT(error("[job a]\nworkloads = b\n[job a]\n"), HasSubstr("line 3"));
  EXPECT_THAT(error("[job a]\nset B = 1\n"), HasSubstr("B is no variable"));
  EXPECT_THAT(error("[job a]\nsummary = s\n"), HasSubstr("no workloads"));
}

constexpr std::string_view kScriptsJobs =
    "bulkload fillseq_disable_wal fillseq_enable_wal filluniquerandom overwrite overwritesome "
    "overwriteandwait updaterandom mergerandom readrandom multireadrandom fwdrange revrange "
    "readwhilewriting readwhilemerging fwdrangewhilewriting revrangewhilewriting "
    "fwdrangewhilemerging revrangewhilemerging randomtransaction waitforcompaction "
    "flush_mt_l0 universal_compaction debug";

Suite Flash() { return Must(FindSuite("rocksdb_flash")); }

TEST(RocksDbFlash, HasTheJobsOfTheScript) {
  std::vector<std::string> names;
  for (const SuiteJob& job : Flash().jobs) names.push_back(job.name);
  EXPECT_THAT(names, UnorderedElementsAreArray(Split(kScriptsJobs, ' ')));
}

TEST(RocksDbFlash, EveryJobIsWordsThatTheCommandLineTakes) {
  const Suite suite = Flash();
  for (const SuiteJob& job : suite.jobs) {
    if (job.workloads.empty()) continue;
    const auto runs = PlanJobs(suite, job.name, {}, {"--db=/x"});
    ASSERT_TRUE(runs.ok()) << job.name << runs.status().message();
    for (const JobRun& run : *runs) {
      const StatusOr<Settings> settings = ParseSettings(run.words);
      ASSERT_TRUE(settings.ok()) << job.name << ": " << settings.status().message();
      EXPECT_EQ(settings->engine, "rocksdb") << job.name;
      EXPECT_EQ(settings->num, 8'000'000'000u) << job.name;
      EXPECT_EQ(settings->key_size, 20u) << job.name;
      EXPECT_EQ(settings->use_existing_db, job.store == SuiteStore::kExisting) << job.name;
    }
  }
}

TEST(RocksDbFlash, WritesToAnExistingStoreAreSyncedAsTheScriptDoes) {
  const auto run = [&](const SuiteVariables& values) {
    return PlanJobs(Flash(), "overwrite", values, {}).operator*().at(0);
  };
  EXPECT_THAT(run({}).words, Contains("--durability=synced"));
  EXPECT_EQ(run({}).test, "overwrite.t64.s1");
  EXPECT_THAT(run({{"DB_BENCH_NO_SYNC", "1"}}).words, Contains("--durability=process"));
  EXPECT_EQ(run({{"DB_BENCH_NO_SYNC", "1"}, {"NUM_THREADS", "1"}}).test, "overwrite.t1.s0");
}

TEST(RocksDbFlash, BytesOfTheWriterBecomeWrites) {
  const auto runs = Must(PlanJobs(Flash(), "readwhilewriting", {{"MB_WRITE_PER_SEC", "2"}}, {}));
  EXPECT_THAT(runs.at(0).words, Contains("--writes_per_second=4993"));  // 2^21 / 420.
  ExpectRefused(PlanJobs(Flash(), "readwhilewriting", {{"MB_WRITE_PER_SEC", "x"}}, {}),
                "MB_WRITE_PER_SEC=x");
}

const std::string* Known(const std::string& name) {
  static const std::string value = "7";
  return name == "KEYS" ? &value : nullptr;
}

TEST(SuiteVariables, StandInTextsWithBracesOrWithout) {
  EXPECT_EQ(*Expanded("a=$KEYS,b=${KEYS}k", Known), "a=7,b=7k");
}

TEST(SuiteVariables, ThatAreNotKnownAreMistakes) {
  for (const char* text : {"$KEYSk", "${KEYS", "$", "${}"}) {
    EXPECT_FALSE(Expanded(text, Known).ok()) << text;
  }
}

TEST(SuiteVariables, AreZeroAlsoWhereTheyAreEmpty) {
  const SuiteVariables variables = {{"NONE", ""}, {"ZERO", "0"}, {"ONE", "1"}};
  EXPECT_TRUE(HasZero("$ONE$ZERO", variables));
  EXPECT_TRUE(HasZero("$NONE", variables));
  EXPECT_FALSE(HasZero("0 $ONE", variables));
}

TEST(SuiteVariables, BytesASecondBecomeWritesAndOneAtLeast) {
  SuiteVariables variables = {
      {"MB_WRITE_PER_SEC", "2"}, {"KEY_SIZE", "24"}, {"VALUE_SIZE", "1000"}};
  ASSERT_TRUE(Derive(variables).ok());
  EXPECT_EQ(variables["WRITES_PER_SECOND"], "2048");
  variables["VALUE_SIZE"] = "1g";
  ASSERT_TRUE(Derive(variables).ok());
  EXPECT_EQ(variables["WRITES_PER_SECOND"], "1");
}

}  // namespace levelfield::suite_test
