// A get of one key.
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/read.h"
#include "operations/thread_run.h"

namespace levelfield {
namespace get {
namespace {

void Run(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (task.check_in_loop && task.original == nullptr) {
    return run.One(GetOperation(*task.table, task.session, CheckInLoop{*task.values}));
  }
  run.One(GetOperation(*task.table, task.session, LeaveToReplay{}));
}

}  // namespace
}  // namespace get

constinit const Operation operations::kGet = {.name = "get",
                                              .effects = Effect::kReads,
                                              .lookup = Lookup::kKey,
                                              .can_warm_up = true,
                                              .can_repeat = true,
                                              .may_cut_keys = true,
                                              .run = get::Run,
                                              .verify = VerifyGets};

}  // namespace levelfield
