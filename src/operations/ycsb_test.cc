// A workload of YCSB from the thread to its verifier: an engine that is right, and engines that
// lie.

#include "base/matchers_for_test.h"
#include "worker/roles_for_test.h"
#include "workload/ycsb_draws.h"

namespace levelfield {
namespace {

constexpr uint64_t kRecords = 1000;

// What the verifier says about threads on a table that `lie` has changed.
Judged JudgedMix(const std::string& mix, const Lie& lie, uint64_t threads = 1,
                 KeyOrder order = KeyOrder::kShuffled) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", order, kRecords * 2, 200), .operations = kRecords});
  Workload workload;
  Role& role = workload.roles.emplace_back(RoleOf("ycsb", order, kRecords * 2, 200));
  role.records = kRecords;
  role.threads = threads;
  role.operations = 6000;
  role.distribution.kind = KeyDistributionPlan::Kind::kYcsbZipf;
  EXPECT_EQ(ReadYcsbMix(mix, role.ycsb), "");
  return JudgedRole(fixture, workload, fixture.state(), role.operations / threads, lie);
}

constexpr const char* kAll = "40% read, 20% update, 10% insert, 20% scan, 10% rmw";

TEST(VerifyYcsb, FindsNothingWrongWithAnEngineThatIsRight) {
  for (const uint64_t threads : {1, 2, 3}) {
    for (const KeyOrder order : {KeyOrder::kShuffled, KeyOrder::kSequential}) {
      const Judged judged = JudgedMix(kAll, TellTheTruth, threads, order);
      EXPECT_THAT(judged.wrong, IsEmpty());
      EXPECT_EQ(judged.result.checked, "replayed");
      EXPECT_THAT(judged.result.note, HasSubstr("scans"));
    }
  }
}

TEST(VerifyYcsb, NoticesARecordThatWasNotFound) {
  EXPECT_THAT(JudgedMix("50% read, 50% update",
                        [](lf_engine& table) {
                          table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                            return ++calls == 50 ? LF_NOT_FOUND : honest.get(session, key, value);
                          };
                        })
                  .wrong,
              HasSubstr(" gets did not find their record"));
}

TEST(VerifyYcsb, NoticesAValueOfAnotherKey) {
  EXPECT_THAT(JudgedMix("50% read, 50% rmw",
                        [](lf_engine& table) {
                          table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                            const lf_code code = honest.get(session, key, value);
                            if (++calls == 50) --value->size;
                            return code;
                          };
                        })
                  .wrong,
              HasSubstr("values that are not their key's"));
}

// An update that is acknowledged but lost: the next read of that record is whole, and old.
TEST(VerifyYcsb, NoticesAnUpdateThatWasLost) {
  for (const uint64_t threads : {1, 3}) {
    for (const char* const mix : {"50% read, 50% update", "50% read, 50% rmw"}) {
      EXPECT_THAT(JudgedMix(
                      mix,
                      [](lf_engine& table) {
                        table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
                          return ++calls % 10 == 0 ? LF_OK : honest.put(session, key, value);
                        };
                      },
                      threads)
                      .wrong,
                  HasSubstr("differs from what was written"));
    }
  }
}

TEST(VerifyYcsb, NoticesAScanThatLeavesARecordOut) {
  for (const KeyOrder order : {KeyOrder::kShuffled, KeyOrder::kSequential}) {
    EXPECT_THAT(JudgedMix(
                    "100% scan",
                    [](lf_engine& table) {
                      table.next = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
                        const lf_code code = honest.next(session, key, value);
                        return ++calls == 100 ? honest.next(session, key, value) : code;
                      };
                    },
                    1, order)
                    .wrong,
                HasSubstr("1 of 6000 scans"));
  }
}

TEST(VerifyYcsb, NoticesAScanThatEndsTooEarly) {
  EXPECT_THAT(JudgedMix("100% scan",
                        [](lf_engine& table) {
                          table.next = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
                            return ++calls == 100 ? LF_NOT_FOUND : honest.next(session, key, value);
                          };
                        })
                  .wrong,
              HasSubstr("1 of 6000 scans"));
}

TEST(VerifyYcsb, NoticesAScanThatFindsWhatLiesBeforeItsKey) {
  EXPECT_THAT(JudgedMix("100% scan",
                        [](lf_engine& table) {
                          table.seek = [](lf_session* session, lf_seek, lf_bytes, lf_bytes* key,
                                          lf_bytes* value) {
                            return honest.seek(session, LF_FIRST, {}, key, value);
                          };
                        })
                  .wrong,
              HasSubstr("not all in order"));
}

TEST(VerifyYcsb, NoticesAnInsertThatWasLost) {
  const auto lose = [](lf_engine& table) {
    table.put = [](lf_session*, lf_bytes, lf_bytes) { return LF_OK; };
  };
  EXPECT_THAT(JudgedMix("90% read, 10% insert", lose).wrong,
              HasSubstr("gets did not find their record"));
  EXPECT_THAT(JudgedMix("90% scan, 10% insert", lose).wrong, HasSubstr("scans found"));
}

// If there is no more room, the thread ends early and without an error.
TEST(VerifyYcsb, IsToldThatTheRoomForInsertsWasUsedUp) {
  const Judged judged = JudgedMix("50% insert, 50% read", TellTheTruth, 2);
  EXPECT_THAT(judged.wrong, IsEmpty());
  EXPECT_THAT(judged.result.note, HasSubstr("no room for more inserts"));
}

}  // namespace
}  // namespace levelfield
