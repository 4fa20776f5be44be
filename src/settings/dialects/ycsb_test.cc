#include "settings/dialects/ycsb.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "workload/workload_file.h"

namespace levelfield::ycsb_dialect_test {

YcsbWords WordsOf(const std::vector<std::string>& words) { return Must(ReadYcsbWords(words)); }
std::string RefusalOf(const std::vector<std::string>& words) {
  return std::string(ReadYcsbWords(words).status().message());
}

TEST(YcsbWords, AreThoseOfItsLauncherAndOfYcsbCpp) {
  const YcsbWords words =
      WordsOf({"load", "rocksdb", "-P", "a", "-P", "b", "-p", "recordcount=5", "-threads", "4",
               "-target", "100", "-s", "-l", "mine", "--seed=3"});
  EXPECT_TRUE(words.loads);
  EXPECT_EQ(words.engine, "rocksdb");
  EXPECT_THAT(words.files, ElementsAre("a", "b"));
  EXPECT_THAT(words.properties,
              ElementsAre(Pair("label", "mine"), Pair("recordcount", "5"), Pair("status", "true"),
                          Pair("target", "100"), Pair("threadcount", "4")));
  EXPECT_THAT(words.ours, ElementsAre("--seed=3"));
  const YcsbWords others = WordsOf({"-run", "-db", "leveldb", "-P", "a", "-jvm-args", "-Xmx4g"});
  EXPECT_FALSE(others.loads);
  EXPECT_EQ(others.engine, "leveldb");
  EXPECT_THAT(others.notes, ElementsAre(HasSubstr("no Java")));
}

TEST(YcsbWords, ThatCannotBeHadAreAllNamed) {
  const std::string refusal = RefusalOf({"rocksdb", "lmdb", "-x", "-p", "novalue", "-P"});
  for (const char* const part :
       {"load or run?", "\"lmdb\"", "\"-x\"", "\"novalue\"", "-P: needs"}) {
    EXPECT_THAT(refusal, HasSubstr(part));
  }
  EXPECT_THAT(RefusalOf({"run", "-P", "a"}), HasSubstr("which engine?"));
}

TEST(Properties, AreReadAsJavaReadsThem) {
  EXPECT_THAT(
      ParseProperties("# a=1\n ! b=2\n\nrecordcount=1000  \r\n  target : 5\nlabel mine\n"
                      "list=1,\\\n   2\nname\\=x=\\u0041\\tz\nempty\n"),
      ElementsAre(Pair("empty", ""), Pair("label", "mine"), Pair("list", "1,2"),
                  Pair("name=x", "A\tz"), Pair("recordcount", "1000"), Pair("target", "5")));
}

Properties Core(Properties more = {}) {
  more.emplace("recordcount", "1000");
  more.emplace("operationcount", "1000");
  return more;
}

YcsbRequest RunOf(Properties more = {}, const std::string& engine = "leveldb") {
  return RequestOf(false, engine, Core(std::move(more)));
}

// The role of its workload.
Role RoleOf(const YcsbRequest& request, const std::string& text) {
  EXPECT_THAT(request.refusals, IsEmpty());
  return Must(ParseWorkload("ycsb", text, Settings())).roles.front();
}

TEST(YcsbProperties, HaveYcsbsDefaults) {
  const YcsbRequest request = RunOf();
  const Role role = RoleOf(request, request.run);
  EXPECT_EQ(role.ycsb.read, 0.95);
  EXPECT_EQ(role.ycsb.update, 0.05);
  EXPECT_TRUE(role.ycsb.updates_read);
  EXPECT_EQ(role.distribution.kind, KeyDistributionPlan::Kind::kUniform);
  EXPECT_EQ(role.ycsb.most_scan, 1000u);
  EXPECT_EQ(role.records, 1000u);
  EXPECT_EQ(role.operations, 1000u);
  EXPECT_TRUE(role.ends_by_count);
  EXPECT_EQ(role.order, KeyOrder::kShuffled);
  // Ten fields of 100 bytes, each with its name of six and four bytes before either.
  EXPECT_EQ(role.value_size.most(), 1140u);
  // "user" and the digits of a hash.
  EXPECT_THAT(request.words, Contains("--key_prefix=4"));
  EXPECT_THAT(request.words, Contains("--key_size=19"));
  EXPECT_THAT(request.output.percentiles, ElementsAre(50, 95, 99));
}

// Load and run know nothing of each other, and have to agree on the key of each record.
TEST(YcsbProperties, GiveLoadAndRunTheSameKeys) {
  for (const char* const records : {"1", "1000", "5000000"}) {
    const Properties given = {{"recordcount", records}, {"threadcount", "2"}};
    const YcsbRequest load = RequestOf(true, "leveldb", given);
    const YcsbRequest run =
        RequestOf(false, "leveldb",
                  {{"recordcount", records}, {"operationcount", "10"}, {"insertproportion", "1"}});
    const Role loads = RoleOf(load, load.load);
    const Role runs = RoleOf(run, run.run);
    EXPECT_EQ(loads.range, runs.range);
    EXPECT_EQ(loads.records, runs.records);
    EXPECT_EQ(loads.order, runs.order);
    EXPECT_EQ(loads.operations, loads.records);
  }
}

TEST(YcsbProperties, AreHonoured) {
  const YcsbRequest request = RunOf({{"readproportion", "1"},
                                     {"updateproportion", "1"},
                                     {"scanproportion", "2"},
                                     {"requestdistribution", "hotspot"},
                                     {"hotspotdatafraction", "0.1"},
                                     {"hotspotopnfraction", "0.9"},
                                     {"insertorder", "ordered"},
                                     {"zeropadding", "12"},
                                     {"writeallfields", "true"},
                                     {"fieldcount", "1"},
                                     {"fieldlength", "50"},
                                     {"fieldnameprefix", "f"},
                                     {"minscanlength", "5"},
                                     {"maxscanlength", "9"},
                                     {"scanlengthdistribution", "zipfian"},
                                     {"target", "500"},
                                     {"maxexecutiontime", "7"},
                                     {"measurementtype", "timeseries"},
                                     {"timeseries.granularity", "2000"},
                                     {"leveldb.dbname", "/tmp/there"},
                                     {"leveldb.block_size", "8192"}});
  const Role role = RoleOf(request, request.run);
  EXPECT_EQ(role.ycsb.read, 0.25);
  EXPECT_EQ(role.ycsb.scan, 0.5);
  EXPECT_FALSE(role.ycsb.updates_read);
  EXPECT_EQ(role.distribution.hot_keys, 0.1);
  EXPECT_EQ(role.distribution.hot_requests, 0.9);
  EXPECT_EQ(role.order, KeyOrder::kSequential);
  EXPECT_EQ(role.value_size.most(), 60u);
  EXPECT_EQ(role.ycsb.least_scan, 5u);
  EXPECT_EQ(role.ycsb.most_scan, 9u);
  EXPECT_TRUE(role.ycsb.has_short_scans);
  EXPECT_EQ(role.rate, 500u);
  for (const char* const word :
       {"--key_size=12", "--duration=7", "--interval_seconds=2", "--leveldb.block_size=8192"}) {
    EXPECT_THAT(request.words, Contains(word));
  }
  EXPECT_EQ(request.place, "/tmp/there");
  EXPECT_THAT(request.notes, IsEmpty());
}

TEST(YcsbProperties, GoThroughTheRecordsInTurn) {
  const YcsbRequest request = RunOf({{"requestdistribution", "sequential"}});
  EXPECT_EQ(RoleOf(request, request.run).distribution.kind, KeyDistributionPlan::Kind::kSequential);
}

TEST(YcsbProperties, HaveRecordsOfVaryingLength) {
  const YcsbRequest request =
      RunOf({{"fieldlengthdistribution", "uniform"}, {"fieldlength", "100"}, {"fieldcount", "1"}});
  const ValueSizes sizes = RoleOf(request, request.run).value_size;
  EXPECT_EQ(sizes.least(), 16u);  // Less could not be checked.
  EXPECT_EQ(sizes.most(), 14u + 100);
  const YcsbRequest ten = RunOf({{"fieldlengthdistribution", "uniform"}});
  EXPECT_NEAR(RoleOf(ten, ten.run).value_size.Mean(), 140 + 10 * 50.5, 0.5);
}

TEST(YcsbProperties, ThatCannotBeHadAreAllNamedWithTheirReasons) {
  const YcsbRequest request = RunOf({{"requestdistribution", "pareto"},
                                     {"insertstart", "5"},
                                     {"measurementtype", "raw"},
                                     {"fieldlengthdistribution", "zipfian"},
                                     {"workload", "site.ycsb.workloads.TimeSeriesWorkload"},
                                     {"exponential.percentile", "90"},
                                     {"threadcount", "none"},
                                     {"operationcount", "-3"}});
  const std::string all = testing::PrintToString(request.refusals);
  for (const char* const part :
       {"requestdistribution=pareto", "insertstart=5", "measurementtype=raw",
        "fieldlengthdistribution=zipfian", "workload=site.ycsb.workloads.TimeSeriesWorkload",
        "exponential.percentile=90", "threadcount=none", "operationcount=-3"}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
  EXPECT_THAT(RequestOf(false, "lmdb", {{"operationcount", "5"}}).refusals,
              Contains(HasSubstr("recordcount=: is not given")));
  EXPECT_THAT(RequestOf(false, "lmdb", {{"recordcount", "5"}}).refusals,
              Contains(HasSubstr("would never end")));
  EXPECT_THAT(RunOf({{"insertproportion", "1"}, {"operationcount", "10000000"}}).refusals,
              Contains(HasSubstr("have room behind")));
}

TEST(YcsbProperties, ThatChangeNothingAreNotedUnlessTheyAreAtTheirDefault) {
  EXPECT_THAT(RunOf({{"readallfields", "true"}, {"table", "usertable"}}).notes, SizeIs(1));
  const std::string notes = testing::PrintToString(
      RunOf({{"readallfields", "false"}, {"mongodb.url", "x"}, {"recordcuont", "7"}}).notes);
  for (const char* const part : {"readallfields=false", "mongodb.url=x", "recordcuont=7"}) {
    EXPECT_THAT(notes, HasSubstr(part));
  }
  EXPECT_THAT(notes, HasSubstr("did you mean 'recordcount'"));
}

// Where each operation is due by a schedule, its latency from then on can be told.
TEST(YcsbProperties, AskForAnOpenLoopWhereLatenciesAreIntendedOnes) {
  const YcsbRequest request = RunOf({{"target", "500"}, {"measurement.interval", "both"}});
  EXPECT_EQ(RoleOf(request, request.run).rate, 0u);
  EXPECT_THAT(request.words, Contains("--rate=500"));
  EXPECT_THAT(request.words, Contains("--arrival=constant"));
}

TEST(YcsbBindings, HaveOurNames) {
  EXPECT_EQ(EngineOfBinding("sqlite"), "sqlite3");
  EXPECT_EQ(EngineOfBinding("rocksdb"), "rocksdb");
  EXPECT_EQ(RunOf({{"sqlite.dbpath", "/tmp/x"}}, "sqlite3").place, "/tmp/x");
}

}  // namespace levelfield::ycsb_dialect_test
