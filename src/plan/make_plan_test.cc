#include "plan/make_plan.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/facts_for_test.h"
#include "plan/plan_json.h"

namespace levelfield::make_plan_test {

constexpr uint64_t kGiB = uint64_t{1} << 30;
const std::string kStores = "--engine=lmdb,leveldb";

std::string RefusalOf(const std::vector<std::string>& words, Facts facts) {
  return UsageErrorOf(PlanOf(words, facts));
}

// The engines of the first variant and why they do not run; empty: they do.
std::vector<std::pair<std::string, std::string>> Rows(const Plan& plan) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const ProbeReply& engine : plan.first().engines) {
    rows.emplace_back(engine.engine, engine.status.message());
  }
  return rows;
}

TEST(MakePlan, NeedsNoMachine) {
  Facts facts = FourEngines();
  const Plan plan = Must(PlanOf({"--engine=lmdb,null", "--benchmarks=fillseq,readrandom"}, facts));
  EXPECT_THAT(Rows(plan), ElementsAre(Pair("lmdb", ""), Pair("null", "")));
  EXPECT_EQ(plan.first().phases.size(), 2u);
}

TEST(MakePlan, RunsTheNewestLibrariesOfAllFirstAndNamedOnesAsNamed) {
  Facts facts = FourEngines();
  facts.engines[0].description->facts.emplace_back("released", "2019");  // lmdb
  facts.engines[1].description->facts.emplace_back("released", "2021");  // leveldb
  const auto order = [&](const std::string& engines) {
    std::vector<std::string> names;
    for (const auto& [name, why] : Rows(Must(PlanOf({"--engine=" + engines}, facts)))) {
      names.push_back(name);
    }
    return names;
  };
  EXPECT_THAT(order("leveldb,lmdb"), ElementsAre("leveldb", "lmdb"));
  EXPECT_THAT(order("lmdb,leveldb"), ElementsAre("lmdb", "leveldb"));
  EXPECT_THAT(order("all"), ElementsAre("leveldb", "lmdb", "memory", "null"));
}

TEST(MakePlan, SaysWhichFactIsMissing) {
  const Settings settings = With({"--engine=lmdb", "--benchmarks=mine.workload"});
  EXPECT_THAT(ErrorOf(MakePlan(settings, Facts())),
              HasSubstr("the facts do not say the text of the workload mine.workload"));
  Facts facts;
  facts.workloads = {{.path = "mine.workload",
                      .name = "mine",
                      .text = "summary = s\nfamily = f\nneeds = any store\n[r]\nop = get\n"
                              "keys = uniform\nstop = after $reads operations\n"}};
  EXPECT_THAT(ErrorOf(MakePlan(settings, facts)), HasSubstr("which engines are installed"));
}

TEST(MakePlan, TakesAWorkloadThatIsInNoFile) {
  Facts facts = FourEngines();
  facts.workloads = {{.path = "mine.workload",
                      .name = "mine",
                      .text = "summary = s\nfamily = f\nneeds = any store\n[r]\nop = get\n"
                              "keys = uniform\nstop = after $reads operations\n"}};
  const Plan plan = Must(PlanOf({"--engine=lmdb", "--benchmarks=mine.workload"}, facts));
  EXPECT_EQ(plan.first().phases.at(0).workload.name, "mine");
}

TEST(MakePlan, RefusesWhatDoesNotFitIntoMemory) {
  Facts facts = FourEngines();
  facts.machine = {.memory_available_bytes = kGiB, .descriptor_limit = 1000};
  EXPECT_THAT(RefusalOf({kStores, "--value_size=512M", "--num=10"}, facts),
              AllOf(HasSubstr("not enough memory"), HasSubstr("1.00 GiB are available")));
  (void)Must(PlanOf({kStores, "--value_size=1M", "--num=10"}, facts));
}

TEST(MakePlan, RefusesWhatDoesNotFitOnTheDiskUnlessABaselineRuns) {
  Facts facts = FourEngines();
  facts.disks = {
      {.path = "/data", .free_bytes = 4 * kGiB, .total_bytes = 10 * kGiB, .free_files = 1'000'000}};
  const std::vector<std::string> words = {"--db=/data", "--value_size=1000", "--num=4M"};
  const auto with = [&](const std::string& word) {
    std::vector<std::string> all = words;
    all.push_back(word);
    return all;
  };
  EXPECT_THAT(RefusalOf(with(kStores), facts),
              AllOf(HasSubstr("not enough space at /data"), HasSubstr("of the 4.00 GiB free")));
  EXPECT_TRUE(PlanOf(with("--engine=lmdb,null"), facts).ok()) << "lmdb becomes a row with a reason";
  facts.disks[0].free_bytes = 9 * kGiB;
  EXPECT_TRUE(PlanOf(with(kStores), facts).ok());
  facts.disks[0].free_files = 100;
  EXPECT_THAT(RefusalOf(with(kStores), facts), HasSubstr("not enough inodes at /data"));
  facts.disks[0].found = Status::Usage("cannot tell the free space at /data: I/O");
  EXPECT_THAT(RefusalOf(with(kStores), facts), HasSubstr("cannot tell"));
}

TEST(MakePlan, SlicesNeedRoomForAllStoresAtOnce) {
  Facts facts = FourEngines();
  facts.disks = {
      {.path = "/data", .free_bytes = 6 * kGiB, .total_bytes = 10 * kGiB, .free_files = 1'000'000}};
  std::vector<std::string> words = {kStores, "--db=/data", "--value_size=1000", "--num=4M"};
  EXPECT_TRUE(PlanOf(words, facts).ok()) << "one after another they have room";
  words.emplace_back("--slices=on");
  EXPECT_THAT(RefusalOf(words, facts), HasSubstr("not enough space at /data"));
}

TEST(MakePlan, TwoBuildsTakeTurnsWhereBothHaveRoom) {
  Facts facts;
  facts.engines = {EngineOf("lmdb"), EngineOf("lmdb@next")};
  facts.plug_ins = {.names = {"lmdb", "lmdb@next"}};
  const auto slices = [&](Facts of) {
    const Plan plan = Must(PlanOf({"--engine=lmdb,lmdb@next", "--benchmarks=readrandom"}, of));
    return Must(WithFacts(of, [&](Known& known) { return PreferSlices(plan, known); }))
        .first()
        .settings.slices;
  };
  EXPECT_EQ(slices(facts), "on");
  facts.machine = {.memory_available_bytes = 40 << 20, .descriptor_limit = 1000};
  EXPECT_EQ(slices(facts), "auto");
}

TEST(MakePlan, AnEngineThatCannotDoItIsARowIfAnotherCan) {
  Facts facts;
  facts.engines = {EngineOf("lmdb", LF_INTEGER_KEYS), EngineOf("leveldb")};
  const Plan plan = Must(PlanOf({kStores, "--key_format=integer"}, facts));
  EXPECT_THAT(Rows(plan),
              ElementsAre(Pair("lmdb", ""), Pair("leveldb", HasSubstr("compares keys as bytes"))));
  EXPECT_THAT(RefusalOf({"--engine=leveldb", "--key_format=integer"}, facts),
              HasSubstr("compares keys as bytes"));
}

TEST(MakePlan, WhatAnEngineSaysOfItsSettingsIsAskedForEachOfThem) {
  Facts facts = FourEngines();
  facts.engines[1].description->durabilities[2].level = LF_REFUSED;
  facts.engines[1].description->durabilities[2].settings = "it never syncs";
  EXPECT_THAT(Rows(Must(PlanOf({kStores, "--durability=synced"}, facts))),
              ElementsAre(Pair("lmdb", ""), Pair("leveldb", HasSubstr("it never syncs"))));
  ASSERT_EQ(facts.engines[0].answers.size(), 1u);
  EXPECT_THAT(facts.engines[0].answers[0].settings, Contains(Pair("durability", "synced")));
  EXPECT_TRUE(facts.engines[1].answers.empty()) << "its description has decided it";
  facts.engines[0].answers[0].found = Status::Usage("lmdb: no such file");
  EXPECT_THAT(RefusalOf({kStores, "--durability=synced"}, facts), HasSubstr("no such file"));
}

TEST(MakePlan, WithoutEnginesItSaysWhy) {
  Facts facts;
  facts.plug_ins = {.found = Status::Failed("no engine is in /nowhere")};
  EXPECT_THAT(RefusalOf({"--engine=lmdb"}, facts), HasSubstr("no engine is in /nowhere"));
  EXPECT_THAT(RefusalOf({"--engine=lmdc"}, FourEngines()), HasSubstr("did you mean"));
  facts = FourEngines();
  facts.engines[0].description.reset();
  facts.engines[0].found = Status::Failed("lmdb: cannot be loaded");
  EXPECT_THAT(ErrorOf(PlanOf({"--engine=lmdb"}, facts)), HasSubstr("cannot be loaded"));
}

TEST(MakePlan, AllLeavesOutWhatRunsOnlyWhenNamed) {
  Facts facts;
  facts.engines = {EngineOf("lmdb"), EngineOf("stub", LF_BY_NAME)};
  EXPECT_THAT(Rows(Must(PlanOf({"--engine=all"}, facts))), ElementsAre(Pair("lmdb", "")));
  EXPECT_THAT(Rows(Must(PlanOf({"--engine=stub"}, facts))), ElementsAre(Pair("stub", "")));
}

TEST(MakePlan, RefusesWhatTheMachineCannotDo) {
  Facts facts = FourEngines();
  facts.checks = {
      {.check = MachineCheck::kMemoryLimit, .found = Status::Usage("no memory controller")},
      {.check = MachineCheck::kFileSystem,
       .of = "xfs",
       .found = Status::Usage("mkfs.xfs is missing")},
      {.check = MachineCheck::kNewStore,
       .of = "/full/lmdb",
       .found = Status::Usage("others' files")}};
  EXPECT_THAT(RefusalOf({"--engine=lmdb", "--memory=512M"}, facts), HasSubstr("no memory contr"));
  EXPECT_THAT(RefusalOf({"--engine=lmdb", "--fs=xfs"}, facts), HasSubstr("mkfs.xfs is missing"));
  EXPECT_THAT(RefusalOf({"--engine=lmdb", "--db=/full"}, facts), HasSubstr("others' files"));
  EXPECT_TRUE(PlanOf({kStores, "--db=/full"}, facts).ok()) << "another has a place";
  EXPECT_THAT(RefusalOf({"--engine=lmdb", "--cpus=6-8"}, facts),
              HasSubstr("may run on 0-7 and on no others"));
  facts.machine = {.memory_available_bytes = 64 * kGiB, .descriptor_limit = 16};
  facts.engines[0].description->facts.emplace_back("files_per_session", "2");
  EXPECT_THAT(RefusalOf({"--engine=lmdb"}, facts), HasSubstr("not enough open files for lmdb"));
}

TEST(MakePlan, OnlyTheVariantThatCannotBeMadeIsRefused) {
  Facts facts = FourEngines();
  facts.checks = {{.check = MachineCheck::kFileSystem,
                   .of = "xfs",
                   .found = Status::Usage("mkfs.xfs is missing")}};
  const Plan plan = Must(PlanOf({"--engine=lmdb", "--vary=fs=ext4,xfs"}, facts));
  EXPECT_TRUE(plan.variants.at(0).engines.at(0).status.ok());
  EXPECT_THAT(plan.variants.at(1).engines.at(0).status.message(), HasSubstr("mkfs.xfs"));
}

TEST(MakePlan, WritesIntoNobodysStore) {
  Facts facts = FourEngines();
  facts.enclosing_stores = {{.path = "results", .store = "/home/store", .engine = "lmdb"}};
  EXPECT_THAT(RefusalOf({"--engine=lmdb"}, facts),
              HasSubstr("--results=results: lies in the store /home/store of lmdb"));
  facts = FourEngines();
  facts.enclosing_stores = {{.path = "/data", .may_be_one = true, .store = "/", .engine = ""}};
  EXPECT_THAT(RefusalOf({"--engine=lmdb", "--db=/data"}, facts), HasSubstr("--db=/data: lies in"));
}

// A store at /data: ours, with hexadecimal keys of 20 digits, or somebody's.
Facts WithStore(bool is_ours) {
  Facts facts = FourEngines();
  facts.places = {{.path = "/data", .has_files = true, .real_path = "/data", .nearest = "/data"}};
  if (is_ours) {
    facts.places[0].ours = StoreContent{
        .engine = "lmdb", .library = "1.23", .keys = KeyShape(20, KeyKind::kHex), .opened = 1};
  } else {
    facts.recognitions = {{.path = "/data", .engine = "lmdb", .is_its = true}};
  }
  return facts;
}
const std::vector<std::string> kExisting = {"--engine=lmdb", "--use_existing_db", "--db=/data",
                                            "--benchmarks=readrandom"};

std::vector<std::string> ExistingAnd(const std::string& word) {
  std::vector<std::string> words = kExisting;
  words.push_back(word);
  return words;
}

TEST(MakePlan, TakesOverTheFormatsOfAStoreThatIsThere) {
  Facts facts = WithStore(true);
  const Plan plan = Must(PlanOf(kExisting, facts));
  EXPECT_EQ(plan.first().settings.key_size, 20u);
  EXPECT_EQ(plan.first().settings.key_format, "hex");
  EXPECT_EQ(plan.first().stores.at(0).decision.access, StoreAccess::kInPlace);
  EXPECT_THAT(RefusalOf(ExistingAnd("--key_size=16"), facts),
              HasSubstr("the store at /data was filled with 20"));
}

TEST(MakePlan, TakesOverThatKeysVary) {
  Facts facts = WithStore(true);
  facts.places[0].ours->keys = KeyShape(20, KeyKind::kHex, 4, 68);
  const Plan plan = Must(PlanOf(kExisting, facts));
  EXPECT_EQ(plan.first().settings.key_size, 16u);
  EXPECT_EQ(plan.first().settings.key_size_max, 64u);
  EXPECT_EQ(plan.first().settings.key_prefix, 4u);
  EXPECT_THAT(RefusalOf(ExistingAnd("--key_size_max=32"), facts), HasSubstr("was filled with 64"));
}

TEST(MakePlan, AStoreOfOthersStaysAsItIs) {
  Facts facts = WithStore(false);
  EXPECT_EQ(Must(PlanOf(kExisting, facts)).first().stores.at(0).decision.access, StoreAccess::kCopy)
      << "the engine says nothing of reading only";
  facts = WithStore(false);
  facts.engines[0].description->facts.emplace_back("read_only", "by its flag");
  EXPECT_EQ(Must(PlanOf(kExisting, facts)).first().stores.at(0).decision.access,
            StoreAccess::kReadOnly);
  // The same engine, asked: there is a log.
  for (SettingsFacts& answer : facts.engines[0].answers) {
    if (!answer.read_only.empty()) answer.found = Status::Failed("there is a log");
  }
  const Plan copied = Must(PlanOf(kExisting, facts));
  EXPECT_EQ(copied.first().stores.at(0).decision.access, StoreAccess::kCopy);
  EXPECT_THAT(copied.first().stores[0].decision.note, HasSubstr("there is a log"));
}

TEST(MakePlan, SaysWhyNoStoreIsMet) {
  EXPECT_THAT(RefusalOf(kExisting, FourEngines()), HasSubstr("there is no store at /data"));
  Facts facts = WithStore(false);
  facts.recognitions[0].engine = "leveldb";
  EXPECT_THAT(RefusalOf(kExisting, facts), HasSubstr("it holds a store of leveldb, not of lmdb"));
  facts.recognitions.clear();
  EXPECT_THAT(RefusalOf(kExisting, facts), HasSubstr("there is no store of lmdb at /data"));
  facts = WithStore(true);
  facts.checks = {{.check = MachineCheck::kNotUsed,
                   .of = "/data",
                   .found = Status::Usage("process 7 has it open")}};
  EXPECT_THAT(RefusalOf(kExisting, facts), HasSubstr("process 7"));
  facts.checks = {
      {.check = MachineCheck::kNotRedirected, .of = "/data", .found = Status::Usage("others may")}};
  EXPECT_THAT(RefusalOf(kExisting, facts), HasSubstr("others may"));
  facts.places[0].why_not_readable = "Permission denied";
  EXPECT_THAT(RefusalOf(kExisting, facts), HasSubstr("cannot read it: Permission denied"));
  facts.places[0].why_not_seen = "Input/output error";
  EXPECT_THAT(RefusalOf(kExisting, facts), HasSubstr("cannot look at it: Input/output error"));
}

TEST(MakePlan, MakesNoStoreWhereOneIs) {
  const std::vector<std::string> words = {"--engine=lmdb", "--db=/data", "--benchmarks=fillseq"};
  EXPECT_THAT(RefusalOf(words, WithStore(true)), HasSubstr("this is a store"));
  EXPECT_THAT(RefusalOf(words, WithStore(false)), HasSubstr("that Levelfield did not make"));
  Facts facts = FourEngines();
  facts.places = {{.path = "/data", .nearest = "/", .why_nothing_new = "Read-only file system"}};
  EXPECT_THAT(RefusalOf(words, facts),
              HasSubstr("no store can be made in /: Read-only file system"));
}

TEST(MakePlan, MeasuresTheHarnessOnWhatDoesNotRunAnyway) {
  Facts facts = FourEngines();
  const auto engines = [&](const std::string& engine) {
    const Plan plan = Must(PlanOf({engine, "--benchmarks=readrandom"}, facts));
    const OverheadPlan overhead =
        Must(WithFacts(facts, [&](Known& known) { return PlanOverheads(plan, known); }));
    std::vector<std::string> names;
    for (const ProbeReply& one : overhead.engines) names.push_back(one.engine);
    return names;
  };
  EXPECT_THAT(engines("--engine=lmdb"), ElementsAre("null", "memory"));
  EXPECT_THAT(engines("--engine=lmdb,null"), ElementsAre("memory"));
  EXPECT_THAT(engines("--engine=null"), IsEmpty()) << "it is the overhead";
}

TEST(Facts, AreReadAsTheyWereWritten) {
  Facts facts = WithStore(true);
  facts.places[0].ours->cut_off = true;
  facts.checks = {
      {.check = MachineCheck::kFileSystem, .of = "xfs", .found = Status::Usage("none")},
      {.check = MachineCheck::kNewStore, .of = "/a\xff", .found = Status::Failed("failed")}};
  facts.traces = {{.path = "a.trace", .operations = {1, 2, 3, 4}, .keys = 7, .source = "x"}};
  facts.workloads = {{.path = "a.workload", .name = "a", .text = "b\n"}};
  (void)Must(PlanOf(kExisting, facts));
  const auto json = ToJson(facts);
  const Facts read = Must(FactsFromJson(json));
  EXPECT_EQ(ToJson(read), json);
  EXPECT_EQ(ToJson(Must(MakePlan(With(kExisting), read))),
            ToJson(Must(MakePlan(With(kExisting), facts))));
  EXPECT_EQ(read.checks.at(0).found.kind(), ErrorKind::kUsage);
  EXPECT_EQ(read.checks.at(1).found.kind(), ErrorKind::kFailed);
  EXPECT_TRUE(read.places.at(0).ours->cut_off);
}

TEST(Facts, ThatAreNoneAreRefused) {
  EXPECT_THAT(ErrorOf(FactsFromJson(nlohmann::ordered_json::array())), HasSubstr("not an object"));
  auto json = ToJson(WithStore(true));
  json["engines"][0]["found"] = "broken";
  EXPECT_THAT(ErrorOf(FactsFromJson(json)), HasSubstr("found"));
  json = ToJson(WithStore(true));
  json["engines"][0]["description"].erase("name");
  EXPECT_THAT(ErrorOf(FactsFromJson(json)), HasSubstr("name"));
}

}  // namespace levelfield::make_plan_test
