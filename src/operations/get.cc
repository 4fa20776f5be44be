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
  WithKeySizes(task, [&](auto vary) {
    if (task.check_in_loop && task.original == nullptr) {
      return run.One(GetOperation<CheckInLoop, vary>(*task.table, task.session, {*task.values}));
    }
    run.One(GetOperation<LeaveToReplay, vary>(*task.table, task.session, {}));
  });
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
