// For tests: roles, and what a verifier says about one whose engine lies.
#ifndef LEVELFIELD_WORKER_ROLES_FOR_TEST_H_
#define LEVELFIELD_WORKER_ROLES_FOR_TEST_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "operations/thread_fixture_for_test.h"
#include "worker/verifier.h"

namespace levelfield {

inline Role RoleOf(const char* operation, KeyOrder order, uint64_t range,
                   const ValueSizes& value_size = 100, uint64_t batch = 1) {
  Role role;
  role.operation = FindOperation(operation);
  role.order = order;
  role.range = range;
  role.value_size = value_size;
  role.batch = batch;
  return role;
}

// The lies call it; C functions have nowhere else to keep it.
inline lf_engine honest;
inline std::atomic<uint64_t> calls = 0;

using Lie = std::function<void(lf_engine& table)>;
inline void TellTheTruth(lf_engine&) {}
// The table with one member replaced.
template <class Function>
Lie With(Function lf_engine::*member, std::type_identity_t<Function> function) {
  return [=](lf_engine& table) { table.*member = function; };
}

inline lf_code FindsNothingOnce(lf_session* session, lf_bytes key, lf_bytes* value) {
  return ++calls == 50 ? LF_NOT_FOUND : honest.get(session, key, value);
}
inline lf_code FindsTheFirst(lf_session* session, lf_seek, lf_bytes, lf_bytes* key,
                             lf_bytes* value) {
  return honest.seek(session, LF_FIRST, {}, key, value);
}

struct Judged {
  PhaseRun run;
  RoleResult summary;
  PhaseResult result;
  std::string wrong;  // What the verifier says, or an error of the first thread.
};

// Runs the threads of the workload's first role, each with so many operations, on a table that
// `lie` has changed.
inline Judged JudgedRole(
    ThreadFixture& fixture, const Workload& workload, const ExpectedState& before,
    uint64_t operations, const Lie& lie,
    const std::function<void(ThreadTask&)>& prepare = [](ThreadTask&) {}) {
  const Role& role = workload.roles.front();
  honest = fixture.table();
  calls = 0;
  lf_engine table = honest;
  lie(table);
  Judged judged;
  judged.run.controls = std::vector<ThreadControl>(role.threads);
  RoleRun& of_role = judged.run.roles.emplace_back();
  of_role.results.resize(role.threads);
  const ThreadFixture::Asked asked{.role = role, .threads = role.threads, .operations = operations};
  std::vector<Session> sessions;
  for (uint64_t t = 0; t < role.threads; ++t) {
    sessions.push_back(fixture.Begin());
    ThreadTask task = fixture.Task(asked, t, sessions.back().get(), judged.run.controls[t]);
    task.table = &table;
    task.role = &role;
    task.thread = t;
    prepare(task);
    of_role.tasks.push_back(task);
    RunThread(of_role.tasks.back(), of_role.results[t]);
    if (of_role.results[t].code != LF_OK) judged.wrong = of_role.results[t].error;
  }
  if (!judged.wrong.empty()) return judged;
  judged.summary = Summarize(workload, judged.run, false).front();
  judged.wrong =
      Verified(workload, of_role, before, fixture.values(), judged.summary, judged.result);
  return judged;
}

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_ROLES_FOR_TEST_H_
