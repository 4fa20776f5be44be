// The role of a replayed trace, as it ran: what it left in the store, and whether its answers were
// right. Worker's main thread.
#ifndef LEVELFIELD_WORKER_TRACE_JUDGE_H_
#define LEVELFIELD_WORKER_TRACE_JUDGE_H_

#include <memory>
#include <string>

#include "result/result.h"
#include "worker/phase.h"
#include "workload/trace/trace_history.h"

namespace levelfield {

std::shared_ptr<const KeyHistory> TraceHistoryOf(const RoleRun& run);

// What the answers were checked against, into `result`, and what was replayed, as its note; what
// was wrong with them, or nothing. Every get is replayed: presence, length and bytes.
std::string JudgeTrace(const Role& role, const RoleRun& run, const ExpectedState& before,
                       const StoredValues& values, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_TRACE_JUDGE_H_
