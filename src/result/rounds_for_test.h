// Results of several rounds, made up for tests of what is said of them.
#ifndef LEVELFIELD_RESULT_ROUNDS_FOR_TEST_H_
#define LEVELFIELD_RESULT_ROUNDS_FOR_TEST_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "result/result.h"

namespace levelfield {

// A run of `readrandom` alone, by one thread in one second, whose gets took `latency_ns` each.
inline RunResult RoundOf(const std::string& engine, uint64_t round, uint64_t gets,
                         uint64_t latency_ns = 1000) {
  OperationStatistics stats;
  stats.operation = "get";
  stats.effects = Effect::kReads;
  stats.lookup = Lookup::kKey;
  stats.operations = stats.hits = gets;
  stats.latency_ns.emplace();
  stats.latency_ns->Add(latency_ns);
  RoleResult role;
  role.name = "reader";
  role.threads = 1;
  role.seconds = 1;
  role.statistics.push_back(stats);
  PhaseResult phase;
  phase.workload = "readrandom";
  phase.outcome = Outcome::kOk;
  phase.checked.answers = AnswersChecked::kReplayed;
  phase.roles.push_back(role);
  RunResult run;
  run.engine = engine;
  run.outcome = Outcome::kOk;
  run.round = round;
  run.phases.push_back(phase);
  return run;
}

// An engine, and how many gets it did in a round.
using EngineRates = std::pair<std::string, std::function<uint64_t(uint64_t round)>>;

// Rounds of engines, each in turn.
inline Result RoundsOf(uint64_t rounds, const std::vector<EngineRates>& engines) {
  Result result;
  for (uint64_t round = 1; round <= rounds; ++round) {
    for (const auto& [engine, gets] : engines) {
      result.runs.push_back(RoundOf(engine, round, gets(round)));
    }
  }
  return result;
}

// One round in ten slices of a tenth of a second each.
inline RunResult SlicedRoundOf(const std::string& engine, uint64_t round, uint64_t gets) {
  RunResult run = RoundOf(engine, round, gets);
  PhaseResult& phase = run.phases[0];
  phase.slices = Slices{.seconds = 0.1,
                        .operations = std::vector<uint64_t>(10, gets / 10),
                        .active_ns = std::vector<uint64_t>(10, 100'000'000),
                        .cpu_ns = std::vector<uint64_t>(10, 100'000'000),
                        .kept_ns = {}};
  return run;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ROUNDS_FOR_TEST_H_
