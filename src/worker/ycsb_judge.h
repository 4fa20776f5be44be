// YCSB's role, as it ran: what its threads drew from, what it left in the store, and whether its
// answers were right. Worker's main thread and, for the stream, the thread that runs the task.
#ifndef LEVELFIELD_WORKER_YCSB_JUDGE_H_
#define LEVELFIELD_WORKER_YCSB_JUDGE_H_

#include <memory>
#include <string>

#include "result/result.h"
#include "worker/phase.h"
#include "workload/ycsb_history.h"

namespace levelfield {

YcsbStream YcsbStreamOf(const ThreadTask& task);

std::shared_ptr<const KeyHistory> YcsbHistoryOf(const RoleRun& run);

// What the answers were checked against, into `result`; what was wrong with them, or nothing. Every
// record that was asked for was there. Reads of records that the reading thread alone writes are
// replayed, of one thread all; the others, and scans, were checked in the loop.
std::string JudgeYcsb(const Role& role, const RoleRun& run, const ExpectedState& before,
                      const StoredValues& values, const RoleResult& summary, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_YCSB_JUDGE_H_
