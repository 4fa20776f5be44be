// Merges a value into the value of its key; by default that amounts to a put.
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "operations/write.h"

namespace levelfield {
namespace merge {
namespace {

void Run(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (task.table->merge == nullptr) return run.Refuse(kNoMerges);
  WithRoundValues(task, [&](auto values) {
    run.One(PutOperation(task.table->merge, task.session, std::move(values)));
  });
  result.statistics.front().entry_bytes = EntryBytes(task);
}

}  // namespace
}  // namespace merge

constinit const Operation operations::kMerge = {
    .name = "merge",
    .effects = kPuts,
    .writes_one_entry = true,
    .can_repeat = true,
    .goes_on = true,
    .set = [](const FileNumbers&, Role& role) { role.merges = true; },
    .run = merge::Run};

}  // namespace levelfield
