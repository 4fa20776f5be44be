// A workload of YCSB from the thread to its verifier: an engine that is right, and engines that
// lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operations/thread_fixture_for_test.h"
#include "worker/verifier.h"
#include "workload/ycsb_draws.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The lies call it; C functions have nowhere else to keep it.
lf_engine honest;
const ValueSource* values = nullptr;
int calls = 0;

constexpr uint64_t kRecords = 1000;

Role RoleOf(const std::string& mix, KeyOrder order, uint64_t threads) {
  Role role;
  role.name = "client";
  role.operation = FindOperation("ycsb");
  role.order = order;
  role.range = kRecords * 2;
  role.records = kRecords;
  role.threads = threads;
  role.operations = 6000;
  role.value_size = 200;
  role.distribution.kind = KeyDistributionPlan::Kind::kYcsbZipf;
  EXPECT_EQ(ReadYcsbMix(mix, role.ycsb), "");
  return role;
}

// What the verifier says about threads on a table that `lie` has changed.
template <class Lie>
std::string Judged(const std::string& mix, Lie lie, uint64_t threads = 1,
                   KeyOrder order = KeyOrder::kShuffled, PhaseResult* phase_result = nullptr) {
  ThreadFixture fixture("memory");
  Role fill;
  fill.operation = FindOperation("put");
  fill.order = order;
  fill.range = kRecords * 2;
  fill.value_size = 200;
  fixture.Run({.role = fill, .operations = kRecords});

  Workload workload;
  workload.roles.push_back(RoleOf(mix, order, threads));
  const Role& role = workload.roles.front();
  honest = fixture.table();
  values = &fixture.values();
  calls = 0;
  lf_engine table = honest;
  lie(table);

  const ThreadFixture::Asked asked{.role = role, .operations = role.operations / threads};
  PhaseRun run;
  run.controls = std::vector<ThreadControl>(threads);
  RoleRun& of_role = run.roles.emplace_back();
  of_role.results.resize(threads);
  std::vector<Session> sessions;
  for (uint64_t t = 0; t < threads; ++t) {
    sessions.push_back(fixture.Begin());
    ThreadTask task = fixture.Task(asked, t, sessions.back().get(), run.controls[t]);
    task.table = &table;
    task.role = &role;
    task.thread = t;
    of_role.tasks.push_back(task);
    RunThread(of_role.tasks.back(), of_role.results[t]);
    EXPECT_EQ(of_role.results[t].code, LF_OK) << of_role.results[t].error;
  }
  const std::vector<RoleResult> summary = Summarize(workload, run, false);
  PhaseResult result;
  const std::string wrong =
      Verified(workload, of_role, fixture.state(), fixture.values(), summary.front(), result);
  if (phase_result != nullptr) *phase_result = result;
  return wrong;
}

constexpr const char* kAll = "40% read, 20% update, 10% insert, 20% scan, 10% rmw";

TEST(VerifyYcsb, FindsNothingWrongWithAnEngineThatIsRight) {
  for (const uint64_t threads : {1, 2, 3}) {
    for (const KeyOrder order : {KeyOrder::kShuffled, KeyOrder::kSequential}) {
      PhaseResult result;
      EXPECT_THAT(Judged(
                      kAll, [](lf_engine&) {}, threads, order, &result),
                  IsEmpty());
      EXPECT_EQ(result.checked, "replayed");
      EXPECT_THAT(result.note, HasSubstr("scans"));
    }
  }
}

TEST(VerifyYcsb, NoticesARecordThatWasNotFound) {
  EXPECT_THAT(Judged("50% read, 50% update",
                     [](lf_engine& table) {
                       table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                         return ++calls == 50 ? LF_NOT_FOUND : honest.get(session, key, value);
                       };
                     }),
              HasSubstr(" gets did not find their record"));
}

TEST(VerifyYcsb, NoticesAValueOfAnotherKey) {
  EXPECT_THAT(Judged("50% read, 50% rmw",
                     [](lf_engine& table) {
                       table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                         const lf_code code = honest.get(session, key, value);
                         if (++calls == 50) --value->size;
                         return code;
                       };
                     }),
              HasSubstr("values that are not their key's"));
}

// An update that is acknowledged but lost: the next read of that record is whole, and old.
TEST(VerifyYcsb, NoticesAnUpdateThatWasLost) {
  for (const uint64_t threads : {1, 3}) {
    for (const char* const mix : {"50% read, 50% update", "50% read, 50% rmw"}) {
      EXPECT_THAT(Judged(
                      mix,
                      [](lf_engine& table) {
                        table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
                          return ++calls % 10 == 0 ? LF_OK : honest.put(session, key, value);
                        };
                      },
                      threads),
                  HasSubstr("differs from what was written"));
    }
  }
}

TEST(VerifyYcsb, NoticesAScanThatLeavesARecordOut) {
  for (const KeyOrder order : {KeyOrder::kShuffled, KeyOrder::kSequential}) {
    EXPECT_THAT(Judged(
                    "100% scan",
                    [](lf_engine& table) {
                      table.next = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
                        const lf_code code = honest.next(session, key, value);
                        return ++calls == 100 ? honest.next(session, key, value) : code;
                      };
                    },
                    1, order),
                HasSubstr("1 of 6000 scans"));
  }
}

TEST(VerifyYcsb, NoticesAScanThatEndsTooEarly) {
  EXPECT_THAT(Judged("100% scan",
                     [](lf_engine& table) {
                       table.next = [](lf_session* session, lf_bytes* key, lf_bytes* value) {
                         return ++calls == 100 ? LF_NOT_FOUND : honest.next(session, key, value);
                       };
                     }),
              HasSubstr("1 of 6000 scans"));
}

TEST(VerifyYcsb, NoticesAScanThatFindsWhatLiesBeforeItsKey) {
  EXPECT_THAT(Judged("100% scan",
                     [](lf_engine& table) {
                       table.seek = [](lf_session* session, lf_seek, lf_bytes, lf_bytes* key,
                                       lf_bytes* value) {
                         return honest.seek(session, LF_FIRST, {}, key, value);
                       };
                     }),
              HasSubstr("not all in order"));
}

TEST(VerifyYcsb, NoticesAnInsertThatWasLost) {
  const auto lose = [](lf_engine& table) {
    table.put = [](lf_session*, lf_bytes, lf_bytes) { return LF_OK; };
  };
  EXPECT_THAT(Judged("90% read, 10% insert", lose), HasSubstr("gets did not find their record"));
  EXPECT_THAT(Judged("90% scan, 10% insert", lose), HasSubstr("scans found"));
}

// If there is no more room, the thread ends early and without an error.
TEST(VerifyYcsb, IsToldThatTheRoomForInsertsWasUsedUp) {
  PhaseResult result;
  EXPECT_THAT(Judged(
                  "50% insert, 50% read", [](lf_engine&) {}, 2, KeyOrder::kShuffled, &result),
              IsEmpty());
  EXPECT_THAT(result.note, HasSubstr("no room for more inserts"));
}

}  // namespace
}  // namespace levelfield
