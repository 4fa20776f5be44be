// A get of one key.
#include "operations/answers.h"
#include "operations/in_flight.h"
#include "operations/operations.h"
#include "operations/read.h"
#include "operations/thread_run.h"

namespace levelfield {
namespace get {
namespace {

void Run(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (task.depth > 1 && task.check_in_loop && task.original == nullptr) {
    return run.InFlight(GetInFlight<CheckInLoop>(*task.table, task.session, {*task.values}));
  }
  if (task.depth > 1) {
    return run.InFlight(GetInFlight<LeaveToReplay>(*task.table, task.session, {}));
  }
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
                                              .may_be_in_flight = true,
                                              .run = get::Run,
                                              .verify = VerifyGets};

}  // namespace levelfield
