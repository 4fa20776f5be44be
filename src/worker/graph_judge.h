// mixgraph's role, as it ran: what its threads drew from, what it left in the store, and whether
// its answers were right. Worker's main thread and, for the stream, the thread that runs the task.
#ifndef LEVELFIELD_WORKER_GRAPH_JUDGE_H_
#define LEVELFIELD_WORKER_GRAPH_JUDGE_H_

#include <memory>
#include <string>

#include "result/result.h"
#include "worker/phase.h"
#include "workload/graph_history.h"

namespace levelfield {

GraphStream GraphStreamOf(const ThreadTask& task);

std::shared_ptr<const KeyHistory> GraphHistoryOf(const RoleRun& run);

// What the answers were checked against, into `result`; what was wrong with them, or nothing. The
// gets of one thread are replayed: it knows what it has put. Those of several are checked for
// presence, and their values were in the loop, as all seeks were.
std::string JudgeGraph(const Role& role, const RoleRun& run, const ExpectedState& before,
                       const StoredValues& values, const RoleResult& summary, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_GRAPH_JUDGE_H_
