// A workload of YCSB from the thread to its verifier: an engine that is right, and engines that
// lie.

#include "base/matchers_for_test.h"
#include "worker/roles_for_test.h"
#include "workload/ycsb_draws.h"

namespace levelfield::ycsb_test {

constexpr uint64_t kRecords = 1000;

// What the verifier says about threads on a table that `lie` has changed.
Judged JudgedMix(const std::string& mix, const Lie& lie, uint64_t threads = 1,
                 KeyOrder order = KeyOrder::kShuffled, bool times_parts = false) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", order, kRecords * 2, 200), .operations = kRecords});
  Workload workload;
  Role& role = workload.roles.emplace_back(RoleOf("ycsb", order, kRecords * 2, 200));
  role.records = kRecords;
  role.threads = threads;
  role.operations = 6000;
  role.distribution.kind = KeyDistributionPlan::Kind::kYcsbZipf;
  EXPECT_EQ(ReadYcsbMix(mix, role.ycsb), "");
  role.ycsb.times_parts = times_parts;
  return JudgedRole(fixture, workload, fixture.state(), role.operations / threads, lie,
                    [&](ThreadTask& task) { task.timed = times_parts; });
}

constexpr const char* kAll = "40% read, 20% update, 10% insert, 20% scan, 10% rmw";

TEST(VerifyYcsb, FindsNothingWrongWithAnEngineThatIsRight) {
  for (const uint64_t threads : {1, 2, 3}) {
    for (const KeyOrder order : {KeyOrder::kShuffled, KeyOrder::kSequential}) {
      const Judged judged = JudgedMix(kAll, TellTheTruth, threads, order);
      EXPECT_THAT(judged.wrong, IsEmpty());
      EXPECT_EQ(WordsOf(judged.result.checked), "replayed");
      EXPECT_THAT(judged.result.note, HasSubstr("scans"));
    }
  }
}

lf_code CutsAValueOnce(lf_session* session, lf_bytes key, lf_bytes* value) {
  const lf_code code = honest.get(session, key, value);
  if (++calls == 50) --value->size;
  return code;
}
lf_code LosesEachTenth(lf_session* session, lf_bytes key, lf_bytes value) {
  return ++calls % 10 == 0 ? LF_OK : honest.put(session, key, value);
}
lf_code LosesAll(lf_session*, lf_bytes, lf_bytes) { return LF_OK; }
lf_code SkipsOnce(lf_session* session, lf_bytes* key, lf_bytes* value) {
  const lf_code code = honest.next(session, key, value);
  return ++calls == 100 ? honest.next(session, key, value) : code;
}
lf_code EndsEarlyOnce(lf_session* session, lf_bytes* key, lf_bytes* value) {
  return ++calls == 100 ? LF_NOT_FOUND : honest.next(session, key, value);
}

TEST(VerifyYcsb, FindsNothingWrongWithRightDeletes) {
  for (const uint64_t threads : {1, 2, 3}) {
    const Judged judged =
        JudgedMix("40% read, 20% update, 20% delete, 10% scan, 10% rmw", TellTheTruth, threads);
    EXPECT_THAT(judged.wrong, IsEmpty());
    EXPECT_EQ(WordsOf(judged.result.checked), "replayed");
    EXPECT_THAT(judged.result.check_detail, HasSubstr("of those that it had not erased"));
    const auto erases =
        std::ranges::find(judged.summary.statistics, "erase", &OperationStatistics::operation);
    EXPECT_NEAR(static_cast<double>(erases->operations), 1200, 120);
    EXPECT_EQ(erases->hits, erases->operations);
  }
}

TEST(VerifyYcsb, NoticesEachWrongAnswer) {
  struct Case {
    const char* mix;
    Lie lie;
    const char* says;
    uint64_t threads = 1;
    KeyOrder order = KeyOrder::kShuffled;
  };
  const Lie skips = With(&lf_engine::next, SkipsOnce);
  // An update that is acknowledged but lost: the next read of that record is whole, and old.
  const Lie loses_updates = With(&lf_engine::put, LosesEachTenth);
  const char* const old = "differs from what was written";
  const Lie loses_inserts = With(&lf_engine::put, LosesAll);
  for (const Case& it : std::vector<Case>{
           {"50% read, 50% update", With(&lf_engine::get, FindsNothingOnce),
            " gets did not find their record"},
           {"50% read, 50% rmw", With(&lf_engine::get, CutsAValueOnce),
            "values that are not their key's"},
           {"50% read, 50% update", loses_updates, old},
           {"50% read, 50% rmw", loses_updates, old},
           {"50% read, 50% update", loses_updates, old, 3},
           {"50% read, 50% rmw", loses_updates, old, 3},
           {"50% read, 25% update, 25% delete", loses_updates, " gets did not find their record"},
           {"50% scan, 25% update, 25% delete", loses_updates, "scans found"},
           {"90% read, 10% insert", loses_inserts, "gets did not find their record"},
           {"90% scan, 10% insert", loses_inserts, "scans found"},
           {"100% scan", skips, "1 of 6000 scans"},
           {"100% scan", skips, "1 of 6000 scans", 1, KeyOrder::kSequential},
           {"100% scan", With(&lf_engine::next, EndsEarlyOnce), "1 of 6000 scans"},
           {"100% scan", With(&lf_engine::seek, FindsTheFirst), "not all in order"}}) {
    EXPECT_THAT(JudgedMix(it.mix, it.lie, it.threads, it.order).wrong, HasSubstr(it.says))
        << it.mix << " by " << it.threads;
  }
}

// If there is no more room, the thread ends early and without an error.
TEST(VerifyYcsb, IsToldThatTheRoomForInsertsWasUsedUp) {
  const Judged judged = JudgedMix("50% insert, 50% read", TellTheTruth, 2);
  EXPECT_THAT(judged.wrong, IsEmpty());
  EXPECT_THAT(judged.result.note, HasSubstr("no room for more inserts"));
}

// In two ways: what the parts took together is no more than what the whole took, and nearly all.
TEST(Ycsb, TimesThePartsOfAReadModifyWrite) {
  const Judged judged = JudgedMix(kAll, TellTheTruth, 2, KeyOrder::kShuffled, true);
  EXPECT_THAT(judged.wrong, IsEmpty());
  ASSERT_EQ(judged.summary.parts.size(), 2u);
  const auto& [get, put] = std::tie(judged.summary.parts[0], judged.summary.parts[1]);
  EXPECT_EQ(get.part, "get");
  EXPECT_EQ(put.part, "put");
  uint64_t count = 0;
  uint64_t sum_ns = 0;
  for (const ThreadResult& result : judged.run.roles[0].results) {
    const auto whole = std::ranges::find(result.statistics, "rmw", &ThreadStatistics::operation);
    count += whole->counts.operations;
    sum_ns += whole->latency_ns.Sum();
  }
  EXPECT_EQ(get.latency_ns.Count(), count);
  EXPECT_EQ(put.latency_ns.Count(), count);
  const uint64_t parts_ns = get.latency_ns.Sum() + put.latency_ns.Sum();
  EXPECT_LE(parts_ns, sum_ns);
  EXPECT_GT(parts_ns, sum_ns / 3);
  EXPECT_TRUE(JudgedMix(kAll, TellTheTruth).summary.parts.empty());
}

// A record of which one field is new is read first, and counted apart from read-modify-writes.
TEST(VerifyYcsb, KnowsUpdatesThatReadTheirRecord) {
  const auto judged = [](const Lie& lie) {
    ThreadFixture fixture("memory");
    fixture.Run(
        {.role = RoleOf("put", KeyOrder::kShuffled, kRecords * 2, 200), .operations = kRecords});
    Workload workload;
    Role& role =
        workload.roles.emplace_back(RoleOf("ycsb", KeyOrder::kShuffled, kRecords * 2, 200));
    role.records = kRecords;
    role.operations = 6000;
    role.value_size = ValueSizes::Uniform(20, 200);
    EXPECT_EQ(ReadYcsbMix("50% read, 30% update, 20% rmw", role.ycsb), "");
    role.ycsb.updates_read = true;
    return JudgedRole(fixture, workload, fixture.state(), role.operations, lie);
  };
  const Judged right = judged(TellTheTruth);
  EXPECT_THAT(right.wrong, IsEmpty());
  EXPECT_EQ(WordsOf(right.result.checked), "replayed");
  EXPECT_THAT(judged(With(&lf_engine::put, LosesEachTenth)).wrong,
              HasSubstr("differs from what was written"));
}

}  // namespace levelfield::ycsb_test
