// mixgraph from the thread to its verifier: an engine that is right, and engines that lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operations/thread_fixture_for_test.h"
#include "worker/verifier.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The lies call it; C functions have nowhere else to keep it.
lf_engine honest;
const ValueSource* values = nullptr;
int calls = 0;

// What the verifier says about a thread on a table that `lie` has changed.
template <class Lie>
std::string Judged(Lie lie, bool one_number = false) {
  ThreadFixture fixture("memory");
  Role fill;
  fill.operation = FindOperation("put");
  fill.order = KeyOrder::kSequential;
  fill.range = 1000;
  fill.value_size = 100;
  fixture.Run({.role = fill, .operations = 900});  // The other keys do not exist.

  Workload workload;
  Role& role = workload.roles.emplace_back();
  role.operation = FindOperation("graph");
  role.range = 1000;
  role.graph.put_ratio = 0.5;
  role.graph.seek_ratio = 0.1;
  role.graph.most_scan = 20;
  role.graph.one_number = one_number;
  role.value_size = role.graph.Sizes();
  honest = fixture.table();
  values = &fixture.values();
  calls = 0;
  lf_engine table = honest;
  lie(table);

  PhaseRun run;
  run.controls = std::vector<ThreadControl>(1);
  Session session = fixture.Begin();
  RoleRun& of_role = run.roles.emplace_back();
  of_role.tasks.push_back(
      fixture.Task({.role = role, .operations = 5000}, 0, session.get(), run.controls.front()));
  of_role.tasks.front().table = &table;
  of_role.tasks.front().role = &role;
  of_role.results.resize(1);
  RunThread(of_role.tasks.front(), of_role.results.front());
  EXPECT_EQ(of_role.results.front().code, LF_OK);
  const std::vector<RoleResult> summary = Summarize(workload, run, false);
  PhaseResult result;
  return Verified(workload, of_role, fixture.state(), fixture.values(), summary.front(), result);
}

TEST(VerifyGraph, FindsNothingWrongWithAnEngineThatIsRight) {
  for (const bool one_number : {false, true}) {
    EXPECT_THAT(Judged([](lf_engine&) {}, one_number), IsEmpty());
  }
}

TEST(VerifyGraph, NoticesAKeyThatWasNotFound) {
  EXPECT_THAT(Judged([](lf_engine& table) {
                table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                  return ++calls == 50 ? LF_NOT_FOUND : honest.get(session, key, value);
                };
              }),
              HasSubstr("gets: "));
}

TEST(VerifyGraph, NoticesAValueOfAnotherVersion) {
  EXPECT_THAT(Judged([](lf_engine& table) {
                table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                  static char stale[kLargestValue];
                  const lf_code code = honest.get(session, key, value);
                  if (code != LF_OK || value->size < ValueSource::kHeaderBytes) return code;
                  const KeyFormat format(kKeySize, 1000);
                  values->Make(*format.Parse({key.data, key.size}), 77777, value->size, stale);
                  value->data = stale;
                  return code;
                };
              }),
              HasSubstr("what was read differs from what was written"));
}

TEST(VerifyGraph, NoticesASeekThatFindsWhatLiesBeforeItsKey) {
  EXPECT_THAT(Judged([](lf_engine& table) {
                table.seek = [](lf_session* session, lf_seek, lf_bytes, lf_bytes* key,
                                lf_bytes* value) {
                  return honest.seek(session, LF_FIRST, {}, key, value);
                };
              }),
              HasSubstr("not in order"));
}

TEST(VerifyGraph, NoticesAValueOfAnotherKey) {
  EXPECT_THAT(Judged([](lf_engine& table) {
                table.get = [](lf_session* session, lf_bytes, lf_bytes* value) {
                  return honest.get(session, {"0000000000000000", kKeySize}, value);
                };
              }),
              HasSubstr("values that are not their key's"));
}

}  // namespace
}  // namespace levelfield
