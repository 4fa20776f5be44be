// Results of several rounds, made up for tests of what is said of them.
#ifndef LEVELFIELD_RESULT_ROUNDS_FOR_TEST_H_
#define LEVELFIELD_RESULT_ROUNDS_FOR_TEST_H_

#include <string>

#include "result/result.h"

namespace levelfield {

// A run of `readrandom` alone, by one thread in one second, whose gets took `latency_ns` each.
inline RunResult RoundOf(const std::string& engine, uint64_t round, uint64_t gets,
                         uint64_t latency_ns = 1000) {
  LaneResult lane;
  lane.operation = "get";
  lane.operations = lane.hits = gets;
  lane.latency_ns.emplace();
  lane.latency_ns->Add(latency_ns);
  RoleResult role;
  role.name = "reader";
  role.threads = 1;
  role.seconds = 1;
  role.lanes.push_back(lane);
  PhaseResult phase;
  phase.workload = "readrandom";
  phase.outcome = Outcome::kOk;
  phase.checked = "replayed";
  phase.roles.push_back(role);
  RunResult run;
  run.engine = engine;
  run.outcome = Outcome::kOk;
  run.round = round;
  run.phases.push_back(phase);
  return run;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ROUNDS_FOR_TEST_H_
