#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operations/thread_fixture_for_test.h"
#include "worker/verifier.h"
#include "workload/workload_file.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

lf_engine honest;

// Uses the calls that the engine has.
lf_code EraseOneByOne(lf_session* session, lf_bytes from, lf_bytes to) {
  std::string next(from.data, from.size);
  while (next < std::string(to.data, to.size)) {
    lf_bytes key;
    lf_bytes value;
    if (honest.seek(session, LF_AT_OR_AFTER, {next.data(), next.size()}, &key, &value) != LF_OK) {
      return LF_OK;
    }
    next.assign(key.data, key.size);
    if (next >= std::string(to.data, to.size)) return LF_OK;
    if (const lf_code code = honest.erase(session, {next.data(), next.size()}); code != LF_OK) {
      return code;
    }
  }
  return LF_OK;
}

struct RangeOutcome {
  lf_code code = LF_OK;
  std::string error;
  std::string wrong;  // The verifier's words.
};

RangeOutcome RunOn(decltype(lf_engine::delete_range) delete_range, uint64_t threads) {
  ThreadFixture fixture("memory");
  Role fill;
  fill.operation = FindOperation("put");
  fill.order = KeyOrder::kShuffled;
  fill.range = 1000;
  fill.value_size = 100;
  fixture.Run({.role = fill, .operations = 900});
  honest = fixture.table();
  lf_engine table = honest;
  table.delete_range = delete_range;
  StatusOr<Workload> workload =
      ParseWorkload("ranges",
                    "summary = ranges\nfamily = mixed\nneeds = loaded store\n[client]\nnexts = 9\n"
                    "op = 50% get, 45% put, 5% erase range\nrange = 1000\nvalue_size = 100\n"
                    "stop = after 4000 operations\n",
                    {.num = 1000});
  EXPECT_TRUE(workload.ok()) << workload.status().message();
  Role& role = workload->roles.front();
  role.threads = threads;
  PhaseRun run;
  run.controls = std::vector<ThreadControl>(threads);
  RoleRun& of_role = run.roles.emplace_back();
  of_role.results.resize(threads);
  std::vector<Session> sessions;
  const ThreadFixture::Asked asked{.role = role, .threads = threads, .operations = 2000};
  RangeOutcome outcome;
  for (uint64_t t = 0; t < threads; ++t) {
    sessions.push_back(fixture.Begin());
    ThreadTask task = fixture.Task(asked, t, sessions.back().get(), run.controls[t]);
    task.table = &table;
    task.role = &role;
    of_role.tasks.push_back(task);
    RunThread(of_role.tasks.back(), of_role.results[t]);
    outcome.code = of_role.results[t].code;
    outcome.error = of_role.results[t].error;
  }
  if (outcome.code != LF_OK) return outcome;
  PhaseResult result;
  outcome.wrong = Verified(*workload, of_role, fixture.state(), fixture.values(),
                           Summarize(*workload, run, false).front(), result);
  return outcome;
}

TEST(EraseRange, ErasesTheKeysOfTheRangeAndNoOthers) {
  for (const uint64_t threads : {1, 3}) {
    const RangeOutcome outcome = RunOn(EraseOneByOne, threads);
    EXPECT_EQ(outcome.code, LF_OK) << outcome.error;
    EXPECT_THAT(outcome.wrong, IsEmpty());
  }
}

TEST(EraseRange, OfWhichAKeyIsLeftIsNoticed) {
  const auto leaves_one = [](lf_session* session, lf_bytes from, lf_bytes to) {
    std::string second(from.data, from.size);
    ++second.back();
    return EraseOneByOne(session, {second.data(), second.size()}, to);
  };
  EXPECT_THAT(RunOn(leaves_one, 1).wrong, HasSubstr("get: "));
}

TEST(EraseRange, IsUnsupportedWhereTheEngineHasNoSuchWrite) {
  const RangeOutcome outcome = RunOn(nullptr, 1);
  EXPECT_EQ(outcome.code, LF_UNSUPPORTED);
  EXPECT_THAT(outcome.error, HasSubstr("no write that erases a range"));
}

}  // namespace
}  // namespace levelfield
